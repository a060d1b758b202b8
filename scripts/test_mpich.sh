#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Builds the library and its MPI tests against MPICH, and runs them: distribution, exchange, loops and
# the solver with every partitioner and halo scheme. Part of `make test`.
#   scripts/test_mpich.sh [--build | --run]      both by default; about two minutes on two cores the first time
source "$(dirname "$0")/common.sh"

do_build=yes do_run=yes
case "${1:-}" in
    "") ;;
    --build) do_run=no ;;
    --run) do_build=no ;;
    *) fail 2 "unknown option '$1' (test_mpich.sh knows --build and --run). Run it without options." ;;
esac
programs=(dist_errors dist_exact dist_exchange dist_device_halo dist_halo_choice dist_ledger
    dist_messages dist_properties loop_mpi_test solver_every_division)
folder="$top/build-mpich"

build() {
    "$top/scripts/bootstrap.sh"
    mkdir -p "$folder"
    # Nobody edits and rebuilds here: 24 sources at a time read their headers once.
    cmake -S "$top" -B "$folder" -G Ninja -DHALOCLINE_MPI=mpich -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=24 \
        >"$folder/configure.log" 2>&1 || {
        tail -n 30 "$folder/configure.log" >&2
        fail 4 "CMake could not configure the build with MPICH (its last lines are above). The whole log is build-mpich/configure.log."
    }
    cmake --build "$folder" --parallel "${HALOCLINE_BUILD_JOBS:-$(cores)}" --target "${programs[@]}" ||
        fail 5 "the build with MPICH failed (the compiler's message is above)."
}

export PATH="$venv/bin:$PATH"
if [ "$do_build" = yes ]; then build; fi
if [ "$do_run" = no ]; then exit 0; fi
# MPICH spins while it waits: more ranks than cores take minutes.
expression=$(IFS='|'; echo "^(${programs[*]})\\.np[12]\$")
ctest --test-dir "$folder" --output-on-failure --no-tests=error --tests-regex "$expression"
