"""What a post says: the reports of one pair on one machine, each made anew from its record."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from bot.github import marker
from bot.records import Run
from bot.report.markdown import BUDGET, link
from bot.report.render import document
from bot.report.speech import Speech
from bot.report.story import tell
from bot.report.words import Words, catalog

#: GitHub's limit for titles of issues, assumed for discussions.
LONGEST_TITLE = 256
#: An older post than this is another run's; see `bot.github.surface.pages`.
HORIZON = timedelta(days=14)


def body(
    runs: Sequence[Run],
    earlier: str | None,
    mention: str | None = None,
    files: str | None = None,
    images: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """The text below the marker. Reports of other profiles in the `earlier` post stay; `mention` is a login,
    `files` the address of the records and charts, `images` by run id that of the folder with its pictures.

    At most 60,000 code points of reports: new ones share the space, and as many earlier ones as must, oldest
    first, are cut to their first paragraph.
    """
    kept = marker.split(earlier or "")
    names = [marker.section_name(run.profile) for run in runs]
    others = {name: text for name, text in kept.items() if name not in names}
    share = BUDGET // (len(runs) + len(others))
    fresh = {
        name: _report(run, share, listens=mention is not None, images=images.get(run.id))
        for name, run in zip(names, runs, strict=True)
    }
    room = BUDGET - sum(map(len, fresh.values()))
    for name, text in others.items():
        if sum(map(len, others.values())) > room:
            others[name] = _short(text, runs[0])
    every = others | fresh
    order = [*(name for name in kept if name in every), *(name for name in names if name not in kept)]
    text = marker.join((name, every[name]) for name in order)
    last = [_files(runs[0], files)] if files else []
    last += [f"@{mention}"] if mention else []
    return f"{text}\n\n<sub>{' · '.join(last)}</sub>" if last else text


def plain(runs: Sequence[Run]) -> str:
    """The reports for a file: nothing hidden, nobody mentioned."""
    share = BUDGET // len(runs)
    return "\n".join(_report(run, share) for run in runs)


def title(runs: Sequence[Run]) -> str:
    """One line of plain text in all languages, such as `llama.cpp b1 → b2 · 先别升 / hold off for now`."""
    pair = runs[0].pair
    said = " / ".join(_verdict(catalog(tag), runs) for tag in runs[0].languages)
    gpu = runs[0].machine.gpu
    parts = [
        f"llama.cpp {pair.base.name} → {pair.head.name}",
        said,
        *([_short_name(gpu.name)] if gpu else []),
    ]
    return " · ".join(" ".join(part.split()) for part in parts)[:LONGEST_TITLE]


def since(runs: Sequence[Run]) -> str:
    """The earliest time, as GitHub writes it, at which another post of these runs may have been made."""
    try:
        first = min(datetime.fromisoformat(run.created) for run in runs)
    except ValueError:
        return ""
    return (first - HORIZON).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _files(run: Run, address: str) -> str:
    return " · ".join(link(catalog(tag).text("post-files"), address) for tag in run.languages)


def _report(run: Run, budget: int, *, listens: bool = False, images: str | None = None) -> str:
    spoken = tuple(catalog(tag) for tag in run.languages)
    return marker.disarmed(document(Speech(tell(run), spoken, listens), images=images, budget=budget))


def _verdict(words: Words, runs: Sequence[Run]) -> str:
    told = set()
    for run in runs:
        story = tell(run)
        self_test = run.pair.is_self_test
        code = f"self-test-{story.self_test}" if self_test else story.verdict.code
        told.add(words.text(f"verdict-{code}"))
    return told.pop() if len(told) == 1 else words.text("post-title-several")


def _short_name(name: str) -> str:
    return name.removeprefix("NVIDIA ").removeprefix("GeForce ")


def _short(text: str, run: Run) -> str:
    said = " · ".join(catalog(tag).text("post-shortened") for tag in run.languages)
    return text.split("\n\n", maxsplit=1)[0] + f"\n\n<sub>{said}</sub>"
