"""What untrusted code finds when it looks around, tries to get out, or reaches for secrets."""

import errno
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot import process
from bot.config.settings import default_cache
from bot.isolation import Box, means
from tests.isolation.conftest import Look

SECRET = "ghs_0123456789abcdef"
#: What GitHub Actions, clouds and a desktop put into the environment.
SECRETS = (
    *("GITHUB_TOKEN", "GH_TOKEN", "GITHUB_APP_PRIVATE_KEY", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_CACHE_URL"),
    *("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_RESULTS_URL"),
    *("SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "XDG_SECRET"),
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "GOOGLE_APPLICATION_CREDENTIALS"),
    *("AZURE_CLIENT_SECRET", "HF_TOKEN", "OPENAI_API_KEY", "DOCKER_AUTH_CONFIG", "NETRC", "PGPASSWORD"),
    *("RUNNER_TEMP", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"),
)


def test_no_process_but_its_own_is_there(look: Look) -> None:
    answer = look(
        "answer = {int(p): pathlib.Path('/proc', p, 'cmdline').read_bytes().decode().split('\\0')"
        " for p in os.listdir('/proc') if p.isdigit()}"
    )
    assert sorted(answer) == ["1", "2"]
    assert any(word.endswith("leash/main.py") for word in answer["1"])
    assert answer["2"][1:4] == ["-I", "-S", "-c"]


@pytest.mark.parametrize("names", [SECRETS])
def test_no_secret_is_in_any_environment(
    look: Look, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    for name in names:
        monkeypatch.setenv(name, SECRET)
    answer = look(
        "answer = [dict(os.environ), []]\n"
        "for path in pathlib.Path('/proc').glob('[0-9]*/environ'):\n"
        "    try: answer[1].append(path.read_bytes().decode())\n"
        "    except PermissionError: answer[1].append('')"
    )
    own, others = answer
    assert not set(names) & set(own)
    assert set(own) <= {*process._KEPT, "LANG", "PWD"}
    assert own["TMPDIR"] == "/tmp"
    assert len(others) == 2
    assert not any(SECRET in text for text in (*own.values(), *others))


def test_process_one_cannot_be_killed_stopped_or_read(look: Look) -> None:
    answer = look(
        "answer = []\n"
        "for number in (signal.SIGKILL, signal.SIGSTOP):\n"
        "    os.kill(1, number)\n"
        "for name in ('environ', 'mem', 'maps', 'fd/3', 'cwd'):\n"
        "    try: open(f'/proc/1/{name}', 'rb').read(1); answer.append(name)\n"
        "    except OSError: pass"
    )
    assert answer == []


def test_the_bot_itself_cannot_be_killed(look: Look) -> None:
    answer = look(
        "try: os.kill(int(sys.argv[1]), 0); answer = 'found'\nexcept ProcessLookupError: answer = 'none'",
        os.getpid(),
    )
    assert answer == "none"


def test_no_address_but_a_loopback(look: Look) -> None:
    with socket.create_server(("127.0.0.1", 0)) as outside:
        answer = look(
            "lines = open('/proc/net/dev').read().splitlines()[2:]\n"
            "answer = [[line.split(':')[0].strip() for line in lines], os.listdir('/sys/class/net')]\n"
            "answer.append([p for p, _, n in os.walk('/sys/devices') if '/net/' in p and 'address' in n])\n"
            "with socket.create_server(('127.0.0.1', 0)) as own:\n"
            "    for port in (own.getsockname()[1], int(sys.argv[1])):\n"
            "        try: socket.create_connection(('127.0.0.1', port), 5).close(); answer.append('yes')\n"
            "        except OSError as error: answer.append(type(error).__name__)\n"
            "try: socket.create_connection(('192.0.2.1', 9), timeout=5)\n"
            "except OSError as error: answer.append(error.errno)",
            outside.getsockname()[1],
        )
    assert answer == [["lo"], [], [], "yes", "ConnectionRefusedError", 101]


def test_neither_home_nor_state_nor_other_folders_are_there(
    look: Look, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    kept = [
        *(home / name for name in (".ssh/id_ed25519", ".config/gh/hosts.yml", ".netrc", ".git-credentials")),
        *(home / ".cache/llama-release-bot" / name for name in ("outbox/1.json", "builds/x/ready.json")),
        *(tmp_path / name for name in ("runs/other/run.json", "runner/.credentials")),
    ]
    for path in kept:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(SECRET)
    monkeypatch.setenv("HOME", str(home))
    answer = look(
        "answer = [os.listdir(os.environ['HOME']), sorted(os.listdir(sys.argv[1]))]\n"
        "answer += [path for path in sys.argv[2:] if os.path.lexists(path)]",
        *(tmp_path, *kept, default_cache(), "/etc/shadow", "/etc/ssh", "/run/user", "/var", "/root/.ssh"),
    )
    assert answer == [[], ["home", "own"]]


def test_it_writes_to_its_own_folder_and_nowhere_else(look: Look, tmp_path: Path, folder: Path) -> None:
    shown = tmp_path / "shown"
    shown.mkdir()
    (shown / "model.gguf").write_text("weights")
    kernel = ("sys/kernel/core_pattern", "sysrq-trigger", "sys/vm/drop_caches", "2/oom_score_adj")
    outside = [shown / "model.gguf", Path(sys.prefix, "pyvenv.cfg"), Path("/usr/bin/env")]
    answer = look(
        "answer = [[], open(sys.argv[1]).read()]\n"
        "pathlib.Path('made').write_text('here')\n"
        "pathlib.Path('/tmp/made').write_text('private')\n"
        "pathlib.Path('../made').write_text('private')\n"
        "for path in ('/x', '/usr/x', sys.prefix + '/x', '../shown/x'):\n"
        "    try: pathlib.Path(path).touch(); answer[0].append(path)\n"
        "    except OSError: pass\n"
        "for path in sys.argv[1:]:\n"  # opened only: were it open, a word in there would change this machine
        "    try: os.close(os.open(path, os.O_WRONLY)); answer[0].append(path)\n"
        "    except OSError: pass",
        *(*outside, *(f"/proc/{name}" for name in kernel), "/sys/kernel/mm/ksm/run"),
        reads=(shown,),
    )
    assert answer == [[], "weights"]
    assert (folder / "made").read_text() == "here"
    assert (shown / "model.gguf").read_text() == "weights"
    assert not Path("/tmp/made").exists()
    assert not (tmp_path / "made").exists()


def test_it_has_no_rights_and_gets_none_back(look: Look) -> None:
    answer = look(
        "text = open('/proc/self/status').read()\n"
        "lines = dict(l.split(':\\t', 1) for l in text.splitlines() if ':\\t' in l)\n"
        "answer = [int(lines[n], 16) for n in ('CapEff', 'CapPrm', 'CapBnd')] + [lines['NoNewPrivs']]"
    )
    assert answer == [0, 0, 0, "1"]


def test_it_can_make_no_namespace_to_have_rights_in(look: Look) -> None:
    if "--disable-userns" not in means().users:
        pytest.skip("this bubblewrap cannot keep it from that")
    new_user = 0x10000000
    answer = look(
        "import ctypes\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        f"answer = [libc.unshare({new_user}), ctypes.get_errno()]"
    )
    assert answer == [-1, errno.ENOSPC]


def test_the_keyring_of_the_login_is_not_there(sandbox: Path, folder: Path) -> None:
    """It is passed on to all that a login starts; here by a process that has one of its own."""
    number = {"x86_64": 250, "aarch64": 219}[os.uname().machine]
    asking = f"import ctypes; print(ctypes.CDLL(None).syscall({number}, 0, -3, 0))"
    login = (
        "import ctypes, sys\nfrom pathlib import Path\n"
        "from bot import process\nfrom bot.isolation import Box\n"
        f"own = ctypes.CDLL(None).syscall({number}, 1, None)\n"
        f"argv = [sys.executable, '-I', '-S', '-c', {asking!r}]\n"
        "box = Box(writes=(Path(sys.argv[1]),), level='required')\n"
        "print(own, process.run(argv).stdout, process.run(argv, box=box).stdout)"
    )
    argv = [sys.executable, "-c", login, str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    own, passed_on, inside = map(int, done.stdout.split())
    if own < 0:
        pytest.skip("this kernel gives no keyrings")
    assert (passed_on, inside > 0) == (own, True)
    assert inside != own


def test_only_gpus_are_there_of_devices_and_only_where_asked(look: Look) -> None:
    plain = set(look("answer = os.listdir('/dev')"))
    assert {"null", "zero", "urandom", "shm"} <= plain
    assert not [name for name in plain if name.startswith(("nvidia", "dri", "sd", "nvme", "kmsg", "mem"))]
    gpus = {path.name for pattern in ("nvidia*", "dri") for path in Path("/dev").glob(pattern)}
    assert set(look("answer = os.listdir('/dev')", gpus=True)) >= plain | gpus


def test_exits_and_signals_come_through(sandbox: Path, folder: Path) -> None:
    box = Box(writes=(folder,))
    ends = [process.run(["sh", "-c", script], box=box) for script in ("exit 137", "kill -KILL $$", "exit 3")]
    assert [(end.code, end.signal) for end in ends] == [(137, None), (None, 9), (3, None)]


def test_time_is_bounded_and_a_sigterm_heard(sandbox: Path, folder: Path) -> None:
    script = "trap 'echo stopping; exit 0' TERM; while :; do sleep 0.05; done"
    finished = process.run(["sh", "-c", script], timeout_s=0.5, box=Box(writes=(folder,)))
    assert (finished.timed_out, finished.stopped) == (True, True)
    assert (finished.code, finished.stdout) == (0, "stopping\n")


def test_the_kernels_numbers_of_the_whole_machine_are_there(look: Look) -> None:
    """Host load and memory are measured in there."""
    total, cpus = look(
        "cpus = [line for line in open('/proc/stat') if line.startswith('cpu')]\n"
        "answer = [open('/proc/meminfo').readline(), len(cpus) - 1]"
    )
    with Path("/proc/meminfo").open() as file:
        assert total == file.readline()
    assert cpus == os.cpu_count()


def test_compilers_work_in_there(sandbox: Path, folder: Path) -> None:
    folder.mkdir()
    (folder / "a.cpp").write_text('#include <vector>\n#include <cstdio>\nint main() { puts("built"); }\n')
    command = ["sh", "-c", "c++ a.cpp -o a && ./a"]
    done = process.run(command, cwd=folder, box=Box(writes=(folder,)), timeout_s=120)
    assert (done.code, done.stdout) == (0, "built\n")
    assert subprocess.run([folder / "a"], capture_output=True, check=True).stdout == b"built\n"
