"""Several languages at once: what the lines above the folds and the tables are made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.records import Reason, Run
from bot.report import conclusion, details, numbers, phrases, proofs
from bot.report.headroom import Turn
from bot.report.markdown import code, escape
from bot.report.rows import Row
from bot.report.story import Story
from bot.report.words import Words

_DOT = " · "
_FIXED = "\N{NO-BREAK SPACE}"
_NAME = "llama-release-bot"


@dataclass(frozen=True)
class Speech:
    """A story in the languages of one document: labels stand side by side, the first language is open.

    `listens`: the document stands where the bot reads comments, so that `/bench help` is answered.
    """

    story: Story
    words: tuple[Words, ...]
    listens: bool = False

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

    def turns(self, turns: Sequence[Turn]) -> str:
        """Settings of flags, one or the other: `-ngl 52` or `-c` +12k."""
        return f" {self.both('or')} ".join(map(phrases.turn, turns))

    def probes(self) -> list[str]:
        """What was tried to prove the headroom, one line per flag."""
        return [
            self.join(lambda words, item=item: proofs.told(words, item, self.run), _DOT)  # type: ignore[misc]
            for item in self.run.probes
        ]

    def isolation(self) -> str:
        """What every launch was shut off from."""
        return _DOT.join(self.coded("isolation", item) for item in details.isolation(self.run))

    def build_isolation(self) -> str:
        """What compiling was shut off from."""
        return _DOT.join(self.coded("isolation", item) for item in details.build_isolation(self.run))

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
        kinds = {row.kind for row in rows}
        if "ttft" in kinds:
            parts.append(self.both("metric-ttft") + " s")
        if kinds & {"prefill", "decode"}:
            parts.append(self.both("legend-rate") + " t/s")
        parts += [self.both(f"legend-{row.kind}") + " MiB" for row in rows if row.kind in ("vram", "ram")]
        used = {row.symbol for row in rows if phrases.SYMBOLS[row.symbol]}
        margin = numbers.share(self.run.profile.margin)
        return _DOT.join(
            [
                *parts,
                *(
                    f"{phrases.SYMBOLS[symbol]}{_FIXED}{self.both(f'legend-{symbol}', margin=margin)}"
                    for symbol in phrases.SYMBOLS
                    if symbol in used
                ),
            ]
        )

    def _scenario(self, name: str, tokens: int) -> str:
        mark = phrases.EMOJI.get(name)
        called = self.join(lambda words: phrases.scenario(words, name))
        return f"{mark + _FIXED if mark else ''}{called} {tokens}{_FIXED}tok"

    def footer(self) -> list[str]:
        """The last lines: what to do and how to go back, in each language; then what wrote this."""
        run = self.run
        says = [conclusion.last_line(words, self.story) for words in self.words]
        program = run.program if run.program.startswith(_NAME) else f"{_NAME} {run.program}"
        listening = [code("/bench help")] if self.listens else []
        return [*dict.fromkeys(says), _DOT.join([escape(program), code(run.id), *listening])]

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
            looks=phrases.series(words, map(str, plan.looks)),
            count=plan.looks[0] if len(plan.looks) == 1 else len(plan.looks),
            levels=phrases.listing(words, levels),
            margin=numbers.share(run.profile.margin),
        )
