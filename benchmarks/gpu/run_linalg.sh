# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Part of run_there.sh: multigrid solves of Poisson problems on the GPU, and the same ones on cores, which
# take as many iterations. Sourced; uses its functions and paths.

run_linalg() {
    local bench=$here/source/benchmarks/linalg source objects=() log_name
    for source in poisson shapes; do
        compile_one "$bench/$source.cpp" &
        objects+=("$(object_of "$bench/$source.cpp")")
    done
    wait
    g++ -fopenmp "${objects[@]}" $(library_objects) "$here"/lib/*.so* "$here"/mpi/lib/libmpi.so.40 \
        -Wl,--unresolved-symbols=ignore-in-shared-libs -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt \
        -lpthread -o "$work/poisson" || return 1
    # SHAPE NODES-A-SIDE BACKEND STORAGE
    solve() {
        log_name=$out/poisson-$1-$2-$3-$4.log
        HALOCLINE_BACKEND=$3 "$work/poisson" --shape=$1 --n=$2 --storage=$4 --repetitions=7 --loops=1 --history=1 \
            >"$log_name" 2>&1 || tail -3 "$log_name"
        echo "$3 $4: $(head -1 "$log_name")"
    }
    local storage size
    for storage in double float; do
        for size in "box 150" "square 512" "square 1024" "square 4096"; do
            solve $size cuda $storage
        done
    done
    for size in "box 150" "square 512" "square 1024"; do
        solve $size openmp float
    done
}
