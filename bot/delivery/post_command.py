"""The command `post`: from its words to what became of each target."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bot import store
from bot.config import load
from bot.config.github import GithubConfig
from bot.config.models import UpstreamConfig
from bot.config.notify import AddressSource
from bot.config.settings import default_cache
from bot.delivery.noticed import FolderMemory
from bot.delivery.phone import Phone
from bot.delivery.posting import Asked, Outcome, Poster, common_key, expect
from bot.delivery.troubling import Look, considered_now
from bot.errors import BotError, usage
from bot.github.auth import credentials
from bot.github.client import Client
from bot.github.outbox import Outbox
from bot.github.targets import FileTarget, Target, looks_like_target, parse
from bot.records import Run
from bot.report.render import render

#: Seconds between attempts, in all, at a look that the report can do without, while somebody waits for it.
PATIENCE_S = 3.0
#: How node ids of comments in discussions begin.
_DISCUSSION_COMMENT = "DC_"
_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}", re.ASCII)


@dataclass(frozen=True)
class _Settings:
    """What of the settings this command needs."""

    github: GithubConfig = field(default_factory=GithubConfig)
    upstream: UpstreamConfig = field(default_factory=UpstreamConfig)
    cache: Path = field(default_factory=default_cache)
    notify: Sequence[AddressSource] = ()


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


def post(
    request: PostRequest, on_wait: Callable[[float], None], on_unsaid: Callable[[BotError], None]
) -> list[Outcome]:
    """Post, or with `dry_run` only look. Raises BotError (exit 2) before anything is sent.

    What GitHub refuses is an outcome; then the reports stand beside their records. `on_unsaid` hears which
    phone could not be told, and why.
    """
    targets = [parse(word) for word in request.words if looks_like_target(word)]
    records = [Path(word) for word in request.words if not looks_like_target(word)]
    runs = _runs(records, request)
    if not targets:
        raise usage("no-target")
    runs = _considered(records, runs, request)
    outcomes = _outcomes(request, runs, targets, _asked(request), on_wait=on_wait, on_unsaid=on_unsaid)
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
    *,
    on_wait: Callable[[float], None],
    on_unsaid: Callable[[BotError], None],
) -> list[Outcome]:
    settings = _settings(request.config)
    github = settings.github

    @cache
    def client() -> Client:
        return Client(github, credentials(github), force_upstream=request.force_upstream, on_wait=on_wait)

    if any(not isinstance(target, FileTarget) for target in targets):
        client()  # without a token nothing is begun
    told = Phone(settings.notify, FolderMemory(settings.cache / "notices"), on_unsaid)
    poster = Poster(client, Outbox(settings.cache / "outbox"), told.posted)
    if request.dry_run:
        return [poster.preview(runs, target, asked) for target in targets]
    return poster.post(runs, targets, asked)


def _considered(records: list[Path], runs: list[Run], request: PostRequest) -> list[Run]:
    """The records with what upstream's open issues say now; kept, so that the reports can be made again."""
    common_key(runs, _asked(request))
    settings = _settings(request.config)
    told = considered_now(
        runs, Look(settings.github, settings.upstream, settings.cache, patience_s=PATIENCE_S)
    )
    for path, old, new in zip(records, runs, told, strict=True):
        if new != old and not request.dry_run:
            with suppress(BotError):  # a record that cannot be written can still be posted
                store.save(path, new)
    return told


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
    node = request.comment if request.comment.startswith(_DISCUSSION_COMMENT) else None
    return Asked(request.comment, request.asker, node)


def _settings(path: Path) -> _Settings:
    """Of the file where there is one: a machine that only posts needs no profiles."""
    if path == Path("config.yml") and not path.exists():
        return _Settings()
    settings = load(path)
    return _Settings(settings.github, settings.upstream, settings.cache, settings.notify)
