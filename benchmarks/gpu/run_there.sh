#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The part of scripts/bench_gpu.sh that runs on the bare GPU machine: build, check, time, one table.
# Parts by name in $PARTS (default all): check shapes devices time1 time8 ranks strategies1 strategies8 schemes
# mixed1 mixed8 programs scalar linalg sanitize; also schemes8, output, incompressible, flows and, with
# several GPUs, scaling1 scaling8 halo. `build` alone only makes the programs, for CPUs of $MARCH.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/out}
parts=${PARTS:-check shapes devices time1 time8 ranks strategies1 strategies8 schemes mixed1 mixed8 programs scalar linalg sanitize}
work=${WORK:-/tmp/halocline-gpu}
cores=$(nproc)
export PATH=/usr/local/cuda/bin:$PATH OPAL_PREFIX=$here/mpi PMIX_MCA_gds=hash
export LD_LIBRARY_PATH=$here/lib:$here/mpi/lib:${LD_LIBRARY_PATH:-}
export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,sm PYTHONPATH=$here/source/python
program=$work/mgcfd
mkdir -p "$work/o" "$out"

log() { printf '%4d s  %s\n' "$((SECONDS - start))" "$*"; }
start=$SECONDS

numeric="-ffp-contract=off -fno-math-errno -fno-trapping-math"
includes="-I$here/source/src -I$here/source/apps/solve -I$here/source/tools -I$here/source/tools/halo_bench -I$here/generated -I$here/include -I$here/include/hdf5 -I$here/include/mpi"
defines="-DHALOCLINE_HAS_PTSCOTCH=0 -DHALOCLINE_HAS_CUDA=1 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -DFMT_HEADER_ONLY -DNDEBUG"

host_flags="-O3 -march=${MARCH:-native} -mprefer-vector-width=512 -fopenmp -w $numeric"
device_flags="-O3 -arch=sm_90 --fmad=false --expt-relaxed-constexpr -Werror=cross-execution-space-call"

object_of() { echo "$work/o/$(echo "${1#"$here"/}" | tr / _).o"; }

compile_one() {
    local source=$1 object
    object=$(object_of "$source")
    [ "$object" -nt "$source" ] && return 0
    case $source in
        *.cu) nvcc -std=c++20 $device_flags -lineinfo $NVCC_EXTRA $includes $defines -c "$source" -o "$object" ;;
        *) g++ -std=c++20 $host_flags $includes -I/usr/local/cuda/include $defines -c "$source" -o "$object" ;;
    esac || echo "FAILED $source"
}

# Solvers all call their file solver.cpp: the library's images have the names of their folders, too.
image_name() {
    case $1 in
        */src/halocline/*) echo "$(basename "$(dirname "$1")")_$(basename "$1" .cpp)" ;;
        *) basename "$1" .cpp | tr . _ ;;
    esac
}

# A source file and its device image, as halocline_compile_for_devices makes them.
compile_for_devices() {
    local source=$1 name object
    name=$(image_name "$source")
    object=$(object_of "$source")
    [ "$work/o/image-$name.o" -nt "$source" ] && return 0
    mkdir -p "$work/images"
    g++ -std=c++20 $host_flags $includes -I/usr/local/cuda/include $defines \
        "-DHALOCLINE_SOURCE=\"$name\"" "-DHALOCLINE_IMAGE=image_of_$name" -c "$source" -o "$object" &
    printf '#define HALOCLINE_DEVICE_IMAGE 1\n#define HALOCLINE_SOURCE "%s"\n#include "%s"\n' "$name" "$source" \
        >"$work/images/$name.cu"
    nvcc -std=c++20 $device_flags -lineinfo -diag-suppress=177,550 $(printf -- '-Xcompiler=%s ' $host_flags) \
        -Xcompiler=-fno-gnu-unique $includes $defines -c "$work/images/$name.cu" -o "$work/images/$name.o" &&
        NM=nm OBJCOPY=objcopy LD=ld CXX=g++ "$here/source/cmake/close_device_image.sh" "image_of_$name" \
            "$work/o/image-$name.o" "$work/images/$name.o" ||
        echo "FAILED $source"
    wait
}
# The library without solvers.
library_objects() {
    ls "$work"/o/source_src_halocline_*.o "$work"/o/generated_*.o | grep -v halocline_solver_
    ls "$work"/o/image-linalg_*.o
}
export -f object_of compile_one image_name compile_for_devices
export here work numeric includes defines host_flags device_flags NVCC_EXTRA=${NVCC_EXTRA:-}

# NAME FOLDER...: the library's objects and images, and the objects of a program's folders.
link_program() {
    local folder source objects=()
    for folder in "${@:2}"; do objects+=("$work/o/source_$folder"_*.o); done
    while read -r source; do objects+=("$work/o/image-$(image_name "$here/source/$source").o"); done <"$here/generated/device_sources"
    g++ -fopenmp "$work"/o/source_src_*.o "$work"/o/generated_*.o \
        "$work"/o/source_apps_large_blocks.cpp.o "${objects[@]}" \
        "$here"/lib/*.so* "$here"/mpi/lib/libmpi.so.40 \
        -Wl,--unresolved-symbols=ignore-in-shared-libs -L/usr/local/cuda/lib64 -lcudart_static -ldl \
        -lrt -lpthread -o "$work/$1"
}

build() {
    [ ! -d "$here/bin" ] || { cp "$here"/bin/* "$work/"; return; }
    { find "$here/source/src/halocline" -name '*.cpp' -o -name '*.cu'
      find "$here/source/apps" "$here/source/tools" -name '*.cpp'
      ls "$here"/generated/*.cpp; } |
        grep -vE '/(cuda_absent|row_mover_absent|rank_join_absent|collect_absent)\.cpp' |
        grep -vFf "$here/generated/device_sources" |
        xargs -P "$cores" -I{} bash -c 'compile_one {}' &
    sed "s#^#$here/source/#" "$here/generated/device_sources" |
        xargs -P $((cores / 2)) -I{} bash -c 'compile_for_devices {}' &
    wait
    link_program mgcfd apps_mgcfd && link_program halocline-solve apps_solve &&
        link_program halocline-halo tools_halo_bench tools_bench_parts && build_poisson || return 1
    nvcc -O3 -arch=sm_90 "$here/source/benchmarks/gpu/copy_bandwidth.cu" -o "$work/copy_bandwidth"
}

# All of the device's work under both tools: sanitize NAME ARGUMENTS-OF-MGCFD...; $through starts it
through=
sanitize() {
    local name=$1 tool
    shift
    for tool in memcheck racecheck; do
        (cd "$work" && $through compute-sanitizer --tool $tool "$program" --backend cuda --mesh-check off \
            -o "$work/s." --progress off --no-summary --no-triad "$@") >"$out/$tool-$name.log" 2>&1
        grep 'ERROR SUMMARY\|RACECHECK SUMMARY' "$out/$tool-$name.log" | sed "s/^=*/$name, $tool:/" |
            grep . || tail -3 "$out/$tool-$name.log"
    done
}

# Programs of users and tests: the library's objects but for those of mgcfd, and their own.
build_program() {  # NAME SOURCE-FOR-DEVICES SOURCE...
    local name=$1 sources=("${@:2}") objects=() source
    compile_for_devices "$2"
    for source in "${@:3}"; do compile_one "$source"; done
    for source in "${sources[@]}"; do objects+=("$(object_of "$source")"); done
    g++ -fopenmp "${objects[@]}" "$work/o/image-$(image_name "$2").o" \
        $(library_objects) "$here"/lib/*.so* "$here"/lib/libg{mock,test}.a \
        "$here"/mpi/lib/libmpi.so.40 -Wl,--unresolved-symbols=ignore-in-shared-libs -L/usr/local/cuda/lib64 \
        -lcudart_static -ldl -lrt -lpthread -o "$work/$name"
}

# The tests of loops, mathematics and layouts, as `ctest -L gpu` has them.
run_shapes() {
    local -x includes="$includes -I$here/source/tests"
    local tests=$here/source/tests shapes=() objects=() source
    mapfile -t shapes < <(ls "$tests"/support/shapes_*.cpp "$tests"/backend/{mathematics,device_layouts}.test.cpp)
    printf '%s\n' "${shapes[@]}" | xargs -P $((cores / 2)) -I{} bash -c 'compile_for_devices {}' &
    for source in "$tests"/support/{loop_world,test_device,mpi_main}.cpp "$tests/backend/shapes.test.cpp"; do
        compile_one "$source" &
        objects+=("$(object_of "$source")")
    done
    wait
    for source in "${shapes[@]}"; do
        objects+=("$(object_of "$source")" "$work/o/image-$(basename "$source" .cpp | tr . _).o")
    done
    g++ -fopenmp "${objects[@]}" $(library_objects) \
        "$here"/lib/*.so* "$here"/lib/libg{mock,test}.a "$here"/mpi/lib/libmpi.so.40 \
        -Wl,--unresolved-symbols=ignore-in-shared-libs -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread \
        -o "$work/shapes" || return 1
    log 'shapes built'
    "$work/shapes" '--gtest_filter=*/cuda:*/emulated:DeviceLayouts/*' "--gtest_output=json:$out/shapes.json" \
        >"$out/shapes.log" 2>&1 || grep -m 20 'FAILED\|Failure' "$out/shapes.log"
    tail -3 "$out/shapes.log"
}

# The tests of a user's program, on one rank and on two: every scheme of halos, repeated loops.
run_devices() {
    local -x includes="$includes -I$here/source/tests"
    local tests=$here/source/tests ranks
    build_program devices "$tests/examples/devices.test.cpp" "$tests/support/mpi_main.cpp" || return 1
    log 'tests of devices built'
    for ranks in 1 2; do
        HALOCLINE_TEST_DEVICE=cuda OMP_NUM_THREADS=2 timeout 120 $launcher -n $ranks "$work/devices" \
            >"$out/devices-$ranks.log" 2>&1 || grep -m 20 'FAILED\|Failure' "$out/devices-$ranks.log"
        tail -3 "$out/devices-$ranks.log"
    done
}

make_mesh() {  # SHAPE NODES FOLDER [ELEMENTS PERTURB]
    python3 - "$@" <<'PYTHON'
import sys
from pathlib import Path
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request
shape, nodes, folder, elements, perturb = (*sys.argv[1:], "hex", "0")[:5]
request = Request(nodes=int(nodes), levels=4, elements=elements, perturb=float(perturb))
make_mesh(shape, request, Output(Path(folder)))
PYTHON
}

# RESULT-NAME MESH-FOLDER WORDS...: a run with record, its last line shown.
run() {
    local name=$1 mesh=$2
    shift 2
    (cd "$work" && "$program" -d "$mesh" -o "$work/$name." --progress off --no-summary --no-triad \
        "$@" >"$out/$name.log" 2>&1) || { echo "run $name failed:"; tail -3 "$out/$name.log"; }
    cp "$work/$name.record.json" "$out/" 2>/dev/null
    echo "$name: $(tail -1 "$out/$name.log")"
}

# Whether one of these parts was asked for.
wants() {
    local part
    for part in "$@"; do case " $parts " in *" $part "*) return 0 ;; esac; done
    return 1
}

nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader
{ nvcc --version | tail -2; g++ --version | head -1; lscpu | grep 'Model name'; nvidia-smi; } >"$out/machine.txt" 2>&1
shape=${SHAPE:-sector}
mesh1=
if wants time1 ranks strategies1 schemes mixed1 programs scalar scaling1 output; then
    make_mesh "$shape" 1000000 "$work/m1" >"$out/mesh1.log" 2>&1 &
    mesh1=$!
fi
. "$here/source/benchmarks/gpu/run_ranks.sh"
. "$here/source/benchmarks/gpu/run_strategies.sh"
. "$here/source/benchmarks/gpu/run_programs.sh"
. "$here/source/benchmarks/gpu/run_scalar.sh"
. "$here/source/benchmarks/gpu/run_incompressible.sh"
. "$here/source/benchmarks/gpu/run_linalg.sh"
. "$here/source/benchmarks/gpu/run_output.sh"
. "$here/source/benchmarks/gpu/run_halo.sh"
. "$here/source/benchmarks/gpu/run_flows.sh"
if wants time8 mixed8 strategies8 schemes8 scaling8 output; then
    make_mesh "$shape" 8000000 "$work/m8" >"$out/mesh8.log" 2>&1 & mesh8=$!
fi
if wants halo; then make_halo_meshes & halo_meshes=$!; fi
if wants flows; then make_flow_meshes & flow_meshes=$!; fi
build 2>&1 | tail -20
[ -x "$work/halocline-solve" ] || exit 5
log built
[ "$parts" != build ] || { build_programs; exit 0; }
"$work/copy_bandwidth" | tee "$out/copy_gb_per_s.txt"

reference=$here/source/data/mgcfd-reference
case " $parts " in *" check "*)
    for case in natural boosted_shuffled legacy; do
        extra=$([ "$case" = legacy ] && echo --legacy-mode)
        for backend in serial cuda; do
            run "$case-$backend" "$reference/$case" --backend $backend --mesh-check off $extra \
                --output-variables --output-step-factors
        done
        run "$case-cuda-stale" "$reference/$case" --backend cuda --mesh-check off $extra \
            --output-variables --check-stale-reads
    done
    log checked ;;
esac
[ -z "$mesh1" ] || wait "$mesh1"
case " $parts " in *" time1 "*)
    for i in 1 2 3; do
        run 1m-graph-$i "$work/m1" --backend cuda --loop-times off
        run 1m-launches-$i "$work/m1" --backend cuda --loop-times off --no-device-graph
    done
    run 1m-kernels "$work/m1" --backend cuda --loop-times all --output-variables
    run 1m-openmp "$work/m1" --backend openmp --output-variables
    log 'timed 1 M' ;;
esac
case " $parts " in *" scalar "*) run_scalar; log 'advection-diffusion' ;; esac
case " $parts " in *" incompressible "*) run_incompressible; log 'incompressible flow' ;; esac
case " $parts " in *" halo "*) wait $halo_meshes; run_halo; log 'halo exchanges' ;; esac
case " $parts " in *" flows "*) wait $flow_meshes; run_flows; log 'flows with published numbers' ;; esac
case " $parts " in *" linalg "*) run_linalg; log 'linear solvers' ;; esac
case " $parts " in *" output "*) wait $mesh8; run_output; log output ;; esac
case " $parts " in *" shapes "*) run_shapes; log 'shapes' ;; esac
case " $parts " in *" devices "*) run_devices; log 'tests of devices' ;; esac
case " $parts " in *" time8 "*)
    wait $mesh8
    for i in 1 2 3; do run 8m-graph-$i "$work/m8" --backend cuda --loop-times off; done
    run 8m-kernels "$work/m8" --backend cuda --loop-times all
    log 'timed 8 M' ;;
esac
case " $parts " in *" ranks "*) strategies_of_ranks; log 'strategies on ranks' ;; esac
case " $parts " in *" strategies1 "*) run_strategies 1m "$work/m1"; log 'strategies 1 M' ;; esac
case " $parts " in *" strategies8 "*) wait $mesh8; run_strategies 8m "$work/m8"; log 'strategies 8 M' ;; esac
case " $parts " in *" schemes "*) run_schemes; log 'schemes compared' ;; esac
case " $parts " in *" schemes8 "*) wait $mesh8; run_large_schemes; log 'schemes compared, 8 M' ;; esac
case " $parts " in *" mixed1 "*) run_mixed 1m "$work/m1"; log 'mixed 1 M' ;; esac
case " $parts " in *" mixed8 "*) wait $mesh8; run_mixed 8m "$work/m8"; log 'mixed 8 M' ;; esac
case " $parts " in *" scaling1 "*) run_scaling 1m "$work/m1" --output-variables; log 'scaled 1 M' ;; esac
case " $parts " in *" scaling8 "*) wait $mesh8; run_scaling 8m "$work/m8"; log 'scaled 8 M' ;; esac
case " $parts " in *" programs "*) run_programs; log 'programs of users' ;; esac
case " $parts " in *" sanitize "*)
    # Tiles are prefetched 400 ahead: the reference case is too small for that, the other mesh is not.
    make_mesh sector 100000 "$work/mesh-100k" >"$out/mesh-100k.log" 2>&1
    sanitize natural -d "$reference/natural" -g 3
    sanitize 100k -d "$work/mesh-100k" -g 1
    sanitize_once
    sanitize_ranks
    log sanitized ;;
esac
python3 "$here/source/benchmarks/gpu/table.py" "$work" "$reference" "$out"
