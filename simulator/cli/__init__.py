"""The command line: `simulate`."""

from __future__ import annotations

from simulator.cli.main import main

__all__ = ["main"]
