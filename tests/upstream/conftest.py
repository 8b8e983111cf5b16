from pathlib import Path

import pytest

from tests.support.repository import FakeUpstream


@pytest.fixture
def upstream(tmp_path: Path) -> FakeUpstream:
    return FakeUpstream(tmp_path / "upstream")
