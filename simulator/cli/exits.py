"""What the command line exits with."""

from __future__ import annotations

EXIT_DONE = 0
EXIT_BROKEN = 1
EXIT_USAGE = 2
EXIT_UNDECIDED = 3
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143
