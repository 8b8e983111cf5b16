"""Where the files live that travel with the program: templates, catalogs, prompts, example settings."""

from functools import cache
from pathlib import Path


@cache
def templates() -> Path:
    """The folder of templates: inside the installed package, or the checkout's own."""
    here = Path(__file__).parent
    packaged = here / "_templates"
    return packaged if packaged.is_dir() else here.parent / "templates"


def example_config() -> Path:
    """The shipped `config.yml`."""
    packaged = templates() / "config.yml"
    return packaged if packaged.is_file() else templates().parent / "config.yml"
