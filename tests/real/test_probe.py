"""`run --probe`: whole runs on a card out of a file, whose memory the servers really take and give back."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from bot import process, store
from bot.pipeline import probing
from bot.pipeline import run as running
from bot.pipeline.building import build
from bot.pipeline.context import Context
from bot.records import Run
from tests.gpu.conftest import Machines, gpus, libraries
from tests.support import card_server
from tests.support.card_server import write_card_server
from tests.support.real import Ended, ask, real_config
from tests.support.scripted import scripted
from tests.support.tiny_model import make_tiny_model

__all__ = ["gpus", "libraries"]
pytestmark = pytest.mark.real

#: 16 GB, of which a desktop uses some.
TOTAL, DESKTOP = 16303, 400
FLAGS = f"-ngl {card_server.LAYERS} -c {card_server.TOKENS}"

Probed = Callable[..., Ended]


@pytest.fixture
def probed(
    gpus: Machines, tmp_path: Path, builds: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Probed]:
    """One run on that card, with both sides built for the CPU and servers of a script in their place."""

    def built(context: Context, run: Run) -> Run:
        return build(replace(context, backend="cpu", device=None), run)

    machine = gpus(total=TOTAL, used=DESKTOP)
    monkeypatch.setattr(process, "clean_environment", machine.clean_environment)
    words = (str(write_card_server(tmp_path / "card-server", machine.path)),)
    # the card's file is changed from within: a sandbox would hide it
    wanted = {"backend": "auto", "self_test": "never", "isolation": "none"}
    model = make_tiny_model(tmp_path / "long.gguf", context=131072)
    config = real_config(tmp_path, model, machine=wanted, flags=FLAGS, rounds=4)

    def asked(**more: Any) -> Ended:
        return ask(config, tmp_path / "run", wrapper={"base": words, "head": words}, **more)

    with patch.object(running, "build", built):
        yield asked


def test_what_the_headroom_buys_is_proven_by_starting_the_server_there(probed: Probed) -> None:
    ended = probed(probe=True)
    assert "Cost of proving: at most 8 starts of head's server" in ended.said
    layers, context = ended.run.probes
    used = DESKTOP + card_server.used_mib(card_server.LAYERS, card_server.TOKENS)
    assert ended.run.memory is not None
    assert ended.run.memory.head_headroom_mib == pytest.approx(TOTAL - used, abs=1)

    assert (layers.flag, layers.measured, layers.computed, layers.proven) == ("-ngl", 50, 51, None)
    assert [(start.value, start.status) for start in layers.starts] == [(51, "out_of_memory")]

    assert (context.flag, context.measured, context.computed) == ("-c", 98304, 105472)
    assert [start.value for start in context.starts] == [105472, 101376, 103424, 102400]
    assert [start.keeps(300) for start in context.starts] == [False, True, False, True]
    assert context.proven == 102400
    (best,) = (start for start in context.starts if start.value == context.proven)
    left = TOTAL - DESKTOP - card_server.used_mib(50, 102400)
    assert best.headroom_mib == pytest.approx(left, abs=1)
    assert best.prompt_tokens > 64

    assert {launch.status for launch in ended.run.launches()} == {"ok"}
    assert not {"head_broken", "head_broke_once", "spilled"} & set(ended.reasons())
    assert "room for `-c 102400` · proven by starting it there" in ended.report("en")
    assert "还够 `-c 102400` · 已实测" in ended.report("zh-Hans")

    with patch.object(probing, "run_launch", side_effect=AssertionError("it was proven before")):
        again = probed(probe=True)
    assert again.run.probes == ended.run.probes


def test_a_finished_run_is_proven_afterwards_without_measuring_again(probed: Probed) -> None:
    first = probed()
    assert first.run.probes == ()
    assert "room for about `-ngl 51` or `-c` +7k · computed" in first.report("en")
    with patch.object(probing, "BOUND_S", 0.0), patch.object(running, "measure", side_effect=AssertionError):
        later = probed(probe=True)
    assert [launch.slot for launch in later.run.launches()] == [
        launch.slot for launch in first.run.launches()
    ]
    assert store.load_run(later.folder / "run.json").probes == later.run.probes


def test_on_a_machine_without_a_gpu_there_is_nothing_to_prove(tmp_path: Path, tiny: Path) -> None:
    well = scripted(tmp_path)
    config = real_config(tmp_path, tiny, machine={"isolation": "none"})
    ended = ask(config, tmp_path / "run", probe=True, wrapper={"base": well, "head": well})
    assert "nothing to prove here: without a GPU there is no reserve of VRAM" in ended.said
    assert ended.run.probes == ()
    assert ended.run.verdict is not None
