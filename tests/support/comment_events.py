"""Payloads of comment events, cut down to what is read, in GitHub's own shape."""

from typing import Any


def comment_event(body: object = "/bench b9602", kind: str = "issue", **changes: Any) -> dict[str, Any]:
    """A new comment of `ada` (a person). `changes` replace parts: `user__type="Bot"` is comment.user.type."""
    user = {"login": "ada", "id": 7, "type": "User"}
    thread: dict[str, Any] = {"number": 12, "node_id": "I_kwDO12", "locked": False}
    comment = {
        "id": 34,
        "node_id": "IC_kwDO34",
        "user": user,
        "body": body,
        "created_at": "2026-11-30T10:00:00Z",
        "updated_at": "2026-11-30T10:00:00Z",
        "author_association": "NONE",
        "performed_via_github_app": None,
    }
    payload: dict[str, Any] = {
        "action": "created",
        "comment": comment,
        "repository": {"name": "bench", "full_name": "acme/bench", "owner": {"login": "acme"}},
        "sender": dict(user),
    }
    if kind == "discussion":
        payload["discussion"] = {**thread, "node_id": "D_kwDO12"}
        comment["parent_id"] = None
    else:
        payload["issue"] = {**thread, **({"pull_request": {"url": "x"}} if kind == "pull" else {})}
    for name, value in changes.items():
        _put(payload, {"user": "comment.user"}.get(name.split("__")[0], name.split("__")[0]), name, value)
    return payload


def _put(payload: dict[str, Any], start: str, name: str, value: object) -> None:
    *path, last = [*start.split("."), *name.split("__")[1:]]
    place = payload
    for step in path:
        place = place[step]
    place[last] = value
