# The two commands a newcomer needs: `make run` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAMES ?= 1e6

define NEXT

Open build/grinchmas.html in a browser. To ask for more, type this once in each terminal:

    . $(BIN)/activate

From then on it knows `simulate` (without it, type $(BIN)/simulate):

    simulate games
    simulate rules grinchmas
    simulate grinchmas --set wishes.goal=10
endef
export NEXT

.PHONY: run test browser test-browser bench lint format clean

run: $(VENV)/installed
	$(BIN)/simulate grinchmas --players 4 --games $(GAMES) --report build/grinchmas.html
	@echo "$$NEXT"

# One process more than there are processors, since some tests wait for processes of their own.
test: $(VENV)/installed-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest --numprocesses $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist worksteal

# Where there is no Chromium, `make test` skips the tests that open the reports in one; these two do not.
browser: $(VENV)/installed-browser
	scripts/install_chromium.sh

test-browser: browser
	BROWSER_TESTS=required $(BIN)/python -m pytest tests/browser

bench: $(VENV)/installed-test
	$(BIN)/python scripts/bench.py

lint: $(VENV)/installed-test
	$(BIN)/ruff check
	$(BIN)/mypy

format: $(VENV)/installed-test
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:
	rm -rf build dist .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[all]'
	touch $@

$(VENV)/installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@ $(VENV)/installed

$(VENV)/installed-browser: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test,browser]'
	touch $@ $(VENV)/installed-test $(VENV)/installed
