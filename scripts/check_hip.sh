#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Compiles every .cu file of src for AMD's GPUs, warnings as errors, and device images of programs; no GPU is
# needed, and none has run the result. Objects are thrown away: what counts is that hipcc takes the code.
#   scripts/check_hip.sh FLAGS...     include folders and definitions of the build
# The compiler is $HIPCC, or the first hipcc of: PATH, /opt/rocm/bin (Debian: package hipcc, 66 MB). Without
# one: exit code 77, which ctest shows as skipped.
source "$(dirname "$0")/common.sh"

architecture=gfx90a

hipcc=
for candidate in "${HIPCC:-}" "$(command -v hipcc || true)" /opt/rocm/bin/hipcc; do
    if [ -x "$candidate" ]; then
        hipcc=$candidate
        break
    fi
done
if [ -z "$hipcc" ]; then
    say "skipped: no hipcc on the PATH or in /opt/rocm/bin (Debian and Ubuntu: apt-get install hipcc)"
    exit 77
fi
objects=$(mktemp -d)
trap 'rm -r "$objects"' EXIT
flags=(-x hip --offload-arch="$architecture" -std=c++20 -O1 -ffp-contract=off -isystem cmake/hip
       -include hip/hip_runtime.h -DHALOCLINE_HAS_HIP=1 -Wall -Wextra -Wno-missing-braces -Werror "$@")

# hip_runtime.h comes first: its memcpy for devices must be there before <cstring> makes it std::memcpy.
# Without --version hipcc looks for a GPU.
say "$("$hipcc" --version 2>/dev/null | sed -n 's/.*\(clang version [0-9.]*\).*/hipcc, \1/p') for $architecture"
mapfile -t sources < <(find src -name '*.cu' | sort)
[ "${#sources[@]}" -gt 0 ] || fail 1 "no .cu file found under src."
for source in "${sources[@]}"; do
    "$hipcc" "${flags[@]}" -c "$source" -o "$objects/source.o" ||
        fail 1 "hipcc does not take $source (its messages are above)."
    echo "  $source"
done

# Device images, as HaloclineDevices.cmake makes them.
for source in src/halocline/solver/mgcfd/solver.cpp src/halocline/solver/advection_diffusion/solver.cpp \
    examples/07_on_a_gpu/main.cpp benchmarks/loop/airfoil.cpp; do
    printf '#define HALOCLINE_DEVICE_IMAGE 1\n#define HALOCLINE_SOURCE "%s"\n#include "%s"\n' \
        "$source" "$PWD/$source" >"$objects/image.cu"
    "$hipcc" "${flags[@]}" -Wno-unused -Ibenchmarks -c "$objects/image.cu" -o "$objects/image.o" ||
        fail 1 "hipcc does not take $source as a device image (its messages are above)."
    echo "  $source as a device image"
done
