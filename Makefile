# Everything below .venv is made here; a change of the lock file makes it anew.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
LOCKED := $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r
SELF   := $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .

.PHONY: help demo test test-real lint format lock clean

help:  ## list what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

demo: $(VENV)/run.stamp  ## set up, then do the main job: two real llama.cpp tags, built, measured, reported
	@$(BIN)/llama-release-bot demo $(ARGS)

test: $(VENV)/dev.stamp  ## set up, then pass the fast tests
	@$(BIN)/pytest -m "not real" -n 2 --durations=15 $(ARGS)

test-real: $(VENV)/dev.stamp  ## the tests with real llama.cpp servers (builds two tags where the cache has none)
	@$(BIN)/pytest -m real --durations=15 $(ARGS)

lint: $(VENV)/dev.stamp  ## style and types
	@$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

format: $(VENV)/dev.stamp  ## put the code into the house's form
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

lock: $(VENV)/dev.stamp  ## resolve the dependencies again
	@$(BIN)/pip install --quiet pip-tools
	@for what in "requirements.lock" "requirements-dev.lock --extra dev"; do set -- $$what; \
	  $(BIN)/pip-compile --quiet --upgrade --strip-extras --allow-unsafe --generate-hashes --no-header \
	    --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options --no-annotate \
	    --all-build-deps --output-file $$what pyproject.toml || exit 1; done

clean:  ## remove what was set up here (built tags stay in the cache)
	@rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(VENV)/bin/pip:
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.lock pyproject.toml | $(VENV)/bin/pip
	@$(LOCKED) requirements.lock && $(SELF) && touch $@

$(VENV)/dev.stamp: requirements-dev.lock pyproject.toml | $(VENV)/bin/pip
	@$(LOCKED) requirements-dev.lock && $(SELF) && touch $@ $(VENV)/run.stamp
