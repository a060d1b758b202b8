# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Halo exchanges by every scheme with a domain on each GPU, and what they take of a flow solver's run.
# Sourced by run_there.sh.

# CELLS SCHEME [GPUS]: a lid-driven cavity on all GPUs, 100 steps; `halocline halo --record` reads its
# record.
run_shared_cavity() {
    local name=halo-$1-$2 folder=$out/halo-$1-$2
    mkdir -p "$folder"
    local scheme_words="--set parallel.halo_scheme=$2"
    [ "$2" != alone ] || scheme_words=
    timeout 60 $launcher -n "${3:-$gpus}" "$work/halocline-solve" "$here/source/examples/cases/cavity.toml" \
        $on_gpu --progress off --set mesh.directory="$work/q$1" --set output.directory="$work/$name" \
        --set parallel.partitioner=inertial ${scheme_words} --set output.variables=false \
        --set solver.steady=false --set solver.time_step="$(python3 -c "print(0.4 / $1)")" \
        --set solver.end_time="$(python3 -c "print(40 / $1)")" >"$folder/log" 2>&1 || tail -3 "$folder/log"
    cp "$work/$name/record.json" "$folder/" && python3 - "$folder/record.json" "$name" <<'PYTHON'
import json, sys
record = json.load(open(sys.argv[1]))
seconds, steps = record["results"]["compute_s"], record["results"]["cycles"]
print(f"{sys.argv[2]}: {steps} steps, {1e3 * seconds / steps:.3f} ms a step")
print("   ", {key: value for key, value in (record.get("halo") or {}).items() if not isinstance(value, (list, dict))})
PYTHON
}

make_halo_meshes() {
    local cells
    for cells in 500 707 1000 1414; do
        make_square $cells "$work/q$cells" >/dev/null &
    done
    wait
}

run_halo() {
    local gpus cells scheme
    gpus=$(nvidia-smi -L | wc -l)
    [ "$gpus" -gt 1 ] || { echo 'halo: one GPU has no neighbour'; return; }
    timeout 60 $launcher -n "$gpus" "$work/halocline-halo" --json "$out/halo-$gpus.json" 2>&1 | tail -60
    log "schemes on $gpus GPUs"
    for cells in 707 1414; do
        for scheme in whole neighbour packed peer; do
            run_shared_cavity "$cells" "$scheme"
        done
    done
    # Half of each by one GPU: what two would take if exchanges cost nothing.
    for cells in 500 1000; do run_shared_cavity "$cells" alone 1; done
}
