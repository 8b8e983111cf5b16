"""The facts of a run, frozen: what every stage adds to and every report is made from.

Units are in the names: `_ms`, `_s`, `_mib` (2**20 bytes). Rates are tokens per second.
`effect` is a log-ratio with + = better; `change` is head/base - 1 in the metric's own unit.
This package imports nothing of ours. Loading and saving stand in `bot.store`.
"""

from bot.records.asked import Gpu, Machine, Model, Plan, Profile, Scenario
from bot.records.base import (
    SCHEMA,
    SIDES,
    Backend,
    MetricKind,
    Outcome,
    Reason,
    Record,
    Side,
    Value,
    VerdictCode,
)
from bot.records.build import Build, BuildFailure, BuildSource, FailureClass, Tool
from bot.records.changelog import Credit, Highlight, Highlights, RevertLink, Suspect, Theme, Undone
from bot.records.evidence import BenchColumns, Check, CheckResult, Evidence, EvidenceKind, Measure
from bot.records.launch import BROKEN_STATUSES, Launch, LaunchStatus, Round, Sample, ServerFacts
from bot.records.outcome import (
    Calibration,
    Comparison,
    Difference,
    MemoryComparison,
    Noise,
    PastSelfTest,
    Verdict,
)
from bot.records.pair import AreaChange, Changes, Commit, FileChange, Pair, Tag
from bot.records.probe import Probe, ProbeStart
from bot.records.run import Run
from bot.records.self_test import SelfTest
from bot.records.trouble import Recheck, Trouble, UpstreamTrouble
from bot.records.watch import GpuTrace, Guard, HostTrace, MemoryTrace, Spread

__all__ = [
    "BROKEN_STATUSES",
    "SCHEMA",
    "SIDES",
    "AreaChange",
    "Backend",
    "BenchColumns",
    "Build",
    "BuildFailure",
    "BuildSource",
    "Calibration",
    "Changes",
    "Check",
    "CheckResult",
    "Commit",
    "Comparison",
    "Credit",
    "Difference",
    "Evidence",
    "EvidenceKind",
    "FailureClass",
    "FileChange",
    "Gpu",
    "GpuTrace",
    "Guard",
    "Highlight",
    "Highlights",
    "HostTrace",
    "Launch",
    "LaunchStatus",
    "Machine",
    "Measure",
    "MemoryComparison",
    "MemoryTrace",
    "MetricKind",
    "Model",
    "Noise",
    "Outcome",
    "Pair",
    "PastSelfTest",
    "Plan",
    "Probe",
    "ProbeStart",
    "Profile",
    "Reason",
    "Recheck",
    "Record",
    "RevertLink",
    "Round",
    "Run",
    "Sample",
    "Scenario",
    "SelfTest",
    "ServerFacts",
    "Side",
    "Spread",
    "Suspect",
    "Tag",
    "Theme",
    "Tool",
    "Trouble",
    "Undone",
    "UpstreamTrouble",
    "Value",
    "Verdict",
    "VerdictCode",
]
