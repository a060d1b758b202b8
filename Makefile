# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The commands a user types; each one is a script of a few lines in scripts/.

.DEFAULT_GOAL := help
.PHONY: help bootstrap configure build demo test test-apps test-gpu test-all bench lint docs format clean distclean

# One goal after another: the goals share the build folder.
.NOTPARALLEL:

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'
	@echo "  First time: 'make demo' installs what is missing, builds, and runs Rotor 37."

bootstrap:  ## Install missing system packages and the Python environment (.venv)
	@scripts/bootstrap.sh

build:  ## Build everything; commands appear in .venv/bin
	@scripts/build.sh

demo:  ## Make the Rotor 37 mesh, run mgcfd on all cores, show table and picture
	@scripts/build.sh --programs
	@scripts/demo.sh

test:  ## Run the C++ and Python tests
	@scripts/build.sh --test
	@scripts/test.sh

test-apps: build  ## Run the tools on Quantum ESPRESSO and OpenFOAM (installs 820 MB)
	@scripts/test_apps.sh

test-gpu:  ## Build with CUDA and run the tests of a machine with a GPU
	@scripts/test_gpu.sh

test-all: build  ## The same, slow tests included
	@scripts/test.sh --slow

bench: build  ## Measure and print the benchmark tables
	@scripts/bench.sh
	@scripts/bench_snapshot.sh

lint:  ## Check format, layers, types and common mistakes
	@scripts/lint.sh

docs:  ## Build the API reference of the C++ library: build/docs/index.html
	@scripts/docs.sh

format:  ## Rewrite all sources in the project's format
	@scripts/lint.sh --fix

clean:  ## Remove build folders; keeps .venv
	rm -rf build build-cuda build-developer build-mpich build-sanitize build-portable build-fuzz build-lint

distclean: clean  ## Remove .venv too
	rm -rf .venv
