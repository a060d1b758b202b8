#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Builds with CUDA in build-cuda and runs what needs a GPU: loop shapes, mathematics, layouts, programs, examples and
# mgcfd, all against the bits of the serial back end.
#   scripts/test_gpu.sh                 needs nvcc 12 or newer; without a GPU the tests say so and are skipped
source "$(dirname "$0")/common.sh"

"$top/scripts/bootstrap.sh"
export PATH="$venv/bin:/usr/local/cuda/bin:$PATH"
command -v "${CUDACXX:-nvcc}" >/dev/null ||
    fail 4 "there is no nvcc (neither on the PATH nor in /usr/local/cuda/bin). Install the CUDA toolkit or set CUDACXX."
mkdir -p "$top/build-cuda"
cmake --preset cuda >"$top/build-cuda/configure.log" 2>&1 || {
    tail -n 30 "$top/build-cuda/configure.log" >&2
    fail 4 "CMake could not configure the build with CUDA (its last lines are above)."
}
cmake --build --preset cuda --parallel "${HALOCLINE_BUILD_JOBS:-$(cores)}" \
    --target backend_shapes backend_unit_test devices 07_on_a_gpu 08_airfoil mgcfd halocline_test_short_naps ||
    fail 5 "the build with CUDA failed (the compiler's message is above)."
ctest --preset cuda
