#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The body of `make bench`; options are those of benchmarks/run_benchmarks.py.
#   scripts/bench.sh                    1 M nodes, 5 repetitions: about a quarter of an hour
#   scripts/bench.sh --quick            tries the script in seconds; its numbers mean nothing
#   scripts/bench.sh --publish          also fills README, docs/benchmarks.md and benchmarks/results/
source "$(dirname "$0")/common.sh"

[ -x "$venv/bin/mgcfd" ] || fail 4 "mgcfd is not built (.venv/bin/mgcfd is missing). Run make build first."
exec "$venv/bin/python" benchmarks/run_benchmarks.py "$@"
