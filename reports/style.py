"""How charts look: one Matplotlib style, told apart by colour-blind eyes and in grey, and the same colours for dark pages."""

from __future__ import annotations

from typing import Any

INK, FAINT, PAPER, GREY = "#1c1c21", "#d6d6dd", "#fefefe", "#8a8a94"

SOLE = "#4f6d94"
"""For what is alone in its chart, so that no outcome's colour is taken for it."""

CATEGORIES = ("#0072b2", "#cf6f00", "#005a41")
"""Of different lightness; after Okabe and Ito, "Color Universal Design", 2008, the orange and the green darker, to be seen on white."""

ORDERED = ("#ec695f", "#d0390a", "#ad1e01", "#91375e", "#773d8b", "#403bcd", "#490aa1", "#3f0044")
"""For numbers of players and whatever else has an order, from light to dark, so that the order survives a grey print; all are well
seen on white. Found by a search for the path that keeps them farthest apart for all eyes."""

SEATS = ("#04a1c2", "#099677", "#098537", "#00686f", "#024f6e", "#003b5d", "#270180", "#410042")
"""For seats, likewise, and not to be taken for numbers of players."""

SHADES = ("#b9dfb4", "#7fcdbb", "#4cb7c3", "#2f9cc4", "#2b78b4", "#29559f", "#1f3580", "#131c52")
"""For cells that lie side by side and bear their number or stand in a legend, from light to dark; after ColorBrewer's YlGnBu."""

DARK = {
    INK: "#e6e6ea",
    FAINT: "#3c3c46",
    PAPER: "#17171b",
    GREY: "#8a8a94",
    SOLE: "#8fabd0",
    **dict(zip(CATEGORIES, ("#4aa8e0", "#f0b73a", "#9be3c0"), strict=True)),
    **dict(zip(ORDERED, ("#3d50f3", "#7d4ac4", "#a34c9c", "#f04879", "#fd7785", "#fd96c0", "#ffc1ba", "#ffe8cb"), strict=True)),
    **dict(zip(SEATS, ("#6360a0", "#0a8ca9", "#02ab95", "#39bdd2", "#54d6eb", "#45fadd", "#acffaa", "#fff642"), strict=True)),
    **dict(zip(SHADES, ("#2f4b8f", "#3066a6", "#3a87bb", "#49a6c6", "#6cc0c4", "#95d3be", "#c2e4b9", "#edf6c9"), strict=True)),
}
"""Each colour's stand-in on a dark page; the order runs from dark to light there."""

SIZE = 9.5

STYLE: Any = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.labelcolor": INK,
    "axes.labelsize": SIZE,
    "axes.linewidth": 0.8,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlecolor": INK,
    "axes.titlesize": SIZE,
    "axes.unicode_minus": True,
    "figure.facecolor": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": SIZE,
    "grid.color": FAINT,
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "legend.fontsize": SIZE,
    "legend.frameon": False,
    "legend.labelcolor": INK,
    "savefig.facecolor": "none",
    "svg.fonttype": "none",
    "svg.hashsalt": "ludometer",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "xtick.labelsize": SIZE,
    "xtick.major.size": 0,
    "ytick.color": INK,
    "ytick.labelsize": SIZE,
    "ytick.major.size": 0,
}


def ordered(count: int, colours: tuple[str, ...] = ORDERED) -> list[str]:
    """`count` colours for things that have an order, spread from light to dark; the darkest only where there are many.

    >>> len(ordered(3)), len(set(ordered(8))), len(ordered(12))
    (3, 8, 12)
    """
    if count == 1:
        return [SOLE]
    last = len(colours) - 1 if count > MODERATE else MODERATE + 1
    return [colours[round(i * last / (count - 1))] for i in range(count)]


MODERATE = 4
"""So many colours do without the darkest."""


def seats(count: int) -> list[str]:
    """`count` colours for seats."""
    return ordered(count, SEATS)


def categories(count: int) -> list[str]:
    """`count` colours for things that have no order."""
    return list(CATEGORIES[:count]) if 1 < count <= len(CATEGORIES) else ordered(count)


def variable(colour: str) -> str:
    """Name of the CSS variable for a colour of this file.

    >>> variable("#0072b2")
    '--c-0072b2'
    """
    return f"--c-{colour.removeprefix('#')}"


def css_value(colour: str) -> str:
    """What a page says instead of a colour of this file: the text's own colour for ink, a variable for the others."""
    return "currentColor" if colour == INK else f"var({variable(colour)},{colour})"


def css_variables(*, dark: bool) -> str:
    """Declarations of all variables for a light or a dark page."""
    return " ".join(f"{variable(light)}: {shade if dark else light};" for light, shade in DARK.items())
