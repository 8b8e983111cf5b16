"""Flags of the profile that a commit removes or changes come first of all."""

from dataclasses import replace

import pytest

from bot.changelog import Circumstances, highlights
from bot.changelog.circumstances import read_flags, spellings
from bot.changelog.classify import read
from bot.changelog.touches import touches
from tests.support.commits import PERSONA, commit, real_range

ARG = "common/arg.cpp"
SERVER = "tools/server/server-context.cpp"
CUDA = "ggml/src/ggml-cuda/ggml-cuda.cu"


def with_flags(line: str) -> Circumstances:
    argv = line.split()
    return replace(PERSONA, flags=read_flags(argv), spelled=spellings(argv))


@pytest.mark.parametrize(
    ("subject", "path", "flags", "found"),
    [
        ("common : remove --mmap", ARG, "--mmap", [("touch-removed", "--mmap")]),
        ("common : remove --no-mmap option", ARG, "--no-mmap", [("touch-removed", "--no-mmap")]),
        ("args: refactor mlock/mmap into load-mode", ARG, "--mlock", [("touch-changed", "--mlock")]),
        ("args: refactor mlock/mmap into load-mode", ARG, "-ngl 50", []),
        (
            "server : enable cache_prompt by default",
            SERVER,
            "--cache-prompt",
            [("touch-default", "--cache-prompt")],
        ),
        ("server : enable cache_prompt by default", SERVER, "-ngl 50", []),
        ("common : deprecate -ctk and -ctv", ARG, "-ctk q8_0", [("touch-deprecated", "-ctk")]),
        ("llama : use FA + max. GPU layers by default", SERVER, "-fa on", [("touch-default", "-fa")]),
        ("llama : enable flash attention by default", SERVER, "-fa on", [("touch-default", "-fa")]),
        ("CUDA: remove FlashAttention kernel for F32", CUDA, "-fa on", []),
        ("server : fix --mmap being removed", SERVER, "--mmap", []),
        ("server : add option --foo", SERVER, "--foo", []),
        ("server : remove --foo-bar-baz", SERVER, "--foo-bar", []),
    ],
)
def test_what_is_done_to_a_flag(subject: str, path: str, flags: str, found: list[tuple[str, str]]) -> None:
    reasons = touches(read([commit(subject, path)])[0], with_flags(flags))
    assert [(reason.code, reason.args["flag"]) for reason in reasons] == found


def test_own_flags_stand_before_security_and_apply() -> None:
    commits = [
        commit("server : fix remote code execution in slots (#1)", SERVER, size=900),
        commit("CUDA: fix race in MMQ (#2)", CUDA, size=900),
        commit("common : remove --mmap (#3)", ARG),
    ]
    lines = highlights(commits, with_flags("--mmap")).items
    assert [line.pr for line in lines] == [3, 1, 2]
    assert lines[0].applies == "yes"


def test_no_flag_of_the_usual_profile_is_touched_by_accident() -> None:
    facts = with_flags("-ngl 50 -c 98304 -b 1024 -fa on")
    for name in ("b3065-b3150", "b3639-b3790", "b9455-b9495", "b9556-b9602", "b10104-b10152"):
        found = [item.commit.subject for item in read(real_range(name)) if touches(item, facts)]
        assert found == [], name


def test_a_real_removal_is_found() -> None:
    lines = highlights(real_range("b10104-b10152"), with_flags("--mlock -ngl 50")).items
    assert lines[0].area == "args"
    assert [(reason.code, reason.args) for reason in lines[0].touches] == [
        ("touch-changed", {"flag": "--mlock"})
    ]


def test_a_default_of_a_flag_that_the_profile_sets_is_found_in_a_real_range() -> None:
    facts = with_flags("-ngl 50 -c 98304 -b 1024 -fa on")
    found = {item.parsed.pr: touches(item, facts) for item in read(real_range("b4000-b4500"))}
    told = {pr: [(one.code, one.args["flag"]) for one in reasons] for pr, reasons in found.items() if reasons}
    assert told == {10136: [("touch-default", "-c")]}
