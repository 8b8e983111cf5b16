"""Watching at home: this machine looks, measures and posts; its cache keeps the state."""

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from bot.config import Settings
from bot.delivery.handover import Plan
from bot.delivery.posting import Poster
from bot.delivery.remembering import Result, change
from bot.delivery.watching import Watcher
from bot.errors import BotError
from bot.github.auth import credentials
from bot.github.client import Client
from bot.github.outbox import Outbox
from bot.github.state import Files, StateFolder
from bot.github.targets import parse
from bot.http import Clock, SystemClock
from bot.pipeline.request import Request
from bot.pipeline.run import run
from bot.progress import Reporter
from bot.watch.jobs import Job
from bot.watch.news import is_news

#: Seconds between two looks; a tag is a day old before it counts, so that nothing is gained by haste.
EVERY_S = 900.0


@dataclass(frozen=True)
class Home:
    """One machine: the first of `watch.machines`, or the one that is named `machine.name`."""

    settings: Settings
    reporter: Reporter
    clock: Clock = field(default_factory=SystemClock)

    def watch(self) -> NoReturn:
        """Look and work, for ever; what the network or one run lacks is said, and tried again later."""
        while True:
            try:
                self.work(self.look())
            except BotError as error:
                self.reporter.say("watch-failed", why=self._sentence(error))
            self.clock.sleep(EVERY_S)

    def look(self) -> Plan:
        """What is due on this machine."""
        name = f"h{int(self.clock.now())}"
        plan = Watcher(self.settings, self.reporter, self._folder, name, self.clock).plan()
        machines = tuple(self.settings.watch.machines)
        mine = self.settings.machine.name if self.settings.machine.name in machines else machines[0]
        jobs = tuple(job for job in plan.jobs if job.machine == mine)
        return plan.model_copy(update={"jobs": jobs})

    def work(self, plan: Plan) -> None:
        """Measure what is due, one by one; each is posted where it is news, and remembered at once."""
        if plan.moved:
            self._remember(plan.model_copy(update={"jobs": ()}), None)
        for job in plan.jobs:
            alone = plan.model_copy(update={"jobs": (job,)})
            try:
                result: Result | None = self._measured(job)
            except BotError as error:
                self.reporter.say("watch-failed", why=self._sentence(error))
                result = None
            self._remember(alone, self._posted(result) if result else None)

    def _measured(self, job: Job) -> Result:
        wanted = Request(base=job.base, head=job.head, profile=job.profile, asked_by="watch")
        finished, _ = run(self.settings, wanted, self.reporter)
        return Result(job, finished)

    def _posted(self, result: Result) -> Result:
        targets = [parse(text) for text in self.settings.watch.targets]
        if not targets or not is_news([result.run], self.settings.watch.post_when):
            return result
        poster = Poster(
            lambda: Client(self.settings.github, credentials(self.settings.github)),
            Outbox(self.settings.cache / "outbox"),
        )
        outcomes = poster.post([result.run], targets)
        for outcome in outcomes:
            if outcome.error:
                self.reporter.say("watch-failed", why=self._sentence(outcome.error))
        return replace(result, posts=tuple(item.url for item in outcomes if item.url))

    def _remember(self, plan: Plan, result: Result | None) -> None:
        """The run's own folder holds its record; here stands only that it was done."""

        def changed(files: Files) -> dict[str, str]:
            return change(files, plan, [result] if result else [], self.clock.now())

        self._folder.change(changed, "")

    def _sentence(self, error: BotError) -> str:
        return self.reporter.text(f"error-{error.code}", **error.values)

    @property
    def _folder(self) -> StateFolder:
        name = hashlib.sha256(self.settings.upstream.url.encode()).hexdigest()[:12]
        return StateFolder(Path(self.settings.cache) / "watch" / name)
