# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Part of run_there.sh: device loops by gathering and computed once.

# NAME MESH-FOLDER: times of all kernels, of whole runs, and results of each against cores.
run_strategies() {
    local name=$1 mesh=$2 strategy
    run "$name-cores" "$mesh" --backend openmp --output-variables
    for strategy in gather once; do
        local words=(--backend cuda --device-strategy "$strategy")
        run "$name-$strategy-kernels" "$mesh" "${words[@]}" --loop-times all --output-variables
        for i in 1 2 3; do
            run "$name-$strategy-graph-$i" "$mesh" "${words[@]}" --loop-times off
        done
    done
    run "$name-gather-bound" "$mesh" --backend cuda -b --loop-times all
    run "$name-once-bound" "$mesh" --backend cuda -b --loop-times all \
        --device-strategy once
    python3 "$here/source/benchmarks/gpu/strategies.py" "$work" "$name" | tee "$out/$name-strategies.txt"
}

# Small cases on ranks that share the GPU: results against those of the serial back end.
strategies_of_ranks() {
    local case ranks strategy
    for case in natural boosted_shuffled; do
        run "$case-cores" "$reference/$case" --backend serial --mesh-check off --output-variables
        for ranks in 1 2 3; do
            for strategy in gather once; do
                run_ranks $ranks "$case-$strategy-$ranks" "$reference/$case" --backend cuda \
                    --mesh-check off --device-strategy $strategy --output-variables
            done
        done
    done
    python3 "$here/source/benchmarks/gpu/strategies.py" "$work" natural boosted_shuffled |
        tee "$out/ranks-strategies.txt"
}

sanitize_once() {
    sanitize once -d "$reference/natural" -g 3 -b --device-strategy once
}
