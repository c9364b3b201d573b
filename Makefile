# Two commands are enough: `make run` serves the registry here, `make test` runs every check.

PORT ?= 8000
VENV := .venv
PY := $(VENV)/bin/python
# The target that creates the environment while there is none; everything is then installed again.
NEW := $(if $(realpath $(PY)),,environment)
# The pinned lists are complete, so pip must not resolve anything: it would look at newer releases
# that are not in a list, and refuse them because they have no digest.
PIP := $(PY) -m pip install --quiet --disable-pip-version-check --no-input --require-hashes --no-deps

# A file in .venv says which pinned requirements are installed; its age is theirs.
RUNTIME := $(VENV)/installed-runtime
DEV := $(VENV)/installed-dev
VENDOR := static/vendor/contents.txt

# The first Python here that is new enough; PYTHON= names another.
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$python && break; done)

# Settings of production, for Django's checks of them. Nothing is opened.
PRODUCTION := REGISTRY_MODE=production \
	REGISTRY_SECRET_KEY=checks-settings-only-0123456789-abcdefghijklmnopqrstuvwxyz \
	REGISTRY_HOSTS=registry.example \
	REGISTRY_SITE=https://registry.example \
	REGISTRY_DATABASE_URL=sqlite:///var/registry.sqlite3 \
	REGISTRY_EMAIL_URL=smtp+tls://registry:secret@mail.registry.example:587 \
	REGISTRY_MAIL_FROM=registry@registry.example \
	REGISTRY_TRUSTED_PROXIES=1

# One worker per core; one that has nothing left takes tests from the others. ARGS= comes last and
# can override this, for example with -n 0.
PARALLEL := -n logical --maxprocesses 8 --dist worksteal
PYTEST := $(PY) -m pytest $(PARALLEL)
BROWSER := REGISTRY_TEST_BROWSER="$$($(PY) -m tools.browser)"
# AREA=web/review means tests/web/review/ or tests/web/test_review*.py; all tests without it.
AREA ?=
AREAS = $(or $(wildcard $(addsuffix /,tests/$(AREA)) tests/$(dir $(AREA))test_$(notdir $(AREA))*.py), \
	$(error There are no tests at tests/$(AREA)/ or tests/$(dir $(AREA))test_$(notdir $(AREA))*.py))
# What `make test-all` runs: all of it, or with WHOLE=rest what `make test` leaves out.
WHOLE ?= all
POSTGRESQL := tests/test_postgresql.py

# The tests whose size can be set: small in `make tests`, full in `make soak`.
SOAKED := tests/scheduler/test_year_and_a_half.py tests/scheduler/test_at_once.py \
	tests/workflow/test_invariants.py \
	tests/workflow/test_invariants_at_once.py \
	tests/workflow/test_matrix.py tests/live/test_kill.py tests/live/test_mixed_load.py \
	tests/live/test_standby.py tests/web/test_hostile_forms.py tests/browser/test_accessibility.py \
	tests/browser/test_list.py tests/browser/test_search.py tests/browser/test_payloads.py
# Those with random input: the same in each `make tests`, new in each `make soak`.
DRAWN = $(shell grep -rl --include='test_*.py' '^@given' tests)

export PORT
# Tests start Python often; compiling its modules each time takes longer than many tests.
unexport PYTHONDONTWRITEBYTECODE

# Only `make test` runs two targets at a time, by calling make once more.
ifeq ($(MAKELEVEL),0)
.NOTPARALLEL:
endif
.DEFAULT_GOAL := help
.PHONY: help run test sample test-all checks lint types templates migrations deploy-check tests browser \
	postgresql test-tools benchmarks attack mutants peers forgeries soak format strings install python port environment pins sbom wheel clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

run: port $(RUNTIME) $(VENDOR) ## Serve the registry on http://127.0.0.1:8000, or PORT=
	@export REGISTRY_SITE="$${REGISTRY_SITE:-http://127.0.0.1:$(PORT)}"; \
	$(PY) manage.py demonstration && exec $(PY) -m tools.serving

test: $(DEV) $(VENDOR) ## Run every check and test of eight minutes; AREA=web/review those of one area
	@$(MAKE) --no-print-directory -j2 checks sample

# Types are checked on one core: meanwhile the tests begin on the other.
sample: $(DEV) $(VENDOR)
	@$(BROWSER) $(PYTEST) --whole sample $(if $(AREA),$(AREAS),--sums) $(ARGS)

test-all: checks tests browser postgresql ## Run all tests with real steps: three parts that can run side by side
	@$(PY) -m tools.test_tools --list

checks: lint types templates migrations deploy-check ## Run the checks that start no test

lint: $(DEV) ## Check style and layout of the Python code
	$(PY) -m ruff check
	$(PY) -m ruff format --check

types: $(DEV) ## Check type annotations
	$(PY) -m mypy

templates: $(DEV) ## Check the layout of the page templates
	find templates registry -name '*.html' -exec \
		$(VENV)/bin/djade --check --target-version 5.2 {} +

migrations: $(DEV) ## Check that no migration is missing
	$(PY) manage.py makemigrations --check --dry-run

deploy-check: $(DEV) ## Check the settings of production
	$(PRODUCTION) $(PY) manage.py check --deploy --fail-level WARNING

tests: $(DEV) $(VENDOR) ## The first part of test-all: whatever needs neither browser nor PostgreSQL
	@REPLAY=0 $(PYTEST) --whole $(WHOLE) --ignore tests/browser --ignore $(POSTGRESQL) $(ARGS)

browser: $(DEV) $(VENDOR) ## The second part of test-all: pages in Chromium
	@$(BROWSER) REPLAY=0 $(PYTEST) --whole $(WHOLE) tests/browser $(ARGS)

postgresql: $(DEV) $(VENDOR) ## The third part of test-all: what touches the database, on PostgreSQL
	$(PY) -m pytest -n 0 $(POSTGRESQL) $(ARGS)

test-tools: $(DEV) ## Install what test-all wants and this machine lacks, with apt-get
	@$(PY) -m tools.test_tools

benchmarks: $(DEV) $(VENDOR) ## Measure everything and write the tables of benchmarks/README.md, in ten minutes
	@$(PY) -m benchmarks $(ARGS)

attack: $(DEV) $(VENDOR) ## Try 5,000 cases of the API and 2,000 posts at forms, REGISTRY_TEST_ATTACK_CASES=, _POSTS=
	@REGISTRY_TEST_ATTACK_CASES="$${REGISTRY_TEST_ATTACK_CASES:-5000}" \
	REGISTRY_TEST_ATTACK_POSTS="$${REGISTRY_TEST_ATTACK_POSTS:-2000}" \
	$(PY) -m pytest -s tests/live/test_attack.py tests/live/test_attack_forms.py $(ARGS)

mutants: $(DEV) ## Change the code in 300 places drawn at random and name the lines that no test notices
	@$(PY) -m tools.mutants $(ARGS)

soak: $(DEV) $(VENDOR) ## Run the tests that take hours: the scheduler day by day, 300 courses, every kill and cell
	@$(BROWSER) REGISTRY_TEST_SOAK_STEP=1 REGISTRY_TEST_SOAK_LOOK=1 REGISTRY_TEST_SOAK_KILL=1 \
	REGISTRY_TEST_SOAK_CELLS=all REGISTRY_TEST_SOAK_LOOKS=all \
	REGISTRY_TEST_SOAK_COURSES="$${REGISTRY_TEST_SOAK_COURSES:-300}" \
	REGISTRY_TEST_SOAK_FORMS="$${REGISTRY_TEST_SOAK_FORMS:-3}" \
	REGISTRY_TEST_SOAK_SECONDS="$${REGISTRY_TEST_SOAK_SECONDS:-300}" \
	$(PY) -m pytest $(PARALLEL) $(SOAKED) $(DRAWN) $(ARGS)

# The tests of DCAT-AP need its shapes: REGISTRY_TEST_DCAT_AP= names their folder.
peers: $(DEV) $(VENDOR) ## Test pages, logs, graphs, API and reconciliation with other people's programs; downloads them
	@REGISTRY_TEST_PEERS=yes $(PY) -m pytest -n 0 -rs tests/peers tests/live/test_description.py \
	tests/live/test_generated_client.py tests/live/test_readers.py \
	tests/transparency/test_peers.py tests/transparency/test_merkle.py $(ARGS)

forgeries: $(DEV) ## Forge a log of 10,000 entries and its dump 1,000 times each; all must be detected
	@REGISTRY_TEST_LOG_MUTATIONS=1000 REGISTRY_TEST_LOG_ENTRIES=10000 \
	$(PY) -m pytest -n auto --dist load tests/transparency/test_dumps.py tests/transparency/test_forged_logs.py $(ARGS)

format: $(DEV) ## Lay out Python code and page templates as the checks want them
	$(PY) -m ruff check --fix --exit-zero
	$(PY) -m ruff format
	find templates registry -name '*.html' -exec $(VENV)/bin/djade --target-version 5.2 {} +

strings: $(RUNTIME) ## Write the catalogue of what people read, in locale/; asks for GNU gettext
	@$(PY) -m tools.catalogue

install: $(RUNTIME) $(VENDOR) ## Install what the registry runs on, and no more

python:
	@$(or $(PYTHON),false) -c '$(NEW_ENOUGH)' 2>/dev/null || { \
		echo "The registry needs Python 3.11 or newer; PYTHON= says where it is."; exit 1; } >&2

port: $(if $(NEW),python)
	@$(if $(NEW),$(PYTHON),$(PY)) -m tools.port "$(PORT)"

environment: python
	@$(PYTHON) -m tools.environment $(VENV)

$(RUNTIME): requirements.txt $(NEW)
	@echo "Installing requirements.txt"
	@$(PIP) -r requirements.txt
	@touch $@

$(DEV): requirements-dev.txt $(NEW)
	@echo "Installing requirements-dev.txt"
	@$(PIP) -r requirements-dev.txt
	@touch $@

$(VENDOR): package-lock.json requirements-node.txt tools/vendor.py | $(NEW)
	@$(PY) -m tools.vendor

# For newer versions edit package.json, then run this; review the difference before trusting it.
pins: $(NEW) ## Pin the newest versions that requirements*.in and package.json allow
	@$(PY) -m pip install --quiet --disable-pip-version-check uv
	@$(PY) -m tools.pins

sbom: $(DEV) ## Write a bill of materials of what the registry runs on, in dist/sbom.json
	@$(PY) -m tools.sbom dist/sbom.json

wheel: $(DEV) ## Build the library of URNs as a wheel of its own, in dist/
	@$(PY) -m hatchling build --target wheel --directory dist

clean: ## Remove everything that was made, the data of the demonstration too
	rm -rf $(VENV) node_modules static/vendor var dist .cache .hypothesis
