"""Make the pictures of the README and the documents again: `python scripts/documentation_pictures.py [NAME ...]`.

The numbers in them are the same each time; how letters are drawn depends on the fonts of the machine. Needs a Chromium and
`pip install 'ludometer[browser]'`; `make browser` brings both.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"

MOST_BYTES = 250_000
"""A picture is at most as large."""

WIDTH = 1200
"""Pixels: width of a window whose page is shown."""


@dataclass(frozen=True)
class PageTop:
    """The top of a page, or of a part of it.

    Attributes:
        arguments: of `simulate`, without --report.
        height: in pixels.
        part: a CSS selector of what is shown.
    """

    arguments: str
    height: int
    part: str = "body"


@dataclass(frozen=True)
class ChartFile:
    """A chart as `simulate --png` writes it.

    Attributes:
        arguments: of `simulate`, without --png.
        file: which of the files.
    """

    arguments: str
    file: str


PICTURES: dict[str, PageTop | ChartFile] = {
    "report": PageTop("grinchmas --players 2-6 --games 20k", 1000),
    "grinchmas": ChartFile("grinchmas --players 2-6 --games 20k", "grinchmas-verdict.png"),
    "vacation": ChartFile("vacation --players 2-5 --games 20k", "vacation-ways.png"),
    "crocs": ChartFile("crocs --players 2-6 --games 20k", "crocs-won_by.png"),
    "compare": ChartFile(
        "compare grinchmas --variant stars.trio=6 --variant wishes.goal=10 --players 2-6 --games 20k",
        "grinchmas-difference-players_win.png",
    ),
    "sweep": PageTop("sweep grinchmas --vary wishes.goal=6:12 --players 3-5 --games 20k", 900, "#along-the-range"),
    "sensitivity": ChartFile("sensitivity grinchmas --players 4 --games 20k", "grinchmas-tornado-players_win.png"),
    "check": ChartFile("check examples/grinchmas.toml", "grinchmas-promises.png"),
}
"""Name, which is also the file's, to what it shows."""


def main() -> None:
    """Make the named pictures, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"default: all, which are {', '.join(PICTURES)}")
    names = parser.parse_args().names
    if unknown := sorted(set(names) - set(PICTURES)):
        parser.error(f"there is no picture '{unknown[0]}'; there are {', '.join(PICTURES)}")
    os.chdir(ROOT)
    FOLDER.mkdir(exist_ok=True)
    with chromium() as browser:
        for name in names or PICTURES:
            file = make(name, browser)
            print(f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes")


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  an extra

    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--disable-gpu", "--disable-quic"])
        yield browser
        browser.close()


def make(name: str, browser: Browser) -> Path:
    """Make one picture.

    Raises:
        SystemExit: it would be too large.
    """
    shown, file = PICTURES[name], FOLDER / f"{name}.png"
    with TemporaryDirectory() as folder:
        made = chart_file(shown, Path(folder)) if isinstance(shown, ChartFile) else page_top(shown, Path(folder), browser)
        if made.stat().st_size > MOST_BYTES:
            sys.exit(f"{name} would be {made.stat().st_size:,} bytes; show less of it.")
        shutil.copyfile(made, file)
    return file


def chart_file(shown: ChartFile, folder: Path) -> Path:
    """A chart, written by the program."""
    simulate(f"{shown.arguments} --png {folder}")
    return folder / shown.file


def page_top(shown: PageTop, folder: Path, browser: Browser) -> Path:
    """A page, as the browser shows it."""
    report, picture = folder / "report.html", folder / "page.png"
    simulate(f"{shown.arguments} --report {report}")
    page = browser.new_page(viewport={"width": WIDTH, "height": shown.height}, color_scheme="light")
    page.goto(report.as_uri())
    page.add_style_tag(content=".picker { position: static !important; }")  # it would lie over what is shown
    box = page.locator(shown.part).first.bounding_box() or {"x": 0, "y": 0}
    page.set_viewport_size({"width": WIDTH, "height": int(box["y"]) + shown.height})
    page.screenshot(path=picture, clip={"x": 0, "y": box["y"], "width": WIDTH, "height": shown.height})
    page.close()
    return picture


def simulate(arguments: str) -> None:
    """Run the program.

    Raises:
        SystemExit: it failed.
    """
    done = subprocess.run([sys.executable, "-m", "simulator", *arguments.split()], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"simulate {arguments} failed: {done.stderr}")


if __name__ == "__main__":
    main()
