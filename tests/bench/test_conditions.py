"""The same conditions in the spelling that each build knows."""

import pytest

from bot.bench.conditions import PORT, Capabilities, parse_help, server_arguments
from bot.bench.plan import PORT as LAUNCH_PORT
from bot.flags import ALIASES, PROTOCOL_FLAGS, canonical, flag_value, split_flags

B4747 = """----- common params -----

-h,    --help, --usage                  print usage and exit
-c,    --ctx-size N                     size of the prompt context (default: 4096, 0 = loaded from model)
                                        (env: LLAMA_ARG_CTX_SIZE)
-b,    --batch-size N                   logical maximum batch size (default: 2048)
-ub,   --ubatch-size N                  physical maximum batch size (default: 512)
-fa,   --flash-attn                     enable Flash Attention (default: disabled)
-np,   --parallel N                     number of parallel sequences to decode (default: 1)
--mlock                                 force system to keep model in RAM rather than swapping or compressing
--no-mmap                               do not memory-map model (slower load but may reduce pageouts)
-ngl,  --gpu-layers, --n-gpu-layers N   number of layers to store in VRAM
-m,    --model FNAME                    model path
-lv,   --verbosity, --log-verbosity N   Set the verbosity threshold. Messages with a higher verbosity will be
                                        ignored.

----- server-specific params -----

--no-context-shift                      disables context shift on inifinite text generation (default:
                                        disabled)
--host HOST                             ip address to listen (default: 127.0.0.1)
--port PORT                             port to listen (default: 8080)
--no-webui                              Disable the Web UI (default: enabled)
-sps,  --slot-prompt-similarity SIMILARITY
                                        how much the prompt of a request must match the prompt of a slot in
                                        order to use that slot (default: 0.50, 0.0 = disabled)
--draft-max, --draft, --draft-n N       number of tokens to draft for speculative decoding (default: 16)
"""

B9601 = """----- common params -----

-c,    --ctx-size N                     size of the prompt context (default: 0, 0 = loaded from model)
-b,    --batch-size N                   logical maximum batch size (default: 2048)
-ub,   --ubatch-size N                  physical maximum batch size (default: 512)
-fa,   --flash-attn [on|off|auto]       set Flash Attention use ('on', 'off', or 'auto', default: 'auto')
                                        (env: LLAMA_ARG_FLASH_ATTN)
-np,   --parallel N                     number of server slots (default: -1, -1 = auto)
-ngl,  --gpu-layers, --n-gpu-layers N   max. number of layers to store in VRAM, either an exact number,
                                        'auto', or 'all' (default: auto)
-m,    --model FNAME                    model path to load
-fit,  --fit [on|off]                   whether to adjust unset arguments to fit in device memory
-lv,   --verbosity, --log-verbosity N   Set the verbosity threshold. Values:
                                         - 3: info
                                         - 4: trace (more info)
                                         - 5: debug
-ctxcp, --ctx-checkpoints, --swa-checkpoints N
                                        max number of context checkpoints to create per slot (default:
                                        32)[(more info)](https://github.com/ggml-org/llama.cpp/pull/15293)
-cram, --cache-ram N                    set the maximum cache size in MiB (default: 8192, -1 - no limit, 0 -
                                        disable)
--host HOST                             ip address to listen (default: 127.0.0.1)
--port PORT                             port to listen (default: 8080)
--webui, --no-webui                     [DEPRECATED: use --ui/--no-ui] whether to enable the Web UI
--ui,  --no-ui                          whether to enable the Web UI (default: enabled)
--cache-prompt, --no-cache-prompt       whether to enable prompt caching (default: enabled)
--load-mode MODE                        how to load the model (default: auto)
--offline                               Offline mode: forces use of cache, prevents network access
--spec-draft-n-max N                    number of tokens to draft for speculative decoding (default: 3)
--draft, --draft-n, --draft-max N       the argument has been removed. use --spec-draft-n-max or
                                        --spec-ngram-mod-n-max
"""


@pytest.fixture
def old() -> Capabilities:
    return parse_help(B4747)


@pytest.fixture
def new() -> Capabilities:
    return parse_help(B9601)


def arguments(caps: Capabilities, *flags: str, **options: str) -> list[str]:
    return list(server_arguments(caps, model="m.gguf", flags=flags, **options))  # type: ignore[arg-type]


def test_help_gives_names_values_and_defaults(old: Capabilities, new: Capabilities) -> None:
    assert new.flags["-ctxcp"].names == ("-ctxcp", "--ctx-checkpoints", "--swa-checkpoints")
    assert new.flags["-ctxcp"].default == "32"
    assert new.flags["--cache-ram"].default == "8192"
    assert (old.flags["-c"].default, new.flags["-c"].default) == ("4096", "0")
    assert new.flags["--flash-attn"].default == "auto"
    assert old.flags["-sps"].default == "0.50"
    assert (old.has_trace_level, new.has_trace_level) == (False, True)
    assert (old.flash_attention_is_switch, new.flash_attention_is_switch) == (True, False)


def test_what_matters_is_passed_explicitly_to_a_new_build(new: Capabilities) -> None:
    flags = tuple(arguments(new))
    expected = {
        "-m": "m.gguf",
        "--port": PORT,
        "--host": "127.0.0.1",
        "-np": "1",
        "--cache-ram": "0",
        "--fit": "off",
        "-lv": "4",
        "-c": "0",
        "-b": "2048",
        "-ub": "512",
        "-fa": "auto",
        "--ctx-checkpoints": "0",
    }
    assert {name: flag_value(flags, name) for name in expected} == expected
    assert "--no-ui" in flags
    assert "--no-webui" not in flags
    assert "--no-cache-prompt" in flags
    assert "--offline" in flags


def test_an_old_build_gets_only_what_it_knows(old: Capabilities) -> None:
    flags = arguments(old, "-fa", "on")
    assert "--no-webui" in flags
    unknown = {
        "--fit",
        "--cache-ram",
        "--ctx-checkpoints",
        "--no-cache-prompt",
        "--no-ui",
        "--offline",
        "-lv",
    }
    assert not unknown & set(flags)
    assert all(word in old.flags for word in flags if word.startswith("-"))
    assert flags[flags.index("--slot-prompt-similarity") + 1] == "0"


@pytest.mark.parametrize(
    ("given", "old_words", "new_words"),
    [
        (("-fa", "on"), ["-fa"], ["-fa", "on"]),
        (("-fa",), ["-fa"], ["-fa", "on"]),
        (("--flash-attn", "1"), ["-fa"], ["-fa", "on"]),
        (("-fa", "off"), [], ["-fa", "off"]),
        (("--no-mmap",), ["--no-mmap"], ["--load-mode", "none"]),
        (("--draft-max", "8"), ["--draft-max", "8"], ["--spec-draft-n-max", "8"]),
        (("--n-gpu-layers", "5"), ["--n-gpu-layers", "5"], ["--n-gpu-layers", "5"]),
        (("--not-a-flag", "x"), ["--not-a-flag", "x"], ["--not-a-flag", "x"]),
    ],
)
def test_the_users_flags_are_spelled_as_the_build_knows_them(
    old: Capabilities, new: Capabilities, given: tuple[str, ...], old_words: list[str], new_words: list[str]
) -> None:
    after_model = slice(2, None)
    old_flags, new_flags = arguments(old, *given)[after_model], arguments(new, *given)[after_model]
    assert old_flags[: len(old_words)] == old_words
    assert new_flags[: len(new_words)] == new_words
    assert "-fa" not in old_flags[len(old_words) :]


def test_the_users_own_flags_win_over_ours(new: Capabilities) -> None:
    flags = arguments(new, "--ctx-size", "98304", "-b", "1024", "-ngl", "50", "--swa-checkpoints", "4")
    assert "-c" not in flags
    assert flags.count("-b") == 1
    assert "999" not in flags
    assert "--ctx-checkpoints" not in flags


def test_a_gpu_build_offloads_everything_unless_told(new: Capabilities) -> None:
    assert flag_value(tuple(arguments(new, backend="cuda")), "-ngl") == "999"
    assert flag_value(tuple(arguments(new)), "-ngl") == "0"


def test_a_toggle_is_never_replaced_by_its_opposite() -> None:
    caps = parse_help("--cache-prompt                          enable prompt caching\n--port PORT   port\n")
    assert "--cache-prompt" not in arguments(caps)


def test_protocol_flags_in_every_spelling() -> None:
    assert {"--host", "--port", "--cache-ram", "-cram", "-np", "--parallel", "--fit", "-lv"} <= PROTOCOL_FLAGS
    assert not {"-ngl", "-c", "-fa", "--ctx-checkpoints"} & PROTOCOL_FLAGS


def test_flags_are_read_as_a_shell_and_the_server_read_them() -> None:
    flags = split_flags("-ngl 50 --chat-template 'a b' -fa -c 1 --ctx-size 2 --temp -1")
    assert flags[3] == "a b"
    assert flag_value(flags, "--n-gpu-layers") == "50"
    assert flag_value(flags, "-fa") == ""
    assert flag_value(flags, "-c") == "2"
    assert flag_value(flags, "--temp") == "-1"
    assert flag_value(flags, "-b") is None
    with pytest.raises(ValueError, match="quotation"):
        split_flags("'a")


def test_every_spelling_belongs_to_one_flag() -> None:
    spellings = [spelling for names in ALIASES.values() for spelling in names]
    assert len(spellings) == len(set(spellings))
    assert canonical("-np") == "--parallel"


def test_launch_and_conditions_agree_on_the_ports_place() -> None:
    assert PORT == LAUNCH_PORT
