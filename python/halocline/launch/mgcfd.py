# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Translates a case into the flags of the native program `mgcfd`."""

from __future__ import annotations

from pathlib import Path

from halocline.case.model import Case
from halocline.launch.layout import Layout

PROGRAM = "mgcfd"


def mgcfd_flags(
    case: Case, layout: Layout, mesh_folder: Path, output_folder: Path, record: Path
) -> list[str]:
    """Return every flag of `mgcfd` for a case; nothing is left to the program's defaults."""
    parallel = case.parallel
    words = ["-d", str(mesh_folder), "-i", case.mesh.input]
    words += ["-o", f"{output_folder}/{case.output.prefix}", "-g", str(case.solver.cycles)]
    words += ["-m", parallel.partitioner, "-r", parallel.partitioner_method]
    if parallel.weights:
        words += ["--weights", ",".join(str(weight) for weight in parallel.weights)]
    if parallel.partition_file:
        words += ["--partition-file", str(mesh_folder / parallel.partition_file)]
    words += ["--halo-scheme", parallel.halo_scheme]
    words += ["--backend", parallel.backend, "--threads", str(layout.threads)]
    words.append("--renumber" if parallel.renumber else "--no-renumber")
    words += ["--record", str(record)]
    return words + _switches(case)


def _switches(case: Case) -> list[str]:
    solver, output = case.solver, case.output
    switches = {
        "--reproducible": solver.reproducible,
        "--legacy-mode": solver.legacy_mode,
        "--validate-result": solver.validate_result,
        "--measure-mem-bound": solver.measure_mem_bound,
        "--output-variables": output.variables,
        "--output-fluxes": output.fluxes,
        "--output-step-factors": output.step_factors,
    }
    words = [flag for flag, wanted in switches.items() if wanted]
    if solver.mesh_check != "auto":
        words += ["--mesh-check", solver.mesh_check]
    if solver.measure_triad != "auto":
        words.append("--triad" if solver.measure_triad == "on" else "--no-triad")
    if output.flow_interval > 0:
        words += ["--output-flow-interval", str(output.flow_interval)]
    return words
