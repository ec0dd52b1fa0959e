# make run: the dashboard.  make test: every check and test.  Each works alone on a fresh checkout.
# make wheel: one file to install elsewhere.  make screenshots: the pictures of the README.
# make test-gest: BOLT inside Xopt, in an environment of its own; not part of make test.
PYTHON ?= python3
VENV ?= .venv
GEST_VENV ?= .venv-gest
BIN := $(VENV)/bin
PORT ?= 8501
WORKERS ?= 2
BROWSER_WORKERS ?= 3

# Bytecode is kept, also where the environment forbids it: dozens of processes would compile anew.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: run test check unit browser coverage test-gest wheel screenshots clean

run: $(VENV)/installed
	$(BIN)/streamlit run app.py --server.port $(PORT)

test: $(VENV)/installed
	$(MAKE) --no-print-directory --output-sync --jobs 2 check unit
	$(MAKE) --no-print-directory browser

check: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/installed
	$(BIN)/python -m pytest --ignore=tests/browser -n $(WORKERS) --dist worksteal

coverage: $(VENV)/installed
	$(BIN)/python -m pytest --ignore=tests/browser -n $(WORKERS) --cov --cov-report=term

browser: $(VENV)/installed
	.ci/chromium
	$(BIN)/python -m pytest tests/browser -n $(BROWSER_WORKERS) --dist loadgroup

$(VENV)/installed: pyproject.toml setup.py constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "BOLT needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) tools/install.py $(VENV)
	@touch $@

test-gest: $(GEST_VENV)/installed
	$(GEST_VENV)/bin/python -m pytest tests/gest --confcutdir=tests/gest -W default

# BOLT itself is taken from this folder; what the generator needs comes with Xopt.
$(GEST_VENV)/installed: pyproject.toml constraints.txt
	@echo "Installing Xopt and its packages into $(GEST_VENV): 1.5 GB, 2 to 10 minutes, once."
	@$(PYTHON) -m venv $(GEST_VENV)
	@$(GEST_VENV)/bin/pip install -qq --disable-pip-version-check -c constraints.txt gest-api xopt pytest
	@touch $@

wheel: $(VENV)/installed
	rm -rf build dist
	$(BIN)/pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@ls dist

screenshots: $(VENV)/installed
	$(BIN)/python -m tools.screenshots

clean:
	rm -rf $(VENV) $(GEST_VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage build dist *.egg-info
