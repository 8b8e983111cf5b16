"""What tests of every room may use: the two real builds."""

import signal
from pathlib import Path

import pytest

from tests.support.real import real_builds

# A suite started in the background of a script is started deaf to Ctrl-C, and so would be what it interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def builds() -> dict[str, Path]:
    """The folder with llama-server of b9553 and b9601; compiled where this user's cache has none."""
    return real_builds()
