"""Records a real llama-server's log: `python -m tests.support.record_log SERVER MODEL OUT [FLAGS]`.

One start with a run's own arguments, one request where it gets so far, SIGTERM; paths are scrubbed.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx

from bot.bench.conditions import parse_help, server_arguments
from bot.bench.server import free_port
from bot.flags import split_flags

_LOAD_S = 120.0
_PROMPT = {"prompt": [5, 6, 7, 8] * 16, "n_predict": 8, "temperature": 0, "cache_prompt": False}


def main(server: str, model: str, out: str, flags: str = "-c 1024") -> None:
    """Write the log to `out`."""
    helped = subprocess.run([server, "--help"], capture_output=True, text=True, check=False).stdout
    port = free_port()
    arguments = server_arguments(
        parse_help(helped), model=model, flags=split_flags(flags), port=port, threads=1
    )
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([server, *arguments], stdout=log, stderr=subprocess.STDOUT, cwd="/")
        if _is_ready(process, port):
            httpx.post(f"http://127.0.0.1:{port}/completion", json=_PROMPT, timeout=_LOAD_S)
            process.send_signal(signal.SIGTERM)
        process.wait(_LOAD_S)
        log.seek(0)
        text = log.read().decode(errors="replace")
    places = {str(Path(server).parent): "/builds", str(Path(model).parent): "/models"}
    Path(out).write_text(_scrubbed(text, places, port), encoding="utf-8")


def _is_ready(process: "subprocess.Popen[bytes]", port: int) -> bool:
    end = time.monotonic() + _LOAD_S
    while process.poll() is None and time.monotonic() < end:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/health").status_code == httpx.codes.OK:
                return True
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    return False


def _scrubbed(text: str, places: dict[str, str], port: int) -> str:
    text = text.replace(str(port), "8080")
    for place, name in places.items():
        text = text.replace(os.path.realpath(place), name).replace(place, name)
    return re.sub(r"(?:/[\w.+-]+)+/(?=(?:src|ggml|common|tools|examples)/)", "", text)


if __name__ == "__main__":
    main(*sys.argv[1:])
