# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed case file (`case.toml`): every section, key, default and limit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from halocline.case.submit_section import SubmitSection

Backend = Literal["auto", "serial", "openmp", "check", "cuda", "emulated"]
Partitioner = Literal["ptscotch", "parmetis", "metis", "inertial", "sfc", "block", "random", "file"]
PartitionerMethod = Literal["auto", "kway", "geom", "geomkway"]
HaloScheme = Literal[
    "default", "auto", "p2p", "neighbor", "rma", "packed", "neighbour", "whole", "direct", "peer"
]
Device = Literal["auto", "cpu", "gpu", "mixed"]
Launcher = Literal["auto", "mpirun", "srun", "none"]
Shape = Literal["box", "sector", "rotor37", "bump", "cavity"]
FILE_NAME = r"^[^/\x00-\x1f\x7f]*$"
PATH = r"^[^\x00-\x1f\x7f]*$"
PATTERN_WORDS = {
    FILE_NAME: "no '/' and no control characters may stand in it",
    PATH: "no control characters may stand in it",
}
AutoCount = Annotated[int, Field(ge=1)] | Literal["auto"]


class Section(BaseModel):
    """One table of the case file; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class MakeRecipe(Section):
    """How to make the mesh when its folder has none yet (`halocline mesh make`)."""

    shape: Shape = Field(description="geometry")
    nodes: int = Field(ge=8, description="nodes of the finest level, about")
    levels: int = Field(4, ge=1, le=16, description="multigrid levels")
    shuffle: bool = Field(False, description="number nodes and edges at random")
    seed: int = Field(1, ge=0, description="seed of the shuffle")
    scaling: Literal["natural", "boosted", "legacy"] = Field(
        "natural", description="factor on area vectors: 1, 1e18, 1e7"
    )
    stretch: float = Field(1.0, gt=0.0, description="how much finer cells are at walls")
    aspect: str = Field("", description='proportions of the cell counts, e.g. "4,2,1"; by shape')


class MeshSection(Section):
    """Where the mesh is."""

    directory: str = Field(
        "mesh", min_length=1, pattern=PATH, description="folder, relative to the case file"
    )
    input: str = Field(
        "input.dat", min_length=1, pattern=PATH, description="MG-CFD input file in that folder"
    )
    make: MakeRecipe | None = Field(None, description="recipe used when the input file is missing")


class SolverSection(Section):
    """What is computed."""

    name: Literal["mgcfd"] = Field("mgcfd", description="solver")
    cycles: int = Field(25, ge=1, description="multigrid cycles")
    legacy_mode: bool = Field(False, description="read MG-CFD's older data set names and areas")
    mesh_check: Literal["auto", "strict", "warn", "off"] = Field(
        "auto", description="what happens on dual cells that are not closed; auto: the program's"
    )
    measure_triad: Literal["auto", "on", "off"] = Field(
        "auto", description="measure memory bandwidth; auto: after runs of a second or more"
    )
    validate_result: bool = Field(False, description="compare with the stored solution at the end")
    measure_mem_bound: bool = Field(False, description="also time a streaming twin of the flux")


class ParallelSection(Section):
    """How it is spread over the machine."""

    ranks: AutoCount = Field("auto", description="MPI ranks")
    threads: AutoCount = Field("auto", description="threads of each rank")
    backend: Backend = Field("auto", description="how loops run")
    device: Device = Field(
        "auto", description="what ranks compute on; mixed: GPUs and cores in one job"
    )
    partitioner: Partitioner = Field("ptscotch", description="who divides the mesh")
    partitioner_method: PartitionerMethod = Field("auto", description="how it divides")
    weights: list[float] = Field(
        default_factory=list, description="target weight of each rank, e.g. [1, 2]; empty: equal"
    )
    partition_file: str = Field(
        "",
        pattern=PATH,
        description='one rank number a node, for "file"; relative to the mesh folder',
    )
    halo_scheme: HaloScheme = Field(
        "default",
        description="how halos travel; auto: measured; default: p2p, of devices peer or packed",
    )
    device_strategies: list[str] = Field(
        default_factory=list,
        description='how device loops add through maps: "gather", "once", or "NAME=once" for one '
        "loop; the bits are the same",
    )
    renumber: bool = Field(True, description="reorder nodes and edges for the caches")
    launcher: Launcher = Field("auto", description="what starts the ranks")
    launcher_args: list[str] = Field(
        default_factory=list, description='more words for the launcher, e.g. ["--hostfile", "h"]'
    )


class OutputSection(Section):
    """What is written and where."""

    directory: str = Field(
        "output", min_length=1, pattern=PATH, description="folder, relative to the case file"
    )
    prefix: str = Field("", pattern=FILE_NAME, description="start of every result file's name")
    variables: bool = Field(True, description="conserved variables of every level at the end")
    fluxes: bool = Field(False, description="flux accumulators at the end (debugging)")
    step_factors: bool = Field(False, description="step factors at the end (debugging)")
    flow_interval: int = Field(0, ge=0, description="level-0 variables every so many cycles; 0 off")


class Case(Section):
    """A case file."""

    title: str = Field("", description="shown in tables and pictures")
    mesh: MeshSection = Field(default_factory=MeshSection, description="where the mesh is")
    solver: SolverSection = Field(default_factory=SolverSection, description="what is computed")
    parallel: ParallelSection = Field(
        default_factory=ParallelSection, description="how it is spread over the machine"
    )
    output: OutputSection = Field(default_factory=OutputSection, description="what is written")
    submit: SubmitSection | None = Field(None, description="what a batch job asks for")
