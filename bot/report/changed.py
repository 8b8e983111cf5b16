"""What changed on this machine since its last run: told before the numbers that it may explain."""

from bot.records import Difference, Run
from bot.report.markdown import code, escape
from bot.report.phrases import listing
from bot.report.words import Words


def changed(words: Words, run: Run) -> str:
    """One sentence; empty where nothing changed, or nothing is known of an earlier run."""
    if not run.changed or run.changed_since is None:
        return ""
    items = listing(words, (_item(words, item) for item in run.changed))
    return words.text("changed-since", run=escape(run.changed_since), items=items)


def _item(words: Words, item: Difference) -> str:
    return words.text(
        "changed-item", name=_name(words, item.name), before=code(item.base), now=code(item.head)
    )


def _name(words: Words, key: str) -> str:
    """A fact in words; one that the catalogs do not name by its own name (a tool, a server's property)."""
    first, _, last = key.rpartition(".")
    message = f"fact-{last}"
    name = words.text(message) if words.has(message) else escape(last)
    is_second = first.startswith("gpu") and first != "gpu"
    return f"{first.upper()} {name}" if is_second else name
