"""config.yml as frozen, validated settings; errors name the line and the remedy."""

from bot.config.demo import demo_settings
from bot.config.load import load
from bot.config.profile import ProfileSettings, ScenarioSettings, profile_hash, to_record
from bot.config.settings import Settings

__all__ = [
    "ProfileSettings",
    "ScenarioSettings",
    "Settings",
    "demo_settings",
    "load",
    "profile_hash",
    "to_record",
]
