"""Ctrl-C reaches the processes that tests start, also where the tests themselves run in the background, which ignores it."""

from __future__ import annotations

import signal

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
