# Tokboard: set up, run, check. `make help` lists the targets.
# Only Python 3.11+ (with venv and pip) and make are needed; everything installed goes into .venv.

# The interpreter that .venv is made with (make clean, to change it later).
PYTHON ?= python3
# Test processes; 0 runs all tests in one.
JOBS ?= 2
# What to test: files, or any pytest options.
TESTS ?=

# The one command that starts the server, here and on a platform.
WEB := $(shell sed -n 's/^web: //p' Procfile)
BIN := PATH="$$PWD/.venv/bin:$$PATH" &&
PIP := .venv/bin/python -m pip install --quiet --disable-pip-version-check
# Names under which a Chromium that the browser tests can use is found.
BROWSERS := chromium chromium-browser google-chrome google-chrome-stable
BROWSER_PACKAGES := chromium fonts-noto-core fonts-noto-color-emoji

# .venv is made anew when it is absent or half made, its Python has gone, or the checkout has moved (scripts hold full paths).
STALE := $(shell .venv/bin/python -c 'import pip' >/dev/null 2>&1 && grep -qF "$(CURDIR)/.venv" .venv/pyvenv.cfg || echo stale)

.PHONY: help run test lint format check browser clean FORCE
.DEFAULT_GOAL := help

help:
	@echo 'make run     set up what is missing, then serve (HOST, default 127.0.0.1; PORT, default 8000)'
	@echo 'make test    set up the test tools, then run every test (TESTS="path or pytest options", JOBS=processes)'
	@echo 'make lint    ruff and mypy'
	@echo 'make check   lint and test'
	@echo 'make format  let ruff rewrite the Python files'
	@echo 'make clean   remove everything that set-up and tests have made'
	@echo 'PYTHON=python3.12 chooses the interpreter that .venv is made with'

# exec: the server takes the place of the shell, so that a stop reaches it and nothing is left behind.
run: .venv/run.stamp
	@.venv/bin/python -m app.assets_fetch
	@$(BIN) export PATH && exec $(WEB)

test: .venv/dev.stamp browser
	@.venv/bin/python -m app.assets_fetch
	@.venv/bin/python -m pytest -n $(JOBS) --dist loadfile $(TESTS)

lint: .venv/dev.stamp
	@.venv/bin/python -m ruff check .
	@.venv/bin/python -m ruff format --check .
	@.venv/bin/python -m mypy

check: lint test

format: .venv/dev.stamp
	@.venv/bin/python -m ruff check --fix .
	@.venv/bin/python -m ruff format .

# Chromium from Debian's packages where that is possible; elsewhere the browser tests say in one line that they were skipped.
browser:
	@for name in "$$CHROMIUM" $(BROWSERS); do \
	  if [ -n "$$name" ] && command -v "$$name" >/dev/null 2>&1; then exit 0; fi; \
	done; \
	if [ "$$(id -u)" = 0 ] && grep -qx 'ID=debian' /etc/os-release 2>/dev/null; then \
	  echo 'Installing Chromium for the browser tests'; \
	  { apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends \
	    $(BROWSER_PACKAGES) >/dev/null; } </dev/null \
	    || echo 'Chromium could not be installed (see above); the browser tests go without it.' >&2; \
	fi

.venv/run.stamp: requirements.txt $(if $(STALE),FORCE)
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
	  echo "There is no '$(PYTHON)' on this machine. Install Python 3.11 or newer, or name one: make run PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Tokboard needs Python 3.11 or newer; '$(PYTHON)' is $$("$(PYTHON)" --version 2>&1). Name another: make run PYTHON=python3.12" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' comes without venv or pip. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@if [ -n "$(STALE)" ]; then \
	  echo "Making .venv with $$("$(PYTHON)" --version)"; \
	  "$(PYTHON)" -m venv --clear "$(CURDIR)/.venv"; \
	fi
	@echo 'Installing the packages of requirements.txt'
	@$(PIP) -r requirements.txt || { \
	  echo 'The packages could not be installed; pip says above why. The first run needs a package index, later ones do not.' >&2; exit 1; }
	@touch $@

.venv/dev.stamp: requirements-dev.txt .venv/run.stamp
	@echo 'Installing the test tools of requirements-dev.txt'
	@$(PIP) -r requirements-dev.txt
	@touch $@

clean:
	rm -rf .venv static/vendor .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find app tokcore tests -name __pycache__ -type d -prune -exec rm -rf {} +
