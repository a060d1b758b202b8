# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Part of run_there.sh: multigrid solves of Poisson problems on the GPU, and the same ones on cores, which
# take as many iterations. Sourced; uses its functions and paths.

build_poisson() {
    local bench=$here/source/benchmarks/linalg source objects=()
    for source in poisson shapes; do
        compile_one "$bench/$source.cpp" &
        objects+=("$(object_of "$bench/$source.cpp")")
    done
    wait
    g++ -fopenmp "${objects[@]}" $(library_objects) "$here"/lib/*.so* "$here"/mpi/lib/libmpi.so.40 \
        -Wl,--unresolved-symbols=ignore-in-shared-libs -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt \
        -lpthread -o "$work/poisson"
}

run_linalg() {
    local log_name storage size coarsest
    # SHAPE NODES-A-SIDE BACKEND STORAGE [WORDS...]
    solve() {
        log_name=$(printf -- '-%s' "${@//[=-]/}")
        log_name=$out/poisson$log_name.log
        HALOCLINE_BACKEND=$3 "$work/poisson" --shape=$1 --n=$2 --storage=$4 --repetitions=7 --loops=1 --history=1 \
            "${@:5}" >"$log_name" 2>&1 || tail -3 "$log_name"
        echo "$3 ${*:4}: $(head -1 "$log_name")"
    }
    for storage in double float; do
        for size in "box 150" "square 512" "square 1024" "square 4096"; do
            solve $size cuda $storage
        done
    done
    for size in "square 512" "square 4096"; do
        for coarsest in 40 100 250; do
            solve $size cuda float --coarsest=$coarsest
            solve $size cuda float --coarsest=$coarsest --k=2
        done
    done
    for size in "box 150" "square 512" "square 1024"; do
        solve $size openmp float
    done
}
