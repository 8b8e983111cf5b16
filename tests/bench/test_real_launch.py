"""Launches of real llama.cpp servers with a tiny model."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.bench.conditions import parse_help, server_arguments
from bot.bench.facts_diff import compare_facts
from bot.bench.plan import ScenarioPlan
from bot.bench.prompts import nonce_of, prompt_for
from bot.bench.runner import LaunchRequest, prepare, run_launch
from bot.isolation import Box
from bot.records import Launch
from tests.bench.conftest import SHORT, left_running

pytestmark = pytest.mark.real

TAGS = ("b9553", "b9601")
TEXT = "The quick brown fox jumps over the lazy dog, and then it reads the release notes once more."

Servers = Callable[[str], Path]
Make = Callable[..., LaunchRequest]


@pytest.fixture
def request_for(real_server: Servers, tiny_model: Path, tmp_path: Path, marker: str) -> Make:
    """Makes a request for a launch of the server of a tag."""

    def make(tag: str, *, model: Path | None = None, flags: tuple[str, ...] = ()) -> LaunchRequest:
        server = real_server(tag)
        shown = subprocess.run([server, "--help"], capture_output=True, text=True, check=True).stdout
        caps = parse_help(shown)
        words = ("-c", "2048", "--alias", marker, *flags)
        arguments = server_arguments(caps, model=str(model or tiny_model), flags=words, threads=1)
        return LaunchRequest(argv=(str(server), *arguments), folder=tmp_path, timeouts=SHORT)

    return make


def with_prompts(request: LaunchRequest, length: int = 64) -> LaunchRequest:
    texts = prepare(replace(request, texts={"a": TEXT}), side="base").texts["a"]
    prompts = [
        list(prompt_for(texts.ids, length, nonce=nonce_of(0, 0, number), prefix=texts.prefix))
        for number in range(9)
    ]
    scenario: ScenarioPlan = {
        "name": "short",
        "n_predict": 16,
        "settle": "decode",
        "min_warmups": 2,
        "warmups": prompts[:6],
        "prompts": prompts[6:],
    }
    return replace(request, scenarios=(scenario,))


def run(request: LaunchRequest) -> Launch:
    return run_launch(request, side="base", slot=0)


@pytest.mark.parametrize("tag", TAGS)
def test_every_prefill_is_cold_and_exact(request_for: Make, marker: str, tag: str) -> None:
    launch = run(with_prompts(request_for(tag)))
    assert (launch.status, launch.detail, launch.invalid) == ("ok", "", None)
    measured = [sample for sample in launch.samples if not sample.warmup]
    assert [(s.prompt_n, s.cache_n, s.predicted_n, s.problem) for s in measured] == [(64, 0, 16, None)] * 3
    assert all(sample.prompt_ms < sample.ttft_ms < sample.wall_ms for sample in measured)
    assert launch.exit_code == 0
    assert launch.facts.props["n_ctx"] == 2048
    assert launch.facts.props["total_slots"] == 1
    assert launch.facts.build is not None
    assert tag in launch.facts.build
    assert launch.facts.buffers["CPU.KV"] == 1.0
    assert 5 < launch.memory[0].loaded_mib <= launch.memory[0].peak_mib < 500
    assert not left_running(marker)


def test_both_builds_tell_the_same_configuration(request_for: Make) -> None:
    base, head = (prepare(request_for(tag), side="base").launch for tag in TAGS)
    assert compare_facts(base.facts, head.facts) == ()
    wider = prepare(request_for(TAGS[1], flags=("-c", "4096")), side="head").launch
    first = compare_facts(base.facts, wider.facts)[0]
    assert (first.name, first.base, first.head, first.blocks) == ("n_ctx", "2048", "4096", True)


def test_both_builds_tokenize_alike(request_for: Make) -> None:
    base, head = (prepare(replace(request_for(tag), texts={"a": TEXT}), side="base").texts for tag in TAGS)
    assert base == head
    assert base["a"].prefix == (1,)


def test_a_prompt_sent_twice_is_still_cold(request_for: Make) -> None:
    request = with_prompts(request_for("b9601"))
    same = {**request.scenarios[0], "prompts": [request.scenarios[0]["prompts"][0]] * 3}
    launch = run(replace(request, scenarios=(same,)))  # type: ignore[arg-type]
    assert {sample.cache_n for sample in launch.samples} == {0}
    assert launch.invalid is None


def test_a_flag_that_the_build_does_not_know_is_a_refusal(request_for: Make, marker: str) -> None:
    launch = run(request_for("b9601", flags=("--frobnicate",)))
    assert (launch.status, launch.exit_code) == ("refused_flag", 1)
    assert launch.detail.endswith("error: invalid argument: --frobnicate")
    assert not left_running(marker)


def test_a_removed_flag_is_a_refusal(request_for: Make) -> None:
    launch = run(request_for("b9601", flags=("--spec-ngram-size-n", "3")))
    assert launch.status == "refused_flag"
    assert "removed" in launch.detail


def test_a_damaged_and_a_missing_model_are_told_as_such(
    request_for: Make, tmp_path: Path, tiny_model: Path
) -> None:
    damaged = tmp_path / "damaged.gguf"
    damaged.write_bytes(b"abcd" + tiny_model.read_bytes()[4:])
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(tiny_model.read_bytes()[:200_000])
    for model in (damaged, cut, tmp_path / "missing.gguf"):
        launch = run(request_for("b9601", model=model))
        assert launch.status == "bad_model", launch.detail


def test_an_oversized_prompt_is_a_bad_response_that_says_why(request_for: Make) -> None:
    request = with_prompts(request_for("b9601"), length=2100)
    launch = run(request)
    assert launch.status == "bad_response"
    assert "exceed" in launch.detail


def test_a_server_below_a_wrapper_is_measured_and_stopped_as_well(
    request_for: Make, marker: str, tmp_path: Path
) -> None:
    request = request_for("b9601")
    box = Box(reads=(Path(request.argv[0]).parent,))  # no argument names it
    wrapper = tmp_path / "wrapper"
    wrapper.write_text(f'#!/bin/sh\n{request.argv[0]} "$@"\n')
    wrapper.chmod(0o755)
    launch = run(with_prompts(replace(request, argv=(str(wrapper), *request.argv[1:]), box=box)))
    assert (launch.status, launch.invalid) == ("ok", None)
    assert launch.memory[0].peak_mib > 5
    assert not left_running(marker)
