"""Real trees of two years configure with the options that the table gives them; nothing is compiled."""

from pathlib import Path

import pytest

from bot import process
from bot.build import options as table
from bot.build.builder import BuildRequest, Steps, folder_of, values_of
from bot.build.layout import Folder
from bot.records import Backend, Tag
from tests.support import source_trees
from tests.support.cuda_packages import cuda_home

#: With the CUDA sources from about b9859 on: older distributions lack them.
TREES: tuple[tuple[int, Backend], ...] = (
    (9093, "cpu"),
    (9553, "cpu"),
    (9754, "cpu"),
    (10103, "cuda"),
    (10705, "cuda"),
    (11003, "cuda"),
    (11434, "cuda"),
)
#: One that no build has a kernel for by default.
KV = ("-ctk", "q8_0", "-ctv", "q4_0")


def configured(number: int, backend: Backend, cache: Path) -> tuple[Folder, Steps, dict[str, str]]:
    request = BuildRequest(
        side="head",
        tag=Tag(name=f"b{number}", sha=f"{number:040x}", number=number),
        backend=backend,
        cache=cache,
        export=lambda _sha, folder: source_trees.lay(number, folder),
        native=False,
        cuda_arch="90" if backend == "cuda" else None,
        flags=KV,
    )
    tools = request.toolchain()
    folder = folder_of(request, tools)
    folder.lay(request.tag.sha, request.export)
    tree = table.known(folder.src)
    options = table.compose(tree, backend, values_of(request, tools))
    steps = Steps(folder, tools, cache, tuple(table.programs(tree).values()))
    steps.configure(options)
    return folder, steps, options


@pytest.mark.real
@pytest.mark.parametrize(("number", "backend"), TREES, ids=[f"b{number}" for number, _ in TREES])
def test_a_tree_configures_and_every_option_is_one_that_it_uses(
    number: int, backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if backend == "cuda":
        monkeypatch.setenv("CUDA_HOME", str(cuda_home()))
    folder, steps, options = configured(number, backend, tmp_path)
    log = folder.log("configure").read_text()
    assert "not used by the project" not in log
    assert "deprecated" not in log
    cached = (folder.bld / "CMakeCache.txt").read_text()
    assert all(f"{name}:" in cached for name in options)
    assert options["LLAMA_BUILD_TESTS"] == options["LLAMA_OPENSSL"] == "OFF"
    # What would be done, without doing it: both programs, and no step that fetches.
    planned = process.run(
        [steps.toolchain.ninja.path, "-C", str(folder.bld), "-n", "-v", *steps.targets], tail_bytes=1 << 24
    ).output
    assert planned.count("-o bin/llama-server ") == planned.count("-o bin/llama-bench ") == 1
    assert not [line for line in planned.splitlines() if "npm" in line.split() or "huggingface" in line]
    if backend == "cuda":
        assert planned.count("arch=compute_90,code=") > 50
        assert "fattn-vec-instance-q8_0-q4_0.cu" in planned
