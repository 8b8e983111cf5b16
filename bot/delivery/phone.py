"""Word to a phone through Apprise: the first lines of a report, once for each report and service.

Addresses of services hold tokens. They are read when they are used, and stand in no message, record, log or
exception: a service is called by its kind and by where its address is kept.
"""

import hashlib
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bot.config import Settings
from bot.config.notify import AddressSource
from bot.delivery.addresses import Address, read_addresses
from bot.delivery.notice import first_lines, fitted
from bot.delivery.noticed import FolderMemory, Memory
from bot.errors import BotError, usage
from bot.github.outbox import Entry
from bot.records import Run

_NAME = "llama-release-bot"


@dataclass(frozen=True)
class Service:
    """One service, ready to be told. `name`: its kind, such as `ntfy`."""

    name: str
    source: str
    most: int
    _tell: Callable[[str], bool]

    def tell(self, text: str) -> bool:
        """Whether it took the text. What it says of itself, and its exceptions, may hold the address."""
        with _silence():
            try:
                return self._tell(text)
            except Exception:
                return False


@dataclass(frozen=True)
class Phone:
    """Tells every service of `sources`. `say` is given what went wrong: it fails nothing.

    `quiet`: a source that holds nothing is passed over, as on a machine that is not meant to tell.
    """

    sources: Sequence[AddressSource]
    memory: Memory
    say: Callable[[BotError], None]
    quiet: bool = False

    def posted(self, entry: Entry, address: str) -> None:
        """A post of ours that stands at this address."""
        self.tell(entry.runs, address, entry.asked_in)

    def tell(self, runs: Sequence[Run], address: str = "", asked_in: str | None = None) -> None:
        """The first lines of the reports of these finished runs; `asked_in` as in `bot.delivery.posting`."""
        for address_of in self._addresses():
            try:
                self._one(address_of, runs, address, asked_in)
            except BotError as error:
                self.say(error)

    def _one(self, where: Address, runs: Sequence[Run], address: str, asked_in: str | None) -> None:
        service = opened(where)
        facts = "\n".join([*sorted(run.id for run in runs), asked_in or "", where.name])
        name = hashlib.sha256(facts.encode()).hexdigest()[:24]
        if not self.memory.claim(name):
            return
        lines = [line for run in runs for line in first_lines(run)]
        if not service.tell(fitted(lines, address, service.most)):
            self.memory.release(name)
            raise usage("notify-refused", service=service.name, source=service.source)

    def _addresses(self) -> Iterator[Address]:
        for source in self.sources:
            try:
                yield from read_addresses(source)
            except BotError as error:
                if not self.quiet:
                    self.say(error)


def phone(settings: Settings, say: Callable[[BotError], None], *, quiet: bool = False) -> Phone:
    """The phone of a machine that remembers by itself."""
    return Phone(settings.notify, FolderMemory(settings.cache / "notices"), say, quiet)


def opened(address: Address) -> Service:
    """The service at an address; nothing is sent. Raises BotError (exit 2) for no form of Apprise's."""
    with _silence():
        service = _opened(address)
    if service is None:
        raise usage("notify-address", source=str(address.source), line=address.line)
    return service


def _opened(address: Address) -> Service | None:
    from apprise import Apprise, AppriseAsset, NotifyFormat  # noqa: PLC0415 - costs 0.3 s

    asset = AppriseAsset(app_id=_NAME, app_desc=_NAME, app_url="", image_url_mask="", async_mode=False)
    try:
        plugin: Any = Apprise.instantiate(address.text, asset=asset, suppress_exceptions=True)
    except Exception:
        plugin = None
    if plugin is None:
        return None
    told = Apprise(asset=asset)
    told.add(plugin)
    title = _NAME if plugin.title_maxlen else ""

    def tell(text: str) -> bool:
        return bool(told.notify(body=text, title=title, body_format=NotifyFormat.TEXT))

    return Service(str(plugin.service_name), str(address.source), int(plugin.body_maxlen), tell)


@contextmanager
def _silence() -> Iterator[None]:
    """No library's log line: addresses stand in them."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
