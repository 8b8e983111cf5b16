"""Prompts of an exact number of token ids that no cache can know. Pure.

The nonce stands first (after the model's own BOS), because a common prefix is what a cache reuses; natural
text follows, because random ids route experts and accept drafts as no user's prompt does.
"""

from dataclasses import dataclass

from bot.errors import usage

#: Ids of a nonce: with a pool of 50 different ids, 4 of them tell 6 million prompts apart.
NONCE_TOKENS = 4
_STRIDE = 1000


@dataclass(frozen=True)
class TokenizedText:
    """A text's ids as one build's /tokenize gave them, and the special ids (BOS) a prompt starts with."""

    ids: tuple[int, ...]
    prefix: tuple[int, ...] = ()


def prompt_for(
    ids: tuple[int, ...], length: int, *, nonce: int, prefix: tuple[int, ...] = ()
) -> tuple[int, ...]:
    """Exactly `length` ids: prefix, nonce, then the text (repeated where it is shorter).

    The nonce's digits are the text's own different ids, lowest digit first, so that two consecutive nonces
    differ in the very first id. Raises BotError (exit 2) when the text is empty or `length` has no room for
    the nonce.
    """
    pool = sorted(set(ids) - set(prefix))
    room = length - len(prefix) - NONCE_TOKENS
    if len(pool) < 2 or room < 1:
        raise usage("prompt-too-short", length=length, least=len(prefix) + NONCE_TOKENS + 1)
    digits = [nonce // len(pool) ** place % len(pool) for place in range(NONCE_TOKENS)]
    repeats = -(-room // len(ids))
    return (*prefix, *(pool[digit] for digit in digits), *(ids * repeats)[:room])


def nonce_of(round_index: int, scenario_index: int, request: int) -> int:
    """A different number for each request of a run, the same for both sides of a round.

    `round_index` is -1 for the warm-up pair; at most 100 requests per scenario and 10 scenarios.
    """
    return (round_index + 1) * _STRIDE + scenario_index * (_STRIDE // 10) + request
