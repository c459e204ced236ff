"""How what was found is written: figures and intervals, numbers of things, lists; for the terminal, the pages and the sentences."""
