"""Playing on a cluster: a Dask scheduler and its workers, elsewhere or started on this machine."""

from __future__ import annotations

from simulator.cluster.connection import Cluster, silence
from simulator.cluster.limits import ClusterError

__all__ = ["Cluster", "ClusterError", "silence"]
