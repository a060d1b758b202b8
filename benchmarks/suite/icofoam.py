# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""OpenFOAM's icoFoam on a lid-driven cavity of unit size, with the settings of its own tutorial."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from suite.cavity import Cavity, Line, lines_of_cells
from suite.peers import run_program

HEAD = "FoamFile {{ version 2.0; format ascii; class {kind}; object {name}; }}\n"
SOLVERS = {
    "DICPCG": "solver PCG; preconditioner DIC;",
    "GAMG": "solver GAMG; smoother GaussSeidel;",
}


def write_case(folder: Path, cavity: Cavity, pressure: str, ranks: int = 1) -> None:
    """Write dictionaries and initial fields, in place of what was there."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, (kind, body) in _dictionaries(cavity, pressure, ranks).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(HEAD.format(kind=kind, name=path.name) + body)


def run_case(folder: Path, cavity: Cavity, ranks: int = 1) -> Mapping[str, float]:
    """Make the mesh, run all steps; times are those of the steps after the first."""
    run_program(["blockMesh"], folder)
    if ranks == 1:
        log = run_program(["icoFoam"], folder)
    else:
        run_program(["decomposePar"], folder)
        log = run_program(["mpirun", "-n", str(ranks), "icoFoam", "-parallel"], folder)
    (folder / "log").write_text(log)
    return read_log(log, cavity)


def read_log(log: str, cavity: Cavity) -> dict[str, float]:
    """Return microseconds a cell and step of one rank, iterations a step, seconds in all."""
    clock = [float(t) for t in re.findall(r"^ExecutionTime = ([\d.]+) s", log, re.MULTILINE)]
    solves = [int(n) for n in re.findall(r"Solving for p,.*No Iterations (\d+)", log)]
    seconds = clock[-1] - clock[0]
    steps = len(clock) - 1
    iterations = sum(solves[len(solves) // len(clock) :])
    return {
        "us": 1e6 * seconds / steps / cavity.side**2,
        "iterations": iterations / steps,
        "solves": len(solves) / len(clock),
        "run_s": clock[-1],
    }


def middle_lines(folder: Path, cavity: Cavity) -> tuple[Line, Line]:
    """Return y and u on x = 0.5, x and v on y = 0.5, walls included, from the last fields."""
    last = max((f for f in folder.iterdir() if re.fullmatch(r"[\d.]+", f.name)), key=_time)
    text = (last / "U").read_text()
    values = re.findall(r"^\((\S+) (\S+) \S+\)$", text, re.MULTILINE)[: cavity.side**2]
    return lines_of_cells(np.array(values, dtype=float).reshape(cavity.side, cavity.side, 2))


def _time(folder: Path) -> float:
    return float(folder.name)


def _dictionaries(cavity: Cavity, pressure: str, ranks: int) -> dict[str, tuple[str, str]]:
    end_time = cavity.steps * cavity.time_step
    velocity = "movingWall { type fixedValue; value uniform (1 0 0); } fixedWalls { type noSlip; }"
    gradient = "movingWall { type zeroGradient; } fixedWalls { type zeroGradient; }"
    empty = "frontAndBack { type empty; }"
    return {
        "system/controlDict": (
            "dictionary",
            (
                f"application icoFoam; startFrom startTime; startTime 0; stopAt endTime; "
                f"endTime {end_time:.12g}; deltaT {cavity.time_step:.12g}; writeControl timeStep; "
                f"writeInterval {cavity.steps}; writeFormat ascii; writePrecision 10; "
                "timePrecision 10;\n"
            ),
        ),
        "system/fvSchemes": (
            "dictionary",
            (
                "ddtSchemes { default Euler; } gradSchemes { default Gauss linear; }\n"
                "divSchemes { default none; div(phi,U) Gauss linear; }\n"
                "laplacianSchemes { default Gauss linear orthogonal; }\n"
                "interpolationSchemes { default linear; } snGradSchemes { default orthogonal; }\n"
            ),
        ),
        "system/fvSolution": (
            "dictionary",
            (
                f"solvers {{ p {{ {SOLVERS[pressure]} tolerance 1e-06; relTol 0.05; }}\n"
                "pFinal { $p; relTol 0; }\n"
                "U { solver smoothSolver; smoother symGaussSeidel; tolerance 1e-05; relTol 0; } }\n"
                "PISO { nCorrectors 2; nNonOrthogonalCorrectors 0; pRefCell 0; pRefValue 0; }\n"
            ),
        ),
        "system/decomposeParDict": (
            "dictionary",
            (
                f"numberOfSubdomains {ranks}; method simple; "
                f"simpleCoeffs {{ n ({ranks} 1 1); delta 0.001; }}\n"
            ),
        ),
        "system/blockMeshDict": ("dictionary", _block(cavity.side)),
        "constant/transportProperties": (
            "dictionary",
            (f"nu [0 2 -1 0 0 0 0] {cavity.viscosity:.12g};\n"),
        ),
        "0/U": (
            "volVectorField",
            (
                f"dimensions [0 1 -1 0 0 0 0]; internalField uniform (0 0 0);\n"
                f"boundaryField {{ {velocity} {empty} }}\n"
            ),
        ),
        "0/p": (
            "volScalarField",
            (
                f"dimensions [0 2 -2 0 0 0 0]; internalField uniform 0;\n"
                f"boundaryField {{ {gradient} {empty} }}\n"
            ),
        ),
    }


def _block(side: int) -> str:
    return (
        "scale 1; vertices ((0 0 0) (1 0 0) (1 1 0) (0 1 0) (0 0 0.1) (1 0 0.1) (1 1 0.1) "
        f"(0 1 0.1)); blocks (hex (0 1 2 3 4 5 6 7) ({side} {side} 1) simpleGrading (1 1 1));\n"
        "edges (); boundary (movingWall { type wall; faces ((3 7 6 2)); } "
        "fixedWalls { type wall; faces ((0 4 7 3) (2 6 5 1) (1 5 4 0)); } "
        "frontAndBack { type empty; faces ((0 3 2 1) (4 5 6 7)); }); mergePatchPairs ();\n"
    )
