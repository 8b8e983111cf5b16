"""The child's side of a start: a network of its own where that is asked, then the command."""

import ctypes
import os
import signal

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 1, 4, 36  # linux/prctl.h
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000  # linux/sched.h
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1  # linux/sockios.h, linux/if.h
_AF_INET, _SOCK_DGRAM = 2, 2

_KEYCTL = {"x86_64": 250, "aarch64": 219}  # asm/unistd.h; libc has no function for it
_JOIN_SESSION_KEYRING = 1  # linux/keyctl.h

STOPPING = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
_libc = ctypes.CDLL(None, use_errno=True)


def become(command: list[str], isolated: bool, leash: int, report: int) -> None:
    """In the child: turn into the command, or say on `report` which step failed. Never returns."""
    step = "network"
    try:
        os.setsid()
        if isolated:
            _isolate_network()
        step = "exec"
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # the second line, should the leash itself be killed
        if os.getppid() != leash:
            os._exit(127)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ, *STOPPING):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execvp(command[0], command)  # noqa: S606 - no shell is meant
    except OSError as error:
        os.write(report, f"{step} {error.errno}".encode())
    finally:
        os._exit(127)


class _Ifreq(ctypes.Structure):
    """`struct ifreq` of netdevice(7), as far as flags need it."""

    _fields_ = (("name", ctypes.c_char * 16), ("flags", ctypes.c_short), ("rest", ctypes.c_char * 22))


def _isolate_network() -> None:
    """Enter a new network namespace and raise its loopback. Raises OSError where the kernel refuses.

    Without the right to do so it takes a user namespace along, in which user and group stay what they are.
    """
    maps = {
        "setgroups": "deny",
        "uid_map": f"{os.getuid()} {os.getuid()} 1",
        "gid_map": f"{os.getgid()} {os.getgid()} 1",
    }
    if _libc.unshare(_CLONE_NEWNET) != 0:
        _check(_libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET))
        for name, text in maps.items():
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
                file.write(text)
    handle = _check(_libc.socket(_AF_INET, _SOCK_DGRAM, 0))
    request = _Ifreq(b"lo")
    _check(_libc.ioctl(handle, _SIOCGIFFLAGS, ctypes.byref(request)))
    request.flags |= _IFF_UP
    _check(_libc.ioctl(handle, _SIOCSIFFLAGS, ctypes.byref(request)))
    os.close(handle)


def prctl(option: int, value: int) -> None:
    _check(_libc.prctl(option, value, 0, 0, 0))


def leave_keyring() -> None:
    """Have an empty session keyring: that of the user's login is inherited, with the keys in it (keyctl(2)).

    Where the kernel refuses (containers forbid the call), it refuses to those below too.
    """
    if number := _KEYCTL.get(os.uname().machine):
        _libc.syscall(number, _JOIN_SESSION_KEYRING, None)


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
