"""The shipped glossary, for tests."""

from bot.changelog.lexicon import Lexicon
from bot.pipeline.glossaries import lexicons

CHINESE: Lexicon = lexicons(["zh-Hans"])["zh-Hans"]
