"""Upstream lies on github.com, whatever server our own repository lies on."""

from urllib.parse import urlsplit

from bot.config.github import API, GithubConfig


def public(config: GithubConfig) -> GithubConfig | None:
    """How github.com is read where ours is another server: without our token, which is not for it.

    None where ours is github.com itself, or an address of this machine that stands for it.
    """
    ours = urlsplit(config.api_url)
    is_other = ours.scheme == "https" and ours.hostname != urlsplit(API).hostname
    return GithubConfig.model_validate({"api_url": API}) if is_other else None
