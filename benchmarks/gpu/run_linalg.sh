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
    # Shape, nodes a side; "loops" also prints what each loop takes.
    solve() {
        log_name=$out/poisson-$1-$2-$3.log
        HALOCLINE_BACKEND=$3 "$work/poisson" --shape=$1 --n=$2 --repetitions=${4:-7} --loops=1 --history=1 \
            >"$log_name" 2>&1 || tail -3 "$log_name"
        echo "$3: $(head -1 "$log_name")"
    }
    for backend in cuda openmp; do
        solve box 150 $backend
        solve square 512 $backend
        solve square 1024 $backend
    done
    solve square 4096 cuda
}
