#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
# Makes what openfoam.toml runs: the tutorial's lid-driven cavity with 128 x 128 cells, 12 steps, divided
# for 1, 2 and 4 ranks, in cavity1, cavity2 and cavity4.
set -euo pipefail
cd "$(dirname "$0")"
tutorial=/usr/share/doc/openfoam-examples/examples/incompressible/icoFoam/cavity/cavity
export WM_PROJECT_DIR=/usr/share/openfoam
for parts in "1 1" "2 1" "2 2"; do
    ranks=$((${parts/ /*}))
    folder=cavity$ranks
    rm -rf "$folder"
    cp -r "$tutorial" "$folder"
    sed -i 's/(20 20 1)/(128 128 1)/' "$folder/system/blockMeshDict"
    sed -i -e 's/^endTime .*/endTime 0.0072;/' -e 's/^deltaT .*/deltaT 0.0006;/' \
        -e 's/^writeInterval .*/writeInterval 12;/' "$folder/system/controlDict"
    cat >"$folder/system/decomposeParDict" <<DIVIDE
FoamFile { version 2.0; format ascii; class dictionary; object decomposeParDict; }
numberOfSubdomains $ranks;
method simple;
simpleCoeffs { n ($parts 1); delta 0.001; }
DIVIDE
    blockMesh -case "$folder" >/dev/null
    decomposePar -case "$folder" -force >/dev/null
done
