"""The kernel: everything compiled that knows no game."""
