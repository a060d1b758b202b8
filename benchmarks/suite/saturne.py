# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""code_saturne 6.0 on a lid-driven cavity: preprocessor and solver run without its launcher.

The solver reads `setup.xml` and `mesh_input` of the folder that it runs in; nothing is compiled.
Whatever `setup.xml` does not name has code_saturne's default: SIMPLEC, Euler's implicit step,
the pressure by conjugate gradients with its multigrid as preconditioner.
"""

from __future__ import annotations

import re
import resource
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from halocline.errors import RunFailedError

from suite.cavity import Cavity, Line, lines_of_cells
from suite.cavity_mesh import LID, WALL, write_mesh
from suite.peers import run_program

FOLDER = Path("/usr/lib/code_saturne")  # of Debian's package code-saturne-bin
PREPROCESSOR, SOLVER = FOLDER / "cs_preprocess", FOLDER / "cs_solver"
ENSIGHT_TEXT = 80  # bytes of a line in EnSight's binary files

SETUP = """\
<?xml version="1.0" encoding="utf-8"?>
<Code_Saturne_GUI study="" case="" version="2.0" solver_version="6.0">
  <analysis_control>
    <output>
      <listing_printing_frequency>{steps}</listing_printing_frequency>
      <mesh id="-1" label="cells" type="cells">
        <all_variables status="on"/> <location>all[]</location> <writer id="-1"/>
      </mesh>
      <writer id="-1" label="results">
        <directory name="postprocessing"/> <format name="ensight" options="separate_meshes"/>
        <frequency period="none"/> <output_at_end status="{output}"/>
        <time_dependency choice="fixed_mesh"/>
      </writer>
    </output>
    <time_parameters>
      <time_passing>0</time_passing>
      <time_step_ref>{time_step!r}</time_step_ref>
      <iterations>{steps}</iterations>
    </time_parameters>
  </analysis_control>
  <boundary_conditions>
    <boundary label="lid" name="1" nature="wall">{lid}</boundary>
    <boundary label="walls" name="2" nature="wall">{wall}</boundary>
    <boundary label="front_and_back" name="3" nature="symmetry">not ({lid} or {wall})</boundary>
    <wall label="lid">
      <velocity_pressure choice="on">
        <dirichlet name="velocity" component="0">1</dirichlet>
        <dirichlet name="velocity" component="1">0</dirichlet>
        <dirichlet name="velocity" component="2">0</dirichlet>
      </velocity_pressure>
    </wall>
    <wall label="walls"> <velocity_pressure choice="off"/> </wall>
    <symmetry label="front_and_back"/>
  </boundary_conditions>
  <calculation_management>
    <start_restart> <restart_rescue>-2</restart_rescue> </start_restart>
  </calculation_management>
  <numerical_parameters>
    <velocity_pressure_algo choice="simplec"/>
  </numerical_parameters>
  <physical_properties>
    <fluid_properties>
      <property name="density" choice="constant"> <initial_value>1</initial_value> </property>
      <property name="molecular_viscosity" choice="constant">
        <initial_value>{viscosity!r}</initial_value>
      </property>
    </fluid_properties>
  </physical_properties>
  <solution_domain>
    <volumic_conditions>
      <zone label="all_cells" id="1" initialization="on">all[]</zone>
    </volumic_conditions>
  </solution_domain>
  <thermophysical_models>
    <thermal_scalar model="off"/>
    <turbulence model="off"/>
    <velocity_pressure>
      <variable name="pressure" label="Pressure">
        <solver_precision>{precision.pressure!r}</solver_precision>
      </variable>
      <variable name="velocity" dimension="3" label="Velocity">
        <order_scheme choice="centered"/> <slope_test status="off"/>
        <solver_precision>{precision.velocity!r}</solver_precision>
      </variable>
    </velocity_pressure>
  </thermophysical_models>
</Code_Saturne_GUI>
"""


class Precision(NamedTuple):
    """How far equations are solved, relative to code_saturne's own norms."""

    name: str
    pressure: float
    velocity: float


DEFAULT = Precision("its defaults", 1e-8, 1e-8)
LIKE_ICOFOAM = Precision("icoFoam's tolerances", 1e-6, 1e-5)


class Cost(NamedTuple):
    """What a run took in all, and how often it solved for the pressure with how many iterations."""

    cpu_s: float
    solves: int
    iterations: int


def missing_programs() -> list[Path]:
    """Return those of the two programs that this machine lacks."""
    return [program for program in (PREPROCESSOR, SOLVER) if not program.exists()]


def write_case(folder: Path, cavity: Cavity) -> None:
    """Write the mesh, in place of what was there, and let the preprocessor read it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with (folder / "cavity.msh").open("w") as file:
        write_mesh(file, cavity.side)
    run_program([PREPROCESSOR, "--out", "mesh_input", "cavity.msh"], folder)


def time_steps(folder: Path, cavity: Cavity, precision: Precision) -> Mapping[str, float]:
    """Return what a step after the first takes, and what it solves: two runs without output."""
    first = _run(folder, cavity, precision, 1)
    every = _run(folder, cavity, precision, cavity.steps)
    steps = cavity.steps - 1
    return {
        "us": 1e6 * (every.cpu_s - first.cpu_s) / steps / cavity.side**2,
        "iterations": (every.iterations - first.iterations) / steps,
        "solves": (every.solves - first.solves) / steps,
    }


def run_to_end(folder: Path, cavity: Cavity, precision: Precision) -> float:
    """Take all steps, write the last fields; return the CPU seconds of the whole run."""
    return _run(folder, cavity, precision, cavity.steps, output="on").cpu_s


def middle_lines(folder: Path, cavity: Cavity) -> tuple[Line, Line]:
    """Return y and u on x = 0.5, x and v on y = 0.5, walls included, from the last fields."""
    (path,) = (folder / "postprocessing").glob("results_cells.velocity.*")
    cells = cavity.side**2
    # Lines of text: description, "part", its number in four bytes, the kind of element.
    head = 3 * ENSIGHT_TEXT + 4
    components = np.frombuffer(path.read_bytes(), np.float32, 3 * cells, head).reshape(3, cells)
    velocity = components[:2].T.astype(float).reshape(cavity.side, cavity.side, 2)
    return lines_of_cells(velocity)


def _run(
    folder: Path, cavity: Cavity, precision: Precision, steps: int, output: str = "off"
) -> Cost:
    """Take steps from rest."""
    shutil.rmtree(folder / "postprocessing", ignore_errors=True)
    setup = SETUP.format(
        steps=steps,
        output=output,
        time_step=cavity.time_step,
        viscosity=cavity.viscosity,
        precision=precision,
        lid=LID,
        wall=WALL,
    )
    (folder / "setup.xml").write_text(setup)
    before = _children_cpu_seconds()
    try:
        run_program([SOLVER], folder)
    except RunFailedError as error:  # the solver says why in a file, not on the terminal
        lines = [line for line in _text(folder / "error").splitlines() if line.strip()]
        raise RunFailedError(f"{error}{' | '.join(lines[:3])}. See {folder}.") from None
    seconds = _children_cpu_seconds() - before
    return Cost(seconds, *_pressure_solves(_text(folder / "performance.log")))


def _children_cpu_seconds() -> float:
    """Return the CPU seconds of all processes that have ended and were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _text(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""


def _pressure_solves(log: str) -> tuple[int, int]:
    """Return solves and iterations in all. Each solve applies multigrid once before it iterates."""
    section = log.partition('Summary of resolutions for "Pressure"')[2]
    calls = re.search(r"Number of calls: +(\d+)", section)
    cycles = re.search(r"^ +Resolution: +(\d+)", section, re.MULTILINE)
    if calls is None or cycles is None:
        raise RunFailedError("performance.log of code_saturne tells no solves of the pressure.")
    solves = int(calls[1])
    return solves, int(cycles[1]) - solves
