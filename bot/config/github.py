"""The section `github` of config.yml."""

from typing import Annotated

from pydantic import Field

from bot.config.commands import CommandsConfig
from bot.config.fields import FilePath, Switch, matching, whole
from bot.config.models import Section

API = "https://api.github.com"
#: A token travels to this address: in the clear only to this machine itself.
_URL = r"https://[^\s/?#@]+(/[^\s?#]*)?|http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?(/[^\s?#]*)?"


ApiUrl = Annotated[str, matching(_URL, "api-url", API, "https://github.example.com/api/v3")]
Number = Annotated[int, whole(1, 10**12)]


class GithubConfig(Section):
    """Where reports are posted, and as whom. Secrets come from the environment, never from this file."""

    api_url: ApiUrl = Field(API, description="REST address; of GitHub Enterprise: https://HOST/api/v3.")
    app_id: Number | None = Field(
        None, description="Id of a GitHub App to post as. Default: the token in $GITHUB_TOKEN or $GH_TOKEN."
    )
    installation_id: Number | None = Field(
        None, description="The App's installation. Default: the only one, for one request more."
    )
    private_key: FilePath | None = Field(
        None, description="The App's private key file (PEM). Default: the text in $GITHUB_APP_PRIVATE_KEY."
    )
    allow_upstream: Switch = Field(
        False,
        description="Allow posts in ggml-org, whose rules forbid them; needs `--force-upstream` as well.",
    )
    commands: CommandsConfig = Field(default_factory=CommandsConfig, description="Who may use `/bench`.")
