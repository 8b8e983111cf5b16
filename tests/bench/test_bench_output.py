"""What llama-bench prints, of three eras: fields come and go."""

import json
from typing import Any

from bot.bench.bench_output import read

#: Of real output, without what is not read.
B9601: dict[str, Any] = {
    "build_commit": "1c26250",
    "build_number": 9601,
    "backends": "CUDA",
    "model_filename": "/home/anna/models/m.gguf",
    "model_type": "qwen3 27B Q4_K - Medium",
    "model_size": 16_800_000_000,
    "model_n_params": 27_100_000_000,
    "n_batch": 2048,
    "n_ubatch": 512,
    "n_threads": 8,
    "type_k": "q8_0",
    "type_v": "f16",
    "n_gpu_layers": 999,
    "n_cpu_moe": 0,
    "split_mode": "layer",
    "main_gpu": 0,
    "no_kv_offload": False,
    "flash_attn": 1,
    "devices": "auto",
    "tensor_split": "0.00",
    "tensor_buft_overrides": "none",
    "use_mmap": False,
    "use_direct_io": False,
    "no_op_offload": 0,
    "no_host": False,
    "n_prompt": 512,
    "n_gen": 0,
    "n_depth": 4096,
    "avg_ts": 1.0,
    "stddev_ts": 12958.2,
    "samples_ns": [295303, 270896, 265288],
}


def test_upstreams_columns_in_its_order_and_form() -> None:
    found = read(json.dumps(B9601))
    assert found is not None
    assert found.columns == {
        "model": "qwen3 27B Q4_K - Medium",
        "size": "15.65 GiB",
        "params": "27.10 B",
        "backend": "CUDA",
        "ngl": "999",
        "type_k": "q8_0",
        "fa": "1",
        "mmap": "0",
    }
    assert found.build == "1c26250 (9601)"
    assert (found.tokens, found.samples_ns) == (512, (295303.0, 270896.0, 265288.0))


def test_no_path_of_the_user_is_read() -> None:
    found = read(json.dumps(B9601))
    assert found is not None
    assert "anna" not in repr(found)


def test_threads_instead_of_layers_on_a_processor() -> None:
    found = read(json.dumps(B9601 | {"backends": "CPU", "model_size": 591104, "model_n_params": 147776}))
    assert found is not None
    assert "ngl" not in found.columns
    assert found.columns["threads"] == "8"
    assert (found.columns["size"], found.columns["params"]) == ("0.56 MiB", "0.15 M")


def test_an_old_build_says_less_and_a_new_one_more() -> None:
    old = {key: B9601[key] for key in B9601 if key not in {"devices", "n_cpu_moe", "n_depth", "no_host"}}
    new = {key: value for key, value in B9601.items() if key not in {"use_mmap", "use_direct_io"}}
    new |= {"load_mode": "none", "lazy_mode": "off", "tomorrow": [1]}
    found = read(json.dumps(old | {"flash_attn": True})), read(json.dumps(new))
    assert found[0] is not None
    assert found[0].columns["fa"] == "1"
    assert found[1] is not None
    assert found[1].columns["load_mode"] == "none"
    assert "mmap" not in found[1].columns


def test_noise_around_the_object_is_passed_over() -> None:
    found = read(f"ggml_cuda_init: found 1 CUDA devices:\n{json.dumps(B9601)}\n\n")
    assert found is not None


def test_no_object_is_a_case_that_failed() -> None:
    assert read("") is None
    assert read("error: failed to create context") is None
    assert read(json.dumps(B9601)[:-40]) is None
    assert read(json.dumps(B9601 | {"samples_ns": []})) is None
