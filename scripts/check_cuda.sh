#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Compiles every .cu file of the tree for GPUs, warnings as errors, device images of programs, and one file
# that must be refused; no GPU is needed. Objects are thrown away: what counts is that nvcc takes the code.
#   scripts/check_cuda.sh NVCC-FLAGS...     flags of the build, with its include folders
# The compiler is $CUDACXX, or the first nvcc 12 or newer of: PATH, /usr/local/cuda, .venv (the wheels of
# the extra `nvcc` of pyproject.toml). Without one: exit code 77, which ctest shows as skipped.
source "$(dirname "$0")/common.sh"

architectures=(80 90)

nvcc_candidates() {
    printf '%s\n' "${CUDACXX:-}" "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc \
        "$venv"/lib/python3*/site-packages/nvidia/cu*/bin/nvcc
}

# Prints the first candidate that knows C++20; fails when there is none.
find_nvcc() {
    local candidate release
    while read -r candidate; do
        [ -x "$candidate" ] || continue
        release=$("$candidate" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
        if [ "${release:-0}" -ge 12 ]; then
            echo "$candidate"
            return
        fi
        say "$candidate is CUDA $release, which has no C++20" >&2
    done < <(nvcc_candidates)
    return 1
}

nvcc=$(find_nvcc) || {
    say "skipped: no nvcc 12 or newer on the PATH, in /usr/local/cuda or in .venv (.venv/bin/pip install '.[nvcc]' brings one, 129 MB)"
    exit 77
}
targets=()
for architecture in "${architectures[@]}"; do
    targets+=(-gencode "arch=compute_$architecture,code=sm_$architecture")
done
objects=$(mktemp -d)
trap 'rm -r "$objects"' EXIT

say "$("$nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/nvcc \1/p') for sm ${architectures[*]}"
mapfile -t sources < <(find src benchmarks -name '*.cu' | sort)
[ "${#sources[@]}" -gt 0 ] || fail 1 "no .cu file found under src and benchmarks."
for source in "${sources[@]}"; do
    "$nvcc" -std=c++20 -O1 -Xptxas=-O1 "$@" "${targets[@]}" -Werror all-warnings -Xcompiler=-Wall,-Wextra,-Werror \
        -c "$source" -o "$objects/$(basename "$source").o" ||
        fail 1 "nvcc does not take $source (its messages are above)."
    echo "  $source"
done

# Device images, as HaloclineDevices.cmake makes them.
for source in src/halocline/solver/mgcfd/solver.cpp src/halocline/solver/advection_diffusion/solver.cpp examples/07_on_a_gpu/main.cpp benchmarks/loop/airfoil.cpp; do
    printf '#define HALOCLINE_DEVICE_IMAGE 1\n#define HALOCLINE_SOURCE "%s"\n#include "%s"\n' \
        "$source" "$PWD/$source" >"$objects/image.cu"
    "$nvcc" -std=c++20 -O1 -Xptxas=-O1 "$@" -gencode arch=compute_90,code=sm_90 -diag-suppress=177,550 \
        -Xcompiler=-w,-fno-gnu-unique -Ibenchmarks -c "$objects/image.cu" -o "$objects/image.o" ||
        fail 1 "nvcc does not take $source as a device image (its messages are above)."
    NM=nm OBJCOPY=objcopy LD=ld CXX="${CXX:-g++}" cmake/close_device_image.sh image_of_file \
        "$objects/closed.o" "$objects/image.o" || fail 1 "the device image of $source cannot be closed."
    nm --defined-only --extern-only "$objects/closed.o" | grep -qv ' image_of_file$' &&
        fail 1 "the device image of $source shows more names than its own."
    echo "  $source as a device image"
done

# Flags that programs of users get, too: not the script's -Werror must refuse this one.
if refusal=$("$nvcc" -std=c++20 "$@" "${targets[@]}" -c tests/unit/loop/host_kernel.cu \
    -o "$objects/host_kernel.o" 2>&1); then
    fail 1 "nvcc takes tests/unit/loop/host_kernel.cu, whose kernel is not a device function."
fi
grep -q 'error: calling a __host__ function' <<<"$refusal" ||
    fail 1 "nvcc refuses tests/unit/loop/host_kernel.cu for another reason: $refusal"
echo "  tests/unit/loop/host_kernel.cu is refused"
