"""How charts look: one Matplotlib style, told apart by colour-blind eyes and in grey, and the same colours for dark pages."""

from __future__ import annotations

from typing import Any

INK, FAINT, PAPER, GREY = "#1c1c21", "#d6d6dd", "#fefefe", "#8a8a94"

SOLE = "#4f6d94"
"""For what is alone in its chart, so that no outcome's colour is taken for it."""

CATEGORIES = ("#0072b2", "#cf6f00", "#005a41")
"""Of different lightness; after Okabe and Ito, "Color Universal Design", 2008, the orange and the green darker, to be seen on white."""

ORDERED = ("#929911", "#0c9561", "#0a7688", "#0a569a", "#431aba", "#5c026a", "#510127", "#330b01")
"""For bars, lines and points, from light to dark, so that the order survives a grey print; all are well seen on white."""

SHADES = ("#b9dfb4", "#7fcdbb", "#4cb7c3", "#2f9cc4", "#2b78b4", "#29559f", "#1f3580", "#131c52")
"""For cells that lie side by side and bear their number or stand in a legend, from light to dark; after ColorBrewer's YlGnBu."""

DARK = {
    INK: "#e6e6ea",
    FAINT: "#3c3c46",
    PAPER: "#17171b",
    GREY: "#8a8a94",
    SOLE: "#8fabd0",
    **dict(zip(CATEGORIES, ("#4aa8e0", "#f0b73a", "#9be3c0"), strict=True)),
    **dict(zip(ORDERED, ("#716606", "#078b73", "#1193d4", "#b17cfd", "#fe83ac", "#feb275", "#d4e826", "#c0feea"), strict=True)),
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


def ordered(count: int) -> list[str]:
    """`count` colours for things that have an order, spread from light to dark.

    >>> len(ordered(3)), len(set(ordered(8))), len(ordered(12))
    (3, 8, 12)
    """
    if count == 1:
        return [SOLE]
    return [ORDERED[round(i * (len(ORDERED) - 1) / (count - 1))] for i in range(count)]


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
