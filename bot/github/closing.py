"""The end of a request: the progress comment shrinks, older reports of the same pair are marked as outdated.

One listing serves both: with the report (2 requests) and the reaction (1) a finish stays within eight.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.errors import BotError
from bot.github import queries
from bot.github.acting import Actor, harmless, permitted
from bot.github.client import told
from bot.github.marker import Marker, key_of
from bot.github.replies import Act, Minimise, React, Write
from bot.github.surface import Found, own
from bot.records import Run

#: Older reports marked in one finish: earlier ones were marked by the finishes before.
MOST_MINIMISED = 3

_COMMENT = "id databaseId body url createdAt isMinimized viewerDidAuthor author { __typename login }"
_THREAD = f"comments(last: 100) {{ nodes {{ {_COMMENT} }} }}"
LIST = f"""
query($owner: String!, $name: String!, $number: Int!) {{
  viewer {{ login }}
  repository(owner: $owner, name: $name) {{
    issueOrPullRequest(number: $number) {{
      ... on Issue {{ {_THREAD} }}
      ... on PullRequest {{ {_THREAD} }}
    }}
  }}
}}
"""
_REPLIES = f"replies(last: 100) {{ nodes {{ {_COMMENT} }} }}"
LIST_DISCUSSION = f"""
query($owner: String!, $name: String!, $number: Int!, $asked: ID!) {{
  viewer {{ login }}
  node(id: $asked) {{
    ... on DiscussionComment {{ {_COMMENT} {_REPLIES} replyTo {{ {_COMMENT} {_REPLIES} }} }}
  }}
  repository(owner: $owner, name: $name) {{
    discussion(number: $number) {{
      comments(last: 100) {{ nodes {{ {_COMMENT} replies(last: 50) {{ nodes {{ {_COMMENT} }} }} }} }}
    }}
  }}
}}
"""


@dataclass(frozen=True)
class Closing:
    """One thread's end of one request; `runs` are those of the report that was just posted."""

    actor: Actor
    runs: Sequence[Run]

    def do(self, acts: Sequence[Act]) -> list[BotError]:
        """Do what `replies.finish` says; what GitHub refuses here is returned: the report is posted."""
        try:
            nodes, viewer = told(self.actor.target, self._nodes)
        except BotError as error:
            return [error]
        ours = [node for node in nodes if own(node, viewer)]
        refused = [self._one(act, nodes, ours) for act in acts]
        return [error for error in refused if error]

    def _one(self, act: Act, nodes: list[dict[str, Any]], ours: list[dict[str, Any]]) -> BotError | None:
        if isinstance(act, React):
            return permitted(lambda: self.actor.react(act.content))
        if isinstance(act, Write):
            return permitted(lambda: self._edit(act, ours))
        return permitted(lambda: self._minimise(act, nodes, ours))

    def _edit(self, act: Write, ours: list[dict[str, Any]]) -> None:
        """The comment with this key, edited; nothing new is posted, as the report itself is there."""
        marker = Marker(act.key)
        text = marker.put(act.text)
        node = next((node for node in ours if marker.starts(node["body"])), None)
        if node is None or node["body"].strip() == text.strip():
            return
        surface = self.actor.surface()
        number = node["id"] if self.actor.place.kind == "discussion" else str(node["databaseId"])
        found = Found(number, node["body"], node["url"])
        harmless(self.actor.client, self.actor.target, lambda: surface.edit(found, text))

    def _minimise(self, act: Minimise, nodes: list[dict[str, Any]], ours: list[dict[str, Any]]) -> None:
        """Newest first, and no more than a few: each is a request."""
        keys = self._older_keys(act, nodes)
        older = [node for node in ours if not node["isMinimized"] and _starts_one_of(node["body"], keys)]
        for node in older[::-1][:MOST_MINIMISED]:
            subject = node["id"]
            harmless(
                self.actor.client,
                self.actor.target,
                lambda subject=subject: self.actor.client.mutate(  # type: ignore[misc]
                    queries.MINIMIZE, subjectId=subject, classifier="OUTDATED"
                ),
            )

    def _older_keys(self, act: Minimise, nodes: list[dict[str, Any]]) -> list[Marker]:
        asked = {int(node["databaseId"]) for node in nodes if node["databaseId"]} - {act.keep}
        return [Marker(key_of(run.pair, run.machine, str(item))) for item in asked for run in self.runs]

    def _nodes(self) -> tuple[list[dict[str, Any]], str]:
        place = self.actor.place
        where: dict[str, Any] = {"owner": place.owner, "name": place.repo, "number": place.number}
        if place.kind == "discussion":
            data = self.actor.client.query(LIST_DISCUSSION, **where, asked=place.comment_node or "")
            thread, asked = (data["repository"] or {}).get("discussion"), data["node"] or {}
            near = [asked.get("replyTo") or asked] if asked else []
        else:
            data = self.actor.client.query(LIST, **where)
            thread, near = (data["repository"] or {}).get("issueOrPullRequest"), []
        nodes = [*near, *(thread["comments"]["nodes"] if thread else [])]
        return list({node["id"]: node for node in _flat(nodes)}.values()), data["viewer"]["login"]


def _flat(nodes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        yield node
        yield from node.get("replies", {}).get("nodes", ())


def _starts_one_of(body: str, markers: list[Marker]) -> bool:
    return any(marker.starts(body) for marker in markers)
