"""Names of what is drawn, the same in every picture of the same record."""

from urllib.parse import quote


def gid(*parts: str) -> str:
    """An id such as `round-3-decode:coding`; what an id must not hold is percent-encoded."""
    return "-".join(quote(part, safe=":") for part in parts)
