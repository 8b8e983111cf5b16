"""One toolchain for all tests here: reading versions takes longer than some of the tests."""

import pytest

from bot.build.toolchain import Toolchain, find


@pytest.fixture(scope="session")
def tools() -> Toolchain:
    return find("cpu")
