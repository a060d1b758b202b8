# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed site file: what a cluster is like, what it fills in and what it allows."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from halocline.case.section import Section
from halocline.case.submit_section import (
    Count,
    Duration,
    Line,
    Memory,
    PlainName,
    SchedulerName,
    SubmitSection,
    VariableName,
)
from halocline.errors import suggestion

DSTART = "/opt/batch/agent/tools/dstart"


def _known_key(key: str) -> str:
    if key not in SubmitSection.model_fields:
        raise ValueError(f"is not a key of [submit]. {suggestion(key, SubmitSection.model_fields)}")
    return key


class MachineSection(Section):
    """What one host has."""

    cores_per_node: Count | None = Field(None, description="cores")
    numa_per_node: Count = Field(1, description="NUMA nodes")
    gpus_per_node: Annotated[int, Field(ge=0)] | None = Field(None, description="GPUs")
    memory: Memory | None = Field(None, description="memory that jobs may ask for")


class LimitsSection(Section):
    """What is allowed; a key that is not given restricts nothing."""

    min_nodes: Count | None = Field(None, description="fewest hosts")
    nodes: Count | None = Field(None, description="most hosts")
    ranks: Count | None = Field(None, description="most ranks")
    gpus_per_node: Annotated[int, Field(ge=0)] | None = Field(None, description="most GPUs a host")
    time: Duration | None = Field(None, description="longest time limit")
    requeue: Annotated[int, Field(ge=0)] | None = Field(None, description="most requeues")
    accounts: list[PlainName] = Field(default_factory=list, description="accounts; empty: any")
    required: list[Annotated[str, AfterValidator(_known_key)]] = Field(
        default_factory=list, description="keys that must be given"
    )


class QueueSection(LimitsSection):
    """One queue: its own limits beside those of the site."""

    description: str = Field("", description="shown in messages")


class LaunchSection(Section):
    """How ranks are started."""

    mpi: Literal["openmpi", "mpich"] | None = Field(
        None, description="MPI library; not given: that of the program, else Open MPI"
    )
    mpirun: Line | None = Field(None, description="program that starts ranks")
    srun_mpi: PlainName | None = Field(None, description="srun --mpi=; by MPI library")
    agent: Line | None = Field(None, description="program that starts Open MPI on other hosts")
    map_by: PlainName | None = Field(None, description="Open MPI --map-by; by ranks per node")
    rank_by: PlainName | None = Field(None, description="Open MPI --rank-by")
    bind_to: PlainName = Field("core", description="what a rank is bound to")
    pml: PlainName | None = Field(None, description="Open MPI's point-to-point layer, e.g. ucx")
    net_devices: Line | None = Field(None, description="UCX_NET_DEVICES, e.g. mlx5_0:1")
    cpu_transports: Line | None = Field(None, description="UCX_TLS of runs on CPUs")
    gpu_transports: Line | None = Field(None, description="UCX_TLS of runs on GPUs")
    gpu_preload: Line | None = Field(None, description="library preloaded on GPUs, e.g. GDRCopy")
    forward: list[VariableName] = Field(
        default_factory=list, description="variables that ranks on other hosts get, too"
    )
    args: list[Line] = Field(default_factory=list, description="more words of the launcher")
    cpu_args: list[Line] = Field(default_factory=list, description="the same, on CPUs only")
    gpu_args: list[Line] = Field(default_factory=list, description="the same, on GPUs only")


class SlurmSection(Section):
    """What differs between Slurm sites."""

    gpu_directive: Literal["gpus-per-node", "gres"] = Field(
        "gpus-per-node", description="how GPUs are asked for"
    )


class DonauSection(Section):
    """What differs between Donau sites."""

    job_type: PlainName = Field("cosched", description="--job_type")
    replica: Literal["node", "rank"] = Field(
        "node", description="what one of the -N replicas is: a whole host or one rank"
    )
    output: Line = Field("out%J.log", description="-o; %J is the job's number")
    error: Line = Field("err%J.log", description="-e")
    time_directive: Line | None = Field(
        None, description="e.g. '-T {seconds}'; not given: the script keeps the limit itself"
    )
    cancel: list[Line] = Field(
        default_factory=list, description="command that cancels; {job} is the job's number"
    )


class Site(Section):
    """A site file."""

    name: PlainName = Field(description="name of the site")
    description: str = Field("", description="one sentence for people")
    scheduler: SchedulerName = Field(description="who runs jobs here")
    template: Line | None = Field(
        None, description="script template beside the site file; extends the scheduler's"
    )
    module_init: Line | None = Field(None, description="file that defines the command module")
    machine: MachineSection = Field(default_factory=MachineSection, description="one host")
    defaults: SubmitSection = Field(
        default_factory=SubmitSection, description="fills what neither case nor options say"
    )
    limits: LimitsSection = Field(default_factory=LimitsSection, description="of every job")
    queues: dict[PlainName, QueueSection] = Field(
        default_factory=dict, description="the queues; empty: any name is accepted"
    )
    launch: LaunchSection = Field(default_factory=LaunchSection, description="starting ranks")
    slurm: SlurmSection = Field(default_factory=SlurmSection, description="Slurm only")
    donau: DonauSection = Field(default_factory=DonauSection, description="Donau only")
