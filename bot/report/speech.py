"""Several languages at once: what the lines above the folds and the tables are made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.records import Commit, Highlight, Reason, Run, Suspect
from bot.report import details, numbers, phrases
from bot.report.markdown import code, escape, link
from bot.report.rows import Row
from bot.report.story import Story
from bot.report.words import Words

_DOT = " · "
_NAME = "llama-release-bot"


@dataclass(frozen=True)
class Speech:
    """A story in the languages of one document: labels stand side by side, the first language is open."""

    story: Story
    words: tuple[Words, ...]

    @property
    def run(self) -> Run:
        """The record."""
        return self.story.run

    @property
    def first(self) -> Words:
        """The language that is not folded."""
        return self.words[0]

    @property
    def others(self) -> tuple[Words, ...]:
        """The folded ones."""
        return self.words[1:]

    def join(self, say: Callable[[Words], str], separator: str = " ") -> str:
        """What `say` gives in each language, each text once."""
        return separator.join(dict.fromkeys(say(words) for words in self.words))

    def both(self, message: str, **args: str | int) -> str:
        """A label in every language: `余量 Headroom`."""
        return self.join(lambda words: words.text(message, **args))

    def each(self, message: str, **args: str | int) -> str:
        """A sentence in every language, with a dot between."""
        return self.join(lambda words: words.text(message, **args), _DOT)

    def label(self, row: Row) -> str:
        """A metric's name."""
        return self.join(lambda words: phrases.label(words, row))

    def coded(self, kind: str, value: str) -> str:
        """A code of the record (`protocol:cached`) as a reader reads it."""
        name, _, rest = value.partition(":")
        text = self.join(lambda words: phrases.coded(words, kind, name))
        return f"{text} {code(rest, cell=True)}" if rest else text

    def remarks(self, reasons: Sequence[Reason]) -> str:
        """The remarks on one metric."""
        return _DOT.join(
            self.each(f"remark-{reason.code}", **phrases.facts(self.first, reason, self.run))
            for reason in reasons
        )

    def codes(self, items: Sequence[str]) -> str:
        """Outside words, each as a code span."""
        return " ".join(code(item) for item in items)

    def conditions(self) -> str:
        """Model, machine, rounds, time: what a reader must know before the numbers."""
        run, rounds = self.run, len(self.run.valid_rounds)
        parts = [escape(run.profile.model.name.removesuffix(".gguf")), self._machine()]
        if run.profile.preset:
            parts.append(
                self.both("preset-quick") if run.profile.preset == "quick" else escape(run.profile.preset)
            )
        if rounds:
            parts.append(f"{rounds} {self.both('unit-rounds', count=rounds)}")
        return _DOT.join([*parts, *([self.story.minutes] if self.story.minutes else [])])

    def _machine(self) -> str:
        machine = self.run.machine
        if machine.gpu and self.run.profile.backend == "cuda":
            name = machine.gpu.name.removeprefix("NVIDIA ").removeprefix("GeForce ")
            return escape(f"{name} {numbers.gib(machine.gpu.total_mib)}")
        return f"{escape(machine.cpu)} · {machine.cores} {self.both('unit-cores', count=machine.cores)}"

    def legend(self) -> str:
        """What the table's emoji, units and symbols mean; only what it uses."""
        rows = self.story.rows
        shown = {row.scenario for row in rows}
        parts = [
            self._scenario(item.name, item.prompt_tokens)
            for item in self.run.profile.scenarios
            if item.name in shown
        ]
        if {row.kind for row in rows} & {"prefill", "decode"}:
            parts.append(self.both("legend-rate") + " t/s")
        parts += [self.both(f"legend-{row.kind}") + " MiB" for row in rows if row.kind in ("vram", "ram")]
        used = {row.symbol for row in rows if phrases.SYMBOLS[row.symbol]}
        margin = numbers.share(self.run.profile.margin)
        return _DOT.join(
            [
                *parts,
                *(
                    f"{phrases.SYMBOLS[symbol]} {self.both(f'legend-{symbol}', margin=margin)}"
                    for symbol in phrases.SYMBOLS
                    if symbol in used
                ),
            ]
        )

    def _scenario(self, name: str, tokens: int) -> str:
        mark = phrases.EMOJI.get(name)
        called = self.join(lambda words: phrases.scenario(words, name))
        return f"{mark + ' ' if mark else ''}{called} {tokens} tok"

    def footer(self) -> str:
        """How to go back, then what wrote this."""
        run = self.run
        back = (
            ()
            if run.pair.is_self_test or run.build("base") in (None, *run.failed_builds)
            else ("footer-back",)
        )
        parts = [self.each(message, **phrases.common(run)) for message in back]
        program = run.program if run.program.startswith(_NAME) else f"{_NAME} {run.program}"
        return _DOT.join([*parts, escape(program), code(run.id)])

    def commit(self, item: Commit) -> str:
        """One commit as a line: short id, subject, pull request; linked where the repository has pages."""
        where = self._where(item.sha, None)
        if item.pr is None or self.run.pair.web is None:
            return f"{where} {escape(item.subject)}"
        subject = escape(item.subject.removesuffix(f"(#{item.pr})"))
        return f"{where} {subject} ({self._where(item.sha, item.pr)})"

    def highlight(self, words: Words, item: Highlight) -> str:
        """One highlight as a line: what it is, where, its subject as written, whether it applies."""
        line = words.text(
            "highlight",
            kind=phrases.coded(words, "type", item.type),
            area=phrases.coded(words, "area", item.area),
            text=escape(item.text),
            where=self._where(item.sha, item.pr),
        )
        if item.applies == "yes":
            return line
        why = [phrases.note(words, reason, self.run) for reason in item.why]
        return f"{line} · {phrases.listing(words, why) or words.text(f'applies-{item.applies}')}"

    def elsewhere(self, words: Words) -> str:
        """The highlights that this profile does not use, in one line."""
        return words.text("changes-elsewhere", items=self._quoted(words, self.story.elsewhere))

    def accounted(self, words: Words) -> str:
        """Every commit counted by what became of it."""
        counts = self.run.highlights.accounted if self.run.highlights else {}
        items = (f"{words.text(f'accounted-{key}')} {count}" for key, count in counts.items())
        return words.text(
            "changes-accounted", count=sum(counts.values()), items=phrases.listing(words, items)
        )

    def suspects(self, words: Words) -> list[str]:
        """One sentence per kind of metric that moved: the commits that may be related, worded as such."""
        return [self._suspects(words, row, found) for row, found in self.story.suspected]

    def _suspects(self, words: Words, row: Row, found: tuple[Suspect, ...]) -> str:
        metric = words.text(f"metric-{row.kind}")
        if not found:
            return words.text("suspects-none", metric=metric)
        return words.text("suspects", metric=metric, items=self._quoted(words, found))

    def _quoted(self, words: Words, commits: Sequence[Highlight | Suspect]) -> str:
        return phrases.listing(
            words,
            (
                words.text("quoted-commit", text=escape(item.text), where=self._where(item.sha, item.pr))
                for item in commits
            ),
        )

    def _where(self, sha: str, pr: int | None) -> str:
        web, short = self.run.pair.web, code(sha[:9])
        if web is None:
            return short
        return link(f"#{pr}", f"{web}/pull/{pr}") if pr else link(short, f"{web}/commit/{sha}")

    def causes(self, words: Words) -> list[str]:
        """Why each failed build failed, and what to do about it; once where both failed the same way."""
        failures = self.story.failures
        if len({(failure.kind, failure.cause) for _, failure in failures}) == 1:
            tags = phrases.listing(words, (escape(tag) for tag, _ in failures))
            return [phrases.cause(words, tags, failures[0][1])]
        return [phrases.cause(words, escape(tag), failure) for tag, failure in failures]

    def method(self, words: Words) -> str:
        """How it was measured and decided, for sceptics."""
        run, plan = self.run, self.run.plan
        assert plan is not None
        requests = phrases.listing(
            words,
            (f"{phrases.mark(item.name)} {item.requests}" for item in run.profile.scenarios),
        )
        levels = sorted({line.level for line in details.metric_lines(run)}, reverse=True)
        return words.text(
            "method",
            seed=str(plan.seed),
            warmups=str(plan.warmups),
            requests=requests,
            looks=phrases.listing(words, map(str, plan.looks)),
            levels=phrases.listing(words, levels),
            margin=numbers.share(run.profile.margin),
        )
