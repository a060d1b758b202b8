# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# The advection-diffusion solver: the bits of cores on a GPU, and its time there; sourced by run_there.sh.

# MESH BACKEND LIMITER PROBLEM FLUX: prints seconds and error; results to $work/scalar-*
solve_scalar() {
    local mesh=$1 backend=$2 limiter=$3 problem=$4 flux=$5
    local name=$(basename "$mesh")-$backend-$limiter-$problem-$flux
    cat >"$work/$name.toml" <<CASE
[mesh]
directory = "$mesh"
[solver]
name = "advection_diffusion"
limiter = "$limiter"
problem = "$problem"
flux = "$flux"
diffusivity = 0.001
end_time = ${END:-0.05}
measure_triad = "off"
[parallel]
backend = "$backend"
[output]
directory = "scalar-$name"
CASE
    (cd "$work" && ./halocline-solve "$name.toml" --progress off --loop-times all >"$out/$name.log" 2>&1) ||
        { echo "run $name failed:"; tail -3 "$out/$name.log"; }
    echo "$name: $(tail -1 "$out/$name.log") $(grep exact "$out/$name.log")"
}

same_bits() {  # FOLDER FOLDER
    python3 - "$@" <<'PYTHON'
import sys
from pathlib import Path
import h5py
import numpy as np
fields = []
for folder in sys.argv[1:]:
    (path,) = Path(folder).glob("variables.L0.cycles=*.h5")
    with h5py.File(path) as file:
        fields.append(file["p_variables_result_L0"][:])
print("same bits" if np.array_equal(*fields) else "DIFFERENT BITS", sys.argv[2])
PYTHON
}

run_scalar() {
    local elements limiter problem flux backend
    for elements in hex tet mixed; do
        make_mesh cavity 36000 "$work/c36-$elements" $elements 0.2 >/dev/null
        for limiter in none barth-jespersen venkatakrishnan; do
            problem=wave flux=upwind
            [ $limiter = venkatakrishnan ] && problem=pulse flux=central
            for backend in serial cuda; do
                solve_scalar "$work/c36-$elements" $backend $limiter $problem $flux
            done
            same_bits "$work/scalar-c36-$elements-serial-$limiter-$problem-$flux" \
                "$work/scalar-c36-$elements-cuda-$limiter-$problem-$flux"
        done
    done
    make_mesh cavity 1000000 "$work/c1m" tet 0.2 >/dev/null
    for limiter in none barth-jespersen; do
        for backend in openmp cuda; do
            END=0.01 solve_scalar "$work/c1m" $backend $limiter wave upwind
            grep -A12 'ns/elem' "$out/c1m-$backend-$limiter-wave-upwind.log"
        done
    done
}
