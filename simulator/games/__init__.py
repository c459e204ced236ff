"""The games, one folder each; a folder with a `GAME` in its `__init__.py` is found by itself."""
