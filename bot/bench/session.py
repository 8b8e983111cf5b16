"""One launch from start to stop: the order of its steps. Standard library only, no reader's words."""

import json
import time
from hashlib import sha256
from http.client import OK, HTTPException
from pathlib import Path
from typing import Any

from bot.bench import client, evidence, logs, memory, samples
from bot.bench.client import Broken
from bot.bench.errands import ERRANDS
from bot.bench.interrupt import Interrupt
from bot.bench.line import Line
from bot.bench.plan import Json, LaunchPlan, LaunchStop, ScenarioPlan
from bot.bench.server import Server

_STARTS = 5
#: A large model takes a minute to load: a death that stays mute is believed after so many.
_HEARINGS = 3
#: Warm-ups end when the last two rates differ by less than this (facts/measurement §1.8).
_SETTLED = 0.02


class Session:
    """Carries out a plan; `answer` is a `records.Launch` as a dict, without side and slot, plus `tokens` and
    `extras`, the errands' answers by name."""

    def __init__(self, plan: LaunchPlan) -> None:
        self.plan = plan
        self.log = Path(plan["log"])
        self.answer: Json = {
            "status": "ok",
            "detail": "",
            "invalid": None,
            "argv": plan["argv"],
            "exit_code": None,
            "seconds": {},
            "samples": [],
            "memory": [],
            "gpus": [],
            "host": None,
            "guards": [],
            "facts": {},
            "log_tail": "",
            "tokens": {},
            "extras": {},
        }
        self.server: Server | None = None
        self.watch: memory.MemoryWatch | None = None
        self.peak_rss = 0.0
        self.props: Json = {}
        self.interrupt = Interrupt()

    def run(self) -> Json:
        """Do everything; whatever happens, nothing is left running and what was measured is kept."""
        begun = time.monotonic()
        try:
            self.interrupt.listen()
            self._measure()
            self.interrupt.ignore()
        except LaunchStop as stop:
            self.answer |= {"status": stop.status, "detail": stop.detail}
        finally:
            self.interrupt.ignore()
            self._timed("stop", self._stop)
            self._timed("read", self._read)
        self.answer["seconds"]["total"] = time.monotonic() - begun
        return self.answer

    def _measure(self) -> None:
        self._timed("check", self._check_binaries)
        self._timed("baseline", self._start_watch)
        self._timed("load", self._start_server)
        self._timed("ask", self._ask)
        for scenario in self.plan["scenarios"]:
            self._timed("warmup", lambda item=scenario: self._warm_up(item))
            self._timed("measure", lambda item=scenario: self._requests(item))
        for errand in self.plan.get("errands", []):
            self._timed("errands", lambda item=errand: self._do(item))

    def _do(self, errand: Json) -> None:
        assert self.server is not None
        found = self.answer["extras"].setdefault(errand["name"], {})
        ERRANDS[errand["kind"]](Line(self.server, self.plan["timeouts"]), errand, found)

    def _timed(self, stage: str, step: Any) -> None:  # noqa: ANN401 - a callable; typing's costs start-up time
        begun = time.monotonic()
        try:
            step()
        finally:
            seconds = self.answer["seconds"]
            seconds[stage] = seconds.get(stage, 0.0) + time.monotonic() - begun

    def _check_binaries(self) -> None:
        for path, wanted in self.plan["hashes"].items():
            try:
                with Path(path).open("rb") as file:
                    digest = sha256()
                    while block := file.read(2**20):
                        digest.update(block)
            except OSError as error:
                raise LaunchStop("binary_changed", f"{error.strerror}") from error
            if digest.hexdigest() != wanted:
                raise LaunchStop("binary_changed", f"sha256 {digest.hexdigest()}")

    def _start_watch(self) -> None:
        with self.interrupt.held():
            self.watch = memory.MemoryWatch(self.plan["sampler"])
        if self.plan["sampler"]["gpu_uuids"]:
            self.watch.wait_ready()

    def _start_server(self) -> None:
        """Start until it is ready; again where the port was taken or a death left no word of its cause.

        A server that exits at once may take its last log lines with it (its log is written by a thread). It
        is started again only to hear them: a death that does not repeat stays a death.
        """
        death: LaunchStop | None = None
        for start in range(1, _STARTS + 1):
            try:
                self._start_once()
            except LaunchStop as stop:
                death = stop
                heard = stop.status != "port_taken" and start >= _HEARINGS
                if heard or not logs.deserves_another_start(stop.status, stop.detail):
                    raise
            else:
                if death is None or death.status == "port_taken":
                    return
                break
        assert death is not None
        raise death

    def _start_once(self) -> None:
        with self.interrupt.held():
            self.server = Server(self.plan["argv"], self.plan["env"], self.log)
        self.answer["argv"] = self.server.argv
        if self.watch:
            self.watch.tell(f"pid {self.server.process.pid}")
        self.server.wait_ready(self.plan["timeouts"]["load_s"])

    def _ask(self) -> None:
        """What the server says of itself, and the ids of any texts, before the first request."""
        if self.watch:
            if not self.plan["sampler"]["gpu_uuids"]:
                self.watch.wait_ready()  # it started while the server was loading
            self.watch.mark("loaded")
        self.props = flat_props(self._json("GET", "/props", None))
        for name, text in self.plan["texts"].items():
            bare = self._tokenize(text, special=False)
            whole = self._tokenize(text, special=True)
            self.answer["tokens"][name] = {"ids": bare, "prefix": prefix_of(whole, bare)}

    def _tokenize(self, text: str, *, special: bool) -> list[int]:
        answer = self._json("POST", "/tokenize", {"content": text, "add_special": special})
        return [int(item) for item in answer.get("tokens", [])]

    def _json(self, method: str, path: str, body: Json | None) -> Json:
        assert self.server is not None
        timeout = self.plan["timeouts"]["stall_s"]
        try:
            if body is None:
                status, data = client.get(self.server.port, path, timeout_s=timeout)
            else:
                status, data = client.post(self.server.port, path, body, timeout_s=timeout)
            answer = json.loads(data)
        except TimeoutError as error:
            raise LaunchStop("hung_serving", f"{method} {path}: no answer for {timeout:g} s") from error
        except (OSError, HTTPException, ValueError) as error:
            raise self.server.explain_broken(f"{method} {path}: {type(error).__name__}") from error
        if status != OK or not isinstance(answer, dict):
            raise LaunchStop("bad_response", f"{method} {path}: HTTP {status}")
        return answer

    def _warm_up(self, scenario: ScenarioPlan) -> None:
        rates: list[float] = []
        for index, prompt in enumerate(scenario["warmups"]):
            sample = self._request(scenario, index, prompt, warmup=True)
            rates.append(samples.rate(sample, scenario["settle"]))
            enough = index + 1 >= max(2, scenario["min_warmups"])
            if enough and abs(rates[-1] / rates[-2] - 1) < _SETTLED:
                return

    def _requests(self, scenario: ScenarioPlan) -> None:
        for index, prompt in enumerate(scenario["prompts"]):
            sample = self._request(scenario, index, prompt, warmup=False)
            self.answer["invalid"] = self.answer["invalid"] or sample["problem"]

    def _request(self, scenario: ScenarioPlan, index: int, prompt: list[int], *, warmup: bool) -> Json:
        assert self.server is not None
        times = self.plan["timeouts"]
        body = samples.completion_body(prompt, scenario["n_predict"])
        try:
            exchange = client.stream(
                self.server.port, "/completion", body, stall_s=times["stall_s"], request_s=times["request_s"]
            )
            sample = samples.sample(scenario["name"], index, prompt, scenario["n_predict"], exchange)
        except Broken as error:
            raise self.server.explain_broken(str(error)) from error
        except LaunchStop as stop:
            if stop.status == "bad_response":
                raise self.server.explain_broken(stop.detail) from stop
            self.server.check_alive(loading=False)
            raise
        sample["warmup"] = warmup
        self.answer["samples"].append(sample)
        return sample

    def _stop(self) -> None:
        if self.server:
            self.peak_rss = memory.high_water(self.server.process.pid)
            if self.watch and self.answer["status"] == "ok":
                self.watch.mark("end")
            self.answer["exit_code"] = self.server.stop(self.plan["timeouts"]["stop_s"])

    def _read(self) -> None:
        text = logs.read(self.log) if self.server else ""
        build = self.props.get("build_info")
        self.answer["facts"] = {**logs.server_facts(text), "props": self.props, "build": build}
        self.answer["log_tail"] = logs.tail(text)
        if self.plan["expect_gpu"] and logs.on_cpu_only(text):
            self.answer["invalid"] = "cpu_fallback"
        if self.watch:
            self._read_memory(self.watch)

    def _read_memory(self, watch: memory.MemoryWatch) -> None:
        seen = watch.finish()
        if seen and self.server:
            self.answer["memory"] = memory.traces(seen, self.server.started, self.peak_rss)
            self.answer["gpus"], self.answer["host"] = evidence.gpus(seen), evidence.host(seen)
        if lost := evidence.lost(seen, watch.fate):
            self.answer["guards"] = [lost]
            self.answer["invalid"] = self.answer["invalid"] or lost["code"]


def prefix_of(whole: list[int], bare: list[int]) -> list[int]:
    """The special tokens (BOS) that the tokenizer puts before a text's own ids; none where unclear."""
    for start in range(min(4, len(whole) - len(bare)) + 1):
        if whole[start : start + len(bare)] == bare:
            return whole[:start]
    return []


def flat_props(props: Json) -> Json:
    """The keys of /props that matter, flat; the model by its file's name, the chat template by its hash."""
    settings = props.get("default_generation_settings") or {}
    found: Json = {"n_ctx": settings.get("n_ctx"), "model": Path(props.get("model_path") or "").name}
    found |= {key: props.get(key) for key in ("total_slots", "build_info", "bos_token", "eos_token")}
    if isinstance(template := props.get("chat_template"), str):
        found["chat_template"] = sha256(template.encode()).hexdigest()[:16]
    found |= {f"modalities.{key}": value for key, value in (props.get("modalities") or {}).items()}
    return {key: value for key, value in found.items() if isinstance(value, str | int | float | bool)}
