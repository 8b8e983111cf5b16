"""The one door to HTTP: bounded waits, three kinds of failure, and nothing that writes is sent twice.

`UnansweredError`: what was asked may or may not have been done. `LimitedError`, `DeclinedError`: it was not.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import httpx

from bot import store

Result = TypeVar("Result")

#: GitHub's rule for a limit that states no time: at least a minute, doubled each time
#: (docs.github.com, "Best practices for using the REST API").
UNSTATED_LIMIT_S = 60.0
#: A primary limit lasts at most an hour; waiting longer than that in all is giving up.
PATIENCE_S = 3900.0
READ_TRIES = 5
REDIRECTS = 5


class UnansweredError(Exception):
    """A broken line, a timeout or a 5xx: whether the request took effect is unknown."""


class LimitedError(Exception):
    """Refused for now. `wait_s` seconds have to pass; `stated` says whether the server named them."""

    def __init__(self, wait_s: float, *, stated: bool) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s
        self.stated = stated


class DeclinedError(Exception):
    """The server said no (3xx of a write, 4xx, or an error in a GraphQL answer); nothing was done."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message)
        self.status = status
        self.message = message


class Clock(Protocol):
    """Time, so that tests need not spend it."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        time.sleep(seconds)


@dataclass
class Patience:
    """How long all waits together may take; `on_wait` is told each one in seconds."""

    clock: Clock
    left_s: float = PATIENCE_S
    on_wait: Callable[[float], None] = lambda _: None

    def wait(self, seconds: float) -> bool:
        """Wait; False, at once, when that would take longer than is left."""
        if seconds > self.left_s:
            return False
        self.left_s -= seconds
        self.on_wait(seconds)
        self.clock.sleep(seconds)
        return True

    def wait_for(self, limit: LimitedError, turn: int) -> bool:
        """Wait out a limit for the `turn`-th time in a row (from 0)."""
        return self.wait(limit.wait_s if limit.stated else limit.wait_s * 2**turn)


def read(call: Callable[[], Result], patience: Patience) -> Result:
    """The result of something that changes nothing, tried again after 1, 2, 4, ... s or as a limit states."""
    for turn in range(READ_TRIES - 1):
        try:
            return call()
        except UnansweredError:
            if not patience.wait(2.0**turn):
                raise
        except LimitedError as limit:
            if not patience.wait_for(limit, turn):
                raise
    return call()


@dataclass(frozen=True)
class Answer:
    """What came back; `data` is the JSON, or None. `fresh` is False for a 304, whose data was stored."""

    status: int
    headers: Mapping[str, str]
    data: Any
    fresh: bool = True


def check(status: int, headers: Mapping[str, str], message: str, now: float) -> None:
    """Raise what a status stands for. `headers` with lower-case names; `now` in seconds since the epoch."""
    if status >= 500:
        raise UnansweredError(f"{status} {message}")
    limit = limit_of(status, headers, message, now)
    if limit:
        raise limit
    if status >= 300:
        raise DeclinedError(status, message)


def limit_of(status: int, headers: Mapping[str, str], message: str, now: float) -> LimitedError | None:
    """The limit that an answer speaks of: 429, or a 403 that names one; other 403 are about permission."""
    if status not in (403, 429):
        return None
    if (after := _retry_after(headers.get("retry-after", ""), now)) is not None:
        return LimitedError(after, stated=True)
    reset = headers.get("x-ratelimit-reset", "")
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        return LimitedError(max(0.0, float(reset) - now) + 1, stated=True)
    if status == 429 or "rate limit" in message.lower() or "abuse detection" in message.lower():
        return LimitedError(UNSTATED_LIMIT_S, stated=False)
    return None


def _retry_after(value: str, now: float) -> float | None:
    """Seconds from now: the header holds seconds or a date (RFC 9110, 10.2.3)."""
    if value.strip().isdigit():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - now)
    except ValueError:
        return None


@dataclass(frozen=True)
class Etags:
    """Answers with their ETags, one file per address. Without a folder nothing is kept."""

    folder: Path | None

    def load(self, url: str) -> tuple[str, Any] | None:
        """The ETag and the data that came with it."""
        try:
            kept = json.loads(self._path(url).read_bytes()) if self.folder else None
            return (kept["etag"], kept["data"]) if kept and kept["url"] == url else None
        except (OSError, ValueError, LookupError, TypeError):
            return None

    def keep(self, url: str, etag: str, data: Any) -> None:  # noqa: ANN401 - any JSON
        """Remember an answer."""
        if self.folder:
            store.write_json(self._path(url), {"url": url, "etag": etag, "data": data})

    def _path(self, url: str) -> Path:
        assert self.folder
        return self.folder / f"{hashlib.sha256(url.encode()).hexdigest()[:32]}.json"


@dataclass
class Http:
    """One server. `headers` is asked for each request, so that a renewed token counts at once."""

    base: str
    headers: Callable[[], dict[str, str]]
    clock: Clock
    timeout_s: float = 30.0
    etags: Etags = Etags(None)
    _client: httpx.Client = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Redirects are not followed by the library: see `get`."""
        timeout = httpx.Timeout(self.timeout_s, connect=min(10.0, self.timeout_s))
        self._client = httpx.Client(timeout=timeout, follow_redirects=False)

    def get(self, path: str, *, conditional: bool = False) -> Answer:
        """One GET; redirects are followed within this server. `conditional`: with the stored ETag.

        Raises UnansweredError, LimitedError or DeclinedError.
        """
        url = path if path.startswith("http") else self.base + path
        for _ in range(REDIRECTS):
            kept = self.etags.load(url) if conditional else None
            answer = self._send("GET", url, {"if-none-match": kept[0]} if kept else {}, None)
            if answer.status == 304 and kept:
                return Answer(304, answer.headers, kept[1], fresh=False)
            target = answer.headers.get("location", "")
            if answer.status in (301, 302, 307, 308) and target:
                url = self._within(url, target)
                continue
            self._check(answer)
            if conditional and (etag := answer.headers.get("etag")):
                self.etags.keep(url, etag, answer.data)
            return answer
        raise DeclinedError(310, "redirects without end")

    def post(self, url: str, payload: object) -> Answer:
        """One POST, sent once and never redirected. Raises UnansweredError, LimitedError or DeclinedError."""
        answer = self._send("POST", url, {}, payload)
        self._check(answer)
        return answer

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _send(self, method: str, url: str, extra: dict[str, str], payload: object) -> Answer:
        try:
            response = self._client.request(
                method, url, headers=self.headers() | extra, json=payload if method == "POST" else None
            )
        except httpx.HTTPError as error:
            # `from None`: the library's exception holds the request, and the request holds the token.
            raise UnansweredError(type(error).__name__) from None
        return Answer(response.status_code, response.headers, _json(response.content))

    def _check(self, answer: Answer) -> None:
        if answer.status == 304:
            raise UnansweredError("304 without a condition")
        check(answer.status, answer.headers, message_of(answer.data), self.clock.now())

    def _within(self, url: str, location: str) -> str:
        target = str(httpx.URL(url).join(location))
        if urlsplit(target)[:2] != urlsplit(url)[:2]:
            raise DeclinedError(310, "redirect to another server")
        return target


def message_of(data: object) -> str:
    """GitHub's own words in an error's body."""
    return str(data.get("message", "")) if isinstance(data, dict) else ""


def _json(content: bytes) -> Any:  # noqa: ANN401 - any JSON
    try:
        return json.loads(content) if content else None
    except ValueError:
        return None
