"""A record fit to be published."""

import socket
import sys
from pathlib import Path

import pytest

from bot.publish import private_names, public
from bot.records import ServerFacts
from tests.support.facts import launch, round_of, run


def texts(argv: tuple[str, ...], **changes: object) -> str:
    item = round_of(0).model_copy(update={"launches": (launch("base", 0, argv=argv, **changes),)})
    return public(run(rounds=(item,)), {"/data/models/": "", "GPU-1234": "GPU"}).model_dump_json()


def test_home_paths_become_a_tilde_wherever_they_stand() -> None:
    text = texts(
        ("/home/alice/llama/llama-server",),
        detail="error loading /home/bob/x.gguf and /root/y",
        log_tail=f"{Path.home()}/.cache/z",
    )
    assert "alice" not in text
    assert "bob" not in text
    assert "/root" not in text
    assert "~/llama/llama-server" in text


def test_given_names_are_replaced_in_keys_of_no_record_but_in_every_string() -> None:
    text = texts(("-m", "/data/models/m.gguf"), facts=ServerFacts(devices=("GPU-1234",)))
    assert "/data/models" not in text
    assert "GPU-1234" not in text
    assert '"m.gguf"' in text


def test_the_host_name_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "alices-desktop")
    assert private_names()["alices-desktop"] == "HOST"
    assert "alices-desktop" not in texts((), log_tail="bound on alices-desktop:8080")


def test_a_short_host_name_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "gpu")
    assert "gpu" not in private_names()


def test_where_the_program_itself_lies_is_nobodys_business() -> None:
    text = texts((f"{sys.prefix}/bin/cmake", f"{Path(__file__).parents[2]}/bot/leash.py"))
    assert '"venv/bin/cmake"' in text
    assert '"llama-release-bot/bot/leash.py"' in text


def test_a_folder_whose_name_only_begins_like_a_private_one_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/app"))
    assert '"/apples/x"' in texts(("/apples/x",))
    assert '"~/x"' in texts(("/app/x",))
