"""The built-in prompts are long enough for their scenarios, whatever the tokenizer."""

import pytest

from bot.config.fields import BUILTIN_PROMPTS, prompt_file
from bot.config.models import ProfileConfig


@pytest.mark.parametrize(("name", "words"), [("chat", 63), ("document", 1400), ("coding", 900)])
def test_prompts_are_long_enough(name: str, words: int) -> None:
    # A tokenizer that made fewer tokens than words of such text would be a novelty.
    assert len(prompt_file(name).read_text(encoding="utf-8").split()) >= words


def test_every_built_in_prompt_serves_a_default_scenario() -> None:
    scenarios = ProfileConfig(model="m.gguf").scenarios  # type: ignore[arg-type]
    assert tuple(scenarios) == BUILTIN_PROMPTS
    for name, scenario in scenarios.items():
        assert scenario.prompt == prompt_file(name)
        assert len(scenario.prompt.read_text(encoding="utf-8").split()) >= min(scenario.prompt_tokens, 900)


def test_the_request_comes_first_because_prompts_are_cut() -> None:
    start = prompt_file("document").read_text(encoding="utf-8")[:200]
    assert "summary" in start
    assert "explain" in prompt_file("coding").read_text(encoding="utf-8")[:400]
