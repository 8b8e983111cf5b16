"""A scripted server that takes memory of a scripted card: what its flags ask for, or it does not start.

The card is the file behind the stand-in for NVML; `write_card_server` makes an executable of it. Standard
library only.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests.support import fake_server

#: MiB: CUDA's own; a layer's weights; a token's KV cache as the log tells it, and what a token really takes.
CONTEXT, LAYER, TOKEN, TOKEN_REALLY = 300.0, 200.0, 0.05, 0.08
#: The layers of the run, and what one more takes besides its weights.
LAYERS, MORE, JUMP = 50, 65, 500.0
TOKENS = 98304
_LOG = """load_tensors: offloaded {layers}/{more} layers to GPU
load_tensors:        CUDA0 model buffer size = {model:8.2f} MiB
llama_kv_cache:      CUDA0 KV buffer size = {cache:8.2f} MiB
"""
_FULL = (
    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating {mib:.2f} MiB on device 0: "
    "cudaMalloc failed: out of memory"
)


def used_mib(layers: int, tokens: int) -> float:
    """What the server takes of the card; in the run's own setting as much as its log adds up to."""
    cache = TOKENS * TOKEN + (tokens - TOKENS) * TOKEN_REALLY
    return CONTEXT + layers * LAYER + cache + JUMP * (layers > LAYERS)


def write_card_server(path: Path, card: Path) -> Path:
    """An executable at `path` that takes memory of the card behind that file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        f"#!{sys.executable} -IS\nimport sys\nsys.path.append({str(Path(__file__).parents[2])!r})\n"
        f"from tests.support import card_server\ncard_server.main(sys.argv[1:], {str(card)!r})\n"
    )
    path.chmod(0o755)
    return path


def main(arguments: list[str], card: str) -> None:
    """Take the memory, serve in a child, give the memory back."""
    if "--help" in arguments:
        fake_server.main(arguments, {})
        return
    layers, tokens = _value(arguments, "-ngl"), _value(arguments, "-c")
    before, total = _used(card), _line(card, "total")
    wanted = used_mib(layers, tokens)
    if before + wanted > total:
        sys.stderr.write(_FULL.format(mib=wanted) + "\n")
        sys.exit(1)
    _use(card, before + wanted)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = os.fork()
    if child == 0:
        fake_server.main(arguments, _settings(layers, tokens))
    _, status = os.waitpid(child, 0)
    _use(card, before)
    sys.exit(os.waitstatus_to_exitcode(status))


def _settings(layers: int, tokens: int) -> dict[str, Any]:
    text = _LOG.format(layers=layers, more=MORE, model=layers * LAYER, cache=tokens * TOKEN)
    return {"token_ms": 0.3, "prompt_ms": 0.001, "n_ctx": tokens, "log": text}


def _value(arguments: list[str], flag: str) -> int:
    return int(arguments[arguments.index(flag) + 1])


def _line(card: str, key: str) -> float:
    pairs = (line.split(" ", 1) for line in Path(card).read_text(encoding="ascii").splitlines())
    return float(dict(pairs)[key])


def _used(card: str) -> float:
    return _line(card, "used")


def _use(card: str, mib: float) -> None:
    lines = [
        line for line in Path(card).read_text(encoding="ascii").splitlines() if not line.startswith("used ")
    ]
    temporary = Path(f"{card}.{os.getpid()}")
    temporary.write_text("\n".join([*lines, f"used {mib:.0f}"]) + "\n", encoding="ascii")
    temporary.replace(card)
