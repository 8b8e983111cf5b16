"""What llama-bench prints with `-o jsonl`: one object per case, read by key. Pure.

Fields come and go between tags; what is not there is left out, what is new is passed over.
"""

import json
from dataclasses import dataclass
from typing import Any

#: Columns of upstream's own table in its order: (field, heading, value that is not printed).
_COLUMNS: tuple[tuple[str, str, object], ...] = (
    ("n_gpu_layers", "ngl", None),
    ("n_cpu_moe", "n_cpu_moe", 0),
    ("n_threads", "threads", None),
    ("n_batch", "n_batch", 2048),
    ("n_ubatch", "n_ubatch", 512),
    ("type_k", "type_k", "f16"),
    ("type_v", "type_v", "f16"),
    ("main_gpu", "main_gpu", 0),
    ("split_mode", "sm", "layer"),
    ("no_kv_offload", "nkvo", False),
    ("flash_attn", "fa", None),
    ("devices", "dev", "auto"),
    ("tensor_split", "ts", "0.00"),
    ("tensor_buft_overrides", "ot", "none"),
    ("use_mmap", "mmap", True),
    ("use_direct_io", "dio", False),
    ("load_mode", "load_mode", "auto"),
    ("no_op_offload", "nopo", 0),
    ("no_host", "noh", False),
    ("repack", "repack", True),
)
_GIB, _MIB, _BILLION, _MILLION = 2**30, 2**20, 1e9, 1e6


@dataclass(frozen=True)
class BenchLine:
    """One case: its samples in nanoseconds, its tokens, and the columns that upstream prints beside them."""

    samples_ns: tuple[float, ...]
    tokens: int
    columns: dict[str, str]
    build: str


def read(output: str) -> BenchLine | None:
    """The last whole object of the output; None where there is none, which is a case that failed."""
    for line in reversed(output.splitlines()):
        try:
            data = json.loads(line)
        except ValueError:
            continue
        if isinstance(data, dict) and isinstance(data.get("samples_ns"), list) and data["samples_ns"]:
            return _line(data)
    return None


def _line(data: dict[str, Any]) -> BenchLine:
    return BenchLine(
        samples_ns=tuple(float(item) for item in data["samples_ns"]),
        tokens=int(data.get("n_prompt", 0)) + int(data.get("n_gen", 0)),
        columns=_columns(data),
        build=f"{data.get('build_commit', '?')} ({data.get('build_number', '?')})",
    )


def _columns(data: dict[str, Any]) -> dict[str, str]:
    backend = str(data.get("backends") or data.get("backend") or "")
    found = {
        "model": str(data.get("model_type", "")),
        "size": _size(int(data.get("model_size", 0))),
        "params": _count(int(data.get("model_n_params", 0))),
        "backend": backend,
    }
    on_cpu = "CPU" in backend or "BLAS" in backend
    hidden = {"n_gpu_layers"} if on_cpu else {"n_threads"}
    for field, heading, usual in _COLUMNS:
        if field in data and field not in hidden and data[field] != usual:
            found[heading] = _text(data[field])
    return found


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _size(count: int) -> str:
    return f"{count / _MIB:.2f} MiB" if count < _GIB else f"{count / _GIB:.2f} GiB"


def _count(count: int) -> str:
    return f"{count / _MILLION:.2f} M" if count < _BILLION else f"{count / _BILLION:.2f} B"
