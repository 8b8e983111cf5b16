"""Too many commits for a line each become themes; what the range is worth is counted."""

from bot.changelog import highlights
from bot.records import Commit
from tests.support.commits import PERSONA, commit, real_range

CUDA = "ggml/src/ggml-cuda/mmq.cu"
SERVER = "tools/server/server-context.cpp"
RPC = "ggml/src/ggml-rpc/ggml-rpc.cpp"


def fixes(count: int, path: str = CUDA) -> list[Commit]:
    prefix = "CUDA" if path == CUDA else "server"
    first = 1 if path == CUDA else 51
    numbers = range(first, first + count)
    return [commit(f"{prefix}: fix crash of thing{n} (#{n})", path, size=n) for n in numbers]


def test_twelve_commits_are_lines_thirteen_are_themes_too() -> None:
    assert highlights(fixes(12), PERSONA).themes == ()
    (theme,) = highlights(fixes(13), PERSONA).themes
    assert (theme.area, theme.type, theme.count, len(theme.shas)) == ("cuda", "bugfix", 13, 13)
    assert [item.pr for item in theme.exemplars] == [13, 12]


def test_themes_go_by_type_and_leave_out_what_does_not_apply() -> None:
    several = [
        *fixes(8),
        *fixes(6, SERVER),
        commit("CUDA: faster MMQ (#90)", CUDA, size=300),
        commit("server : add new endpoint (#91)", SERVER, size=300),
        commit("rpc : fix RCE (#92)", RPC),
    ]
    themes = highlights(several, PERSONA).themes
    assert [(item.area, item.type, item.count) for item in themes] == [
        ("cuda", "bugfix", 8),
        ("server", "bugfix", 6),
        ("cuda", "perf", 1),
        ("server", "feature", 1),
    ]


def test_a_real_quarter_of_a_year_has_the_themes_a_person_wrote() -> None:
    themes = highlights(real_range("b4000-b4500"), PERSONA).themes
    told = {(item.area, item.type) for item in themes}
    assert {("server", "breaking"), ("cuda", "breaking"), ("server", "bugfix"), ("cuda", "bugfix")} <= told
    assert all(len(item.exemplars) <= 2 and item.count == len(item.shas) for item in themes)


def test_worth_counts_only_what_applies() -> None:
    found = highlights(
        [
            *fixes(2),
            commit("server : add new endpoint (#91)", SERVER, size=300),
            commit("server : fix crash of tool calls (#93)", SERVER),
            commit("rpc : fix RCE (#92)", RPC),
        ],
        PERSONA,
    )
    assert {reason.code: reason.args.get("count") for reason in found.worth} == {
        "worth-bugfix": 2,
        "worth-severe": 2,
        "worth-feature": 1,
        "worth-unknown": 1,
    }


def test_nothing_that_applies_is_worth_nothing() -> None:
    found = highlights([commit("rpc : fix RCE (#92)", RPC), commit("docs : fix", "docs/a.md")], PERSONA)
    assert [reason.code for reason in found.worth] == ["worth-nothing"]


def test_the_end_of_another_backend_is_told_as_not_used_here() -> None:
    found = highlights([commit("ggml : remove OpenCL (#7735)", "ggml-opencl.cpp", size=2000)], PERSONA)
    assert [(item.type, item.applies) for item in found.items] == [("breaking", "no")]
    assert found.items[0].why[0].args == {"value": "OpenCL"}


def test_an_everyday_change_of_another_backend_stays_dropped() -> None:
    found = highlights(
        [commit("HIP: remove rocWMMA FlashAttention (#26046)", "ggml/src/ggml-cuda/fattn-wmma-f16.cu")],
        PERSONA,
    )
    assert found.items == ()
