"""The remote's release tags by `git ls-remote`: one line of traffic, no clone, no API request."""

import re
import tempfile
from pathlib import Path

from bot.upstream import tags
from bot.upstream.git import LIST_S, Git
from bot.upstream.remote import address

_LINE = re.compile(r"([0-9a-f]{40})\trefs/tags/([^\s^]+)(\^\{\})?")


def listed(url: str) -> dict[str, str]:
    """Every release tag of the remote with the full id of its commit, oldest first.

    Raises BotError (exit 4) where the remote cannot be read.
    """
    with tempfile.TemporaryDirectory() as folder:
        remote = address(url)
        text = Git(Path(folder), remote).network("ls-remote", "--tags", "--", remote, timeout_s=LIST_S)
    return parsed(text)


def parsed(text: str) -> dict[str, str]:
    """As `listed`, from git's own lines; an annotated tag counts by the commit that it names."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if match := _LINE.fullmatch(line.strip()):
            sha, name, peeled = match.groups()
            if peeled or name not in found:
                found[name] = sha
    return {name: found[name] for name in tags.releases(found)}
