"""The base of a run that names none, where it can be known what the user runs."""

import os
import re

from bot.build.current import current
from bot.config import Settings
from bot.errors import BotError
from bot.http import DeclinedError, Http, LimitedError, SystemClock, UnansweredError
from bot.pipeline.request import Request
from bot.progress import Reporter
from bot.records import Build, Tag
from bot.upstream import tags
from bot.upstream.mirror import Mirror

#: A server that answers takes milliseconds; one that is busy or away should not hold up a run.
_PROPS_S = 3.0
#: `b9601-1c26250`, in `/props` of every era.
_BUILD_INFO = re.compile(r"b(\d+)-([0-9a-f]{7,40})")


def base_in_use(settings: Settings, request: Request, mirror: Mirror, reporter: Reporter) -> str | None:
    """The base that a run without one is about: what the user runs now. None leaves it to the other rules.

    What `machine.server` says of itself, else what `use` switched to; which it was is said. Not for runs that
    are not this user's own (watch, Actions, a comment), nor where that commit is head or unknown to this
    source.
    """
    if request.base is not None or request.asked_by != "cli" or os.environ.get("GITHUB_ACTIONS"):
        return request.base
    newest = tags.newest(mirror.tags())
    if newest is None:
        return None
    head = mirror.named(request.head or newest)
    found = _of_server(settings.machine.server, mirror, reporter) if settings.machine.server else None
    if found:
        return _unless_head(found, head, reporter, "progress-base-server", settings.machine.server or "")
    used = current(settings.cache)
    tag = _tag(used, mirror) if used else None
    return _unless_head(tag, head, reporter, "progress-base-current", "") if tag else None


def _unless_head(tag: Tag, head: Tag, reporter: Reporter, message: str, server: str) -> str | None:
    if tag.sha == head.sha:
        reporter.say("progress-base-is-head", tag=head.name)
        return None
    reporter.say(message, tag=tag.name, server=server)
    return tag.name


def _of_server(url: str, mirror: Mirror, reporter: Reporter) -> Tag | None:
    """What runs there; None, and said, where nothing answers or its commit is unknown."""
    http = Http(url.rstrip("/"), dict, SystemClock(), timeout_s=_PROPS_S)
    try:
        answer = http.get("/props")
    except (UnansweredError, LimitedError, DeclinedError) as error:
        why = f"HTTP {error.status}" if isinstance(error, DeclinedError) else str(error)
        reporter.say("progress-server-silent", server=url, why=why)
        return None
    finally:
        http.close()
    said = str(answer.data.get("build_info", "")) if isinstance(answer.data, dict) else ""
    found = _BUILD_INFO.fullmatch(said)
    tag = mirror.find(int(found[1]), found[2]) if found else None
    if tag is None:
        reporter.say("progress-server-unknown", server=url, said=said[:80] or "-")
    return tag


def _tag(used: Build, mirror: Mirror) -> Tag | None:
    """The build's tag where it still means that commit, else the commit; None where this source has none."""
    if used.tag in mirror.tags() and mirror.resolve(used.tag).sha == used.sha:
        return mirror.resolve(used.tag)
    try:
        return mirror.commit(used.sha)
    except BotError:
        return None
