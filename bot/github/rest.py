"""PyGithub, tamed: no retries, no sleeping of its own, no requests nobody asked for, no log of its own."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import requests
from github import Auth, Github, GithubException, GithubIntegration
from github.Consts import DEFAULT_USER_AGENT

from bot.http import Clock, DeclinedError, UnansweredError, check, message_of

API_VERSION = "2022-11-28"
#: PyGithub takes whole seconds, one number for connecting and reading.
TIMEOUT_S = 30


class _Present(Auth.Auth):
    """The token as it is at each request: objects made before a renewal go on working."""

    def __init__(self, token: Callable[[], str]) -> None:
        self._ask = token

    @property
    def token_type(self) -> str:
        return "Bearer"

    @property
    def token(self) -> str:
        return self._ask()


def github(api_url: str, token: Callable[[], str], timeout_s: int = TIMEOUT_S) -> Github:
    """A client whose objects fetch nothing until asked: its default would POST three times on a 502."""
    _quiet()
    return Github(
        auth=_Present(token),
        base_url=api_url,
        timeout=timeout_s,
        user_agent=f"{DEFAULT_USER_AGENT} llama-release-bot",
        per_page=100,
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
        lazy=True,
        api_version=API_VERSION,
    )


def integration(api_url: str, app_id: int, key: str) -> GithubIntegration:
    """The App itself, which can ask for its installations' tokens."""
    _quiet()
    return GithubIntegration(
        auth=Auth.AppAuth(app_id, key),
        base_url=api_url,
        timeout=TIMEOUT_S,
        retry=None,
        seconds_between_requests=None,
        seconds_between_writes=None,
        lazy=True,
        api_version=API_VERSION,
    )


@contextmanager
def translated(clock: Clock) -> Iterator[None]:
    """PyGithub's exceptions as ours: UnansweredError, LimitedError, DeclinedError."""
    try:
        yield
    except GithubException as error:
        headers = {name.lower(): value for name, value in (error.headers or {}).items()}
        check(error.status, headers, message_of(error.data) or error.message or "", clock.now())
        raise UnansweredError(f"{error.status}") from None
    except (requests.RequestException, OSError) as error:
        # `from None`: what lies behind holds the request and its headers.
        raise UnansweredError(type(error).__name__) from None
    except (RuntimeError, AssertionError, TypeError, AttributeError) as error:
        # What PyGithub makes of a redirect to another server, and of an answer without a body.
        raise UnansweredError(type(error).__name__) from None


def confirmed(thing_id: object) -> None:
    """Raise DeclinedError where a write was answered without an id: PyGithub takes a 307 for success."""
    if not thing_id:
        raise DeclinedError(307, "")


def _quiet() -> None:
    """`import github` makes its logger print to stderr."""
    logger = logging.getLogger("github")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
