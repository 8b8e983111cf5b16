"""Where there is no sandbox: `required` starts nothing, `auto` does what is left, both say it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import isolation, process
from bot.errors import BotError, Exit
from bot.isolation import Box, Level, demand, means
from bot.report.words import catalog

REFUSAL = "bwrap: setting up uid map: Permission denied"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A PATH with `true` and `touch`, and no bubblewrap as yet."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("true", "touch"):
        (folder / name).symlink_to(Path("/bin") / name)
    monkeypatch.setenv("PATH", str(folder))
    isolation.forget()
    yield folder
    isolation.forget()


def refuse(path: Path) -> None:
    """A bubblewrap that the kernel gives nothing, as on Ubuntu 24.04."""
    program = path / "bwrap"
    program.write_text(f"#!/bin/sh\necho '{REFUSAL}' >&2\nexit 1\n")
    program.chmod(0o755)


def test_required_starts_nothing_without_bubblewrap(path: Path, tmp_path: Path) -> None:
    with pytest.raises(BotError) as caught:
        process.run(["touch", str(tmp_path / "started")], box=Box(level="required"))
    assert (caught.value.code, caught.value.exit_code) == ("no-bubblewrap", Exit.ENVIRONMENT)
    assert not (tmp_path / "started").exists()


def test_required_starts_nothing_where_the_system_refuses(path: Path, tmp_path: Path) -> None:
    refuse(path)
    with pytest.raises(BotError) as caught:
        process.run(["touch", str(tmp_path / "started")], box=Box(level="required"))
    assert (caught.value.code, caught.value.values["why"]) == ("not-isolated", REFUSAL)
    assert caught.value.exit_code == Exit.ENVIRONMENT
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("is_refused", [False, True])
def test_auto_goes_on_and_claims_nothing(path: Path, is_refused: bool) -> None:
    if is_refused:
        refuse(path)
    finished = process.run(["true"], box=Box())
    assert finished.code == 0
    assert set(finished.isolation) - {"network"} == {"leash", "environment"}
    assert means().codes == ()


def test_a_sandbox_that_cannot_be_laid_out_is_no_lost_leash(path: Path) -> None:
    program = path / "bwrap"
    said = "bwrap: Can't mkdir /usr/local/cuda/lib64: No such file or directory"
    program.write_text(f'#!/bin/sh\ncase "$*" in *status=*) echo "{said}" >&2; exit 1;; esac\n')
    program.chmod(0o755)
    with pytest.raises(BotError) as caught:
        process.run(["true"], box=Box())
    assert (caught.value.code, caught.value.values["why"]) == ("sandbox-failed", said)


def test_none_asks_for_nothing(sandbox: Path) -> None:
    finished = process.run(["true"], box=Box(level="none"))
    assert finished.isolation == ("leash", "environment")


def test_an_older_bubblewrap_gives_what_it_can(path: Path) -> None:
    """Before 0.8, or set-user-ID: what it does not know is not asked of it again."""
    program = path / "bwrap"
    program.write_text(
        '#!/bin/sh\ncase "$*" in *--disable-userns*) echo "bwrap: Unknown option" >&2; exit 1;; esac\n'
        'while [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n'
    )
    program.chmod(0o755)
    assert (means().bwrap, means().users) == (program, ("--unshare-user-try",))
    (path / "sh").symlink_to("/bin/sh")
    assert process.run(["sh", "-c", "exit 3"], box=Box(level="required")).code == 3


def test_it_is_tried_once(path: Path) -> None:
    refuse(path)
    assert means() is means()
    (path / "bwrap").unlink()
    assert means().refusal == REFUSAL
    isolation.forget()
    assert (means().bwrap, means().refusal) == (None, "")


@pytest.mark.parametrize("level", ["auto", "none"])
def test_only_required_demands(path: Path, level: Level) -> None:
    assert demand(level).bwrap is None


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_the_errors_name_the_remedy(language: str) -> None:
    words = catalog(language)
    assert "apt install bubblewrap" in words.text("error-no-bubblewrap")
    assert "isolation: none" in words.text("error-sandbox-failed", why=REFUSAL)
    said = words.text("error-not-isolated", why=REFUSAL)
    assert REFUSAL in said
    assert "docs/security.md" in said
