"""The changelog in words: highlights, suspects, and every commit by what became of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.records import Commit, Highlight, Reason, RevertLink, Suspect, Theme
from bot.report import phrases
from bot.report.markdown import code, escape, link
from bot.report.rows import Row
from bot.report.story import Story
from bot.report.words import Words

#: Reasons in the order of the fold: what may concern the reader first; the rest follows by size.
_FIRST = ("shown", "not-applicable", "more", "follow-up", "minor", "reverted")


@dataclass(frozen=True)
class Changelog:
    """The commits of a run; every sentence is of one language, commit texts stay as written."""

    story: Story

    def highlight(self, words: Words, item: Highlight) -> str:
        """One highlight: what it is, where, its text, what it undoes, whether it applies."""
        line = words.text(
            "highlight",
            kind=f"**{phrases.coded(words, 'type', item.type)}**",
            area=phrases.coded(words, "area", item.area),
            text=_text(words, item, "written"),
            where=self._where(item.sha, item.pr),
        )
        return " · ".join([line, *self._remarks(words, item)])

    def theme(self, words: Words, item: Theme) -> str:
        """Commits of one kind in one area, counted, with the best of them."""
        return words.text(
            "theme",
            kind=f"**{phrases.coded(words, 'type', item.type)}**",
            area=phrases.coded(words, "area", item.area),
            count=item.count,
            items=self._quoted(words, item.exemplars),
        )

    def elsewhere(self, words: Words) -> str:
        """The highlights that this profile does not use, in one line."""
        return words.text("changes-elsewhere", items=self._quoted(words, self.story.elsewhere))

    def accounted(self, words: Words) -> str:
        """Every commit counted by where the report has it."""
        counts = self.story.accounted
        items = (words.text(f"count-{name}", count=count) for name, count in counts)
        total = sum(count for _, count in counts)
        return words.text("changes-accounted", count=total, items=phrases.listing(words, items))

    def suspects(self, words: Words) -> list[str]:
        """One sentence per set of suspects: the metrics that moved and the commits that may be related.

        And one for a build that failed: the commits that touched the file of the error.
        """
        said = [self._suspects(words, rows, found) for rows, found in self.story.suspected]
        known = self.story.run.highlights
        blamed = known.suspects.get("build", ()) if known else ()
        return [*said, words.text("suspects-build", items=self._quoted(words, blamed))] if blamed else said

    def reverted_since(self, words: Words) -> list[str]:
        """What an earlier report named and this range reverts."""
        found = self.story.run.highlights
        return [
            words.text(
                "undone",
                text=escape(item.credit.texts.get(words.language, item.credit.text)),
                then=escape(item.credit.tag),
                where=self._where(item.by_sha, item.by_pr),
                now=escape(item.tag),
            )
            for item in (found.undone if found else ())
        ]

    def commits(self, words: Sequence[Words]) -> list[tuple[str, list[str]]]:
        """(heading in every language, lines) of every commit, by what became of it; one group, unnamed,
        where the record does not say."""
        reasons = self.story.run.highlights.reasons if self.story.run.highlights else {}
        groups: dict[str, list[str]] = {}
        for item in self._commits.values():
            groups.setdefault(reasons.get(item.sha, ""), []).append(self._commit(words, item))
        rank = {name: place for place, name in enumerate(_FIRST)}
        ordered = sorted(groups, key=lambda name: (rank.get(name, len(rank)), -len(groups[name]), name))
        return [(_group(words, name, len(groups[name])), groups[name]) for name in ordered]

    @cached_property
    def _commits(self) -> dict[str, Commit]:
        changes = self.story.run.changes
        return {item.sha: item for item in (changes.commits if changes else ())}

    @cached_property
    def _reverts(self) -> dict[str, RevertLink]:
        found = self.story.run.highlights
        return {item.sha: item for item in (found.reverts if found else ())}

    def _commit(self, words: Sequence[Words], item: Commit) -> str:
        subject = escape(item.subject.removesuffix(f"(#{item.pr})"))
        linked = item.pr is not None and self.story.run.pair.web is not None
        line = f"{code(item.sha[:9])} {subject} ({self._where(item.sha, item.pr)})"
        if not linked:
            line = f"{self._where(item.sha, None)} {escape(item.subject)}"
        undone = dict.fromkeys(text for one in words for text in self._undone(one, item.sha))
        return " · ".join([line, *undone])

    def _remarks(self, words: Words, item: Highlight) -> list[str]:
        """What a line says besides its text; empty for a commit that simply applies."""
        notes = [phrases.note(words, reason, self.story.run) for reason in (*item.touches, *self._why(item))]
        if item.applies == "unknown" and not item.why:
            notes.append(words.text("applies-unknown"))
        more = [words.text("followups", count=len(item.followups))] if item.followups else []
        return [*self._undone(words, item.sha), *notes, *more]

    def _why(self, item: Highlight) -> tuple[Reason, ...]:
        return () if item.applies == "yes" else item.why

    def _undone(self, words: Words, sha: str) -> list[str]:
        """What this commit reverts, where it reverts something that can be named."""
        found = self._reverts.get(sha)
        if found is None or not (found.target_sha or found.target_pr):
            return []
        target = self._commits.get(found.target_sha or "")
        pr = found.target_pr or (target.pr if target else None)
        message = "undoes-in-range" if found.in_range else "undoes"
        return [words.text(message, where=self._where(found.target_sha or "", pr))]

    def _suspects(self, words: Words, rows: Sequence[Row], found: tuple[Suspect, ...]) -> str:
        metric = phrases.series(words, (words.text(f"metric-{row.kind}") for row in rows))
        if not found:
            return words.text("suspects-none", metric=metric)
        return words.text("suspects", metric=metric, items=self._quoted(words, found))

    def _quoted(self, words: Words, commits: Iterable[Highlight | Suspect]) -> str:
        return phrases.listing(
            words,
            (
                words.text("quoted-commit", text=_text(words, item), where=self._where(item.sha, item.pr))
                for item in commits
            ),
        )

    def _where(self, sha: str, pr: int | None) -> str:
        """The pull request, else the commit; linked where the repository has pages."""
        web, short = self.story.run.pair.web, code(sha[:9])
        if web is None:
            return short if sha else escape(f"#{pr}")
        return link(f"#{pr}", f"{web}/pull/{pr}") if pr else link(short, f"{web}/commit/{sha}")


def _text(words: Words, item: Highlight | Suspect, as_message: str = "quoted") -> str:
    """The line in this language where the record has one, else the commit's own words, marked as such."""
    own = item.texts.get(words.language)
    return escape(own) if own else words.text(as_message, text=escape(item.text))


def _group(words: Sequence[Words], name: str, count: int) -> str:
    if not name:
        return ""
    labels = dict.fromkeys(phrases.coded(one, "accounted", name) for one in words)
    return f"{' '.join(labels)} · {count}"
