"""A headless Chromium, and the reports that it opens."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import programs
import pytest
from reports_to_open import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 1000 * programs.PATIENCE_S

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

MEASURE = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")


def unavailable(reason: str) -> NoReturn:
    """Skip, or fail where the browser was promised."""
    if os.environ.get("BROWSER_TESTS") == "required":
        pytest.fail(reason, pytrace=False)
    pytest.skip(f"{reason}; `make test-browser` brings it")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests."""
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        unavailable("there is no Chromium")
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415  an extra, which may be missing
    except ImportError:
        unavailable("Playwright is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS, timeout=PATIENCE_MS)
        yield browser
        browser.close()


@dataclass
class View:
    """A page as it is open in the browser.

    Attributes:
        page: the page.
        complaints: what the console said, and which requests left the page.
    """

    page: Page
    complaints: list[str] = field(default_factory=list)

    def measured(self, what: str, *arguments: Any) -> list[str]:
        """What one of the functions in measure.js finds wrong."""
        found: list[str] = self.page.evaluate(f"([...given]) => ({MEASURE}).{what}(...given)", list(arguments))
        return found


Look = Callable[..., Any]


@pytest.fixture(scope="session")
def look(chromium: Browser) -> Look:
    """Opens a file, in a window of its own: `with look(file, width=390, scheme="dark", script=False) as view`."""

    @contextmanager
    def opened(file: Path, *, width: int = 1280, scheme: Any = "light", script: bool = True) -> Iterator[View]:
        size = {"width": width, "height": 900}
        context = chromium.new_context(viewport=size, color_scheme=scheme, java_script_enabled=script, reduced_motion="reduce")
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        view, address = View(page), file.resolve().as_uri()
        page.on("console", lambda said: view.complaints.append(f"console: {said.text}"))
        page.on("pageerror", lambda error: view.complaints.append(f"error: {error}"))
        page.on("request", lambda asked: None if asked.url == address else view.complaints.append(f"request: {asked.url[:80]}"))
        try:
            page.goto(address)
            yield view
        finally:
            context.close()

    return opened


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Opened], Path]:
    """The file of a report, which is written when it is first asked for, once for all processes that test."""
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "reports-to-open"

    def build(report: Opened) -> Path:
        folder = shared / report.name
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            written = folder / "written"
            if not written.exists():
                written.write_text(str(report.build(folder)), encoding="utf-8")
        return Path(written.read_text(encoding="utf-8"))

    return build


ROWS = 8
"""All rows of a table are built alike: so many of each are looked at, since looking takes long."""


@pytest.fixture(scope="session")
def axe() -> Callable[..., list[str]]:
    """Finds the serious and the critical faults of accessibility in a page, whose long tables it cuts: what is wrong, and where.

    It may be told to look at some rules only.
    """
    package = find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        unavailable("axe is not installed")
    script = (Path(package.origin).parent / "axe.min.js").read_text(encoding="utf-8")

    def faults(page: Page, rules: Sequence[str] = ()) -> list[str]:
        page.evaluate(f"() => {{ {script} }}")
        page.evaluate(f"[...document.querySelectorAll('tbody')].forEach((b) => [...b.rows].slice({ROWS}).forEach((row) => row.remove()))")
        options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
        found = page.evaluate("async (options) => (await axe.run(document, options)).violations", options)
        grave = [fault for fault in found if fault["impact"] in {"serious", "critical"}]
        return [f"{fault['help']}: {', '.join(str(node['target']) for node in fault['nodes'][:5])}" for fault in grave]

    return faults
