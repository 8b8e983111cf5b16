"""The last job of a workflow: records in, reports out, once. It believes the plan, never the artifact.

The artifact was made beside upstream's code. Of it only `run.json` is read, as data of a known shape; the
reports are made again from it here, and whose pair it must be, where it is posted and who is mentioned stands
in the plan.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from pathlib import Path

from pydantic import ValidationError

from bot import store
from bot.config import Settings
from bot.delivery.actions import Workflow
from bot.delivery.digest import Digest, post_digest
from bot.delivery.handover import Plan, Request
from bot.delivery.noticed import StateMemory
from bot.delivery.phone import Phone
from bot.delivery.posting import Asked, Outcome, Poster, expect
from bot.delivery.published import Published
from bot.delivery.rechecking import Rechecked, Rechecker
from bot.delivery.remembering import Result, Standing, change, files_of
from bot.delivery.standing import standing
from bot.delivery.troubling import considered
from bot.delivery.watching import STATE, read_state
from bot.delivery.wording import plain
from bot.errors import BotError, usage
from bot.github import replies
from bot.github.acting import Actor, permitted
from bot.github.auth import credentials
from bot.github.client import Client
from bot.github.closing import Closing
from bot.github.outbox import Outbox
from bot.github.state import Files, Keeper
from bot.github.targets import Target, parse
from bot.github.wording import Voice
from bot.http import Clock, SystemClock
from bot.progress import Reporter
from bot.records import Reason, Run, Tag
from bot.report.words import catalog
from bot.upstream import tags
from bot.upstream.remote import web_address
from bot.watch.jobs import Job
from bot.watch.news import is_news
from bot.watch.state import Posted

#: Bytes of the largest record that is read; a run of 12 rounds has a tenth of that.
LONGEST_RECORD = 64 * 2**20
#: How the workflow says that the bench jobs ended, and what the asker is told where no record came.
_FATES = {"cancelled": "run-cancelled", "skipped": "run-lost"}


@dataclass(frozen=True)
class Finish:
    """`runs`: the folder with one folder per artifact, `run-<job id>`; `fate`: the bench jobs' result."""

    settings: Settings
    plan: Plan
    runs: Path
    fate: str
    workflow: Workflow
    reporter: Reporter
    keeper: Keeper
    clock: Clock = field(default_factory=SystemClock)

    def do(self) -> list[BotError]:
        """Post, answer, remember; each that failed is returned, and stops nothing that follows.

        All of it can be done again: posts are found by their markers, the state by the jobs' ids.
        """
        results, errors = self._results()
        self._published.push(results)
        self.workflow.summary(plain([item.run for item in results]) if results else self._nothing())
        if self.plan.kind == "command":
            results, refused = self._answer(results)
        else:
            results, refused = self._publish(results)
        errors += refused
        errors += self._digest() if self.plan.digest else []
        again = Rechecker(self.plan, self.keeper, lambda: self._poster, self.clock.now()).do()
        errors += again.errors
        self._left_out(again.refused)
        try:
            self._remember(results, again)
        except BotError as error:
            errors.append(error)
        return errors

    def _results(self) -> tuple[list[Result], list[BotError]]:
        results, errors = [], []
        for job in self.plan.jobs:
            try:
                run = self._record(job)
            except BotError as error:
                errors.append(error)
                continue
            if run:
                results.append(Result(job, run))
        return results, errors

    def _record(self, job: Job) -> Run | None:
        """The job's record, None where there is none. BotError (exit 2) for one that is not of this job."""
        path = self.runs / f"run-{job.id}" / "run.json"
        if not path.is_file() or path.is_symlink():
            return None
        if path.stat().st_size > LONGEST_RECORD:
            raise usage("record-too-large", path=str(path))
        try:
            run = store.load_run(path)
        except RecursionError:
            raise usage("not-json", path=str(path), why="nested too deeply") from None
        expect([run], job.pair)
        if run.verdict is None:
            raise usage("run-unfinished", id=run.id)
        ours = self._ours(run, job)
        try:
            plain([ours])
        except Exception as error:
            # A record that fits the shape may still hold codes that nobody knows. It must not stop the rest.
            why = f"{type(error).__name__}: {error}"
            raise usage("bad-record", path=str(path), where="the report", why=why) from None
        return ours

    def _ours(self, run: Run, job: Job) -> Run:
        """The record with the plan's names, address and languages: they become links and words."""
        pair = run.pair.model_copy(
            update={
                "base": Tag(name=job.base, sha=job.base_sha, number=tags.parse(job.base)),
                "head": Tag(name=job.head, sha=job.head_sha, number=tags.parse(job.head)),
                "web": web_address(self.settings.upstream.url),
            }
        )
        said = {"pair": pair, "languages": self.settings.languages, "recheck": None}
        return considered(run.model_copy(update=said), self.plan.issues)

    def _answer(self, results: list[Result]) -> tuple[list[Result], list[BotError]]:
        request = self.plan.request
        if request is None:
            return results, []
        actor = Actor(self._client, request.place)
        if not results:
            code = _FATES.get(self.fate, "run-failed")
            return results, self._failed(actor, request, code)
        place = request.place
        node = place.comment_node if place.kind == "discussion" else None
        asked = Asked(str(place.comment_id), request.login, node)
        target = parse(str(actor.target))
        outcomes = self._posted(results, [target], asked)
        outcome = next(item for item in outcomes if item.target == str(actor.target))
        if outcome.error:
            return results, [outcome.error, *self._failed(actor, request, "post-failed")]
        acts = replies.finish(self._voice, request.line, outcome.url, request.place)
        self._left_out(Closing(actor, [item.run for item in results]).do(acts))
        return [item.posted([outcome.url]) for item in results], []

    def _left_out(self, refused: Iterable[BotError]) -> None:
        for error in refused:
            self.reporter.say(
                "finish-left-out", why=self.reporter.text(f"error-{error.code}", **error.values)
            )

    def _failed(self, actor: Actor, request: Request, code: str) -> list[BotError]:
        acts = replies.fail(self._voice, request.line, Reason(code=code), request.place, self.workflow.url)
        error = permitted(lambda: actor.do(acts))
        return [error] if error else []

    def _publish(self, results: list[Result]) -> tuple[list[Result], list[BotError]]:
        """One post per pair and machine at each target, where it is news and the day's cap allows it."""
        published: list[Result] = []
        errors: list[BotError] = []
        room = self.settings.watch.posts_per_day - read_state(self.keeper.read(STATE)).posts(self.clock.now())
        for _, group in groupby(sorted(results, key=_group), key=_group):
            together = list(group)
            runs = [item.run for item in together]
            if not is_news(runs, self.settings.watch.post_when):
                published += together
            elif not self._targets:
                self._phone.tell(runs, self._published.page(together))
                published += together
            elif room < len(self._targets):
                self.reporter.say("finish-capped", most=self.settings.watch.posts_per_day)
                published += together
            else:
                outcomes = self._posted(together, self._targets)
                errors += [item.error for item in outcomes if item.error]
                room -= len(self._targets)
                published += [item.posted(_addresses(outcomes)) for item in together]
        return published, errors

    def _digest(self) -> list[BotError]:
        state = read_state(self.keeper.read(STATE))
        digest = Digest(self.plan, state, self.clock.now())
        return post_digest(self._client, self._targets, digest, self._voice.languages)

    @cached_property
    def _targets(self) -> list[Target]:
        return [parse(text) for text in self.settings.watch.targets]

    def _remember(self, results: Sequence[Result], again: Rechecked) -> None:
        written = {**self._published.left, **files_of(again.records)}
        now, left = self.clock.now(), Standing(self._standing(results), again.done)

        def changed(files: Files) -> dict[str, str]:
            return {**change(files, self.plan, results, now, left), **written}

        pairs = dict.fromkeys(f"{job.base}..{job.head}" for job in self.plan.jobs)
        self.keeper.change(changed, " ".join([self.plan.kind, *pairs]))

    def _standing(self, results: Sequence[Result]) -> tuple[Posted, ...]:
        request = self.plan.request
        if request:
            where: Sequence[str] = [str(Actor(self._client, request.place).target)]
        else:
            where = self.settings.watch.targets
        return standing(results, where, request, self._published.page, self.clock.now())

    def _nothing(self) -> str:
        return "\n".join(catalog(tag).text("finish-nothing") for tag in self.settings.languages)

    def _posted(
        self, results: Sequence[Result], targets: Sequence[Target], asked: Asked | None = None
    ) -> list[Outcome]:
        return self._poster.post(
            [item.run for item in results],
            targets,
            asked,
            self._published.page(results),
            images=self._published.images(results),
        )

    @cached_property
    def _published(self) -> Published:
        return Published(self.settings, self.workflow, self.keeper)

    @cached_property
    def _client(self) -> Client:
        return Client(self.settings.github, credentials(self.settings.github), clock=self.clock)

    @cached_property
    def _poster(self) -> Poster:
        return Poster(lambda: self._client, Outbox(self.settings.cache / "outbox"), self._phone.posted)

    @cached_property
    def _phone(self) -> Phone:
        def say(error: BotError) -> None:
            self.reporter.say(
                "notify-left-out", why=self.reporter.text(f"error-{error.code}", **error.values)
            )

        return Phone(self.settings.notify, StateMemory(self.keeper), say)

    @cached_property
    def _voice(self) -> Voice:
        return Voice(tuple(catalog(tag) for tag in self.settings.languages))


def finish(settings: Settings, plan: str, runs: Path, fate: str, reporter: Reporter) -> list[BotError]:
    """Do what the plan (JSON) says is left; what failed. Raises BotError (exit 2) for a damaged plan."""
    try:
        known = Plan.model_validate_json(plan)
    except ValidationError as error:
        raise usage("bad-plan", why=str(error).splitlines()[0]) from None
    workflow = Workflow()
    if workflow.is_off:
        reporter.say("watch-off")
        return []
    return Finish(settings, known, runs, fate, workflow, reporter, workflow.branch(settings)).do()


def _group(item: Result) -> tuple[str, str, str, str]:
    """Profiles of one machine share a post; the record's own machine counts, as it does in the marker."""
    machine = item.run.machine
    return item.job.machine, item.job.pair, machine.id, machine.gpu.id if machine.gpu else ""


def _addresses(outcomes: Sequence[Outcome]) -> list[str]:
    return [item.url for item in outcomes if item.url]
