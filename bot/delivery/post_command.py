"""The command `post`: from its words to what became of each target."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot import store
from bot.config import load
from bot.config.github import GithubConfig
from bot.config.settings import default_cache
from bot.delivery.posting import Asked, Outcome, Poster, expect
from bot.errors import usage
from bot.github.auth import credentials
from bot.github.client import Client
from bot.github.outbox import Outbox
from bot.github.targets import FileTarget, Target, looks_like_target, parse
from bot.records import Run
from bot.report.render import render

_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}", re.ASCII)


@dataclass(frozen=True)
class PostRequest:
    """What the command line asks for. `words` are records and targets, in any order."""

    words: Sequence[str]
    config: Path
    dry_run: bool = False
    force_upstream: bool = False
    comment: str | None = None
    asker: str | None = None
    pair: str | None = None


def post(request: PostRequest, on_wait: Callable[[float], None]) -> list[Outcome]:
    """Post, or with `dry_run` only look. Raises BotError (exit 2) before anything is sent.

    What GitHub refuses is an outcome; then the reports stand beside their records.
    """
    targets = [parse(word) for word in request.words if looks_like_target(word)]
    records = [Path(word) for word in request.words if not looks_like_target(word)]
    runs = _runs(records, request)
    if not targets:
        raise usage("no-target")
    outcomes = _outcomes(request, runs, targets, _asked(request), on_wait)
    if any(outcome.error for outcome in outcomes) and not request.dry_run:
        for record, run in zip(records, runs, strict=True):
            for name, text in render(run).items():
                store.write_text(record.parent / name, text)
    return outcomes


def _outcomes(
    request: PostRequest,
    runs: list[Run],
    targets: list[Target],
    asked: Asked | None,
    on_wait: Callable[[float], None],
) -> list[Outcome]:
    github, cache_folder = _settings(request.config)

    @cache
    def client() -> Client:
        return Client(github, credentials(github), force_upstream=request.force_upstream, on_wait=on_wait)

    if any(not isinstance(target, FileTarget) for target in targets):
        client()  # without a token nothing is begun
    poster = Poster(client, Outbox(cache_folder / "outbox"))
    if request.dry_run:
        return [poster.preview(runs, target, asked) for target in targets]
    return poster.post(runs, targets, asked)


def _runs(records: list[Path], request: PostRequest) -> list[Run]:
    if not records:
        raise usage("no-record")
    runs = [store.load_run(path) for path in records]
    if request.pair is not None:
        expect(runs, request.pair)
    return runs


def _asked(request: PostRequest) -> Asked | None:
    if request.comment is None and request.asker is None:
        return None
    if not request.comment or not request.asker:
        raise usage("half-asked")
    if not _LOGIN.fullmatch(request.asker):
        raise usage("bad-login", found=request.asker)
    return Asked(request.comment, request.asker)


def _settings(path: Path) -> tuple[GithubConfig, Path]:
    """Of the file where there is one: a machine that only posts needs no profiles."""
    if path == Path("config.yml") and not path.exists():
        return GithubConfig(), default_cache()
    settings = load(path)
    return settings.github, settings.cache
