"""Which differences between two servers make them incomparable."""

from bot.bench.facts_diff import compare_facts
from bot.records import ServerFacts

BASE = ServerFacts(
    props={"n_ctx": 2048, "total_slots": 1, "model": "m.gguf", "chat_template": "aa", "build_info": "b1"},
    buffers={"CUDA0.model": 100.0, "CUDA0.compute": 50.0},
    offloaded=(50, 65),
    devices=("RTX 3090 (cc 8.6)",),
)


def changed(**update: object) -> ServerFacts:
    return BASE.model_copy(update=update)


def test_equal_servers_of_different_builds_do_not_differ() -> None:
    assert compare_facts(BASE, changed(props={**BASE.props, "build_info": "b2"})) == ()


def test_context_slots_and_model_block() -> None:
    found = compare_facts(BASE, changed(props={**BASE.props, "n_ctx": 1024, "total_slots": 4, "model": "x"}))
    assert [(item.name, item.base, item.head, item.blocks) for item in found] == [
        ("model", "m.gguf", "x", True),
        ("n_ctx", "2048", "1024", True),
        ("total_slots", "1", "4", True),
    ]


def test_fewer_layers_on_the_gpu_or_another_device_block() -> None:
    found = compare_facts(BASE, changed(offloaded=(48, 65), devices=("GTX (cc 6.1)",)))
    assert [(item.name, item.base, item.head) for item in found] == [
        ("offloaded_layers", "50/65", "48/65"),
        ("devices", "RTX 3090 (cc 8.6)", "GTX (cc 6.1)"),
    ]
    assert all(item.blocks for item in found)


def test_a_chat_template_or_a_larger_buffer_is_only_shown_after_what_blocks() -> None:
    head = changed(
        props={**BASE.props, "chat_template": "bb", "n_ctx": 1},
        buffers={"CUDA0.model": 101.0, "CUDA0.compute": 250.0, "CUDA0.RS": 10.0},
    )
    found = [(item.name, item.blocks) for item in compare_facts(BASE, head)]
    assert found == [
        ("n_ctx", True),
        ("chat_template", False),
        ("buffer:CUDA0.RS", False),
        ("buffer:CUDA0.compute", False),
    ]


def test_what_one_build_does_not_report_is_no_difference() -> None:
    assert compare_facts(BASE, ServerFacts()) == ()
    assert compare_facts(ServerFacts(), BASE) == ()
