# Each target does all its own set-up: `make demo` and `make test` work on a fresh machine with Python 3.11 or newer.
PYTHON := .venv/bin/python

.PHONY: demo test test-all lint bench clean
.DEFAULT_GOAL := help

help:
	@echo "make demo      set up, read the example documents, ask one English and one Arabic question"
	@echo "make test      set up, run the tests"
	@echo "make test-all  set up, run the slow tests too"
	@echo "make lint      set up, check style, types and import contracts"
	@echo "make bench     set up, measure a short form of every benchmark (needs DALIL_DATA)"

.venv/ready-core: pyproject.toml constraints.txt scripts/environment
	@scripts/environment core

.venv/ready-dev: pyproject.toml constraints.txt scripts/environment
	@scripts/environment dev

demo: .venv/ready-core
	@scripts/demo

test: .venv/ready-dev
	$(PYTHON) -m pytest -m "not slow"

test-all: .venv/ready-dev
	$(PYTHON) -m pytest --timeout 1800

lint: .venv/ready-dev
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	.venv/bin/lint-imports

bench: .venv/ready-dev
	$(PYTHON) -m benchmarks

clean:
	rm -rf .venv .demo .cache
