"""Word to a phone: whether every address that the settings point to is there and is one of Apprise's."""

from collections.abc import Iterator

from bot.config.notify import AddressSource
from bot.delivery.addresses import Address, read_addresses
from bot.delivery.phone import opened
from bot.doctor.case import Case
from bot.doctor.finding import Finding, ok, warning
from bot.errors import BotError


def phone(case: Case) -> Iterator[Finding]:
    """One finding for each source of addresses; nothing is sent."""
    for source in case.settings.notify:
        yield judge_source(source)


def judge_source(source: AddressSource) -> Finding:
    """Which services it holds. A run needs none of them, so that whatever is wrong is a warning."""
    try:
        services = [opened(address).name for address in _addresses(source)]
    except BotError as error:
        return warning("phone", error.code.removeprefix("notify-"), **error.values)
    return ok("phone", services=", ".join(services), source=str(source))


def _addresses(source: AddressSource) -> list[Address]:
    return list(read_addresses(source))
