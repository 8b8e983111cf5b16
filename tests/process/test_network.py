"""A network of its own: a loopback and nothing else."""

import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot import process

ROOT = Path(__file__).parents[2]

#: Says what of (own loopback, a port of the host, the world) can be reached; argv: the host's port.
PROBE = """
import json, socket, sys
def reach(host, port):
    try:
        socket.create_connection((host, port), timeout=5).close()
        return "yes"
    except OSError as error:
        return type(error).__name__ if error.errno != 101 else "unreachable"
with socket.create_server(("127.0.0.1", 0)) as own:
    print(json.dumps([reach("127.0.0.1", own.getsockname()[1]), reach("127.0.0.1", int(sys.argv[1])),
                      reach("192.0.2.1", 9)]))
"""
#: `PROBE` behind the door, from a process with fewer rights.
INDIRECT = f"""
import json, sys
from bot import process
done = process.run([sys.executable, "-c", {PROBE!r}, sys.argv[1]], network="none")
print(json.dumps([json.loads(done.stdout), done.isolation]))
"""
ALONE = ["yes", "ConnectionRefusedError", "unreachable"]


def can(*command: str) -> bool:
    """Whether the kernel grants this, asked without our program."""
    return bool(shutil.which(command[0])) and subprocess.run(command, check=False).returncode == 0


SETPRIV = ("setpriv", "--bounding-set=-sys_admin")
FORBID = ("unshare", "-r", "sh", "-c", 'echo 0 > /proc/sys/user/max_net_namespaces && exec "$@"', "sh")


@pytest.mark.skipif(not can("unshare", "-rn", "true"), reason="no network namespaces here")
def test_only_its_own_loopback_is_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as outside:
        port = str(outside.getsockname()[1])
        finished = process.run([sys.executable, "-c", PROBE, port], network="none")
    assert json.loads(finished.stdout) == ALONE
    assert finished.isolation == ("leash", "network", "environment")


def test_the_host_network_is_the_default() -> None:
    with socket.create_server(("127.0.0.1", 0)) as outside:
        port = str(outside.getsockname()[1])
        finished = process.run([sys.executable, "-c", PROBE, port])
    assert json.loads(finished.stdout)[:2] == ["yes", "yes"]
    assert "network" not in finished.isolation


def indirectly(*prefix: str) -> tuple[list[str], list[str]]:
    with socket.create_server(("127.0.0.1", 0)) as outside:
        command = [*prefix, sys.executable, "-c", INDIRECT, str(outside.getsockname()[1])]
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    reached, isolation = json.loads(done.stdout)
    return reached, isolation


@pytest.mark.skipif(
    not can(*SETPRIV, "unshare", "-rn", "true"), reason="no rights to give up, or no namespaces"
)
def test_without_the_right_to_it_a_user_namespace_helps() -> None:
    reached, isolation = indirectly(*SETPRIV)
    assert reached == ALONE
    assert isolation == ["leash", "network", "environment"]


@pytest.mark.skipif(not can(*FORBID, "true"), reason="no user namespaces here")
def test_where_the_kernel_refuses_it_runs_on_the_host_and_says_so() -> None:
    reached, isolation = indirectly(*FORBID)
    assert reached[:2] == ["yes", "yes"]
    assert isolation == ["leash", "environment"]
