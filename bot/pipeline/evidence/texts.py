"""Long texts of the user's own for evidence: what the profile's scenarios hold, at a length in tokens."""

from bot.pipeline.evidence.desk import Desk
from bot.records import Run


def long_text(desk: Desk, tokens: int) -> str:
    """About so many tokens of the profile's longest prompt text, repeated where it is shorter.

    Raises OSError when the prompt's file has gone.
    """
    longest = max(desk.context.profile.scenarios, key=lambda item: len(desk.tokens[item.name].ids))
    text = longest.text()
    length = int(len(text) * tokens / len(desk.tokens[longest.name].ids))
    return (f"{text.strip()}\n\n" * (length // max(1, len(text)) + 1))[:length]


def prompt_ids(desk: Desk, most: int) -> list[int]:
    """The first ids of the same text, with what its tokenizer puts before it."""
    text = max(desk.tokens.values(), key=lambda item: len(item.ids))
    return [*text.prefix, *text.ids][:most]


def context_tokens(run: Run) -> int:
    """The context of the measured servers in tokens, the smaller of both sides; 2048 where none says."""
    found = [launch.facts.props.get("n_ctx") for launch in run.launches()]
    return min((int(item) for item in found if isinstance(item, int) and item > 0), default=2048)
