"""Studies: questions made of several experiments, one file each."""
