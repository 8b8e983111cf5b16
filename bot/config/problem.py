"""How a value says what is wrong with it."""

from pydantic_core import PydanticCustomError


def problem(code: str, **args: str) -> PydanticCustomError:
    """The problem that `error-config-<code>` words, with the sentence's variables."""
    return PydanticCustomError(code, code, args)
