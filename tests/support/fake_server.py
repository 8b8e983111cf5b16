"""A stand-in for llama-server: its arguments, its endpoints, real HTTP over loopback, and faults.

`write_fake_server(path, fault=…)` makes an executable of it. Standard library only.
"""

import contextlib
import itertools
import json
import os
import signal
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

HELP = """----- common params -----

-c,    --ctx-size N                     size of the prompt context (default: 0, 0 = loaded from model)
-fa,   --flash-attn [on|off|auto]       set Flash Attention use ('on', 'off', or 'auto', default: 'auto')
-m,    --model FNAME                    model path to load
-lv,   --verbosity, --log-verbosity N   Set the verbosity threshold.
                                         - 4: trace (more info)
-np,   --parallel N                     number of server slots (default: -1, -1 = auto)
-cram, --cache-ram N                    set the maximum cache size in MiB (default: 8192)
--host HOST                             ip address to listen (default: 127.0.0.1)
--port PORT                             port to listen (default: 8080)
"""

LOG = """load_tensors:        CUDA0 model buffer size =   100.00 MiB
load_tensors: offloaded 3/3 layers to GPU
llama_kv_cache:      CUDA0 KV buffer size =     8.00 MiB
sched_reserve:       CUDA0 compute buffer size =    20.00 MiB
"""
BREAKDOWN = """| memory breakdown [MiB] | total   free     self   model   context   compute    unaccounted |
|   - CUDA0 (RTX 3060)   | 11906 =  261 + (22171 = 18667 +    2782 +     720) +      -10526 |
|   - Host               |                   547 =   515 +       0 +      32                |
"""

#: What a faulty server prints while loading before it exits with 1.
LAST_WORDS = {
    "mute": "warning: nothing of interest",
    "crash_loading": "GGML_ASSERT(n_embd > 0) failed",
    "out_of_memory": "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 8148.38 MiB on device 0: "
    "cudaMalloc failed: out of memory\nllama_model_load: error loading model: unable to allocate buffer\n"
    "main: exiting due to model loading error",
    "refused_flag": "error: invalid argument: --frobnicate",
    "removed_flag": 'error while handling argument "--draft-max": the argument has been removed.',
    "bad_model": "gguf_init_from_file_ptr: invalid magic characters: 'abcd', expected 'GGUF'\n"
    "main: exiting due to model loading error",
    "port_taken": "start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080\n"
    "main: exiting due to HTTP server error",
    "no_space": "failed to write: No space left on device",
}

#: The fault of the first start and of the later ones; `state` is the file that tells them apart.
AT_FIRST = {
    "port_taken_once": ("port_taken", ""),
    "mute_once": ("mute", "bad_model"),
    "mute_then_well": ("mute", ""),
}

SETTINGS: dict[str, Any] = {
    "fault": "",
    "token_ms": 1.0,
    "prompt_ms": 0.02,
    "load_s": 0.0,
    "model": "tiny.gguf",
    "n_ctx": 2048,
    "state": "",
}


def write_fake_server(path: Path, **settings: Any) -> Path:
    """An executable at `path`; `settings` override `SETTINGS` (see `Answer` and `main` for the faults)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    program = (
        f"#!{sys.executable} -IS\nimport sys\nsys.path.append({str(Path(__file__).parents[2])!r})\n"
        f"from tests.support import fake_server\nfake_server.main(sys.argv[1:], {settings!r})\n"
    )
    path.write_text(program)
    path.chmod(0o755)
    return path


def main(arguments: list[str], settings: dict[str, Any]) -> None:
    """Be a llama-server with `settings`."""
    settings = SETTINGS | settings
    if "--help" in arguments:
        sys.stdout.write(settings.get("help", HELP))
        return
    if settings["fault"] == "ignores_sigterm":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    else:
        signal.signal(signal.SIGTERM, _leave)
    if settings["fault"] == "grandchild" and os.fork() == 0:
        os.setsid()
        time.sleep(600)
    _fail_loading(settings)
    _log(settings.get("log", LOG))
    _serve(int(arguments[arguments.index("--port") + 1]), settings)


def _leave(_number: int, _frame: object) -> None:
    _log(BREAKDOWN)
    os._exit(0)


def _log(text: str) -> None:
    with contextlib.suppress(OSError):  # like the original, it does not mind a full disk
        os.write(2, text.encode())


def _fail_loading(settings: dict[str, Any]) -> None:
    fault = settings["fault"]
    if fault in AT_FIRST:
        state = Path(settings["state"])
        fault = AT_FIRST[fault][state.exists()]
        state.touch()
    if fault in LAST_WORDS:
        _log(LAST_WORDS[fault] + "\n")
        os._exit(1)
    if fault == "killed_loading":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "segfault_loading":
        os.kill(os.getpid(), signal.SIGSEGV)


def _serve(port: int, settings: dict[str, Any]) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    Handler.settings = settings
    Handler.ready_at = time.monotonic() + settings["load_s"]
    server.serve_forever(poll_interval=0.05)


class Handler(BaseHTTPRequestHandler):
    """The endpoints that a launch uses."""

    protocol_version = "HTTP/1.1"
    settings: dict[str, Any] = {}  # noqa: RUF012 - set once, before the first request
    ready_at = 0.0
    disable_nagle_algorithm = True

    def log_message(self, format: str, *args: Any) -> None:
        """Silent, unlike the original."""

    def do_GET(self) -> None:
        """/health and /props."""
        loading = self.settings["fault"] == "hang_loading" or time.monotonic() < self.ready_at
        if loading:
            return self._json({"error": {"code": 503, "message": "Loading model"}}, 503)
        if self.path == "/props":
            settings = {"n_ctx": self.settings["n_ctx"]}
            return self._json(
                {
                    "default_generation_settings": settings,
                    "total_slots": 1,
                    "model_path": "/models/" + self.settings["model"],
                    "build_info": "b1-fake",
                    "chat_template": "{{ x }}",
                    "modalities": {"vision": False},
                }
            )
        return self._json({"status": "ok"})

    def do_POST(self) -> None:
        """/tokenize and /completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize":
            ids = [10 + byte for byte in body["content"].encode()]
            return self._json({"tokens": ([1] if body.get("add_special") else []) + ids})
        return Answer(self, body).send()

    def _json(self, data: dict[str, Any], status: int = 200) -> None:
        payload = json.dumps(data).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)


class Answer:
    """One streamed completion, with the fault that was asked for."""

    def __init__(self, handler: Handler, body: dict[str, Any]) -> None:
        self.handler = handler
        self.body = body
        self.settings = handler.settings
        self.fault = self.settings["fault"]
        self.count = body["n_predict"]

    def send(self) -> None:
        """Headers at once, then a chunk per token, then the final chunk with the timings."""
        if self.fault == "http_500":
            return self.handler._json({"error": {"message": "Failed to parse input at pos 0"}}, 500)
        if self.fault == "not_http":
            self.handler.wfile.write(b"\x00\xff\xfegarbage\r\n\r\n")
            self.handler.close_connection = True
            return None
        self.handler.send_response(200)
        self.handler.send_header("Transfer-Encoding", "chunked")
        self.handler.end_headers()
        self._stream()
        self.handler.wfile.write(b"0\r\n\r\n")
        return None

    def _stream(self) -> None:
        begun = time.perf_counter()
        self._raw(b":\n\n")
        if self.fault == "progress":
            self._data(
                {"content": "", "tokens": [0], "prompt_progress": {"total": 9}, "tokens_predicted": 99}
            )
        time.sleep(self.settings["prompt_ms"] * len(self.body["prompt"]) / 1000)
        first = time.perf_counter()
        for number in range(1, self._tokens() + 1):
            if number > 1:
                time.sleep(self.settings["token_ms"] / 1000)
            self._misbehave(number)
            self._data({"content": " w", "tokens": [300], "stop": False, "tokens_predicted": number})
        self._data(self._final((first - begun) * 1000, (time.perf_counter() - first) * 1000))

    def _tokens(self) -> int:
        return self.count - 1 if self.fault == "short" else int(self.count)

    def _misbehave(self, number: int) -> None:
        if number != 3:
            return
        if self.fault == "crash_streaming":
            _log("CUDA error: an illegal memory access was encountered\n")
            os.kill(os.getpid(), signal.SIGABRT)
            time.sleep(60)
        elif self.fault == "out_of_memory_streaming":
            _log("CUDA error: out of memory\n")
            os.kill(os.getpid(), signal.SIGABRT)
            time.sleep(60)
        elif self.fault == "hang_streaming":
            threading.Event().wait(600)
        elif self.fault == "garbage_stream":
            self._raw(b"data: {not json\n\n")
        elif self.fault == "error_chunk":
            self._data({"error": {"code": 500, "message": "Compute error."}})
        elif self.fault == "error_line":
            self._raw(b'error: {"code": 500, "message": "Compute error."}\n\n')
        elif self.fault == "closes":
            self.handler.connection.shutdown(socket.SHUT_RDWR)
        elif self.fault == "pings_forever":
            for _ in itertools.count():
                self._raw(b":\n\n")
                time.sleep(0.05)

    def _final(self, prompt_ms: float, predicted_ms: float) -> dict[str, Any]:
        asked = len(self.body["prompt"])
        prompt_n = {"wrong_prompt_n": asked - 1, "cached": 1}.get(self.fault, asked)
        timings = {
            "cache_n": asked - 1 if self.fault == "cached" else 0,
            "prompt_n": prompt_n,
            "prompt_ms": max(prompt_ms, 1e-3),
            "predicted_n": self._tokens(),
            "predicted_ms": max(predicted_ms, 1e-3),
        }
        if self.fault == "no_timings":
            timings = {}
        return {
            "content": "",
            "tokens": [],
            "stop": True,
            "tokens_predicted": self._tokens(),
            "tokens_evaluated": asked,
            "truncated": self.fault == "truncated",
            "stop_type": "eos" if self.fault == "stop_reason" else "limit",
            "timings": timings,
        }

    def _data(self, data: dict[str, Any]) -> None:
        self._raw(b"data: " + json.dumps(data).encode() + b"\n\n")

    def _raw(self, payload: bytes) -> None:
        self.handler.wfile.write(f"{len(payload):x}\r\n".encode() + payload + b"\r\n")
