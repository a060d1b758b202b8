# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed case file (`case.toml`): every section, key, default and limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import Field

from halocline.case.names import one_of
from halocline.case.pictures import PictureSection
from halocline.case.section import FILE_NAME, PATH, AutoCount, Section, When
from halocline.case.solvers import SolverSection
from halocline.case.solvers.mgcfd import MgcfdSolver
from halocline.case.submit_section import SubmitSection

if TYPE_CHECKING:
    Backend: TypeAlias = str
    Partitioner: TypeAlias = str
    PartitionerMethod: TypeAlias = str
    HaloScheme: TypeAlias = str
    Device: TypeAlias = str
    Compression: TypeAlias = str
else:
    Backend = one_of("parallel.backend")
    Partitioner = one_of("parallel.partitioner")
    PartitionerMethod = one_of("parallel.partitioner_method")
    HaloScheme = one_of("parallel.halo_scheme")
    Device = one_of("parallel.device")
    Compression = one_of("output.compression")
Point = Annotated[list[float], Field(min_length=2, max_length=3)]
Launcher = Literal["auto", "mpirun", "srun", "none"]
Shape = Literal[
    "box", "sector", "rotor37", "bump", "cavity", "channel", "step", "cylinder", "periodic-box"
]


class MakeRecipe(Section):
    """How to make the mesh when its folder has none yet (`halocline mesh make`)."""

    shape: Shape = Field(description="geometry")
    nodes: int = Field(
        250_000, ge=8, description="nodes of the finest level, about; `cells` count where given"
    )
    levels: int = Field(4, ge=1, le=16, description="multigrid levels")
    shuffle: bool = Field(False, description="number nodes and edges at random")
    seed: int = Field(1, ge=0, description="seed of the shuffle and of the perturbation")
    scaling: Literal["natural", "boosted", "legacy"] = Field(
        "natural", description="factor on area vectors: 1, 1e18, 1e7"
    )
    stretch: float = Field(1.0, gt=0.0, description="how much finer cells are at walls")
    elements: Literal["hex", "tet", "mixed", "quad", "tri"] = Field(
        "hex", description="what cells are; hex stands for quad in the plane"
    )
    perturb: float = Field(
        0.0, ge=0.0, le=0.25, description="how far inner nodes move at random, in cell widths"
    )
    aspect: str = Field("", description='proportions of the cell counts, e.g. "4,2,1"; by shape')
    cells: str = Field("", description='cells of each direction, e.g. "512,512"; else by nodes')
    dimension: int = Field(
        0, ge=0, le=3, description="2, 3 or 0: as elements, cells or the shape say"
    )
    periodic: str = Field("", description='directions that are periodic, e.g. "xz"')
    laplacian: bool = Field(
        False,
        description="add what a Laplacian needs; always there where solver or shape need it",
    )


class MeshSection(Section):
    """Where the mesh is."""

    directory: str = Field(
        "mesh", min_length=1, pattern=PATH, description="folder, relative to the case file"
    )
    input: str = Field(
        "input.dat", min_length=1, pattern=PATH, description="MG-CFD input file in that folder"
    )
    make: MakeRecipe | None = Field(None, description="recipe used when the input file is missing")


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


class ProbesSection(Section):
    """Points whose nearest nodes are in the series."""

    points: list[Point] = Field(
        default_factory=list, description="x, y and z of each; z is 0 where it is left out"
    )
    fields: list[str] = Field(
        default_factory=list, description="of the nodes; empty: the solver's usual ones"
    )


class OutputSection(Section):
    """What is written and where."""

    directory: str = Field(
        "output", min_length=1, pattern=PATH, description="folder, relative to the case file"
    )
    prefix: str = Field("", pattern=FILE_NAME, description="start of every result file's name")
    variables: bool = Field(True, description="variables of every level at the end")
    fluxes: bool = Field(False, description="of mgcfd: flux accumulators at the end (debugging)")
    step_factors: bool = Field(False, description="of mgcfd: step factors at the end (debugging)")
    flow_interval: int = Field(0, ge=0, description="level-0 variables every so many steps; 0 off")
    series_interval: int = Field(
        0, ge=0, description="a line of <prefix>series.csv every so many steps; 0 never"
    )
    interval: When = Field(
        "",
        description='fields to <prefix>flow.vtkhdf: every so many steps (10), seconds ("30s"), or '
        "after a list of steps ([1, 5]); empty: never",
    )
    fields: list[str] = Field(
        default_factory=list, description="of that file; empty: the solver's usual ones"
    )
    levels: list[int] = Field(
        default_factory=list, description="of that file, 0 the finest; empty: [0]"
    )
    files: Literal["run", "step"] = Field(
        "run", description="one file for all steps, or one a step and one for the mesh"
    )
    compression: Compression = Field("none", description="how those fields are packed")
    compression_level: int = Field(
        0, ge=0, le=19, description="how hard packing tries, from 1; 0: the method's usual level"
    )
    chunk: int = Field(
        16384, ge=1024, le=16777216, description="rows of a field that are packed together"
    )
    io: Literal["async", "sync"] = Field(
        "async", description="output within the time loop: beside the loops, or at once"
    )
    io_buffers: int = Field(2, ge=1, le=1024, description="moments that may wait to be written")
    io_writers: int = Field(0, ge=0, description="ranks that write files; 0: all")
    probes: ProbesSection = Field(
        default_factory=ProbesSection, description="fields at points, in the series"
    )
    pictures: list[PictureSection] = Field(
        default_factory=list, description="drawn by `halocline run` from what `interval` writes"
    )


class CheckpointSection(Section):
    """What a later run can go on from, and what this one goes on from."""

    interval: int = Field(0, ge=0, description="steps between checkpoints; 0 never")
    seconds: float = Field(0.0, ge=0.0, description="seconds between checkpoints; 0 never")
    keep: int = Field(2, ge=1, le=1000000, description="newest checkpoints that stay")
    time_limit: float = Field(
        0.0, ge=0.0, description="stop with a checkpoint before so many seconds; 0: no limit"
    )
    restart: str = Field(
        "",
        pattern=PATH,
        description='a checkpoint file, relative to the case file, or "auto": the newest of this '
        "run, the beginning when there is none; empty: the beginning",
    )


class Case(Section):
    """A case file."""

    title: str = Field("", description="shown in tables and pictures")
    mesh: MeshSection = Field(default_factory=MeshSection, description="where the mesh is")
    solver: SolverSection = Field(default_factory=MgcfdSolver, description="what is computed")
    parallel: ParallelSection = Field(
        default_factory=ParallelSection, description="how it is spread over the machine"
    )
    output: OutputSection = Field(default_factory=OutputSection, description="what is written")
    checkpoint: CheckpointSection = Field(
        default_factory=CheckpointSection, description="what a run goes on from"
    )
    submit: SubmitSection | None = Field(None, description="what a batch job asks for")
