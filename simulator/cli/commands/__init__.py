"""One file per command: `simulate NAME` is the `command` of the file NAME.py. The games are commands as well."""
