# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Flows in space whose numbers are published, one on each GPU; benchmarks/flow_proofs.py NAME --of
# FOLDER compares them. Sourced by run_there.sh.

make_cube() {  # SHAPE CELLS STRETCH FOLDER
    python3 - "$@" <<'PYTHON'
import sys
from pathlib import Path
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request
shape, n, stretch = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
request = Request(n**3, 1, None, stretch, "hex", cells=(n, n, n), laplacian=True)
make_mesh(shape, request, Output(Path(sys.argv[4])))
PYTHON
}

# GPU NAME CASE MESH WORDS...: results come back as flow-NAME, also of a run that is stopped: with checkpoints
# it ends in order.
run_flow() {
    local gpu=$1 name=$2 case=$3 mesh=$4 folder=$out/flow-$2
    mkdir -p "$folder"
    CUDA_VISIBLE_DEVICES=$gpu timeout "${FLOW_S:-90}" "$work/halocline-solve" \
        "$here/source/examples/cases/$case.toml" $on_gpu --set checkpoint.interval=100000 --set mesh.directory="$mesh" \
        --set output.directory="$folder" --progress off "${@:5}" >"$folder/log" 2>&1 || tail -3 "$folder/log"
    rm -f "$folder"/checkpoint*
    python3 - "$folder/record.json" "$name" <<'PYTHON'
import json, sys
results = json.load(open(sys.argv[1]))["results"]
print(f"{sys.argv[2]}: {results['cycles']} steps, {1e3 * results['compute_s'] / results['cycles']:.3f} ms a step")
PYTHON
}

make_channel() {  # NODES STRETCH FOLDER
    python3 - "$@" <<'PYTHON'
import sys
from pathlib import Path
from halocline.mesh.make import Output, make_mesh
from halocline.mesh.request import Request
request = Request(int(sys.argv[1]), 1, None, float(sys.argv[2]), "quad", laplacian=True)
make_mesh("cylinder", request, Output(Path(sys.argv[3])))
PYTHON
}

make_flow_meshes() {
    make_cube cavity "${CUBE:-96}" 2.0 "$work/cube" >/dev/null &
    make_cube periodic-box "${BOX:-128}" 1.0 "$work/box" >/dev/null &
    make_channel "${PULSE:-80000}" 4.0 "$work/pulse" >/dev/null &
    wait
}

# The cube on the first GPU; the vortices, then the cylinder in a pulse, on the last.
run_flows() {
    local last=$(($(nvidia-smi -L | wc -l) - 1))
    {
        run_flow $last vortices vortices "$work/box" --set output.variables=false
        run_flow $last pulse cylinder "$work/pulse" --set output.variables=false \
            --set output.interval=10000000 --set solver.end_time=8 --set \
            'solver.boundaries.inlet.velocity=["4*1.5*y*(0.41 - y)/0.41^2*sin(pi*t/8)", "0"]'
    } &
    local rest=$!
    run_flow 0 cube cube "$work/cube"
    wait $rest
}
