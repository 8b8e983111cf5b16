"""The way to GitHub: reads are tried again, writes are sent once and at least a second apart.

Every call raises UnansweredError, LimitedError or DeclinedError (`bot.http`); `told` makes errors for users.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bot import __version__
from bot.config.github import GithubConfig
from bot.errors import BotError
from bot.github.auth import Credentials
from bot.github.errors import from_failure
from bot.github.targets import forbid_upstream
from bot.http import (
    PATIENCE_S,
    UNSTATED_LIMIT_S,
    Answer,
    Clock,
    DeclinedError,
    Etags,
    Http,
    LimitedError,
    Patience,
    SystemClock,
    UnansweredError,
    limit_of,
    read,
)

if TYPE_CHECKING:
    from github.Repository import Repository

Result = TypeVar("Result")

#: GitHub's advice (docs.github.com, "Best practices for using the REST API"): a second between writes.
BETWEEN_WRITES_S = 1.0
#: Types of GraphQL errors, which come with status 200, and the REST status that says the same.
_GRAPHQL_STATUS = {
    "FORBIDDEN": 403,
    "INSUFFICIENT_SCOPES": 403,
    "UNAUTHORIZED": 401,
    "NOT_FOUND": 404,
    "UNPROCESSABLE": 422,
}


@dataclass
class Client:
    """One server, one identity. `force_upstream` counts only where the configuration allows it too."""

    config: GithubConfig
    credentials: Credentials = field(repr=False)
    clock: Clock = field(default_factory=SystemClock)
    force_upstream: bool = False
    on_wait: Callable[[float], None] = lambda _: None
    timeout_s: int = 30
    cache: Path | None = None
    patience_s: float = PATIENCE_S
    http: Http = field(init=False)
    patience: Patience = field(init=False)
    _last_write: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        """Open no connection yet."""
        base = self.config.api_url.rstrip("/")
        self.http = Http(base, self._headers, self.clock, float(self.timeout_s), Etags(self.cache))
        self.patience = Patience(self.clock, self.patience_s, self.on_wait)

    # --- reads -------------------------------------------------------------------------------------

    def get(self, path: str) -> Answer:
        """A REST read."""
        return self.reading(lambda: self.http.get(path))

    def poll(self, path: str) -> Answer:
        """A REST read with the stored ETag: costs nothing while nothing changed (`fresh` is False then)."""
        return self.reading(lambda: self.http.get(path, conditional=True))

    def query(self, document: str, **variables: object) -> dict[str, Any]:
        """The `data` of a GraphQL query."""
        return self.reading(lambda: self._graphql(document, variables))

    def reading(self, call: Callable[[], Result]) -> Result:
        """The result of something that changes nothing; also for calls of PyGithub's objects."""
        return read(lambda: self._as_someone(call), self.patience)

    # --- writes ------------------------------------------------------------------------------------

    def mutate(self, document: str, **variables: object) -> dict[str, Any]:
        """The `data` of a GraphQL mutation `mutation($input: ...)`, sent once."""
        return self.writing(lambda: self._graphql(document, {"input": variables}))

    def writing(self, call: Callable[[], Result]) -> Result:
        """The result of a write, sent once (twice only where a token had ended, which did nothing)."""
        early = self._last_write + BETWEEN_WRITES_S - self.clock.now()
        if early > 0:
            self.clock.sleep(early)
        try:
            return self._as_someone(call)
        finally:
            self._last_write = self.clock.now()

    def repository(self, name: str) -> "Repository":
        """PyGithub's lazy object for `owner/name`: no request. Its calls go through `reading` or `writing`.

        Raises BotError (exit 5) for a repository of upstream's.
        """
        from bot.github.rest import github  # noqa: PLC0415 - PyGithub costs 0.3 s

        self.forbid_upstream(name)
        return github(self.config.api_url, self.credentials.token, self.timeout_s).get_repo(name)

    def forbid_upstream(self, name: str) -> None:
        """Raise BotError (exit 5) where we may not post: `name` as GitHub resolved it."""
        forbid_upstream(name, allowed=self.config.allow_upstream and self.force_upstream)

    def close(self) -> None:
        """Close the connections."""
        self.http.close()

    # --- inside ------------------------------------------------------------------------------------

    def _as_someone(self, call: Callable[[], Result]) -> Result:
        from bot.github.rest import translated  # noqa: PLC0415 - as above

        try:
            with translated(self.clock):
                return call()
        except DeclinedError as declined:
            if declined.status != 401 or not self.credentials.renew():
                raise
        with translated(self.clock):
            return call()

    def _headers(self) -> dict[str, str]:
        token = self.credentials.token()
        return {
            "accept": "application/vnd.github+json",
            **({"authorization": f"Bearer {token}"} if token else {}),
            "user-agent": f"llama-release-bot/{__version__}",
            "x-github-api-version": "2022-11-28",
        }

    def _graphql(self, document: str, variables: object) -> dict[str, Any]:
        answer = self.http.post(self.graphql_url, {"query": document, "variables": variables})
        body = answer.data if isinstance(answer.data, dict) else {}
        if body.get("errors") and not _is_partial(body):
            raise self._graphql_failure(body["errors"][0], answer)
        if not isinstance(body.get("data"), dict):
            raise UnansweredError("no data")
        data: dict[str, Any] = body["data"]
        return data

    def _graphql_failure(self, error: dict[str, Any], answer: Answer) -> Exception:
        message, kind = str(error.get("message", "")), str(error.get("type", ""))
        if kind == "RATE_LIMITED" or "secondary rate limit" in message.lower():
            limit = limit_of(403, answer.headers, message, self.clock.now())
            return limit or LimitedError(UNSTATED_LIMIT_S, stated=False)
        if kind in _GRAPHQL_STATUS:
            return DeclinedError(_GRAPHQL_STATUS[kind], message)
        if "extensions" in error:
            # The document does not fit GitHub's schema.
            return DeclinedError(400, message)
        return UnansweredError(message)

    @property
    def graphql_url(self) -> str:
        """`/graphql` beside the REST address; on GitHub Enterprise `/api/graphql` beside `/api/v3`."""
        return f"{self.http.base.removesuffix('/v3')}/graphql"


def _is_partial(body: dict[str, Any]) -> bool:
    """Whether only something inside a repository was not found: what is known of the repository says why."""
    not_found = all(error.get("type") == "NOT_FOUND" for error in body["errors"])
    data = body.get("data")
    return not_found and isinstance(data, dict) and data.get("repository") is not None


def told(where: object, call: Callable[[], Result]) -> Result:
    """The result of a call to GitHub; what went wrong as BotError (exit 5) about `where`."""
    try:
        return call()
    except BotError:
        raise
    except (UnansweredError, LimitedError, DeclinedError) as failure:
        raise from_failure(failure, str(where)) from None
