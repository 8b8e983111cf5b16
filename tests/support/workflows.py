"""Runs the workflows of `.github/workflows/` job by job: each `run:` line in bash, expressions evaluated.

Assumed of GitHub, and proved by nothing here: the expression language's few operators that are in use, what
`needs` and `if` do, that a job has a fresh folder and only the environment that its workflow names, and what
checkout, upload-artifact and download-artifact do (the artifact's root is the folder `run`).
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = ROOT / ".github" / "workflows"
_DRIVER = Path(__file__).with_name("actions_driver.py")
_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)


class Missing(str):
    """What is not there: an empty text, with nothing below it."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "Missing":
        return self


class Context:
    """`a.b.c` over nested data."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def __getattr__(self, name: str) -> Any:
        return _wrapped(self._data.get(name) if isinstance(self._data, dict) else None)

    def __str__(self) -> str:
        return json.dumps(self._data)


def _wrapped(value: Any) -> Any:
    return Context(value) if isinstance(value, dict) else Missing() if value is None else value


@dataclass
class JobResult:
    """How a job ended, its outputs, and the environment of each of its `run:` lines."""

    result: str
    outputs: dict[str, str] = field(default_factory=dict)
    environments: list[dict[str, str]] = field(default_factory=list)
    log: str = ""
    summary: str = ""


@dataclass
class Actions:
    """A repository with workflows. `files`: what a checkout holds; `recorded`: see `actions_driver`."""

    folder: Path
    files: Path
    recorded: Path
    server: str
    repository: str
    token: str
    variables: dict[str, str] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    on_job: Callable[[str], None] = lambda _: None
    runs: int = 0

    def run(self, name: str, event: dict[str, Any] | None = None) -> dict[str, JobResult]:
        """One run of a workflow; the jobs that were not skipped, by name."""
        self.runs += 1
        (self.folder / f"run-{self.runs}" / "artifacts").mkdir(parents=True)
        (self.folder / f"run-{self.runs}" / "event.json").write_text(json.dumps(event or {}))
        return self._jobs(self.load(name), {}, event or {})

    def again(self, name: str, job: str, done: dict[str, JobResult], event: Any = None) -> JobResult:
        """One job of the last run once more, as "re-run failed jobs" does."""
        jobs = {key: value for key, value in done.items() if key != job}
        result = self._job(job, self.load(name)["jobs"][job], self._contexts(jobs, {}, event or {}))
        assert result
        return result

    def load(self, name: str) -> dict[str, Any]:
        """The workflow's file."""
        text = (WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8")
        loaded: dict[str, Any] = yaml.safe_load(text)
        return loaded

    def _jobs(
        self, workflow: dict[str, Any], inputs: dict[str, Any], event: dict[str, Any]
    ) -> dict[str, JobResult]:
        done: dict[str, JobResult] = {}
        for name, job in workflow["jobs"].items():
            needs = [job["needs"]] if isinstance(job.get("needs"), str) else job.get("needs", [])
            contexts = self._contexts(done, inputs, event)
            ready = all(done.get(need) and done[need].result == "success" for need in needs)
            condition = job.get("if", "true")
            if not ("always()" in str(condition) or ready) or not self._true(condition, contexts):
                continue
            result = self._job(name, job, contexts)
            if result:
                done[name] = result
        return done

    def _job(self, name: str, job: dict[str, Any], contexts: dict[str, Any]) -> JobResult | None:
        if "uses" in job:
            inputs = self._values(job["with"], contexts)
            called = self.load(Path(job["uses"]).stem)
            inner = self._jobs(called, inputs, contexts["github"]["event"])
            return inner["bench"]
        matrix = job.get("strategy", {}).get("matrix", {})
        cells = self._value(matrix["job"], contexts) if matrix else [{}]
        results = [self._cell(name, job, {**contexts, "matrix": {"job": cell}}) for cell in cells]
        worst = next((item for item in results if item.result != "success"), results[0])
        worst.environments = [one for item in results for one in item.environments]
        return worst

    def _cell(self, name: str, job: dict[str, Any], contexts: dict[str, Any]) -> JobResult:
        self.on_job(name)
        here = self.folder / f"run-{self.runs}" / f"{name}-{len(list(self.folder.rglob('temp')))}"
        (here / "temp").mkdir(parents=True)
        result = JobResult("success")
        steps: dict[str, Any] = {}
        paths: list[str] = []
        base = self._values(job.get("env", {}), contexts)
        for step in job["steps"]:
            steps_contexts = {**contexts, "steps": steps}
            condition = step.get("if", "success()")
            if result.result != "success" and not re.search(r"always|cancelled|failure", str(condition)):
                continue
            if "uses" in step:
                self._use(step, here, steps_contexts)
                continue
            environment = {**base, **self._values(step.get("env", {}), steps_contexts)}
            code, outputs = self._bash(step["run"], here, environment, paths, result)
            steps[step.get("id", "_")] = {"outputs": outputs}
            if code:
                result.result = "failure"
        named = {**contexts, "steps": steps}
        result.outputs = {key: str(self._value(text, named)) for key, text in job.get("outputs", {}).items()}
        return result

    def _bash(
        self, script: str, here: Path, environment: dict[str, str], paths: list[str], result: JobResult
    ) -> tuple[int, dict[str, str]]:
        assert "${{" not in script
        files = {name: here / "temp" / name.lower() for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        files["GITHUB_STEP_SUMMARY"] = here / "temp" / "summary"
        for path in files.values():
            path.write_text("")
        variables = {
            "PATH": os.pathsep.join([*paths, str(self._shims()), os.environ["PATH"]]),
            "HOME": str(here / "temp"),
            "XDG_CACHE_HOME": str(here / "temp" / "cache"),
            "LANG": "C.UTF-8",
            "RUNNER_TEMP": str(here / "temp"),
            "RECORDED": str(self.recorded),
            "GITHUB_ACTIONS": "true",
            "GITHUB_SERVER_URL": self.server,
            "GITHUB_REPOSITORY": self.repository,
            "GITHUB_RUN_ID": str(1000 + self.runs),
            "GITHUB_EVENT_PATH": str(self.folder / f"run-{self.runs}" / "event.json"),
            **{name: str(path) for name, path in files.items()},
            **environment,
        }
        done = subprocess.run(
            ["bash", "-e", "-c", script], cwd=here, env=variables, capture_output=True, text=True, check=False
        )
        result.environments.append(variables)
        result.log += done.stdout + done.stderr
        result.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        paths[:0] = files["GITHUB_PATH"].read_text().split()
        return done.returncode, _outputs(files["GITHUB_OUTPUT"].read_text())

    def _use(self, step: dict[str, Any], here: Path, contexts: dict[str, Any]) -> None:
        action = step["uses"].split("@")[0]
        options = self._values(step.get("with", {}), contexts)
        artifacts = self.folder / f"run-{self.runs}" / "artifacts"
        if action == "actions/checkout":
            shutil.copytree(self.files, here, dirs_exist_ok=True)
        elif action == "actions/upload-artifact":
            for pattern in options["path"].split():
                for path in filter(Path.is_file, here.glob(pattern)):
                    target = artifacts / options["name"] / path.relative_to(here / "run")
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(path, target)
        elif action == "actions/download-artifact":
            for found in artifacts.glob(options["pattern"]):
                shutil.copytree(found, here / options["path"] / found.name)
        else:
            assert action == "actions/setup-python", action

    def _shims(self) -> Path:
        """`pip` installs nothing, `python3 -m venv` makes an empty one, the program is this checkout's."""
        folder = self.folder / "shims"
        if not folder.exists():
            folder.mkdir()
            python = sys.executable
            scripts = {
                "pip": "#!/bin/sh\nexit 0\n",
                "python3": '#!/bin/sh\nmkdir -p "$3/bin" && cp "$(dirname "$0")/pip" "$3/bin/pip"\n',
                "llama-release-bot": f'#!/bin/sh\nexec {python} {_DRIVER} "$@"\n',
            }
            for name, text in scripts.items():
                (folder / name).write_text(text)
                (folder / name).chmod(0o755)
        return folder

    def _contexts(
        self, done: dict[str, JobResult], inputs: dict[str, Any], event: dict[str, Any]
    ) -> dict[str, Any]:
        needs = {name: {"result": item.result, "outputs": item.outputs} for name, item in done.items()}
        return {
            "github": {"event": event, "token": self.token},
            "vars": self.variables,
            "secrets": self.secrets,
            "needs": {"bench": {"result": "skipped"}, **needs},
            "inputs": inputs,
        }

    def _values(self, texts: dict[str, Any], contexts: dict[str, Any]) -> dict[str, str]:
        return {key: str(self._value(text, contexts)) for key, text in texts.items()}

    def _value(self, text: Any, contexts: dict[str, Any]) -> Any:
        if not isinstance(text, str):
            return text
        whole = _EXPRESSION.fullmatch(text.strip())
        if whole:
            return _evaluated(whole[1], contexts)
        return _EXPRESSION.sub(lambda match: str(_evaluated(match[1], contexts)), text)

    def _true(self, condition: Any, contexts: dict[str, Any]) -> bool:
        text = str(condition).strip()
        whole = _EXPRESSION.fullmatch(text)
        return bool(_evaluated(whole[1] if whole else text, contexts))


def _evaluated(expression: str, contexts: dict[str, Any]) -> Any:
    code = " ".join(expression.split()).replace("&&", " and ").replace("||", " or ")
    names = {name: Context(data) for name, data in contexts.items()}
    functions = {
        "true": True,
        "false": False,
        "always": lambda: True,
        "success": lambda: True,
        "contains": lambda text, part: part.lower() in str(text).lower(),
        "fromJSON": json.loads,
    }
    return eval(code, {"__builtins__": {}}, {**functions, **names})  # the workflows are this repository's own


def _outputs(text: str) -> dict[str, str]:
    found, lines = {}, text.split("\n")
    while lines:
        line = lines.pop(0)
        if "<<" in line:
            name, _, end = line.partition("<<")
            stop = lines.index(end)
            found[name] = "\n".join(lines[:stop])
            del lines[: stop + 1]
    return found
