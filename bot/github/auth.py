"""Who we are on GitHub: a token from the environment, or a GitHub App. Secrets never leave this room."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bot.config.github import GithubConfig
from bot.errors import BotError, Exit, usage
from bot.http import Clock, SystemClock

if TYPE_CHECKING:
    from github import GithubIntegration

#: Seconds before its end at which an installation's token is renewed.
EARLY_S = 120.0
TOKEN_VARIABLES = ("GITHUB_TOKEN", "GH_TOKEN")
KEY_VARIABLE = "GITHUB_APP_PRIVATE_KEY"


class Credentials(Protocol):
    """The right to speak for someone."""

    def token(self) -> str:
        """The token to send now."""
        ...

    def renew(self) -> bool:
        """Get another token after this one was refused; False where there is none to get."""
        ...


@dataclass(frozen=True)
class FixedToken:
    """A workflow's GITHUB_TOKEN, or a personal access token."""

    secret: str = field(repr=False)

    def token(self) -> str:
        """The token."""
        return self.secret

    def renew(self) -> bool:
        """There is no other."""
        return False


@dataclass(frozen=True)
class NoToken:
    """Nobody in particular: enough to read what is public, 60 times an hour."""

    def token(self) -> str:
        """None."""
        return ""

    def renew(self) -> bool:
        """There is no other."""
        return False


@dataclass
class AppToken:
    """A GitHub App's installation: its tokens live for an hour and are renewed as they end."""

    config: GithubConfig
    key: str = field(repr=False)
    clock: Clock
    _token: str = field(init=False, default="", repr=False)
    _ends: float = field(init=False, default=0.0)

    def token(self) -> str:
        """The installation's token. Raises BotError (exit 5) where GitHub gives none."""
        if self.clock.now() > self._ends - EARLY_S:
            self._fetch()
        return self._token

    def renew(self) -> bool:
        """Another token at the next request."""
        self._ends = 0.0
        return True

    def _fetch(self) -> None:
        integration = _integration(self.config, self.key)
        installation = self.config.installation_id
        try:
            if installation is None:
                installation = _only_installation(integration)
            granted = integration.get_access_token(installation)
        except BotError:
            raise
        except Exception as error:
            raise BotError("github-app", Exit.GITHUB, why=_kind(error)) from None
        finally:
            integration.close()
        self._token, self._ends = granted.token, granted.expires_at.timestamp()


def credentials(
    config: GithubConfig, environ: Mapping[str, str] = os.environ, clock: Clock | None = None
) -> Credentials:
    """As configured: an App where `app_id` is set, else the first token of the environment.

    Raises BotError (exit 2) where there is none.
    """
    if config.app_id is not None:
        return AppToken(config, _private_key(config, environ), clock or SystemClock())
    secret = next(filter(None, (environ.get(name, "").strip() for name in TOKEN_VARIABLES)), "")
    if not secret:
        raise usage("no-token")
    if not secret.isascii() or not secret.isprintable() or " " in secret:
        raise usage("odd-token")
    return FixedToken(secret)


def _private_key(config: GithubConfig, environ: Mapping[str, str]) -> str:
    if key := environ.get(KEY_VARIABLE, "").strip():
        return key
    path = config.private_key
    if path is None:
        raise usage("no-app-key")
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise usage("cannot-read", path=str(path), why=type(error).__name__) from None


def _integration(config: GithubConfig, key: str) -> "GithubIntegration":
    from bot.github.rest import integration  # noqa: PLC0415 - PyGithub costs 0.3 s, a token needs none

    assert config.app_id is not None
    try:
        return integration(config.api_url, config.app_id, key)
    except Exception as error:
        raise BotError("github-app", Exit.GITHUB, why=_kind(error)) from None


def _only_installation(integration: "GithubIntegration") -> int:
    ids = [item.id for item in integration.get_installations()]
    if len(ids) != 1:
        raise BotError("github-installations", Exit.GITHUB, found=" | ".join(map(str, ids)) or "0")
    return ids[0]


def _kind(error: Exception) -> str:
    """What went wrong without the words of a library, which may quote what it was given."""
    status = getattr(error, "status", None)
    return f"{type(error).__name__} {status}" if status else type(error).__name__
