"""The base of a run that names none, where the user has said what they run."""

import os

from bot.build.current import current
from bot.config import Settings
from bot.errors import BotError
from bot.pipeline.request import Request
from bot.records import Build
from bot.upstream import tags
from bot.upstream.mirror import Mirror


def base_in_use(settings: Settings, request: Request, mirror: Mirror) -> str | None:
    """The base that a run without one is about: what the user runs now. None leaves it to the other rules.

    Not for runs that are not this user's own (watch, Actions, a comment), nor where that commit is head or
    unknown to this source.
    """
    if request.base is not None or request.asked_by != "cli" or os.environ.get("GITHUB_ACTIONS"):
        return request.base
    used = current(settings.cache)
    name = _name(used, mirror) if used else None
    newest = tags.newest(mirror.tags())
    if used is None or name is None or newest is None:
        return None
    return None if mirror.named(request.head or newest).sha == used.sha else name


def _name(used: Build, mirror: Mirror) -> str | None:
    """The build's tag where it still means that commit, else the commit; None where this source has none."""
    if used.tag in mirror.tags() and mirror.resolve(used.tag).sha == used.sha:
        return used.tag
    try:
        return mirror.commit(used.sha).name
    except BotError:
        return None
