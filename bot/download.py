"""One file over HTTP: bounded, gone on with after an interruption, checked, there only when it is whole."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from bot.errors import environment
from bot.http import REDIRECTS, DeclinedError, Patience, UnansweredError, check, read

#: Called with (done, total) in bytes.
Progress = Callable[[float, float], None]


@dataclass(frozen=True)
class Wanted:
    """A file at `url`, at most `most` bytes. `sha256` is None where nobody says what it should be."""

    url: str
    most: int
    sha256: str | None = None


class WrongContentError(Exception):
    """The bytes are not those promised: their SHA-256 in hexadecimal, or "" where there were too many."""

    def __init__(self, found: str) -> None:
        super().__init__(found)
        self.found = found


def download(
    wanted: Wanted,
    target: Path,
    patience: Patience,
    *,
    progress: Progress | None = None,
    timeout_s: float = 30.0,
) -> str:
    """Have the file at `target`; its SHA-256 in hexadecimal.

    What an interruption left in `<target>.part` is gone on with where `sha256` can tell a mixture from the
    file, in the next call too. Redirects may lead to other hosts (release files lie on one of their own),
    never from https to http; nothing secret is sent. Raises WrongContentError (nothing is kept then),
    UnansweredError, LimitedError or DeclinedError (404 and the like), and BotError (exit 4) for the disk.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if wanted.sha256 is None:
            part.unlink(missing_ok=True)
        read(lambda: _rest(wanted, part, timeout_s, progress), patience)
        with part.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if wanted.sha256 not in (None, found):
            raise WrongContentError(found)
        part.replace(target)
    except WrongContentError:
        part.unlink(missing_ok=True)
        raise
    except OSError as error:
        raise environment("cannot-write", path=str(target), why=error.strerror or str(error)) from error
    return found


def _rest(wanted: Wanted, part: Path, timeout_s: float, progress: Progress | None) -> None:
    """Append what is missing. Raises as `download` does."""
    done = part.stat().st_size if part.exists() else 0
    with _answer(wanted.url, {"range": f"bytes={done}-"} if done else {}, timeout_s) as answer:
        if answer.status_code == 416:  # nothing is left to send; whether it is the file, its checksum tells
            return
        goes_on = answer.status_code == 206 and _begins_at(answer, done)
        done = done if goes_on else 0
        total = done + int(answer.headers.get("content-length", 0))
        with part.open("ab" if goes_on else "wb") as file:
            for chunk in answer.iter_bytes():  # as it comes: an interruption must lose none
                done += len(chunk)
                if done > wanted.most:
                    raise WrongContentError("")
                file.write(chunk)
                if progress:
                    progress(done, max(total, done))
    if done < total:
        raise UnansweredError("cut short")


@contextmanager
def _answer(url: str, headers: dict[str, str], timeout_s: float) -> Iterator[httpx.Response]:
    limits = httpx.Timeout(timeout_s, connect=min(10.0, timeout_s))
    # `identity`: a length and a checksum are of the file, not of its compressed form.
    sent = {"accept-encoding": "identity", **headers}
    try:
        with (
            httpx.Client(timeout=limits, follow_redirects=True, max_redirects=REDIRECTS) as client,
            client.stream("GET", url, headers=sent) as answer,
        ):
            if urlsplit(url).scheme == "https" and answer.url.scheme != "https":
                raise DeclinedError(310, "redirect to http")
            if answer.status_code != 416:
                check(answer.status_code, answer.headers, answer.reason_phrase, 0.0)
            yield answer
    except httpx.TooManyRedirects:
        raise DeclinedError(310, "redirects without end") from None
    except httpx.HTTPError as error:
        raise UnansweredError(type(error).__name__) from None


def _begins_at(answer: httpx.Response, place: int) -> bool:
    return str(answer.headers.get("content-range", "")).startswith(f"bytes {place}-")
