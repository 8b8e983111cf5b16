"""Colours, on light and on dark; what a colour says is said by a shape or a line as well."""

PANEL = "#ffffff"
INK = "#1f2328"
MUTED = "#59636e"
GRID = "#d1d9e0"
BAND = "#e2e8ee"
BASE = "#24292f"
HEAD = "#0a69da"
FASTER = "#0969da"
SLOWER = "#bc4c00"

#: The same on a dark page: GitHub's own dark colours.
DARK = {
    PANEL: "#0d1117",
    INK: "#e6edf3",
    MUTED: "#9198a1",
    GRID: "#30363d",
    BAND: "#262c36",
    BASE: "#e6edf4",
    HEAD: "#58a6ff",
    FASTER: "#58a6fe",
    SLOWER: "#f0883e",
}
