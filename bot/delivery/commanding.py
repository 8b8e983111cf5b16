"""From the file of an event to what it asks for."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.config import Settings
from bot.config.models import builtin_presets
from bot.errors import usage
from bot.github import events
from bot.github.auth import NoToken, credentials
from bot.github.client import Client
from bot.github.commands import Choices, Command
from bot.github.events import Asked
from bot.github.lookups import People, upstream_commits
from bot.github.nearest import understand
from bot.github.permissions import Gate, Policy
from bot.github.public import public
from bot.records import Reason

#: Megabytes (10**6 bytes) of the largest webhook payload that GitHub sends.
MOST_MB = 25


def read_event(path: Path) -> dict[str, Any]:
    """The payload in the file. Raises BotError (exit 2) for anything that is not a JSON object."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_MB * 10**6 + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise usage("cannot-read", path=str(path), why=why) from error
    if len(content) > MOST_MB * 10**6:
        raise usage("event-too-large", path=str(path), most=MOST_MB)
    try:
        payload = json.loads(content)
    except RecursionError:
        raise usage("event-unreadable", path=str(path), why="JSON: nested too deeply") from None
    except ValueError as error:
        raise usage("event-unreadable", path=str(path), why=f"JSON: {error}") from error
    if not isinstance(payload, dict):
        raise usage("event-unreadable", path=str(path), why=f"JSON: {type(payload).__name__}")
    return payload


def offline(path: Path, choices: Choices) -> Command:
    """What the event asks for by the grammar alone. Raises BotError (exit 2)."""
    return asked_for(read_event(path), choices)[0]


def online(path: Path, settings: Settings) -> Command:
    """What the event asks for, with the permissions that GitHub knows; no request for what is ignored.

    Raises BotError: exit 2 without a token or for a damaged event, exit 5 where GitHub gives no answer.
    """

    def gate() -> Gate:
        return gate_of(settings, Client(settings.github, credentials(settings.github)))

    return decided(path, choices_of(settings), gate)


def gate_of(settings: Settings, client: Client) -> Gate:
    """Who is let through, asked of our own server; where a commit comes from, of upstream's."""
    elsewhere = public(settings.github)
    reader = Client(elsewhere, NoToken(), client.clock) if elsewhere else client
    return Gate(policy_of(settings), People(client), upstream_commits(reader, settings.upstream.url))


def decided(
    path: Path, choices: Choices, gate: Callable[[], Gate], own_logins: tuple[str, ...] = ()
) -> Command:
    """What the event asks for, refused where the person or a commit is not let through.

    Raises BotError: exit 2 for a damaged or incomplete event, exit 5 where GitHub gives no answer.
    """
    command, asked = asked_for(read_event(path), choices, own_logins)
    if command.action == "ignore" or asked is None:
        return command
    if asked.place is None:
        raise usage("event-incomplete", path=str(path))
    refused = gate().refusal(command, asked, asked.place)
    return Command(action="refuse", reason=refused) if refused else command


def asked_for(
    payload: dict[str, Any], choices: Choices, own_logins: tuple[str, ...] = ()
) -> tuple[Command, Asked | None]:
    """The command in a payload and who gave it where; no one where the event cannot hold a command."""
    asked = events.read(payload, own_logins)
    if isinstance(asked, Reason):
        return Command(action="ignore", reason=asked), None
    return understand(asked.body, choices), asked


def choices_of(settings: Settings, tags: tuple[str, ...] | None = None) -> Choices:
    """What a command may name under these settings. Machines are the workflow's to know."""
    return Choices(
        profiles=tuple(settings.profiles),
        presets=tuple(builtin_presets() | settings.presets),
        tags=tags,
    )


def policy_of(settings: Settings) -> Policy:
    """Who may ask, as configured."""
    return Policy(**settings.github.commands.model_dump())
