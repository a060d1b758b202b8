#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Runs ctest, then pytest, then the MPI tests against MPICH, all to the end, and closes with the totals.
#   scripts/test.sh [--slow]            --slow includes the tests labelled slow
source "$(dirname "$0")/common.sh"

ctest_filter=(-LE slow)
pytest_filter=(-m "not slow and not apps")
if [ "${1:-}" = --slow ]; then
    ctest_filter=()
    pytest_filter=(-m "not apps")
fi
"$top/scripts/bootstrap.sh" --test
export PATH="$venv/bin:$PATH"
logs="$top/build/test-logs"
mkdir -p "$logs"

# ctest honours PROCESSORS: a test on three ranks counts three, however few cores there are. Most tests
# wait most of the time, for launchers and for ends of time limits: twice as many as there are cores.
say "C++ tests (ctest)"
ctest_status=0
ctest --test-dir build --output-on-failure --no-tests=error --parallel "$((2 * $(cores)))" \
    "${ctest_filter[@]}" 2>&1 | tee "$logs/ctest.log" || ctest_status=$?

say "Python tests (pytest)"
pytest_status=0
"$venv/bin/python" -m pytest --numprocesses "$(cores)" --dist loadgroup "${pytest_filter[@]}" 2>&1 | tee "$logs/pytest.log" || pytest_status=$?

say "C++ tests with MPICH (ctest)"
mpich_status=0
"$top/scripts/test_mpich.sh" 2>&1 | tee "$logs/mpich.log" || mpich_status=$?

echo
say "totals"
echo "  ctest:  $(grep -E 'tests passed' "$logs/ctest.log" | tail -n 1 || echo 'no totals (see above)')"
echo "  pytest: $(grep -E '(passed|failed|error|no tests ran).* in [0-9]' "$logs/pytest.log" | tail -n 1 || echo 'no totals (see above)')"
echo "  MPICH:  $(grep -E 'tests passed' "$logs/mpich.log" | tail -n 1 || echo 'no totals (see above)')"
if [ "$ctest_status" -ne 0 ] || [ "$pytest_status" -ne 0 ] || [ "$mpich_status" -ne 0 ]; then
    fail 1 "tests FAILED (ctest status $ctest_status, pytest status $pytest_status, MPICH $mpich_status; logs in build/test-logs)"
fi
say "all tests passed"
