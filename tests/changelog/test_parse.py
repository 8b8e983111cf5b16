"""Reading subjects: every form that 4,000 real commits use."""

import pytest

from bot.changelog.parse import Parsed, parse
from tests.support.commits import commit


def read(subject: str, body: str = "") -> Parsed:
    return parse(commit(subject, body=body))


@pytest.mark.parametrize(
    ("subject", "scopes", "text", "pr"),
    [
        ("fixed indent", (), "fixed indent", None),
        ("fix script error (#22795sycl : )", ("sycl",), "fix script error", 22795),
        ("llama + spec: MTP Support  (#22673)", ("llama", "spec"), "MTP Support", 22673),
        (
            "Enable CUDA graphs on volta+turing (#25749)",
            (),
            "Enable CUDA graphs on volta+turing",
            25749,
        ),
        (
            "Fix for issue #22974. Cast results (#22994)",
            (),
            "Fix for issue #22974. Cast results",
            22994,
        ),
        ("Address review comment of PR 25532 (#26852)", (), "Address review comment of PR 25532", 26852),
        ("UI/svg block rendering (#24080)", ("ui/svg", "ui", "svg"), "block rendering", 24080),
        ("Ggml/cuda col2im 1d (#24417)", ("ggml/cuda", "ggml", "cuda"), "col2im 1d", 24417),
        ("[CUDA ] Write an optimized kernel (#21159)", ("cuda",), "Write an optimized kernel", 21159),
        ("[SCYL] add chapter", ("scyl",), "add chapter", None),
        ("unicode,test: handler (#22110)", ("unicode", "test"), "handler", 22110),
        ("server + ui: ping silent SSE streams", ("server", "ui"), "ping silent SSE streams", None),
        ("`tool-call`: fix llama 3.x (#11539)", ("tool-call",), "fix llama 3.x", 11539),
        ("server : test script : add timeout", ("server", "test script"), "add timeout", None),
        (" server : vision support (#12898)", ("server",), "vision support", 12898),
        ("mmvq Optim:  add X(...) for (#23729)", ("mmvq optim",), "add X(...) for", 23729),
        ("Remove copies after gated_delta_net. (#23940)", (), "Remove copies after gated_delta_net", 23940),
        ("Update ggml/src/gguf.cpp : Defined x", (), "Update ggml/src/gguf.cpp : Defined x", None),
        ("increase cuda_cpy block size (ggml/996)", (), "increase cuda_cpy block size", None),
        ("metal : fix warning (#0)", ("metal",), "fix warning", None),
        ("(Bugfix, ggml-cuda) Pool count fix (#18559)", ("ggml-cuda",), "Pool count fix", 18559),
    ],
)
def test_the_subject_falls_into_scopes_text_and_number(
    subject: str, scopes: tuple[str, ...], text: str, pr: int | None
) -> None:
    parsed = read(subject)
    assert (parsed.scopes, parsed.text, parsed.pr) == (scopes, text, pr)


@pytest.mark.parametrize(
    ("subject", "kind", "scopes"),
    [
        ("fix: nothing", "bugfix", ()),
        ("feat(ui): chat", "feature", ("ui",)),
        ("refactor: rest", "refactor", ()),
        ("fix(flash-attn): replace f32 with kv_type", "bugfix", ("flash-attn",)),
        (
            "common/json-schema: fix: handle (?:...)",
            "bugfix",
            ("common/json-schema", "common", "json-schema"),
        ),
        ("sycl(build): parallelize ocloc", "build", ("sycl", "build")),
        ("server : add x", None, ("server",)),
    ],
)
def test_a_conventional_type_is_no_scope(subject: str, kind: str | None, scopes: tuple[str, ...]) -> None:
    parsed = read(subject)
    assert (parsed.kind, parsed.scopes) == (kind, scopes)


@pytest.mark.parametrize(
    ("subject", "pr", "target", "text"),
    [
        ('Revert "sched : less sync (#20793)" (#25138)', 25138, 20793, "less sync"),
        ('Revert "tensor-split fixes (#26502)" (#27433)', 27433, 26502, "tensor-split fixes"),
        ('revert : "[Model] Qwen3.5 support (#19435)" (#19453)', 19453, 19435, "Qwen3.5 support"),
        ('Revert "Revert "x: y (#1)" (#2)" (#3)', 3, 2, 'Revert "x: y (#1)"'),
        ("Revert PR #77 (#88)", 88, 77, "PR #77"),
        ("(revert) kv-cache : do not quantize SWA (#21332)", 21332, None, "do not quantize SWA"),
        ("common : revert logit bias (#22740)", 22740, None, "revert logit bias"),
    ],
)
def test_a_revert_names_its_target_and_never_itself(
    subject: str, pr: int, target: int | None, text: str
) -> None:
    parsed = read(subject)
    assert parsed.kind == "revert"
    assert parsed.revert is not None
    assert (parsed.pr, parsed.revert.pr, parsed.text) == (pr, target, text)


@pytest.mark.parametrize(
    "subject",
    [
        "revert to using global_invocation_id for cpy shader (#23955)",
        "Revert to OAI-compatible args (#20213)",
    ],
)
def test_reverting_to_something_is_no_revert(subject: str) -> None:
    assert read(subject).revert is None


def test_a_revert_line_in_the_body_of_other_work_is_a_phantom() -> None:
    assert read("ci : add ccache (#23763)", "* x\n\nThis reverts commit a857b03a10b1.").revert is None


def test_the_reverted_sha_comes_from_the_body() -> None:
    parsed = read('Revert "x (#1)" (#2)', "This reverts commit 39bf692af1cba2a1.")
    assert parsed.revert is not None
    assert parsed.revert.sha == "39bf692af1cba2a1"


@pytest.mark.parametrize("subject", ["sync : ggml", "`sync`: minja (https://x)", "sync: ggml"])
def test_syncs_are_seen(subject: str) -> None:
    assert read(subject).is_sync


def test_a_synchronization_is_no_sync() -> None:
    assert not read("synchronize save-load-state").is_sync


def test_the_no_ci_flag_is_taken_off() -> None:
    parsed = read("llama : fix typo [no ci] (#9132)")
    assert parsed.no_ci
    assert parsed.text == "fix typo"
