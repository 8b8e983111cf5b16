"""From the file to the settings."""

import json
from pathlib import Path

from pydantic import ValidationError

from bot.config import document
from bot.config.checks import problems
from bot.config.problems import first, from_validation
from bot.config.settings import Settings


def load(path: Path) -> Settings:
    """The settings in `path`. BotError (exit 2) names file, line, key, what was found and what is allowed."""
    found = document.read(path)
    folder = path.absolute().parent
    try:
        # Through JSON, because only there does pydantic's strict mode take a list for a tuple.
        settings = Settings.model_validate_json(json.dumps(found.data), context={"folder": folder})
    except ValidationError as error:
        raise first(found, from_validation(error)) from None
    contradictions = list(problems(settings))
    if contradictions:
        raise first(found, contradictions)
    return settings
