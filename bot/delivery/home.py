"""Watching at home: this machine looks, measures and posts; its cache keeps the state."""

import hashlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from bot import store
from bot.config import Settings
from bot.delivery.aftermath import with_aftermath
from bot.delivery.handover import Plan
from bot.delivery.phone import Phone, phone
from bot.delivery.posting import Poster
from bot.delivery.rechecking import Rechecked, Rechecker
from bot.delivery.remembering import Result, Standing, change
from bot.delivery.standing import standing
from bot.delivery.troubling import considered_now, look_of
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
from bot.pipeline.writing import write_reports
from bot.progress import Reporter
from bot.upstream.listing import listed
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
                self._look_over()
            except BotError as error:
                self.reporter.say("watch-failed", why=self._sentence(error))
            self.clock.sleep(EVERY_S)

    def look(self) -> Plan:
        """What is due on this machine."""
        plan = self._watcher().plan()
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
        finished, folder = run(self.settings, wanted, self.reporter)
        (told,) = considered_now([finished], look_of(self.settings, self.clock))
        if told != finished:
            store.save(folder.record, told)
            for _ in write_reports(folder.path, told):
                pass
        return Result(job, told)

    def _posted(self, result: Result) -> Result:
        targets = [parse(text) for text in self.settings.watch.targets]
        if not is_news([result.run], self.settings.watch.post_when):
            return result
        told = phone(self.settings, self._unsaid)
        if not targets:
            told.tell([result.run])
            return result
        outcomes = self._poster(told).post([result.run], targets)
        for outcome in outcomes:
            if outcome.error:
                self.reporter.say("watch-failed", why=self._sentence(outcome.error))
        return replace(result, posts=tuple(item.url for item in outcomes if item.url))

    def _look_over(self) -> None:
        """Reports that are due for another look, edited where that matters."""
        watcher = self._watcher()
        if not watcher.state.due(self.clock.now()):
            return
        plan = Plan(kind="watch", listed=listed(self.settings.upstream.url))
        plan = with_aftermath(plan, watcher)
        poster = self._poster(phone(self.settings, self._unsaid))
        found = Rechecker(plan, self._folder, lambda: poster, self.clock.now()).do()
        for error in (*found.errors, *found.refused):
            self.reporter.say("watch-failed", why=self._sentence(error))
        self._remember(plan, None, found)

    def _poster(self, told: Phone) -> Poster:
        return Poster(
            lambda: Client(self.settings.github, credentials(self.settings.github)),
            Outbox(self.settings.cache / "outbox"),
            told.posted,
        )

    def _remember(self, plan: Plan, result: Result | None, again: Rechecked | None = None) -> None:
        """The run's own folder holds its record; here it stands only while it is looked over again."""
        results, now = [result] if result else [], self.clock.now()
        new = standing(results, self.settings.watch.targets, None, lambda _: None, now)
        records = [
            *([(new[0].records[0], result.run)] if new and result else []),
            *(again.records if again else ()),
        ]
        left = Standing(new, again.done if again else ())

        def changed(files: Files) -> dict[str, str]:
            texts = {f"{folder}/run.json": run.model_dump_json(by_alias=True) for folder, run in records}
            return {**change(files, plan, results, now, left), **texts}

        self._folder.change(changed, "")

    def _watcher(self) -> Watcher:
        name = f"h{int(self.clock.now())}"
        return Watcher(self.settings, self.reporter, self._folder, name, self.clock)

    def _unsaid(self, error: BotError) -> None:
        self.reporter.say("notify-left-out", why=self._sentence(error))

    def _sentence(self, error: BotError) -> str:
        return self.reporter.text(f"error-{error.code}", **error.values)

    @property
    def _folder(self) -> StateFolder:
        name = hashlib.sha256(self.settings.upstream.url.encode()).hexdigest()[:12]
        return StateFolder(Path(self.settings.cache) / "watch" / name)
