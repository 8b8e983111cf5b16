"""llama-release-bot: A/B benchmarks of llama.cpp release tags, explained in Chinese and English."""

__version__ = "0.1.0"
