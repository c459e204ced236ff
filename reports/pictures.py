"""Figures from charts, as SVG to put into a page and as PNG files."""

from __future__ import annotations

import io
import json
import re
import textwrap
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.charts import LEGEND, MARK, TARGETS, Chart, mark
from reports.style import DARK, PAPER, SIZE, STYLE, css_value
from reports.tables import make_folder, slug
from simulator.document.language import short
from simulator.files import write_bytes

WIDE, NARROW = 8.4, 4.4
"""Inches: for a page or a sheet of paper, and for a telephone."""

LEFT, RIGHT, GAP, LINE = 0.78, 0.12, 0.25, 0.22
"""Inches: the margins, what is between panels, and a line of text."""

LONE = 2.3
"""Inches: a lone panel is at least this high."""

DPI = 160

HAIR = 0.03
"""Inches above a page's picture, so that no mark of its legend is cut."""

SVG_DPI = 72
"""An inch in the units of an SVG file."""

FINGERTIP = 9.0
"""Points: a target is at least so wide and so high."""


@contextmanager
def styled() -> Iterator[None]:
    """Matplotlib with the style of reports; letters that its font lacks are shown by the reader's own fonts."""
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph .* missing from font")
        yield


def draw(chart: Chart, width: float, above: float = 0, below: float = 0) -> Figure:
    """The figure of a chart; to be called and saved within `styled`.

    Args:
        chart: what to draw.
        width: in inches; below WIDE half as many panels stand beside each other.
        above: inches to leave empty at the top.
        below: inches to leave empty at the bottom.
    """
    panels = [panel for _, panel in chart.frame.groupby("panel", sort=False)]
    columns = min(len(panels), chart.columns if width >= WIDE else max(1, chart.columns // 2))
    figure = Figure(figsize=(width, 1))
    axes = panel_axes(figure, columns, len(panels), same_x=chart.same_x)
    for ax, panel in zip(axes, panels, strict=True):
        chart.draw(panel, ax)
        if len(panels) > 1 and "run" in panel and panel["run"].nunique() == 1:
            mark_panel(ax, panel["run"].iloc[0])
    entries = legend_entries(axes, int(11 * width))
    per_line = max(1, int((width - LEFT) / (0.65 + 0.085 * max(map(len, entries), default=1))))
    lines = -(-len(entries) // per_line)
    place(figure, chart, columns, (above + LINE * lines, below))
    if entries:
        corner = (LEFT / width, 1 - above / figure.get_figheight())
        handles, labels = list(entries.values()), list(entries)
        figure.legend(handles, labels, ncols=per_line, loc="upper left", bbox_to_anchor=corner, borderaxespad=0, borderpad=0)
    return figure


def mark_panel(ax: Axes, run: str) -> None:
    """Let a panel fade with its run, but for the x axis, which may be that of the panels above as well."""
    for artist in ax.get_children():
        if artist is not ax.xaxis and not artist.get_gid():
            mark(artist, run=run)


def panel_axes(figure: Figure, columns: int, count: int, *, same_x: bool) -> list[Axes]:
    """Axes of `count` panels with a shared y axis and, if so asked, x axis, already as wide as they will be."""
    width = figure.get_figwidth()
    wide = (width - LEFT - RIGHT - GAP * (columns - 1)) / columns
    axes: list[Axes] = []
    for index in range(count):
        left = LEFT + index % columns * (wide + GAP)
        share = axes[0] if axes else None
        axes.append(figure.add_axes((left / width, 0, wide / width, 1), sharex=share if same_x else None, sharey=share))
        axes[-1].tick_params(labelleft=index % columns == 0)
    return axes


def place(figure: Figure, chart: Chart, columns: int, empty: tuple[float, float]) -> None:
    """Give the panels and with them the figure their heights, and write the labels; `empty` is above and below, in inches."""
    axes, (above, below) = figure.axes, empty
    rows = -(-len(axes) // columns)
    ticks = 0.08 + 0.16 * max((label.get_text().count("\n") + 1 for label in axes[0].get_xticklabels()), default=1)
    each = chart.columns > 1 or not chart.same_x  # bars are labelled under each panel, histograms under the last one
    inner = ticks if each else 0.08
    title = LINE + 0.04 if any(ax.get_title("left") for ax in axes) else 0.08
    high = max(chart.height, LONE) if len(axes) == 1 else chart.height
    last = below + ticks + (LINE if chart.words.x else 0)
    inside = rows * (title + high) + (rows - 1) * inner
    total = last + inside + above
    for index, ax in enumerate(axes):
        row, box = rows - 1 - index // columns, ax.get_position()
        ax.set_position((box.x0, (last + row * (title + high + inner)) / total, box.width, high / total))
        ax.tick_params(labelbottom=each or row == 0)
    figure.set_figheight(total)
    width = figure.get_figwidth()
    figure.text((LEFT / width + 1) / 2, (below + 0.05) / total, chart.words.x, ha="center", va="bottom")
    figure.text(0.06 / width, (last + inside / 2) / total, chart.words.y, rotation=90, ha="left", va="center")


def legend_entries(axes: list[Axes], most: int) -> dict[str, Any]:
    """Label of at most `most` letters to handle, each once, from the axes whose drawings ask for a legend."""
    known: dict[str, Any] = {}
    for ax in axes:
        if ax.get_label() == LEGEND:
            handles, labels = ax.get_legend_handles_labels()
            known |= dict(zip(labels, handles, strict=True)) | known  # the first handle of a label stays
    return {short(label, most): handle for label, handle in known.items()}


def svg(chart: Chart, width: float, prefix: str) -> str:
    """The chart as an inline SVG element that takes its colours from the page.

    Args:
        chart: what to draw.
        width: in inches, WIDE or NARROW.
        prefix: begins all its ids, so that several fit on one page.
    """
    with styled():
        figure = draw(chart, width, HAIR)
        root = svg_root(figure)
    adopt(root, prefix)
    root.extend(target_elements(figure))
    root.attrib = {"viewBox": root.attrib["viewBox"], "role": "img", "aria-label": f"{chart.words.title}. {chart.words.alt}"}
    return ET.tostring(root, encoding="unicode")


def svg_root(figure: Figure, ground: str = "none") -> ET.Element:
    """A figure as an SVG element without the metadata of the program that drew it; to be called within `styled`."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", facecolor=ground, metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    root = ET.fromstring(buffer.getvalue())  # noqa: S314  it is our own
    root[:] = [child for child in root if local(child.tag) != "metadata"]
    return root


def target_elements(figure: Figure) -> list[ET.Element]:
    """The targets of all axes as transparent paths with a title each, in the units of the figure's SVG."""
    high = SVG_DPI * figure.get_figheight()
    elements = []
    for ax in figure.axes:
        for one in TARGETS.get(ax, []):
            corners = ax.transData.transform([one.box[:2], one.box[2:]]) * SVG_DPI / figure.dpi
            (left, right), (low, top) = (grown(*sorted(ends)) for ends in corners.T.tolist())
            group = ET.Element("g")
            tell(group, one.text, one.run, "")
            path = f"M{left:.1f} {high - low:.1f}H{right:.1f}V{high - top:.1f}H{left:.1f}z"
            group.append(ET.Element("path", {"d": path, "fill": "transparent"}))
            elements.append(group)
    return elements


def grown(low: float, high: float) -> tuple[float, float]:
    """A target's extent, at least FINGERTIP wide."""
    more = max(0.0, FINGERTIP - (high - low)) / 2
    return low - more, high + more


def local(name: str) -> str:
    """A name without its XML namespace."""
    return name.rpartition("}")[2]


def adopt(root: ET.Element, prefix: str) -> None:
    """Drop namespaces, style sheets and unused ids, make the used ids unique, and leave colours and fonts to the page."""
    used = set(re.findall(r"#([\w-]+)", " ".join(v for e in root.iter() for k, v in e.attrib.items() if k not in {"style", "id"})))
    for element in list(root.iter()):
        element.tag = local(element.tag)
        element[:] = [child for child in element if local(child.tag) != "style"]
        if element.attrib.get("id", "").startswith(MARK):
            tell(element, **json.loads(element.attrib["id"].removeprefix(MARK)))
        element.attrib = {local(k): v for k, v in element.attrib.items() if k != "id" or v in used}
        for key, value in element.attrib.items():
            element.attrib[key] = adopted(key, value, prefix)


def tell(element: ET.Element, text: str, run: str, point: str) -> None:
    """Write what `charts.mark` said where the page's script, and a browser without scripts, finds it."""
    element.attrib |= {f"data-{name}": value for name, value in (("run", run), ("point", point)) if value}
    if text:
        title = ET.Element("title")
        title.text = text
        element.insert(0, title)


def adopted(key: str, value: str, prefix: str) -> str:
    """One attribute's value as `adopt` leaves it."""
    if key == "id":
        return f"{prefix}-{value}"
    if key == "style":
        return re.sub(r"#[0-9a-f]{6}", lambda m: css_value(m[0]) if m[0] in DARK else m[0], value)
    return re.sub(r"(^|url\()#", rf"\g<1>#{prefix}-", value)


def sheet(chart: Chart, footer: str) -> Figure:
    """The chart as a picture that stands alone, with its title above and its notes below; to be saved within `styled`."""
    title = textwrap.fill(chart.words.title, 76)
    note = textwrap.fill(" ".join([*chart.words.notes, footer]), 145)
    figure = draw(chart, WIDE, 0.16 + 0.21 * len(title.splitlines()), 0.2 + 0.135 * len(note.splitlines()))
    figure.text(0.01, 1 - 0.08 / figure.get_figheight(), title, fontsize=SIZE + 2.5, fontweight="bold", va="top")
    figure.text(0.01, 0.08 / figure.get_figheight(), note, fontsize=SIZE - 2, va="bottom")
    figure.set_facecolor(PAPER)
    return figure


def png(chart: Chart, footer: str) -> bytes:
    """The chart as a PNG file that stands alone."""
    buffer = io.BytesIO()
    with styled():
        sheet(chart, footer).savefig(buffer, format="png", dpi=DPI, facecolor=PAPER, metadata={"Software": None})
    return buffer.getvalue()


def svg_file(chart: Chart, footer: str) -> bytes:
    """The chart as an SVG file that stands alone, with its title and its numbers in words for those who cannot see it."""
    with styled():
        figure = sheet(chart, footer)
        root = svg_root(figure, PAPER)
    for element in root.iter():
        if element.attrib.get("id", "").startswith(MARK):
            del element.attrib["id"]
    for place, (name, text) in enumerate((("title", chart.words.title), ("desc", chart.words.alt))):
        element = ET.Element(f"{{{SVG}}}{name}")
        element.text = text
        root.insert(place, element)
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written


SVG = "http://www.w3.org/2000/svg"


def write_charts(folder: str | Path, name: str, drawn: Iterable[Chart], footer: str = "", kind: str = "png") -> list[Path]:
    """Write charts into `folder`, which is made if need be, as NAME-CHART.png, or .svg if that is the kind.

    Raises:
        UserError: the folder cannot be written to.
    """
    made = make_folder(folder)
    save = {"png": png, "svg": svg_file}[kind]
    return [write_bytes(made / f"{slug(name)}-{slug(chart.name)}.{kind}", save(chart, footer)) for chart in drawn]
