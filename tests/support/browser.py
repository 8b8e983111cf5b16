"""Reports as a reader sees them: rendered as GitHub does, laid out by headless Chromium, measured there."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from tempfile import TemporaryDirectory

import cmarkgfm
from cmarkgfm.cmark import Options

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
_HERE = Path(__file__).parent
_COLUMNS = {360: 4, 1000: 2}
_GAP = 16
#: What a sheet of several reports may be high; Chromium's textures end at 16,384.
_TALLEST = 8000


@dataclass(frozen=True)
class Layout:
    """What Chromium says of one report at one width: what is wider than its box, which units are broken."""

    viewport: int
    wide: tuple[str, ...]
    broken: tuple[str, ...]
    height: int
    tables: int


def html(markdown: str) -> str:
    """The comment as GitHub's own parser makes it: soft line breaks are breaks, dangerous tags are text."""
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_HARDBREAKS
    body = cmarkgfm.github_flavored_markdown_to_html(markdown, options=options)  # type: ignore[no-untyped-call]
    style = (_HERE / "comment.css").read_text(encoding="utf-8")
    return (
        "<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<style>{style}</style><div class=markdown-body>{body}</div>"
    )


def measure(
    reports: Mapping[str, str], width: int, folder: Path, *, folds: bool = False, name: str = "sheet"
) -> dict[str, Layout]:
    """Lay out each report in a frame of that width (Chromium's own window is never below 500 px wide).

    `folds`: every fold open. A picture of all of them is left as `folder/<name>.png`.
    """
    columns = _COLUMNS[width]
    page = folder / f"{name}.html"
    page.write_text(_sheet(reports, width, columns, folds=folds), encoding="utf-8")
    dom = _chromium(folder, page, f"--window-size={columns * (width + _GAP) + _GAP},{_TALLEST}", name)
    found = re.search(r'<pre id="result">(.*?)</pre>', dom, re.DOTALL)
    assert found, dom[-2000:]
    return {
        key: Layout(
            viewport=item["viewport"],
            wide=tuple(item["wide"]),
            broken=tuple(item["broken"]),
            height=item["height"],
            tables=item["tables"],
        )
        for key, item in json.loads(unescape(found[1])).items()
    }


def _chromium(folder: Path, page: Path, size: str, name: str) -> str:
    assert PROGRAM is not None
    picture = f"--screenshot={folder / (name + '.png')}"
    with TemporaryDirectory() as profile:
        command = [PROGRAM, *_FLAGS, f"--user-data-dir={profile}", size, picture, "--dump-dom", page.as_uri()]
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode(errors="replace")[-2000:]
    return done.stdout.decode(errors="replace")


def _sheet(reports: Mapping[str, str], width: int, columns: int, *, folds: bool) -> str:
    frames = "".join(
        f"<figure><figcaption>{escape(name)}</figcaption>"
        f"<iframe data-name='{escape(name)}' width={width} srcdoc='{escape(html(text))}'></iframe></figure>"
        for name, text in reports.items()
    )
    script = (_HERE / "layout.js").read_text(encoding="utf-8")
    return (
        "<!doctype html><meta charset=utf-8><style>"
        f"body{{margin:{_GAP}px;columns:{columns};column-gap:{_GAP}px;font:12px sans-serif;background:#ccc}}"
        "figure{margin:0 0 16px;break-inside:avoid}iframe{border:0;background:#fff;display:block}"
        "#result{display:none}</style>"
        f"{frames}<pre id=result></pre><script>const FOLDS={str(folds).lower()};{script}</script>"
    )
