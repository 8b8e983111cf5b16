"""What a text names: versions in every spelling that is in use, and nothing that only looks like one."""

import pytest

from bot.watch.naming import backends, pulls, versions

REPOSITORY = "ggml-org/llama.cpp"


@pytest.mark.parametrize(
    "text",
    [
        "works in b9556, broken in b9602",
        "version: 9602 (4d5e6f7)\nbuilt with cc",
        "Version 9602 (4d5e6f7a1) is fine",
        "version: 0.3.0-dev (build 9602, commit 4d5e6f7a1)",
        "build: 9602 (4d5e6f7) with GNU 12.2 for x86_64",
        "main: build = 9602 (4d5e6f7)",
        "build_number: 9602",
        "llama-b9602-bin-win-cuda-12.4-x64.zip",
        "https://github.com/ggml-org/llama.cpp/releases/tag/b9602",
        '"build_info": "b9602-4d5e6f7a1"',
        "自 b9602 起崩溃",
        "`b9602`, **b9602** (b9602)",
        "version:  B9602 and subsequent versions",
        "version: 9602 (4d5e6f7a1) # first commit with issue",
    ],
)
def test_each_spelling_of_a_version_names_it(text: str) -> None:
    assert versions(text, 9602, 9700) == (9602,)


@pytest.mark.parametrize(
    "text",
    [
        "9602 tokens, 9602 MiB, #9602",
        "commit ab9602cd and b9602cd",
        "deadb9602",
        "DEADB9602 and B9602F",
        "b9602a",
        "b09602",
        "driver 9602.21",
        "build 9602",
        "Windows 11 build: 22631.4317",
        "build: 9602.1",
        "version: 9602",
        "version: 9602 (not an id)",
        "rebuild: 9602",
        "",
    ],
)
def test_what_only_looks_like_a_version_names_none(text: str) -> None:
    assert versions(text, 9602, 9700) == ()


def test_only_versions_within_the_bounds_count_and_each_once() -> None:
    text = "b9601 b9611 b9602 b9611 b9701 version: 9650 (4d5e6f7)"
    assert versions(text, 9602, 9700) == (9602, 9611, 9650)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("since #24411", (24411,)),
        ("(#24411)", (24411,)),
        ("GH-24411", (24411,)),
        ("ggml-org/llama.cpp#24411", (24411,)),
        ("https://github.com/ggml-org/llama.cpp/pull/24411/files", (24411,)),
        ("https://github.com/GGML-org/llama.cpp/issues/24411", (24411,)),
        ("https://redirect.github.com/ggml-org/llama.cpp/pull/24411", (24411,)),
        ("#2 then #1 then #2", (2, 1)),
        ("other/repo#24411", ()),
        ("my-ggml-org/llama.cpp#24411", ()),
        ("https://github.com/other/repo/pull/24411", ()),
        ("page.html#24411", ()),
        ("&#24411; and a#24411 and #24411abc", ()),
        ("24411", ()),
    ],
)
def test_pull_requests_of_upstream_are_named_by_links_and_nothing_else(
    text: str, found: tuple[int, ...]
) -> None:
    assert pulls(text, REPOSITORY) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            "### Hardware\n\nx\n\n### GGML backends\n\nCUDA, Vulkan\n\n### Models\n",
            ("CUDA", "Vulkan"),
        ),
        ("### GGML backends\r\n\r\nHIP\r\n", ("HIP",)),
        ("### GGML backends\n\n_No response_\n", ()),
        ("CUDA is broken", ()),
        ("### GGML backends\n\n### Hardware\n", ()),
    ],
)
def test_backends_are_those_of_the_form(body: str, found: tuple[str, ...]) -> None:
    assert backends(body) == found


def test_a_long_hostile_text_is_read_in_one_pass() -> None:
    text = ("b9602 #24411 build: " * 4000) + "version:" * 4000
    assert versions(text, 9602, 9602) == (9602,)
    assert pulls(text, REPOSITORY) == (24411,)
