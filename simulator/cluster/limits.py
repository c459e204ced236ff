"""How often the cluster is tried, and what is raised when that is of no use."""

from __future__ import annotations

from simulator.errors import UserError

ATTEMPTS = 3
"""How often a task is tried that fails of itself."""

LOOK_S = 1.0
"""How often to look which workers are there."""

POLL_S = 0.2


class ClusterError(UserError):
    """A cluster cannot be reached, cannot play what it is asked to, or is gone."""
