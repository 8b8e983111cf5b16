"""GitHub Actions around us: what a job is told, and how it tells the next one."""

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.config import Settings
from bot.errors import BotError, usage
from bot.github.auth import TOKEN_VARIABLES
from bot.github.state import StateBranch
from bot.upstream.git import Git
from bot.upstream.remote import web_address

#: The repository's variable, handed on by the workflows, that stops everything.
SWITCH = "LLAMA_RELEASE_BOT"
#: What GitHub takes of one step's summary (1 MiB), less room for its end.
LONGEST_SUMMARY = 1_000_000
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")


@dataclass(frozen=True)
class Workflow:
    """One job of a workflow run, by its environment."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    @property
    def is_off(self) -> bool:
        """Whether the repository's variable says so."""
        return self.environ.get(SWITCH, "").strip().lower() in ("off", "false", "no", "0")

    @property
    def repository(self) -> str:
        """`owner/name`. Raises BotError (exit 2) outside of Actions."""
        found = self.environ.get("GITHUB_REPOSITORY", "")
        if not _REPOSITORY.fullmatch(found):
            raise usage("not-in-actions", name="GITHUB_REPOSITORY")
        return found

    @property
    def run_id(self) -> str:
        """This workflow run, new for each; the attempt of a repeated one is no part of it."""
        found = self.environ.get("GITHUB_RUN_ID", "")
        if not found.isdigit():
            raise usage("not-in-actions", name="GITHUB_RUN_ID")
        return found

    @property
    def url(self) -> str:
        """The page with this run's log."""
        return f"{self._server}/{self.repository}/actions/runs/{self.run_id}"

    def branch(self, settings: Settings) -> StateBranch:
        """The branch of the state, with the first token of the environment."""
        token = next(filter(None, (self.environ.get(name, "").strip() for name in TOKEN_VARIABLES)), "")
        return StateBranch(f"{self._server}/{self.repository}", settings.watch.branch, token)

    def page(self, settings: Settings, folder: str) -> str:
        """The page of a folder on the branch of the state."""
        return f"{self._server}/{self.repository}/tree/{settings.watch.branch}/{folder}"

    def folder(self, settings: Settings, folder: str) -> str:
        """Where the files of a folder on the branch of the state are shown from (with `?raw=true`)."""
        return f"{self._server}/{self.repository}/blob/{settings.watch.branch}/{folder}"

    def output(self, **values: str) -> None:
        """Outputs of this step, whatever is in them. Raises BotError (exit 2) outside of Actions."""
        lines = []
        for name, value in values.items():
            end = f"end-{secrets.token_hex(16)}"
            lines += [f"{name}<<{end}", value, end]
        self._append("GITHUB_OUTPUT", "\n".join([*lines, ""]))

    def summary(self, text: str) -> None:
        """Markdown for the run's page; whole lines go where it is too long."""
        content = text.encode()[:LONGEST_SUMMARY].decode(errors="ignore")
        if content != text:
            content = content.rpartition("\n")[0]
        self._append("GITHUB_STEP_SUMMARY", f"{content}\n")

    @property
    def _server(self) -> str:
        return self.environ.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")

    def _append(self, name: str, text: str) -> None:
        path = self.environ.get(name)
        if not path:
            raise usage("not-in-actions", name=name)
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)


def repository_here() -> str | None:
    """`owner/name` of this folder's repository: as Actions names it, else as its remote does."""
    named = os.environ.get("GITHUB_REPOSITORY", "")
    if _REPOSITORY.fullmatch(named):
        return named
    try:
        url = Git(Path(".git"), "").text("config", "--default", "", "remote.origin.url").strip()
    except BotError:
        return None
    page = web_address(url)
    return page.removeprefix("https://github.com/") if page else None
