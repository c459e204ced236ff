"""Reports: results as tables, charts and a page. Importing this imports neither pandas nor Matplotlib."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.frames import estimates, frame
    from reports.pages import page, write_csvs, write_page
    from reports.pictures import write_pngs, write_svgs
    from reports.tables import save_table

__all__ = ["estimates", "frame", "page", "save_table", "write_csvs", "write_page", "write_pngs", "write_svgs"]

_HOMES = {
    "estimates": "reports.frames",
    "frame": "reports.frames",
    "page": "reports.pages",
    "save_table": "reports.tables",
    "write_csvs": "reports.pages",
    "write_page": "reports.pages",
    "write_pngs": "reports.pictures",
    "write_svgs": "reports.pictures",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        message = f"module 'reports' has no attribute '{name}'"
        raise AttributeError(message)
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
