"""The first job of a workflow: what a comment asks for, by whom, answered at once; then the job to do."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bot.config import Settings
from bot.delivery.actions import Workflow
from bot.delivery.aftermath import with_aftermath
from bot.delivery.commanding import asked_for, choices_of, gate_of, read_event
from bot.delivery.handover import Plan, Request
from bot.delivery.run_commands import active_runs, answer_about_runs
from bot.delivery.troubling import look_of
from bot.delivery.watching import STATE, Watcher, jobs_of, read_state
from bot.errors import BotError, environment, usage
from bot.github import replies
from bot.github.acting import Actor
from bot.github.auth import credentials
from bot.github.client import Client
from bot.github.commands import SHA, Choices, Command
from bot.github.events import Asked, Place
from bot.github.nearest import understand
from bot.github.permissions import Gate
from bot.github.queue import BenchJob, ahead_of
from bot.github.state import Keeper
from bot.github.wording import Progress, Voice, estimate
from bot.github.workflow_runs import WorkflowRuns
from bot.progress import Reporter
from bot.records import Reason
from bot.report.words import catalog
from bot.upstream import tags
from bot.upstream.listing import listed
from bot.watch.choice import Chosen
from bot.watch.jobs import Job
from bot.watch.state import State, Subject
from bot.watch.trouble import OpenIssues

NOTHING = Plan(kind="command")
#: Commands that ask something of runs that are under way.
_ABOUT_RUNS = ("status", "cancel", "retry")


def gate(settings: Settings, event: Path | None, workflow: Workflow, reporter: Reporter) -> Plan:
    """What is to be done: for a comment's event, or without one for new tags. Sets the job's outputs.

    Raises BotError: exit 2 for a damaged event, 4 where git does not answer, 5 where GitHub does not.
    """
    if workflow.is_off:
        plan = NOTHING
        reporter.say("watch-off")
    elif event is None:
        keeper = workflow.branch(settings)
        watcher = Watcher(settings, reporter, keeper, f"w{workflow.run_id}")
        plan = with_aftermath(watcher.plan(), watcher)
    else:
        plan = CommandGate(settings, workflow, reporter, workflow.branch(settings)).plan(event)
    workflow.output(
        work="true" if plan.has_work else "false",
        jobs=f"[{','.join(job.model_dump_json() for job in plan.jobs)}]",
        plan=plan.model_dump_json(),
    )
    return plan


@dataclass(frozen=True)
class CommandGate:
    """One comment. The first write is the reaction that says: seen."""

    settings: Settings
    workflow: Workflow
    reporter: Reporter
    keeper: Keeper
    list_tags: Callable[[str], dict[str, str]] = field(default=listed)

    def plan(self, event: Path) -> Plan:
        """Answer the comment, and say what is to be run for it; no request for one that holds no command."""
        command, asked = asked_for(read_event(event), self._choices())
        if command.action == "ignore" or asked is None:
            return NOTHING
        if asked.place is None:
            raise usage("event-incomplete", path=str(event))
        actor = Actor(self._client, asked.place)
        denied = self._gate.person(asked, asked.place)
        if denied or command.action == "refuse":
            return self._refuse(actor, denied or self._misspelt(asked) or command.reason)
        actor.do(replies.acknowledge())
        if command.action == "help":
            actor.do(replies.help_text(self._voice, asked.place))
            return NOTHING
        if command.action in _ABOUT_RUNS:
            answer_about_runs(command, actor, self._runs(actor), self._voice)
            return NOTHING
        try:
            return self._bench(command, asked, asked.place, actor)
        except BotError:
            lost = Reason(code="run-failed")
            actor.do(replies.fail(self._voice, command.line(), lost, asked.place, self.workflow.url))
            raise

    def _bench(self, command: Command, asked: Asked, place: Place, actor: Actor) -> Plan:
        refused = self._gate.untrusted(command, asked, place)
        known = self.list_tags(self.settings.upstream.url)
        refused = refused or self._unknown_tag(asked, known)
        if refused:
            return self._refuse(actor, refused)
        job = self._job(command, known, place)
        request = Request(place=place, login=asked.author, line=command.line())
        state = self._state
        ahead = self._ahead(actor, job)
        begun = [item.for_s for item in ahead if item.status == "running"]
        told = Progress(
            line=request.line,
            stage="accepted",
            place=len(ahead) + 1 if ahead else None,
            estimate=estimate(state.durations(job.subject), len(ahead) - len(begun), begun),
            log=self.workflow.url,
        )
        actor.do(replies.progress(self._voice, told, place))
        return Plan(kind="command", jobs=(job,), request=request, issues=self._issues(job, known))

    def _issues(self, job: Job, known: dict[str, str]) -> OpenIssues | None:
        """Looked up after the answer: nobody waits for it. A self-test recommends nothing."""
        if job.base_sha == job.head_sha:
            return None
        look = look_of(self.settings)
        since = look.committed_at(job.base_sha)
        return look.at([job.head], since, tags.newest(known))

    def _ahead(self, actor: Actor, job: Job) -> tuple[BenchJob, ...]:
        """What the job's machine has to do before; nothing where GitHub does not say: it is a kindness."""
        try:
            return ahead_of(active_runs(self._runs(actor)), job.machine)
        except BotError:
            return ()

    def _runs(self, actor: Actor) -> WorkflowRuns:
        return WorkflowRuns(self._client, actor.repository, int(self.workflow.run_id))

    def _refuse(self, actor: Actor, reason: Reason | None) -> Plan:
        command = Command(action="refuse", reason=reason)
        actor.do(replies.refuse(self._voice, command, actor.place))
        return NOTHING

    def _misspelt(self, asked: Asked) -> Reason | None:
        """Why the line was not understood, with the nearest one that names tags that there are.

        None where the tags cannot be listed.
        """
        try:
            return self._unknown_tag(asked, self.list_tags(self.settings.upstream.url))
        except BotError:
            return None

    def _unknown_tag(self, asked: Asked, known: dict[str, str]) -> Reason | None:
        """The grammar once more, now that the tags are known."""
        return understand(asked.body, self._choices(tuple(known))).reason

    def _job(self, command: Command, known: dict[str, str], place: Place) -> Job:
        subject = self._subject(command)
        state = self._state
        head = command.head or tags.newest(known)
        if head is None:
            raise environment("no-tags", url=self.settings.upstream.url)
        last = state.last(subject)
        base = command.base or (
            head if command.is_self else self._baseline(last.head if last else None, head, known)
        )
        chosen = Chosen(
            subject=subject,
            base=base,
            base_sha=known.get(base, base),
            head=head,
            head_sha=known.get(head, head),
        )
        job_id = f"c{place.comment_id}-{self.workflow.run_id}"
        return jobs_of(self.settings, [chosen], job_id, command.preset or "")[0]

    def _baseline(self, last: str | None, head: str, known: dict[str, str]) -> str:
        """The last one measured where it is older than the head, else the tag before it."""
        number, newest = tags.parse(head), tags.newest(known)
        if SHA.fullmatch(head) or number is None:
            return last or newest or head
        if last and last in known and (tags.parse(last) or 0) < number:
            return last
        before = tags.previous(known, head)
        if before is None:
            raise usage("no-previous-tag", tag=head)
        return before

    def _subject(self, command: Command) -> Subject:
        """The machine and the profile that are named, else the first that fit."""
        machines = self.settings.watch.machines
        fits = [
            name
            for name, entry in machines.items()
            if not command.profile or command.profile in (entry.profiles or tuple(self.settings.profiles))
        ]
        machine = command.machine or next(iter(fits), next(iter(machines)))
        of_machine = machines[machine].profiles or (self.settings.profile().name,)
        return Subject(machine=machine, profile=command.profile or of_machine[0])

    def _choices(self, known: tuple[str, ...] | None = None) -> Choices:
        machines = tuple(self.settings.watch.machines)
        return choices_of(self.settings, known).model_copy(update={"machines": machines})

    @cached_property
    def _client(self) -> Client:
        return Client(self.settings.github, credentials(self.settings.github))

    @cached_property
    def _gate(self) -> Gate:
        return gate_of(self.settings, self._client)

    @cached_property
    def _state(self) -> State:
        return read_state(self.keeper.read(STATE))

    @cached_property
    def _voice(self) -> Voice:
        return Voice(tuple(catalog(tag) for tag in self.settings.languages))
