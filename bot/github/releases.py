"""A section in the text of a release of one's own repository; the rest of the text stays, byte for byte."""

from dataclasses import dataclass, field
from urllib.parse import quote, urlsplit

from bot.github.client import Client
from bot.github.errors import refused
from bot.github.marker import Marker
from bot.github.surface import Compose, Found, Posted
from bot.github.targets import ReleaseTarget
from bot.http import DeclinedError


@dataclass
class ReleaseSection:
    """The section of one release."""

    client: Client
    target: ReleaseTarget
    refusal: str | None = None
    _repo: str = field(init=False, default="")

    def look(self, marker: Marker) -> list[Found]:
        """The whole text of the release: there is always something to edit."""
        self.client.forbid_upstream(self.target.repo)
        try:
            answer = self.client.get(
                f"/repos/{self.target.repo}/releases/tags/{quote(self.target.tag, safe='')}"
            )
        except DeclinedError as declined:
            if declined.status == 404:
                raise refused("no-release", str(self.target)) from None
            raise
        release = answer.data
        self._repo = "/".join(urlsplit(release["html_url"]).path.split("/")[1:3])
        self.client.forbid_upstream(self._repo)
        return [Found(str(release["id"]), release["body"] or "", release["html_url"])]

    def text(self, marker: Marker, found: Found | None, compose: Compose) -> str:
        """The release's text with our section in it."""
        body = found.body if found else ""
        return marker.replace(body, compose(marker.section_of(body)))

    def edit(self, found: Found, text: str) -> Posted:
        """PATCH nothing but the text."""
        from bot.github.rest import confirmed  # noqa: PLC0415 - PyGithub costs 0.3 s

        repository = self.client.repository(self._repo)

        def send() -> None:
            _, data = repository.requester.requestJsonAndCheck(
                "PATCH", f"{repository.url}/releases/{found.id}", input={"body": text}
            )
            confirmed(data.get("id"))

        self.client.writing(send)
        return Posted("edited", found.id, found.url)

    def create(self, text: str) -> Posted:
        """Never: a release is its owner's to make."""
        raise refused("no-release", str(self.target))

    def remove(self, found: Found) -> None:
        """Never: there is one section in one release."""
