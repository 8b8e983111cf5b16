"""What was tried to prove the headroom: one line per flag, for the folds."""

from bot.records import Probe, ProbeStart, Run
from bot.report import numbers, phrases
from bot.report.markdown import code
from bot.report.words import Words


def told(words: Words, probe: Probe, run: Run) -> str:
    """Every start of one flag, in the order made."""
    starts = [_start(words, item, run) for item in probe.starts]
    if probe.cut_short:
        starts.append(words.text("probe-cut-short"))
    return words.text(
        "probe-told",
        flag=code(probe.flag),
        measured=str(probe.measured),
        computed=str(probe.computed),
        starts=words.text("probe-separator").join(starts),
    )


def _start(words: Words, item: ProbeStart, run: Run) -> str:
    value = str(item.value)
    if item.status != "ok" or item.invalid or item.headroom_mib is None:
        status = phrases.coded(words, "status", item.invalid or item.status)
        return words.text("probe-failed", value=value, status=status)
    left = numbers.mib(item.headroom_mib)
    if item.keeps(run.profile.reserve_mib):
        return words.text("probe-fits", value=value, tokens=str(item.prompt_tokens), headroom=left)
    return words.text("probe-tight", value=value, headroom=left)
