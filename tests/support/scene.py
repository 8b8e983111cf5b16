"""A repository with the workflows, an upstream with tags, a GitHub, and what the GPU job would leave."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.records import Run, Tag
from bot.report.verdict import conclude
from tests.support.comment_events import comment_event
from tests.support.github.llama import UPSTREAM, add_upstream, report
from tests.support.github.places import TOKEN
from tests.support.github.server import Github
from tests.support.github.state import Comment, Commit, Person, Thread, node_id
from tests.support.outcomes import OUTCOMES
from tests.support.repository import FakeUpstream
from tests.support.workflows import Actions

REPO = "acme/bench"
BRANCH = "llama-release-bot"
NOW = 1796000000.0
CONFIG = """
languages: [en]
upstream: {{ url: "{upstream}", issues: ggml-org/llama.cpp }}
github: {{ api_url: "{api}" }}
watch:
  every: tag
  min_age: 24h
  targets: ["discussion:acme/bench/general"]
  machines: {{ den: {{ labels: [self-hosted, gpu, den] }} }}
profiles: {{ default: {{ model: m.gguf, flags: -ngl 50 }} }}
"""


@dataclass
class Scene:
    """A repository with the workflows, an upstream with tags, a GitHub, and what the GPU job would leave."""

    github: Github
    upstream: FakeUpstream
    home: FakeUpstream
    actions: Actions

    def tags(self, *names: str) -> None:
        """New tags upstream, each with a commit of the server's."""
        made = self.upstream.line(*names)
        repo = self.github.world.repos[UPSTREAM]
        repo.commits |= {sha: Commit(sha) for sha in made.values()}

    def reported(self, number: int, title: str, body: str = "", **changes: Any) -> Thread:
        """Somebody opens an issue upstream."""
        return report(self.github.world.repos[UPSTREAM], number, title, body, **changes)

    def record(self, base: str, head: str, outcome: str = "upgrade", **changes: Any) -> Run:
        """What the machine with the GPU will say of this pair."""
        sha = {name: self.upstream.git("rev-parse", name) for name in (base, head)}
        run = OUTCOMES[outcome]()
        ends = {
            side: Tag(name=name, sha=sha[name], number=int(name[1:]))
            for side, name in (("base", base), ("head", head))
        }
        run = run.model_copy(update={"pair": run.pair.model_copy(update=ends), **changes})
        run = run.model_copy(update={"verdict": conclude(run)})
        (self.actions.recorded / "run.json").write_text(run.model_dump_json(by_alias=True))
        return run

    def fails(self, code: int = 4) -> None:
        """The machine with the GPU ends without a record."""
        (self.actions.recorded / "run.json").unlink(missing_ok=True)
        (self.actions.recorded / "exit").write_text(str(code))

    def later(self, days: float) -> None:
        """Time passes."""
        clock = self.actions.recorded / "clock"
        clock.write_text(str(float(clock.read_text()) + days * 86400))

    def comment(self, body: str, author: str = "ada", kind: str = "issue", **changes: Any) -> dict[str, Any]:
        """A comment on issue or discussion 12, and its event."""
        repo = self.github.world.repos[REPO]
        thread = (repo.discussions if kind == "discussion" else repo.issues)[12]
        made = Comment(self.github.world.next_id(), Person(author), body, self.github.world.stamp())
        thread.comments.append(made)
        node = node_id("DiscussionComment" if kind == "discussion" else "IssueComment", made.id)
        return comment_event(
            body,
            kind,
            comment__id=made.id,
            comment__node_id=node,
            user__login=author,
            sender={"login": author, "type": "User"},
            **changes,
        )

    @property
    def state(self) -> dict[str, Any]:
        """`state.json` on the branch."""
        loaded: dict[str, Any] = json.loads(self.home.git("show", f"{BRANCH}:state.json"))
        return loaded

    def files(self) -> list[str]:
        """What lies on the branch."""
        return self.home.git("ls-tree", "-r", "--name-only", BRANCH).splitlines()

    def ours(self, kind: str = "issue") -> list[str]:
        """Our comments and replies in thread 12."""
        repo = self.github.world.repos[REPO]
        thread = (repo.discussions if kind == "discussion" else repo.issues)[12]
        every = [one for item in thread.comments for one in (item, *item.replies)]
        return [item.body for item in every if item.author.bot]

    def reactions(self) -> list[str]:
        """The reactions on the last person's comment."""
        people = [item for item in self.github.world.repos[REPO].issues[12].comments if not item.author.bot]
        return [content for _, content in people[-1].reactions]

    def posts(self) -> list[Thread]:
        """The discussions that the watch started."""
        found = self.github.world.repos[REPO].discussions.values()
        return [item for item in found if item.author.bot]


def make_scene(tmp_path: Path, github: Github) -> Scene:
    """Issue 12 and discussion 12 in a repository where ada may write and mallory may read."""
    upstream = FakeUpstream(tmp_path / "upstream")
    home = FakeUpstream(tmp_path / "server" / "acme" / "bench")
    home.commit("start", {"README.md": "bench\n"})
    add_upstream(github.world)
    repo = github.world.add_repo(REPO)
    repo.access = {"ada": "write", "mallory": "read"}
    repo.issues[12] = Thread(12, "Which tag?", Person("ada"))
    repo.discussions[12] = Thread(12, "Talk", Person("ada"), kind="Discussion", category="general")
    files, recorded = tmp_path / "files", tmp_path / "recorded"
    files.mkdir()
    recorded.mkdir()
    (files / "config.yml").write_text(CONFIG.format(upstream=upstream.url, api=github.url))
    (recorded / "clock").write_text(str(NOW))
    actions = Actions(tmp_path, files, recorded, (tmp_path / "server").as_uri(), REPO, TOKEN)
    return Scene(github, upstream, home, actions)
