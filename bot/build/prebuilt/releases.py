"""What files a release has: asked of GitHub's REST API, without a token."""

import re
from typing import Any

from bot.build.prebuilt.assets import Asset
from bot.errors import BotError, environment, usage
from bot.http import DeclinedError, Http, LimitedError, Patience, SystemClock, UnansweredError, read

_DIGEST = re.compile(r"sha256:([0-9a-f]{64})")
_HEADERS = {"accept": "application/vnd.github+json", "x-github-api-version": "2022-11-28"}


def listed(api: str, tag: str, *, timeout_s: float = 30.0) -> tuple[Asset, ...]:
    """The files of the release of `tag`. `api`: the repository's address, `https://api.github.com/repos/…`.

    Raises BotError: exit 2 for a tag without a release (some never get one, others an hour after the tag),
    exit 4 where GitHub does not answer.
    """
    clock = SystemClock()
    http = Http(api.rstrip("/"), lambda: dict(_HEADERS), clock, timeout_s=timeout_s)
    try:
        answer = read(lambda: http.get(f"/releases/tags/{tag}"), Patience(clock, left_s=60.0))
    except (UnansweredError, LimitedError, DeclinedError) as error:
        raise refusal(error, f"{api}/releases/tags/{tag}", tag) from None
    finally:
        http.close()
    found = answer.data.get("assets") if isinstance(answer.data, dict) else None
    return tuple(asset for item in found or () if (asset := _asset(item)))


def refusal(error: Exception, url: str, tag: str) -> BotError:
    """What a failed request comes to, as the user is told."""
    if isinstance(error, DeclinedError) and error.status == 404:
        return usage("archive-missing", tag=tag, url=url)
    if isinstance(error, DeclinedError):
        return environment("archive-refused", url=url, status=error.status, why=error.message)
    if isinstance(error, LimitedError):
        return environment("archive-limited", url=url, minutes=max(1, round(error.wait_s / 60)))
    return environment("archive-unanswered", url=url, why=str(error))


def _asset(item: Any) -> Asset | None:  # noqa: ANN401 - whatever stands in the answer
    """One file, once it is all there: GitHub lists files that are still being uploaded."""
    if not isinstance(item, dict) or item.get("state", "uploaded") != "uploaded":
        return None
    name, url, size = (item.get(key) for key in ("name", "browser_download_url", "size"))
    if not isinstance(name, str) or not isinstance(url, str) or not isinstance(size, int):
        return None
    digest = _DIGEST.fullmatch(str(item.get("digest", "")))
    return Asset(name, url, size, digest[1] if digest else None)
