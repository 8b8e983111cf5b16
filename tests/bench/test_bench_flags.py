"""Server flags in llama-bench's own spelling, by era."""

import pytest

from bot.bench.bench_flags import bench_flags, bench_help, with_case

#: Lines of real helps; every era prints them two columns in.
_COMMON = """\
usage: llama-bench [options]

options:
  -h, --help
  -r, --repetitions <n>                       number of times to repeat each test (default: 5)
  -o, --output <csv|json|jsonl|md|sql>        output format printed to stdout (default: md)

test parameters:
  -m, --model <filename>                      (default: models/7B/ggml-model-q4_0.gguf)
  -p, --n-prompt <n>                          (default: 512)
  -n, --n-gen <n>                             (default: 128)
  -b, --batch-size <n>                        (default: 2048)
  -ub, --ubatch-size <n>                      (default: 512)
  -ctk, --cache-type-k <t>                    (default: f16)
  -ctv, --cache-type-v <t>                    (default: f16)
  -t, --threads <n>                           (default: 2)
  -ngl, --n-gpu-layers <n>                    (default: 99)
  -sm, --split-mode <none|layer|row>          (default: layer)
  -mg, --main-gpu <i>                         (default: 0)
  -nkvo, --no-kv-offload <0|1>                (default: 0)
  -ts, --tensor-split <ts0/ts1/..>            (default: 0)
"""
_LATER = """\
  -d, --n-depth <n>                           (default: 0)
  -ncmoe, --n-cpu-moe <n>                     (default: 0)
  -ot --override-tensor <tensor name pattern>=<buffer type>;...
                                              (default: disabled)
"""
B4747 = _COMMON + "  -fa, --flash-attn <0|1>    (default: 0)\n  -mmp, --mmap <0|1>    (default: 1)\n"
B9093 = B4747 + _LATER + "  -dio, --direct-io <0|1>      (default: 0)\n"
B9601 = (
    _COMMON
    + _LATER
    + "  -fa, --flash-attn <on|off|auto>  (default: auto)\n  -mmp, --mmap <0|1>   (default: 1)\n"
)
B11434 = (
    _COMMON
    + _LATER
    + "  -fa, --flash-attn <on|off|auto>                   (default: auto)\n"
    + "  -lm, --load-mode <auto|none|mmap|mlock|mmap+mlock|dio> (default: auto)\n"
    + "  --repack <0|1>                                    (default: 1)\n"
)
ERAS = {"b4747": B4747, "b9093": B9093, "b9601": B9601, "b11434": B11434}


def words(help_text: str, line: str, *, backend: str = "cuda", threads: int | None = 8) -> dict[str, str]:
    """The settings as pairs of flag and value."""
    found = bench_flags(bench_help(help_text), tuple(line.split()), backend=backend, threads=threads)  # type: ignore[arg-type]
    return dict(zip(found.words[::2], found.words[1::2], strict=True))


@pytest.mark.parametrize("era", ERAS)
def test_what_has_no_flag_of_the_profile_is_said_all_the_same(era: str) -> None:
    found = words(ERAS[era], "")
    assert (found["-ngl"], found["-b"], found["-ub"], found["-t"]) == ("999", "2048", "512", "8")
    assert bench_flags(bench_help(ERAS[era]), (), backend="cuda", threads=8).unknown == ()


def test_nothing_is_offloaded_without_a_gpu() -> None:
    assert words(B9601, "", backend="cpu")["-ngl"] == "0"


@pytest.mark.parametrize(
    ("era", "line", "value"),
    [
        ("b4747", "-fa on", "1"),
        ("b4747", "-fa off", "0"),
        ("b4747", "", "1"),
        ("b9093", "-fa auto", "1"),
        ("b9601", "-fa 1", "on"),
        ("b9601", "--flash-attn off", "off"),
        ("b11434", "", "auto"),
    ],
)
def test_flash_attention_is_a_number_or_a_word(era: str, line: str, value: str) -> None:
    assert words(ERAS[era], line)["-fa"] == value


@pytest.mark.parametrize(
    ("era", "flag", "pair"),
    [
        ("b4747", "--no-mmap", ("-mmp", "0")),
        ("b9093", "-dio", ("-dio", "1")),
        ("b11434", "--no-mmap", ("-lm", "none")),
        ("b11434", "--load-mode dio", ("-lm", "dio")),
        ("b11434", "--mlock", ("-lm", "mlock")),
        ("b9601", "--load-mode none", ("-mmp", "0")),
    ],
)
def test_memory_mapping_in_the_spelling_of_the_era(era: str, flag: str, pair: tuple[str, str]) -> None:
    assert words(ERAS[era], flag)[pair[0]] == pair[1]


def test_a_comma_does_not_make_two_tests_of_one() -> None:
    found = words(B9601, "-ot exps=CPU,attn=CUDA0 -ts 3,1")
    assert found["-ot"] == "exps=CPU;attn=CUDA0"
    assert found["-ts"] == "3/1"


def test_the_users_flags_win_in_any_spelling() -> None:
    found = words(B9601, "--gpu-layers 20 --batch-size 1024 --ubatch-size 256 --threads 4 --n-cpu-moe 12")
    assert (found["-ngl"], found["-b"], found["-ub"], found["-t"]) == ("20", "1024", "256", "4")
    assert found["-ncmoe"] == "12"
    assert words(B9601, "-ngl all")["-ngl"] == "999"
    assert words(B9601, "--cpu-moe")["-ncmoe"] == "999"
    assert words(B9601, "-nkvo -sm row -mg 1") | {"-nkvo": "1", "-sm": "row", "-mg": "1"} == words(
        B9601, "-nkvo -sm row -mg 1"
    )


def test_a_flag_that_this_build_does_not_know_is_named() -> None:
    found = bench_flags(bench_help(B4747), ("--n-cpu-moe", "4", "-ctk", "q8_0"), backend="cuda", threads=None)
    assert found.unknown == ("-ncmoe",)


def test_what_no_llama_bench_can_follow_is_named_and_what_does_not_matter_is_not() -> None:
    line = "-c 98304 --jinja --spec-type draft-mtp --lora a.gguf --no-context-shift -ctxcp 0"
    found = bench_flags(bench_help(B9601), tuple(line.split()), backend="cuda", threads=None)
    assert found.left_out == ("--spec-type", "--lora")
    assert "-c" not in found.words


def test_depth_zero_needs_no_flag_and_so_works_in_every_era() -> None:
    old = bench_help(B4747)
    assert tuple(with_case(old, prompt=512, generated=0, depth=0)) == ("-p", "512", "-n", "0")
    assert tuple(with_case(bench_help(B9601), prompt=0, generated=128, depth=4096))[-2:] == ("-d", "4096")
    assert old.spelling("-d") is None
