"""Looking for new tags: what is due now, from one look at the remote and the state on the branch."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pydantic import ValidationError

from bot.changelog import highlights
from bot.config import Settings
from bot.delivery.handover import Plan
from bot.errors import BotError, usage
from bot.github.state import Keeper
from bot.http import Clock, SystemClock
from bot.pipeline.begin import open_mirror
from bot.pipeline.changes import assumed
from bot.pipeline.glossaries import overrides
from bot.progress import Reporter
from bot.records import Commit
from bot.upstream.git import Git
from bot.upstream.listing import listed
from bot.upstream.mirror import Mirror
from bot.watch.choice import Chooser, Chosen, is_digest_due
from bot.watch.jobs import Job, Silence
from bot.watch.state import KEPT_TAGS, State, Subject, moved_since

STATE = "state.json"
#: What became of a commit that can act on a profile, shown or not; every other reason excludes it.
_CAN_MATTER = frozenset({"shown", "more", "minor"})


@dataclass(frozen=True)
class Watcher:
    """One look. `job_id` starts the ids of the jobs; it must be new for each look."""

    settings: Settings
    reporter: Reporter
    keeper: Keeper
    job_id: str = "job"
    clock: Clock = field(default_factory=SystemClock)

    def plan(self) -> Plan:
        """What is due. An idle look lists the remote's tags and reads one file; nothing else is asked.

        Raises BotError (exit 4) where a remote cannot be read.
        """
        state, now = self.state, self.clock.now()
        tags = listed(self.settings.upstream.url)
        chooser = Chooser(self.settings.watch, state, tags, self.history, now)
        found = [chooser.choose(subject) for subject in subjects(self.settings)]
        chosen = [item for item in found if isinstance(item, Chosen)]
        return Plan(
            kind="watch",
            jobs=jobs_of(self.settings, chosen, self.job_id),
            silences=tuple(item for item in found if isinstance(item, Silence)),
            moved=tuple(item for item in moved_since(state, tags) if item not in state.moved),
            listed=dict(list(tags.items())[-KEPT_TAGS:]),
            digest=is_digest_due(self.settings.watch, state, now),
        )

    @cached_property
    def history(self) -> "MirrorHistory":
        """What git knows; nothing is opened before it is asked."""
        return MirrorHistory(self.settings, self.reporter)

    @cached_property
    def state(self) -> State:
        """What is remembered; an empty state before the first run."""
        return read_state(self.keeper.read(STATE))


def read_state(text: str | None) -> State:
    """The state in the file's text. Raises BotError (exit 2) for a damaged one: nothing is overwritten."""
    if text is None:
        return State()
    try:
        return State.model_validate(json.loads(text))
    except (ValueError, ValidationError) as error:
        raise usage("state-damaged", path=STATE, why=str(error).splitlines()[0]) from None


def subjects(settings: Settings) -> tuple[Subject, ...]:
    """Every profile on every machine that is watched."""
    return tuple(
        Subject(machine=machine, profile=profile)
        for machine, entry in settings.watch.machines.items()
        for profile in entry.profiles or tuple(settings.profiles)
    )


def jobs_of(settings: Settings, chosen: Sequence[Chosen], job_id: str, preset: str = "") -> tuple[Job, ...]:
    """The jobs for these pairs; their ids are `job_id` with a number."""
    machines = settings.watch.machines
    return tuple(
        Job(
            id=f"{job_id}-{number}",
            machine=item.subject.machine,
            labels=machines[item.subject.machine].labels,
            profile=item.subject.profile,
            preset=preset,
            base=item.base,
            base_sha=item.base_sha,
            head=item.head,
            head_sha=item.head_sha,
            minutes=max(1, machines[item.subject.machine].limit_s // 60),
        )
        for number, item in enumerate(chosen, start=1)
    )


@dataclass(frozen=True)
class MirrorHistory:
    """What git knows, from the mirror; opened, and brought up to date, only when it is asked."""

    settings: Settings
    reporter: Reporter

    def committed_at(self, sha: str) -> float:
        """The committer's time, which GitHub sets when it merges."""
        return float(self._git.text("show", "--no-patch", "--format=%ct", sha).strip())

    def is_ancestor(self, base: str, head: str) -> bool:
        """Whether `base` is in the history of `head`; no where the mirror does not have it any more."""
        try:
            return self._mirror.is_ancestor(base, head)
        except BotError as error:
            if error.code != "git-failed":
                raise
            return False

    def matters(self, profile: str, base: str, head: str) -> tuple[bool, int]:
        """By the changelog's own reading: a commit counts unless the profile or its kind excludes it."""
        commits = self._mirror.commits(base, head)
        found = highlights(commits, assumed(self.settings, profile), overrides(self.settings.overrides))
        excluded = {item.sha for item in found.items if item.applies == "no"}
        can = (sha for sha, reason in found.reasons.items() if reason in _CAN_MATTER and sha not in excluded)
        return next(can, None) is not None, len(commits)

    def commits(self, base: str, head: str) -> tuple[Commit, ...]:
        """What lies between two commits; nothing where the mirror does not have both any more."""
        try:
            return self._mirror.commits(base, head)
        except BotError as error:
            if error.code != "git-failed":
                raise
            return ()

    @cached_property
    def _mirror(self) -> Mirror:
        return open_mirror(self.settings, self.reporter)

    @cached_property
    def _git(self) -> Git:
        return Git(self._mirror.path, self._mirror.url)
