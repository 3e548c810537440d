# Two commands set up everything: `make demo` and `make test`. They need Python >= 3.10, make and a package index.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2

# Tests start many processes: compiled modules are kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-long quick lint checked interop onnx package-names packages compare bench bench-peers docs stubs apidocs runtime-wheel test-all test-lowest every clean help

help:
	@echo "make demo      create $(VENV), install, train and ship the digits model"
	@echo "make test      create $(VENV) with the dev extra; ruff, mypy and all tests, a few minutes;"
	@echo "               random programs are those of the day: make test TEST_DAY=2026-11-22 has those of that day"
	@echo "make test-long the same with many more random programs, and each case checked in all ways"
	@echo "make quick     the tests without ruff, mypy and the slow ones"
	@echo "make compare   five trainings of 100 steps beside the losses that PaddlePaddle 2.6.2 has"
	@echo "make onnx      run the node tests of the ONNX package, in an environment of its own"
	@echo "make interop   compare with real PaddlePaddle 2.6.2 in an environment of its own"
	@echo "make package-names FOLDERS='a b'  names of PaddlePaddle 2.6.2 that the packages in these folders use and that are missing here"
	@echo "make packages  published packages, unmodified, beside PaddlePaddle 2.6.2, and their table in docs/packages.md, some hours;"
	@echo "               PACKAGES='einops pgl' runs some, QUICK=--quick leaves out Paddle's static mode, which takes most of the time"
	@echo "make bench     benchmarks, side by side with hand-written NumPy, into docs/performance.md and the README"
	@echo "make bench-peers the same beside PaddlePaddle in an environment of its own, and beside the frameworks of PEERS"
	@echo "make docs      put real output into the README and the tour again"
	@echo "make stubs     the names that editors and type checkers see, from the packages' tables of names"
	@echo "make apidocs   the API reference as a site, into out/apidocs"
	@echo "make runtime-wheel the wheel to_static-runtime, what prediction needs, into dist (docs/deploy.md)"
	@echo "make test-all  the tests on every Python from 3.10 to 3.13 that is installed"
	@echo "make test-lowest the tests with Python 3.10 and the lowest versions that setup.cfg allows; TESTS='tests/core tests/compiler/ops' runs some"

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("to_static needs Python 3.10 or newer" if sys.version_info < (3, 10) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.samples: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[samples]'
	@touch $@

$(VENV)/.dev: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.samples

demo: $(VENV)/.samples
	$(BIN)/python samples/digits.py

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/mypy

# Collecting compiles the package and the tests once, for all processes of pytest, while mypy uses the other core.
$(VENV)/.compiled: | $(VENV)/.dev
	$(BIN)/python -m pytest -qq --collect-only -p no:xdist > /dev/null || true
	@touch $@

PYTEST = $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

checked: $(VENV)/.dev
	@$(MAKE) --no-print-directory -j2 lint $(VENV)/.compiled

test: checked
	$(PYTEST)

test-long: checked
	TEST_LONG=1 HYPOTHESIS_PROFILE=fresh $(PYTEST) --timeout 3000

every: $(VENV)/.dev
	$(PYTEST) $(TESTS)

quick: $(VENV)/.dev
	$(PYTEST) -m "not slow"

.venv-interop/.ready:
	$(PYTHON) -m venv .venv-interop
	.venv-interop/bin/python -m pip install --quiet --disable-pip-version-check 'paddlepaddle==2.6.2' 'numpy<2' setuptools
	@touch $@

.venv-onnx/.ready:
	$(PYTHON) -m venv .venv-onnx
	.venv-onnx/bin/python -m pip install --quiet --disable-pip-version-check onnx onnxruntime onnxslim onnxsim -e '.[dev]'
	touch $@

onnx: .venv-onnx/.ready
	.venv-onnx/bin/python -m pytest tests/compiler/formats/onnx -q
	.venv-onnx/bin/python -m tests.interop.onnx.node_cases

interop: $(VENV)/.dev .venv-interop/.ready
	$(BIN)/python -m pytest -m interop tests/interop -o addopts= -q

package-names: $(VENV)/.dev .venv-interop/.ready
	$(BIN)/python -m tests.interop.package_names --paddle $(CURDIR)/.venv-interop/bin/python $(FOLDERS)

# Two environments of one Python, since both sides import the same packages: the newest that goes with packages of Paddle 2.6.
PACKAGES_PYTHON ?= python3.10
.venv-packages/.ready:
	$(PACKAGES_PYTHON) -m venv .venv-packages/paddle
	$(PACKAGES_PYTHON) -m venv .venv-packages/ours
	.venv-packages/paddle/bin/python -m pip install --quiet --disable-pip-version-check 'paddlepaddle==2.6.2' 'numpy<2' 'setuptools<70'
	.venv-packages/ours/bin/python -m pip install --quiet --disable-pip-version-check -e . 'numpy<2' 'setuptools<70'
	@touch $@

packages: $(VENV)/.dev .venv-packages/.ready
	$(BIN)/python -m tests.interop.packages --write docs/packages.md $(QUICK) $(PACKAGES)

compare: $(VENV)/.dev
	$(BIN)/python -m tests.training.compare_curves

bench: $(VENV)/.samples
	$(BIN)/python benchmarks/suite.py --write
	$(BIN)/python tests/docs/fresh.py README.md

# PEERS are interpreters of environments with other frameworks (torch; jax; onnxruntime and onnx); real PaddlePaddle is installed by this:
# make bench-peers PEERS='.venv-interop/bin/python /path/to/torch/bin/python /path/to/jax/bin/python'
PEERS ?= .venv-interop/bin/python
bench-peers: $(VENV)/.samples .venv-interop/.ready
	$(BIN)/python benchmarks/suite.py --write --peer $(PEERS)
	$(BIN)/python tests/docs/fresh.py README.md

docs: $(VENV)/.dev
	$(BIN)/python tests/docs/fresh.py

stubs: $(VENV)/.dev
	$(BIN)/python -W ignore -m tests.api.stubs

$(VENV)/.docs: setup.cfg pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@

apidocs: $(VENV)/.docs
	$(BIN)/python docs/apidocs.py

runtime-wheel:
	$(PYTHON) wheels/runtime_wheel.py dist

# PYTHONS may name interpreters by path: make test-all PYTHONS='/opt/python3.10/bin/python3 python3.13'
PYTHONS ?= python3.10 python3.11 python3.12 python3.13
test-all:
	@for python in $(PYTHONS); do \
	  if version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null); then \
	    echo "== Python $$version"; $(MAKE) --no-print-directory PYTHON=$$python VENV=.venv-$$version every || exit 1; \
	  else echo "== $$python does not run here"; fi; \
	done

# The packages that are needed at run time in the versions of setup.cfg itself; those of the dev extra are the newest that go with them.
LOWEST_PYTHON ?= python3.10
LOWEST := .venv-lowest
test-lowest:
	@mkdir -p $(LOWEST)
	@$(LOWEST_PYTHON) -c "import configparser as c; s = c.ConfigParser(); s.read('setup.cfg'); \
	  print(s['options']['install_requires'].replace('>=', '==').strip())" > $(LOWEST)/lowest.txt
	PIP_CONSTRAINT=$(CURDIR)/$(LOWEST)/lowest.txt $(MAKE) --no-print-directory PYTHON=$(LOWEST_PYTHON) VENV=$(LOWEST) every

clean:
	rm -rf .venv .venv-* build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
