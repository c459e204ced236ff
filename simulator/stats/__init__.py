"""Statistics: tallies, estimates and their intervals, paired differences, verdicts."""
