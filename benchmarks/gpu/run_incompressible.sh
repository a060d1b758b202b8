# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Incompressible flow on a GPU: the bits of the host, times of a step, and flows that take too long on cores.
# Sourced by run_there.sh.

make_square() {  # CELLS FOLDER
    python3 - "$@" <<'PYTHON'
import sys
from pathlib import Path
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request
n = int(sys.argv[1])
make_mesh("cavity", Request((n + 1) ** 2, 1, cells=(n, n), elements="quad"), Output(Path(sys.argv[2])))
PYTHON
}

# NAME MESH KEYS-OF-SOLVER WORDS...: the lid of a cavity moves.
run_cavity() {
    local name=$1 mesh=$2 keys=$3 folder=$out/cavity-$1
    mkdir -p "$folder"
    printf '[mesh]\ndirectory = "%s"\n[solver]\nname = "incompressible"\n%b\n' "$mesh" "$keys" >"$folder/case.toml"
    printf '[solver.boundaries.lid]\nvelocity = ["1", "0"]\n[solver.boundaries.wall]\n[output]\ndirectory = "%s"\n' \
        "$work/cavity-$name" >>"$folder/case.toml"
    "$work/halocline-solve" "$folder/case.toml" --progress off "${@:4}" >"$folder/log" 2>&1 || tail -3 "$folder/log"
    cp "$work/cavity-$name/record.json" "$folder/" && python3 - "$folder/record.json" "$name" <<'PYTHON'
import json, sys
record = json.load(open(sys.argv[1]))
steps = record["results"]["cycles"]
seconds = record["results"]["compute_s"]
nodes = record["mesh"]["levels"][0]["nodes"]
print(f"{sys.argv[2]}: {steps} steps, {1e3 * seconds / steps:.3f} ms a step, "
      f"{1e9 * seconds / steps / nodes:.2f} ns a node and step")
PYTHON
}

on_gpu="--set parallel.backend=cuda"

run_incompressible() {
    local backend levels
    make_square 64 "$work/q64" >/dev/null && make_square 512 "$work/q512" >/dev/null
    for backend in openmp cuda; do
        run_cavity "bits-$backend" "$work/q64" 'viscosity = 0.01\nend_time = 0.2' \
            --set parallel.backend=$backend --set output.variables=true
    done
    cmp "$work"/cavity-bits-{openmp,cuda}/variables.L0.cycles=*.h5 && echo 'cavity: the bits of the host'
    for levels in 1 2 3; do
        run_cavity 512-k$levels "$work/q512" 'viscosity = 0.001\nend_time = 0.2' $on_gpu \
            --set solver.pressure.k_levels=$levels
    done
    run_cavity 512-double "$work/q512" 'viscosity = 0.001\nend_time = 0.2' $on_gpu \
        --set solver.pressure.storage=double
    run_cavity 512-host "$work/q512" 'viscosity = 0.001\nend_time = 0.02' --set parallel.backend=openmp
    make_square "${LARGE_SQUARE:-4000}" "$work/large" >/dev/null
    for storage in float double; do
        run_cavity large-$storage "$work/large" 'viscosity = 0.001\nend_time = 0.003' $on_gpu \
            --set solver.pressure.storage=$storage
    done
    [ -n "${STEADY:-}" ] || return 0
    run_cavity steady "$work/q512" \
        'viscosity = 0.001\ncourant = 0.8\nend_time = 60.0\nsteady = true\nsteady_tolerance = 1e-5' \
        $on_gpu --set output.variables=true
    python3 "$here/source/benchmarks/flow_proofs.py" cavity-1000 --of "$work/cavity-steady"
}
