# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Part of run_there.sh: programs that are not mgcfd. OP2's airfoil against plain loops, loop by loop against
# the speed of a copy; example 07 on one rank and several, by every scheme, always with the same bits.
# Sourced; uses its functions and paths.

build_programs() {
    local loop=$here/source/benchmarks/loop example=$here/source/examples/07_on_a_gpu
    [ ! -x "$work/airfoil" ] || return 0
    cp "$example/main.cpp" "$example/on_a_gpu.cpp"
    build_program on_a_gpu "$example/on_a_gpu.cpp" &
    build_program airfoil "$loop/airfoil.cpp" "$loop/airfoil_mesh.cpp" "$loop/airfoil_plain.cpp" \
        "$loop/numbering.cpp" "$loop/race.cpp" "$loop/variants.cpp"
    wait
    log 'programs built'
}

run_programs() {
    local cells
    build_programs
    for backend in serial openmp cuda auto; do
        HALOCLINE_BACKEND=$backend "$work/on_a_gpu" >"$out/on_a_gpu-$backend.log" 2>&1
        tail -2 "$out/on_a_gpu-$backend.log"
    done
    for scheme in packed neighbour whole peer; do
        HALOCLINE_BACKEND=cuda HALOCLINE_HALO=$scheme timeout 60 $launcher -n 2 "$work/on_a_gpu" \
            >"$out/on_a_gpu-2-$scheme.log" 2>&1
        tail -2 "$out/on_a_gpu-2-$scheme.log"
    done
    for scheme in packed peer; do
        HALOCLINE_HALO=$scheme timeout 120 $launcher -n 2 "$work/airfoil" --cells=500000 --repetitions=3 \
            --iterations=5 --only=cuda >"$out/airfoil-2-$scheme.log" 2>&1
        cut -c1-130 "$out/airfoil-2-$scheme.log"
    done
    for cells in 2000000 8000000; do
        "$work/airfoil" --cells=$cells --numbering=natural --repetitions=5 --iterations=10 --only=cuda \
            >"$out/airfoil-$cells.log" 2>&1
        cut -c1-130 "$out/airfoil-$cells.log"
    done
    "$work/airfoil" --cells=2000000 --numbering=shuffled --repetitions=5 --iterations=10 --only=cuda \
        >"$out/airfoil-shuffled.log" 2>&1
    cut -c1-130 "$out/airfoil-shuffled.log"
}
