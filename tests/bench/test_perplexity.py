"""What llama-perplexity is told, and what it prints in several eras and states."""

import math
from pathlib import Path

from bot.bench.conditions import parse_help
from bot.bench.perplexity import arguments, read

HELP = """\
-c,    --ctx-size N                     size of the prompt context (default: 0)
-fa,   --flash-attn [on|off|auto]       set Flash Attention use (default: 'auto')
-m,    --model FNAME                    model path to load
-f,    --file FNAME                     a file containing the prompt (default: none)
-np,   --parallel N                     number of parallel sequences to decode (default: 1)
-ngl,  --gpu-layers N                   max. number of layers to store in VRAM
-ctk,  --cache-type-k TYPE              KV cache data type for K
-b,    --batch-size N                   logical maximum batch size (default: 2048)
-ub,   --ubatch-size N                  physical maximum batch size (default: 512)
-t,    --threads N                      number of CPU threads
--fit [on|off]                          whether to adjust unset arguments
"""
FLAGS = ("-c", "98304", "-ngl", "50", "--jinja", "-ctk", "q8_0", "--cache-reuse", "256", "--temp", "0.7")


def words(*flags: str) -> tuple[str, ...]:
    return arguments(
        parse_help(HELP), model="m.gguf", passage=Path("p.txt"), flags=flags, backend="cuda", threads=8
    )


def test_the_servers_conditions_hold_as_far_as_this_program_knows_them() -> None:
    told = words(*FLAGS)
    assert told[told.index("-ngl") + 1] == "50"
    assert told[told.index("-ctk") + 1] == "q8_0"
    assert told[told.index("--fit") + 1] == "off"
    assert told[-2:] == ("-f", "p.txt")
    assert not {"--jinja", "--cache-reuse", "256", "--temp", "--port", "--cache-ram"} & set(told)


def test_the_context_is_the_chunk_whatever_the_user_has() -> None:
    told = words(*FLAGS)
    assert told.count("-c") == 1
    assert told[told.index("-c") + 1] == "512"


def test_the_estimate_with_its_chunks() -> None:
    found = read("[1]6.1234,[2]6.4021,\n", "0.00.937 I Final estimate: PPL = 6.4021 +/- 0.07130\n")
    assert found is not None
    assert (found.perplexity, found.error, found.running) == (6.4021, 0.0713, (6.1234, 6.4021))


def test_one_stream_in_place_of_two() -> None:
    text = "perplexity: 0.06 seconds per pass\n[1]6.1,[2]6.4,\nFinal estimate: PPL = 6.4021 +/- 0.07130"
    for found in (read(text, ""), read("", text)):
        assert found is not None
        assert len(found.running) == 2


def test_a_build_that_computes_no_numbers_says_so_only_in_its_chunks() -> None:
    found = read("[1]nan,[2]-nan,\n", "Unexpected negative standard deviation of log(prob)\n")
    assert found is not None
    assert math.isnan(found.perplexity)
    assert not found.is_finite


def test_infinity_is_read_as_it_is() -> None:
    found = read("[1]6.1,[2]inf,", "Final estimate: PPL = inf +/- nan")
    assert found is not None
    assert math.isinf(found.perplexity)
    assert not found.is_finite


def test_lines_that_were_lost_at_the_end_are_no_estimate() -> None:
    begun = "perplexity: calculating perplexity over 3 chunks, n_ctx=512, batch_size=2048, n_seq=4\n"
    final = "Final estimate: PPL = 6.4021 +/- 0.07130"
    assert read("[1]6.1,[2]6.4,", begun) is None
    assert read("[1]6.1,[2]6.4,", begun + final) is None
    assert read("[1]nan,[2]nan,", begun) is None
    assert read("[1]6.1,[2]6.3,[3]6.4,", begun) is None
    assert read("[1]6.1,[2]6.3,[3]6.4,", begun + final) is not None


def test_an_end_without_an_estimate_is_none() -> None:
    assert read("", "error: failed to load model") is None
    assert read("[1]6.1,[2]6.4,", "") is None  # broke off in the middle
