"""Reports: results as tables, charts and a page. Importing this imports neither pandas nor Matplotlib; `__init__.pyi` has the names."""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
