# Short verbs for everything one does here; each sets up what it needs. `make help` lists them.
VENV ?= .venv
PYTHON ?= python3
BIN = $(VENV)/bin
READY = $(VENV)/.ready

export OMP_NUM_THREADS ?= 1

.PHONY: help demo test quick lint types imports docs experiments check clean system

help: ## list the verbs
	@grep -E '^[a-z]+:.*##' Makefile | sed -E 's/:.*##/\t/' | expand -t 14

demo: $(READY) ## the main job: choose a learner from the bundled example log
	$(BIN)/audition select examples/newsletter.csv --arm variant --reward revenue --horizon 5000

test: $(READY) system ## every test
	$(BIN)/pytest

quick: $(READY) ## the tests that take no more than a few seconds each
	$(BIN)/pytest -m "not slow"

lint: $(READY) ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## mypy --strict
	$(BIN)/mypy --strict

imports: $(READY) ## the direction of the arrows
	$(BIN)/lint-imports

docs: $(READY) ## the documentation, into site/; a warning is an error
	$(BIN)/python docs/generate.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

experiments: $(READY) ## every experiment of the paper at its quick preset
	$(BIN)/python experiments/run_all.py --preset quick

check: lint types imports docs test ## all that must hold before a change lands

clean: ## forget what was installed and built
	rm -rf $(VENV) site build dist

# PyTorch comes first and pinned: a plain range would pull gigabytes of CUDA packages.
$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet torch==2.13.0
	$(BIN)/pip install --quiet --editable ".[dev,rl,data]"
	touch $@

# The test of the report looks at it in a real browser, and fails where there is none.
system:
	@command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium >/dev/null; } \
	  || echo "no chromium here: install it, or the test that looks at the report in it will fail"
