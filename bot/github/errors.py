"""Why GitHub refused, as the errors a user meets (exit 5)."""

from bot.errors import BotError, Exit
from bot.http import DeclinedError, LimitedError, UnansweredError

#: Statuses that mean the same wherever they come.
_BY_STATUS = {401: "github-token", 403: "github-forbidden", 404: "github-gone", 410: "github-gone"}
#: Longest message of GitHub's that is repeated.
_SHOWN = 200


def refused(code: str, where: str, **args: str | int) -> BotError:
    """`error-github-<code>` for the target `where`."""
    return BotError(f"github-{code}", Exit.GITHUB, where=where, **args)


def from_failure(failure: Exception, where: str) -> BotError:
    """The error for what was not mended by waiting."""
    if isinstance(failure, LimitedError):
        return refused("limited", where, minutes=max(1, round(failure.wait_s / 60)))
    if isinstance(failure, UnansweredError):
        return refused("unanswered", where, why=plain(str(failure)))
    assert isinstance(failure, DeclinedError)
    return _declined(failure, where)


def _declined(failure: DeclinedError, where: str) -> BotError:
    message = failure.message.lower()
    if failure.status in (403, 422) and "locked" in message:
        return refused("locked", where)
    if failure.status == 403 and "archived" in message:
        return refused("archived", where)
    if failure.status == 422 and "too long" in message:
        return refused("too-long", where)
    if 300 <= failure.status < 400:
        return refused("moved", where)
    code = _BY_STATUS.get(failure.status)
    why = plain(failure.message) or str(failure.status)
    return BotError(code or "github-declined", Exit.GITHUB, where=where, why=why)


def plain(text: str) -> str:
    """Words from outside, fit for one line."""
    flat = "".join(char if char.isprintable() else " " for char in " ".join(text.split()))
    return flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"
