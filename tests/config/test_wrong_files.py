"""Every mistake in config.yml is one line: file, line, key, what was found, what is allowed."""
# ruff: noqa: E501 - a message is read, and searched for, as the one line that it is

import re
from pathlib import Path

import pytest

from bot.config import load
from bot.errors import BotError, Exit
from tests.config.conftest import Say, Write

KEYS = "version | languages | budget | evidence_budget | cache | upstream | sources | machine | github | watch | notify | default_profile | overrides | profiles | presets"
PROFILE_KEYS = (
    "model | flags | margin | scenarios | decode_in | primary | rounds | evidence | daily_flags | variants"
)
SCENARIO_KEYS = "prompt | prompt_tokens | n_predict | requests | judged"
GOOD = "profiles:\n  mine:\n    model: m.gguf\n"
SCENE = GOOD + "    scenarios:\n      talk:\n        prompt: chat\n        prompt_tokens: 63\n"
#: What chooses a wording, and is not shown itself.
WORDED = {"kind", "name", "mistake"}
NAME = "letters, digits, dots, hyphens and underscores, a letter or digit first."

VALUES = [
    (
        GOOD + "budget: 45\n",
        "4: budget: found 45; allowed: a duration with units up to 24h, such as 90s, 45m or 1h30m.",
    ),
    (
        GOOD + "budget: 25h\n",
        "4: budget: found 25h; allowed: a duration with units up to 24h, such as 90s, 45m or 1h30m.",
    ),
    (
        GOOD + "budget: 0s\n",
        "4: budget: found 0s; allowed: a duration with units up to 24h, such as 90s, 45m or 1h30m.",
    ),
    (GOOD + "version: 2\n", "4: version: found 2; allowed: 1."),
    (GOOD + "languages: zh-Hans\n", "4: languages: found zh-Hans; allowed: a list such as [a, b]."),
    (GOOD + "languages: []\n", "4: languages: found no entries; allowed: at least one."),
    (GOOD + "languages: [en, xx]\n", "4: languages[1]: found xx; allowed: en | zh-Hans."),
    (GOOD + "languages: [en, en]\n", "4: languages: found en more than once; allowed: each entry once."),
    (GOOD + "cache: [a]\n", "4: cache: found a list; allowed: the path of a file or folder."),
    (
        GOOD + "upstream:\n  url: llama.cpp\n",
        "5: upstream.url: found llama.cpp; allowed: a git address (https://, ssh://, git@host:path) or the "
        "absolute path of a repository.",
    ),
    (
        GOOD + "sources:\n  head: ./bin\n",
        "5: sources.head: found ./bin; allowed: build | archive | archive:vulkan | path:FOLDER.",
    ),
    (
        GOOD + "machine: {server: localhost:8080}\n",
        "4: machine.server: found localhost:8080; allowed: the address of your server, such as "
        "http://127.0.0.1:8080.",
    ),
    (
        GOOD + "machine: cuda\n",
        "4: machine: found cuda; allowed: a section, that is, indented lines of `key: value`.",
    ),
    (GOOD + "machine: {backend: rocm}\n", "4: machine.backend: found rocm; allowed: auto | cpu | cuda."),
    (
        GOOD + "machine:\n  gpu: 0\n",
        "5: machine.gpu: found 0; allowed: auto, or a UUID as `nvidia-smi -L` prints it, such as GPU-5f3c….",
    ),
    (
        GOOD + "machine: {cuda_architectures: [86, sm_90]}\n",
        "4: machine.cuda_architectures: found a list; allowed: a list of GPU architectures as CMake names them, such "
        "as [86, 120a].",
    ),
    (
        GOOD + "machine:\n  backend: cpu\n  gpu: GPU-5f3c1234\n",
        "6: machine.gpu: found GPU-5f3c1234 together with backend: cpu; allowed: auto, or backend: cuda.",
    ),
    (
        GOOD + "machine:\n  reserve_mib: 300MiB\n",
        "5: machine.reserve_mib: found 300MiB; allowed: a whole number from 0 to 1000000.",
    ),
    (
        GOOD + "machine:\n  before: systemctl stop it\n",
        "5: machine.before: found systemctl stop it; allowed: a list of commands, each a list of words, such as "
        "[[systemctl, stop, llama-server]].",
    ),
    (GOOD + "default_profile: yours\n", "4: default_profile: found yours; allowed: mine."),
    ("profiles: {}\n", "1: profiles: found no entries; allowed: at least one."),
    (
        "profiles: [a]\n",
        "1: profiles: found a list; allowed: a section, that is, indented lines of `key: value`.",
    ),
    ("profiles:\n  a/b:\n    model: m\n", f"2: profiles.a/b: found a/b; allowed: up to 64 {NAME}"),
    (
        "profiles:\n  mine:\n    model: ~nobody-here/m\n",
        "3: profiles.mine.model: found ~nobody-here/m, whose user does not exist here; allowed: a path, with ~ for "
        "your own home folder.",
    ),
    (
        GOOD + "    margin: 3\n",
        "4: profiles.mine.margin: found 3; allowed: a percentage above 0% and below 50%, such as 3% or 0.03.",
    ),
    (GOOD + "    rounds: 5\n", "4: profiles.mine.rounds: found 5; allowed: 4 | 6 | 8 | 10 | 12."),
    (
        GOOD + "    decode_in: 5\n",
        "4: profiles.mine.decode_in: found 5; allowed: a name or a list of names.",
    ),
    (
        GOOD + "    decode_in: codding\n",
        "4: profiles.mine.decode_in[0]: found codding; allowed: chat | document | coding.",
    ),
    (
        SCENE + "    primary:\n      - decode:talk\n      - ttft:walk\n",
        "10: profiles.mine.primary[1]: found ttft:walk; allowed: ttft:talk | prefill:talk | decode:talk.",
    ),
    (
        SCENE.replace("63", "15"),
        "7: profiles.mine.scenarios.talk.prompt_tokens: found 15; allowed: a whole number from 16 to 1000000.",
    ),
    (
        SCENE.replace("63", "1e3"),
        "7: profiles.mine.scenarios.talk.prompt_tokens: found 1e3; allowed: a whole number from 16 to 1000000.",
    ),
    (
        SCENE.replace("prompt: chat", "prompt: empty.txt"),
        "6: profiles.mine.scenarios.talk.prompt: found empty.txt; allowed: chat | document | coding, or the path of "
        "a UTF-8 text file with some text in it.",
    ),
    (
        SCENE + "        n_predict: 16\n",
        "8: profiles.mine.scenarios.talk.n_predict: found 16; allowed: at least 32 where decode is judged, or judge "
        "decode in another scenario (decode_in).",
    ),
    (
        SCENE + '        n_predict: "64"\n',
        '8: profiles.mine.scenarios.talk.n_predict: found "64"; allowed: a whole number from 1 to 4096.',
    ),
    (
        SCENE + "        requests: true\n",
        "8: profiles.mine.scenarios.talk.requests: found true; allowed: a whole number from 3 to 12.",
    ),
    (
        SCENE + "        judged: [speed]\n",
        "8: profiles.mine.scenarios.talk.judged[0]: found speed; allowed: ttft | prefill | decode.",
    ),
    (
        SCENE.replace("talk", "a.b"),
        "5: profiles.mine.scenarios.a.b: found a.b; allowed: up to 32 letters, digits, hyphens and underscores, a "
        "letter or digit first.",
    ),
    (
        GOOD + "presets: {quick: {scenarios: [walk]}}\n",
        "4: presets.quick.scenarios[0]: found walk; allowed: chat | document | coding.",
    ),
    (
        GOOD + "presets: {quick: {scenarios: some}}\n",
        "4: presets.quick.scenarios: found some; allowed: all, primary, or a list of scenario names.",
    ),
]

KEYS_MISTAKEN = [
    ("budget: 45m\n", "1: profiles: found nothing; required: a section with at least one profile."),
    (
        "profiles:\n  mine:\n    model:\n    flags: -fa on\n",
        "3: profiles.mine.model: found nothing; required: the path of a GGUF file.",
    ),
    (
        GOOD + "    scenarios:\n      talk:\n        prompt: chat\n",
        "5: profiles.mine.scenarios.talk.prompt_tokens: found nothing; required: the prompt's length in tokens.",
    ),
    (
        GOOD + "    scenarios:\n      talk:\n        prompt_tokens: 63\n",
        "5: profiles.mine.scenarios.talk.prompt: found nothing; required: chat, document, coding or the path of a "
        "text file.",
    ),
    (
        GOOD + "budgit: 45m\n",
        f"4: budgit: there is no such key; did you mean budget? Allowed here: {KEYS}.",
    ),
    (GOOD + "colour: red\n", f"4: colour: there is no such key. Allowed here: {KEYS}."),
    (
        "profiles:\n  mine:\n    modle: m.gguf\n",
        f"3: profiles.mine.modle: there is no such key; did you mean model? Allowed here: {PROFILE_KEYS}.",
    ),
    (
        SCENE + "        promt: chat\n",
        "8: profiles.mine.scenarios.talk.promt: there is no such key; did you mean prompt? "
        f"Allowed here: {SCENARIO_KEYS}.",
    ),
    (
        GOOD + "presets: {quick: {k: 3}}\n",
        "4: presets.quick.k: there is no such key. Allowed here: requests | rounds | scenarios | evidence.",
    ),
    (
        GOOD + "budget: 45m\nbudget: 50m\n",
        "5: budget is already set in line 4. Keep one of the two.",
    ),
]

FLAGS = [
    (
        GOOD + "    flags: -fa on -m other.gguf\n",
        "4: profiles.mine.flags: found -m; allowed: other flags. Name the model file under `model`.",
    ),
    *(
        (
            GOOD + f"    flags: -fa on {flag}\n",
            f"4: profiles.mine.flags: found {flag.split()[0]}, which the measurement sets or needs as it is; "
            "allowed: other flags. Remove it.",
        )
        for flag in (
            "--host 0.0.0.0",
            "--port 8080",
            "--cache-ram 0",
            "-cram 0",
            "-np 4",
            "--parallel 4",
            "--fit on",
            "-lv 4",
            "--verbosity 4",
            "--api-key secret",
        )
    ),
    (
        GOOD + "    variants:\n      wide: -ub 1024\n      many: -np 4\n",
        "6: profiles.mine.variants.many: found -np, which the measurement sets or needs as it is; "
        "allowed: other flags. Remove it.",
    ),
    (
        GOOD + "    flags: 50 -fa on\n",
        "4: profiles.mine.flags: found 50 at the start; allowed: flags, each starting with a hyphen.",
    ),
    (
        GOOD + "    flags: -ot 'a=CPU\n",
        "4: profiles.mine.flags: found -ot 'a=CPU, in which a quotation is never closed; allowed: flags quoted as "
        "in a shell.",
    ),
    (
        GOOD + "    flags: {ngl: 50}\n",
        "4: profiles.mine.flags: found a section; allowed: one line of flags such as `-ngl 50 -fa on`, or a list of "
        "words.",
    ),
    (
        GOOD + "    flags: -c 512\n",
        "2: profiles.mine.scenarios.document.prompt_tokens: found 704, which with the answer takes 712 tokens; "
        "allowed: no more than the context of 512 in flags (-c).",
    ),
]

SYNTAX = [
    ("", "1: the file is empty. It needs at least `profiles` with one model; copy the shipped config.yml."),
    (
        "# later\n",
        "1: the file is empty. It needs at least `profiles` with one model; copy the shipped config.yml.",
    ),
    ("- a\n", "1: found a list at the top; allowed: keys with values, such as `budget: 45m`."),
    ("hello\n", "1: found hello at the top; allowed: keys with values, such as `budget: 45m`."),
    (
        "machine:\n\tbackend: cpu\n",
        '2: cannot read "backend: cpu": found a tab at the start of the line; indent with spaces.',
    ),
    (
        'budget: "45m\n' + GOOD,
        '1: cannot read "budget: "45m": this quotation is never closed; add the closing quotation mark.',
    ),
    (
        "languages: [en\n" + GOOD,
        '1: cannot read "languages: [en": this list is never closed or lacks a comma; write [a, b].',
    ),
    (
        "machine: {backend: cpu\n" + GOOD,
        '1: cannot read "machine: {backend: cpu": this section is never closed or lacks a comma; '
        "write {a: 1, b: 2}.",
    ),
    (
        "budget: 45m: long\n",
        '1: cannot read "budget: 45m: long": found a second colon in one line; put the text in quotation marks, or '
        "start a new line.",
    ),
    (
        "machine:\n  backend: cpu\n   gpu: auto\n",
        '3: cannot read "gpu: auto": a key cannot stand here; check the indentation of this line, and that the line '
        "above has a colon.",
    ),
    (
        "- a\nbudget: 45m\n",
        '2: cannot read "budget: 45m": the indentation does not match the lines around it; keys of one section '
        "start in the same column.",
    ),
    (
        "budget: *long\n",
        '1: cannot read "budget: *long": this alias has no anchor above it; define it with & first.',
    ),
    ("a: &a [*a]\n", "1: this section contains itself through an alias. Write the values out."),
    ("budget: !!int x\n", "1: found the tag !!int; allowed: plain values without tags."),
    (
        "budget: !!python/object/apply:os.getcwd []\n",
        "1: found the tag !!python/object/apply:os.getcwd; allowed: plain values without tags.",
    ),
    ("? [a]\n: b\n", "1: found a list or section as a key; allowed: a plain name."),
    (
        "budget: @x\n",
        '1: cannot read "budget: @x": found a character that YAML reserves; put the text in quotation marks.',
    ),
    ("budget: \x07\n", '1: cannot read "budget:  ": found a control character; remove it.'),
    ("a: 1\n---\nb: 2\n", '2: cannot read "---": found a second document after `---`; keep one.'),
    ("[" * 5000, "1: sections are nested too deeply. Start from the shipped config.yml."),
]


@pytest.mark.parametrize(("text", "message"), [*VALUES, *KEYS_MISTAKEN, *FLAGS, *SYNTAX])
def test_a_mistake_is_one_line_with_file_line_key_found_and_allowed(
    write: Write, say: Say, text: str, message: str
) -> None:
    path = write(text)

    with pytest.raises(BotError) as caught:
        load(path)

    assert caught.value.exit_code == Exit.USAGE
    english, chinese = (say(caught.value, tag) for tag in ("en", "zh-Hans"))
    assert english == f"{path}:{message}"
    assert "\n" not in chinese
    assert chinese.startswith(f"{path}:{message.split(':', maxsplit=1)[0]}: ")
    assert re.search("[\u4e00-\u9fff]", chinese)
    shown = {value for name, value in caught.value.values.items() if name not in WORDED}
    assert all(str(value) in chinese for value in shown if str(value) in english)


def test_long_values_are_cut(write: Write, say: Say) -> None:
    with pytest.raises(BotError) as caught:
        load(write(GOOD + "budget: " + "9" * 500 + "m\n"))

    assert f"found {'9' * 59}…; allowed" in say(caught.value, "en")


def test_text_over_several_lines_is_shown_in_one(write: Write, say: Say) -> None:
    with pytest.raises(BotError) as caught:
        load(write(GOOD + "budget: |\n  half\n  an hour\n"))

    assert "budget: found half an hour; allowed" in say(caught.value, "en")


def test_a_value_that_an_anchor_brings_is_named_where_it_stands(write: Write, say: Say) -> None:
    text = "profiles:\n  a: &a\n    model: m.gguf\n    rounds: 12\n  b:\n    <<: *a\n    rounds: 7\n"

    with pytest.raises(BotError) as caught:
        load(write(text))

    assert "config.yml:7: profiles.b.rounds: found 7; allowed" in say(caught.value, "en")


def test_the_first_of_several_mistakes_is_named(write: Write, say: Say) -> None:
    with pytest.raises(BotError) as caught:
        load(write("budget: 1\nversion: 3\n" + GOOD))

    assert "config.yml:1: budget: found 1;" in say(caught.value, "en")


def test_a_missing_file_comes_with_its_remedy(tmp_path: Path, say: Say) -> None:
    path = tmp_path / "config.yml"

    with pytest.raises(BotError) as caught:
        load(path)

    assert caught.value.exit_code == Exit.USAGE
    assert say(caught.value, "en") == (
        f"There is no configuration file {path}. Copy the shipped config.yml there and put in your model, "
        "or name another file with --config."
    )
    assert "--config" in say(caught.value, "zh-Hans")


def test_a_folder_in_its_place_is_named(tmp_path: Path, say: Say) -> None:
    with pytest.raises(BotError) as caught:
        load(tmp_path)

    assert caught.value.exit_code == Exit.ENVIRONMENT
    assert say(caught.value, "en") == f"Cannot read {tmp_path}: Is a directory."


def test_another_encoding_is_named_with_line_and_byte(tmp_path: Path, say: Say) -> None:
    path = tmp_path / "config.yml"
    path.write_bytes("# first\n# Größe\n".encode("latin-1"))

    with pytest.raises(BotError) as caught:
        load(path)

    assert say(caught.value, "en") == f"{path}:2: byte 0xF6 is not UTF-8. Save the file as UTF-8."
    assert "0xF6" in say(caught.value, "zh-Hans")
