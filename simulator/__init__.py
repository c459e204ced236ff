"""Ludometer: Monte Carlo measurement of the balance of tabletop games.

What there is stands in `__init__.pyi`; it is imported when it is asked for, since the command line has to answer before NumPy is loaded.

>>> import simulator
>>> simulator.run("grinchmas", players=3, games=1000, strategies=["uniform"]).games
1000
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
