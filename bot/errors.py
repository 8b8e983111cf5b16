"""The one exception a user may meet: a message id of the catalogs, its arguments, an exit code."""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of the command line (a contract, see docs/architecture.md)."""

    DONE = 0
    USAGE = 2
    BUILD_FAILED = 3
    ENVIRONMENT = 4
    GITHUB = 5
    FOUND = 10
    BUG = 70
    INTERRUPTED = 130


class BotError(Exception):
    """Something the user can mend.

    `code` names the message `error-<code>` of `templates/locales/*.ftl`, which says what is wrong
    *and* what to do; `args` fill its variables. The text is made where a reader is, in their language.
    """

    def __init__(self, code: str, exit_code: Exit, **args: str | int | float) -> None:
        super().__init__(code, args)
        self.code = code
        self.exit_code = exit_code
        self.values = args

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value}" for name, value in self.values.items())
        return f"{self.code}: {details}" if details else self.code


def usage(code: str, **args: str | int | float) -> BotError:
    """A mistake in the command line or the configuration (exit 2)."""
    return BotError(code, Exit.USAGE, **args)


def environment(code: str, **args: str | int | float) -> BotError:
    """This machine lacks something that a run needs (exit 4)."""
    return BotError(code, Exit.ENVIRONMENT, **args)
