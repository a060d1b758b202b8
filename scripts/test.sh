#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Runs ctest and pytest, builds the MPI tests against MPICH meanwhile and runs them; all to the end, and
# closes with the totals.
#   scripts/test.sh [--slow]            --slow includes the tests labelled slow
# Most tests wait most of the time, for launchers and for ends of time limits: alone, ctest keeps half of
# the cores busy, pytest two thirds. So all three run at once: twice as many tests of ctest as there are
# cores, and a worker of pytest more than cores. Tests that judge whose time is whose run alone at the end.
source "$(dirname "$0")/common.sh"

ctest_filter=(-LE slow)
pytest_choice="not slow and not apps"
if [ "${1:-}" = --slow ]; then
    ctest_filter=()
    pytest_choice="not apps"
fi
"$top/scripts/bootstrap.sh" --test
export PATH="$venv/bin:$PATH"
share_cores
logs="$top/build/test-logs"
mkdir -p "$logs"
at_once=$((2 * $(cores)))

say "C++ tests (ctest) in the background, shown at the end: build/test-logs/ctest.log"
# ctest honours PROCESSORS: a test on three ranks counts three, however few cores there are.
in_background ctest --test-dir build --output-on-failure --no-tests=error --parallel "$at_once" \
    "${ctest_filter[@]}" >"$logs/ctest.log" 2>&1
say "building for MPICH in the background with what the tests leave idle: build/test-logs/mpich.log"
in_background nice "$top/scripts/test_mpich.sh" --build >"$logs/mpich.log" 2>&1

say "Python tests (pytest)"
pytest_status=0
"$venv/bin/python" -m pytest --numprocesses "$(($(cores) + 1))" --dist loadgroup --durations 40 \
    -m "$pytest_choice and not alone" 2>&1 |
    tee "$logs/pytest.log" || pytest_status=$?

say "C++ tests (ctest)"
ctest_status=0
wait "${jobs[0]}" || ctest_status=$?
cat "$logs/ctest.log"

# Alone: MPICH's ranks wait without giving way.
say "C++ tests with MPICH (ctest)"
mpich_status=0
wait "${jobs[1]}" || mpich_status=$?
if [ "$mpich_status" -eq 0 ]; then
    "$top/scripts/test_mpich.sh" --run 2>&1 | tee -a "$logs/mpich.log" || mpich_status=$?
else
    tail -n 50 "$logs/mpich.log"
fi

say "Python tests of what others on the cores would change (pytest)"
alone_status=0
# Ranks that give way while they wait take turns in truth.
unset OMPI_MCA_mpi_yield_when_idle OMP_WAIT_POLICY
"$venv/bin/python" -m pytest -m "$pytest_choice and alone" 2>&1 | tee "$logs/alone.log" || alone_status=$?

# The last line of a log in which pytest or ctest sums up.
total() { # total LOG
    grep -E 'tests passed|(passed|failed|error|no tests ran).* in [0-9]' "$logs/$1" | tail -n 1 || echo 'no totals (see above)'
}

echo
say "totals"
echo "  ctest:  $(total ctest.log)"
echo "  pytest: $(total pytest.log)"
echo "  MPICH:  $(total mpich.log)"
echo "  alone:  $(total alone.log)"
if [ "$ctest_status$pytest_status$mpich_status$alone_status" != 0000 ]; then
    fail 1 "tests FAILED (status of ctest $ctest_status, pytest $pytest_status, MPICH $mpich_status, alone $alone_status; logs in build/test-logs)"
fi
say "all tests passed"
