"""Records, reports and charts on the branch of the state: there before a post shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from bot.config import Settings
from bot.delivery.actions import Workflow
from bot.delivery.remembering import Result, records
from bot.errors import BotError
from bot.github.state import Keeper
from bot.records import Run


@dataclass
class Published:
    """The files of one finish. `left`: path to text of what is not on the branch yet."""

    settings: Settings
    workflow: Workflow
    keeper: Keeper
    left: Mapping[str, str] = field(init=False, default_factory=dict)
    _is_there: bool = field(init=False, default=False)

    def push(self, results: Sequence[Result]) -> None:
        """Put them there. Where the branch takes no push now, posts show none, and `left` keeps them."""
        self.left = records(results)
        if not self.left:
            return
        try:
            self.keeper.change(lambda _: self.left, " ".join(item.folder for item in results))
        except BotError:
            return
        self.left, self._is_there = {}, True

    def page(self, results: Sequence[Result]) -> str:
        """The page with the files of one post."""
        folders = [item.folder for item in results]
        folder = folders[0] if len(folders) == 1 else str(PurePosixPath(folders[0]).parent)
        return self.workflow.page(self.settings, folder)

    def images(self, results: Sequence[Result]) -> dict[str, str]:
        """By run id, the address of the folder with a run's pictures; empty where none are there."""
        if not self._is_there:
            return {}
        return {item.run.id: self.workflow.folder(self.settings, f"{item.folder}/charts") for item in results}


def images_beside(page: str | None, folders: Sequence[str], runs: Sequence[Run]) -> dict[str, str]:
    """`Published.images` of an earlier post: `page` is its `Published.page`, `folders` those of its
    runs' records on the branch, in the order of `runs`."""
    if page is None:
        return {}
    shown = {folders[0], str(PurePosixPath(folders[0]).parent)} if folders else set()
    root = next((page.removesuffix(folder) for folder in shown if page.endswith(f"/{folder}")), None)
    if root is None:
        return {}
    at = root.replace("/tree/", "/blob/", 1)
    return {run.id: f"{at}{folder}/charts" for run, folder in zip(runs, folders, strict=True)}
