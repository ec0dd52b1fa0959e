# make run: the dashboard.  make test: the checks and the tests.  Each works alone on a fresh checkout.
# make test-long: the tests that take too long for make test.
# make wheel: one file to install elsewhere.  make screenshots: the pictures of the README.
# make test-gest: BOLT inside Xopt, in an environment of its own; not part of make test.
PYTHON ?= python3
VENV ?= .venv
GEST_VENV ?= .venv-gest
BIN := $(VENV)/bin
PORT ?= 8501
WORKERS ?= 2
BROWSER_WORKERS ?= 2
GIVING_WAY := nice -n 10

# Bytecode is kept, also where the environment forbids it: dozens of processes would compile anew.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: run test check unit browser test-long coverage test-gest wheel screenshots clean

run: $(VENV)/installed
	$(BIN)/streamlit run app.py --server.port $(PORT)

# Browser tests wait for much of their time: the other tests run beside them, at a lower priority.
test: $(VENV)/installed
	@echo "Checks, tests and browser tests run side by side; the output of each comes at its end."
	$(MAKE) --no-print-directory --output-sync --jobs 3 browser unit check

check: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/installed
	$(GIVING_WAY) $(BIN)/python -m pytest --ignore=tests/browser -n $(WORKERS) --dist worksteal

test-long: $(VENV)/installed
	$(BIN)/python -m pytest -m long -n $(WORKERS) --dist worksteal

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
