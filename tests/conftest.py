"""What tests of every room may use: the two real builds."""

from pathlib import Path

import pytest

from tests.support.real import real_builds


@pytest.fixture(scope="session")
def builds() -> dict[str, Path]:
    """The folder with llama-server of b9553 and b9601; compiled where this user's cache has none."""
    return real_builds()
