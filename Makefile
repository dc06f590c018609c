# Commands for working on the checkout. README.md shows the plain commands beside these.

DISTRIBUTIONS := tools/core tools/doctor tools/fuzz tools/reality tools/stdio_guard tools/lint orchestrator
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
VENV := .venv
PY := $(VENV)/bin/python
READY := $(VENV)/.workspace
NODE_SERVERS := tests/node/node_modules/.package-lock.json
JOBS ?= 2
ARGS ?=

.DELETE_ON_ERROR:
.PHONY: help setup test check demo wheels bench rules-index mutate requirements clean

help:
	@echo "make setup         create $(VENV) with pinned dependencies and the seven distributions"
	@echo "make test          set up, then run all tests (ARGS='-k name' to choose)"
	@echo "make check         lint, format, types on three platforms, import arrows"
	@echo "make demo          check a server with planted defects, then its mended twin"
	@echo "make wheels        build the seven wheels into dist/"
	@echo "make bench         measure start-up and run times"
	@echo "make rules-index   write again what is made of the declarations: index, rules.json, schemas"
	@echo "make mutate        break each condition of the rules and see a test turn red (ARGS='--tool fuzz')"
	@echo "make requirements  pin requirements.in again"
	@echo "make clean         remove what the commands above made"

setup: $(READY)

$(READY): requirements.txt $(DISTRIBUTIONS:%=%/pyproject.toml)
	@test -n "$(PYTHON)" || { echo "make: no Python 3.11 or newer found; set PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation $(DISTRIBUTIONS:%=-e %)
	@touch $@

$(NODE_SERVERS): tests/node/package-lock.json
	@if ! command -v npm >/dev/null 2>&1; then \
		echo "node and npm are not installed: the tests that need them will be skipped"; \
	elif (cd tests/node && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error); then \
		touch $@; \
	else \
		rm -rf tests/node/node_modules; \
		echo "npm could not install the servers in tests/node: the tests that need them will be skipped"; \
	fi

test: $(READY) $(NODE_SERVERS)
	$(PY) -m pytest -n $(JOBS) --dist worksteal -rs $(ARGS)

check: $(READY)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m mypy --platform win32 -p mcp_check_core
	$(PY) -m mypy --platform darwin -p mcp_check_core
	$(VENV)/bin/lint-imports

demo: $(READY)
	@echo "== A server with planted defects"
	@code=0; $(VENV)/bin/mcp-trust-check --fail-on block -- $(PY) tests/servers/demo/planted.py || code=$$?; \
		echo "exit code: $$code"; test $$code -eq 1
	@echo
	@echo "== The same server, mended"
	@code=0; $(VENV)/bin/mcp-trust-check --fail-on block -- $(PY) tests/servers/demo/fixed.py || code=$$?; \
		echo "exit code: $$code"; test $$code -eq 0

wheels: $(READY)
	@for folder in $(DISTRIBUTIONS); do \
		$(PY) -m build --wheel --no-isolation --outdir dist $$folder >/dev/null || exit 1; \
	done
	@ls -1 dist

bench: $(READY) $(NODE_SERVERS)
	$(PY) -m benchmarks

rules-index: $(READY)
	$(PY) scripts/rules_index.py

mutate: $(READY)
	$(PY) scripts/mutate_rules.py --jobs $(JOBS) $(ARGS)

requirements: $(READY)
	$(VENV)/bin/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --python-version 3.11 \
		--custom-compile-command "make requirements" --output-file requirements.txt requirements.in

clean:
	rm -rf $(VENV) dist build tests/node/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf .import_linter_cache .coverage htmlcov __pycache__
	find tools orchestrator tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
