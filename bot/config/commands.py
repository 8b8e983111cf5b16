"""The section `github.commands` of config.yml."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from bot.config.fields import Switch, distinct, matching, one_of
from bot.config.models import Section

#: As GitHub writes them; managed accounts have an underscore and a short code at the end.
LOGIN = r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}"
TEAM = rf"{LOGIN}/[A-Za-z0-9][A-Za-z0-9_.-]{{0,99}}"


class CommandsConfig(Section):
    """Who may use `/bench`, and for what."""

    allow: Annotated[
        Literal["write", "maintain", "admin", "listed"], one_of("write", "maintain", "admin", "listed")
    ] = Field(
        "write",
        description="Access to the repository that is enough. `listed`: only the users and teams below.",
    )
    users: Annotated[tuple[Annotated[str, matching(LOGIN, "login")], ...], AfterValidator(distinct)] = Field(
        (), description="Logins of people who may too. A renamed account's old login can be taken by others."
    )
    teams: Annotated[tuple[Annotated[str, matching(TEAM, "team")], ...], AfterValidator(distinct)] = Field(
        (), description="Teams (`organisation/team`) whose members may too; the token must read members."
    )
    untrusted: Switch = Field(
        False,
        description="Let admins measure heads of upstream's open pull requests: code nobody has accepted "
        "runs on your machine.",
    )
