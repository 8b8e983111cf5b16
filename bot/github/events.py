"""The facts of a comment event. Pure: GitHub's payload in, who said what where out.

The kind is inferred from the payload. A payload comes from outside, so every value is checked before it is
used: what has another type counts as missing.
"""

import re
from datetime import datetime
from typing import Any, Literal

from bot.github.marker import is_ours
from bot.records import Reason, Record

Kind = Literal["issue", "pull", "discussion"]

_LOGIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_REPOSITORY = re.compile(r"[A-Za-z0-9._-]{1,100}")
_NODE = re.compile(r"[A-Za-z0-9_=+/-]{1,200}")


class Place(Record):
    """The thread and the comment in it. `thread_node`, `comment_node` and `parent_id` serve GraphQL:
    `parent_id` is the id of the top-level comment that a reply in a discussion answers."""

    kind: Kind
    owner: str
    repo: str
    number: int
    comment_id: int
    thread_node: str | None = None
    comment_node: str | None = None
    parent_id: int | None = None


class Asked(Record):
    """One new comment by a person. `place` is None where the payload lacks a part of it.

    `created_at` is GitHub's own clock; None where the payload has none.
    """

    author: str
    body: str
    place: Place | None = None
    created_at: datetime | None = None


def read(payload: dict[str, Any], own_logins: tuple[str, ...] = ()) -> Asked | Reason:
    """The comment that an event tells of, or why no command can be in it.

    Codes: `not-a-comment`, `not-created` (edited, deleted), `no-author`, `bot`, `own-comment`,
    `another-sender`.
    """
    comment, kind = _section(payload, "comment"), _kind(payload)
    if not comment or kind is None:
        return Reason(code="not-a-comment")
    if payload.get("action") != "created":
        return Reason(code="not-created")
    author, body = _matching(_section(comment, "user").get("login"), _LOGIN), comment.get("body")
    found = _unwanted(payload, comment, own_logins)
    if found:
        return Reason(code=found)
    if author is None:
        return Reason(code="no-author")
    return Asked(
        author=author,
        body=body if isinstance(body, str) else "",
        place=_place(payload, comment, kind),
        created_at=_time(comment.get("created_at")),
    )


def _kind(payload: dict[str, Any]) -> Kind | None:
    if _section(payload, "discussion"):
        return "discussion"
    issue = _section(payload, "issue")
    if not issue:
        return None
    return "pull" if issue.get("pull_request") else "issue"


def _unwanted(payload: dict[str, Any], comment: dict[str, Any], own_logins: tuple[str, ...]) -> str | None:
    user, sender = _section(comment, "user"), _section(payload, "sender")
    login, body = str(user.get("login", "")).lower(), comment.get("body")
    if isinstance(body, str) and is_ours(body):
        return "own-comment"
    if login in (name.lower() for name in own_logins):
        return "own-comment"
    if _is_bot(user) or _is_bot(sender) or comment.get("performed_via_github_app"):
        return "bot"
    if sender and str(sender.get("login", "")).lower() != login:
        return "another-sender"
    return None


def _is_bot(user: dict[str, Any]) -> bool:
    return user.get("type", "User") != "User" or str(user.get("login", "")).lower().endswith("[bot]")


def _place(payload: dict[str, Any], comment: dict[str, Any], kind: Kind) -> Place | None:
    thread = _section(payload, "discussion" if kind == "discussion" else "issue")
    repository = _section(payload, "repository")
    owner = _matching(_section(repository, "owner").get("login"), _REPOSITORY)
    repo = _matching(repository.get("name"), _REPOSITORY)
    number, comment_id = _positive(thread.get("number")), _positive(comment.get("id"))
    if not (owner and repo and number and comment_id):
        return None
    return Place(
        kind=kind,
        owner=owner,
        repo=repo,
        number=number,
        comment_id=comment_id,
        thread_node=_matching(thread.get("node_id"), _NODE),
        comment_node=_matching(comment.get("node_id"), _NODE),
        parent_id=_positive(comment.get("parent_id")),
    )


def _section(data: dict[str, Any], name: str) -> dict[str, Any]:
    found = data.get(name)
    return found if isinstance(found, dict) else {}


def _matching(value: object, pattern: re.Pattern[str]) -> str | None:
    return value if isinstance(value, str) and pattern.fullmatch(value) else None


def _positive(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**63 else None


def _time(value: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None
