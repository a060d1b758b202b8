# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the record says of program, hosts, devices, MPI and where ranks ran."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from halocline.documents.store import DocumentPart
from halocline.record.numbers import Count, Positive, Rate, Seconds


class Code(DocumentPart):
    """The program that ran."""

    version: str = Field(description="release version, as `--version` prints it")
    git: str | None = Field(None, description="commit; ends in `-dirty` for a changed tree")
    build_type: str = Field(description="CMake build type, e.g. Release")
    arch: str = Field(description="instruction set it was built for, e.g. x86-64-v4")
    compiler: str = Field(description="compiler and version, e.g. GNU 12.2.0")


class Host(DocumentPart):
    """One machine of the job."""

    name: str = Field(description="MPI processor name")
    ranks: Positive = Field(description="ranks on this host")
    cpu: str | None = Field(None, description="CPU model")
    cores: Positive | None = Field(None, description="hardware threads the host shows")
    memory_bytes: Count | None = Field(None, description="main memory")


class Device(DocumentPart):
    """One accelerator of the job."""

    host: str = Field(description="name of the host it sits in")
    name: str = Field(description="model, or `emulated`")
    memory_bytes: Count | None = Field(None, description="device memory")


class Rank(DocumentPart):
    """What one rank computes on, of jobs in which a device takes part."""

    rank: Count = Field(description="MPI rank")
    backend: str = Field(description="its back end: openmp, cuda, emulated")
    device: str | None = Field(None, description="name of its device; null: cores")
    nodes: Count | None = Field(None, description="nodes of the finest level that it owns")
    weight: Rate | None = Field(None, description="its target share ÷ the mean share")
    nodes_per_s: Rate | None = Field(
        None, description="measured flux stages, by which the mesh was divided; null: given, equal"
    )


class DeviceUse(DocumentPart):
    """What the devices did during the cycles, together; graph and launches of rank 0."""

    to_device_copies: Count = Field(description="copies from the host")
    to_device_bytes: Count = Field(description="bytes of those copies")
    to_host_copies: Count = Field(description="copies to the host")
    to_host_bytes: Count = Field(description="bytes of those copies")
    graph: bool = Field(description="whether a cycle is submitted in one piece")
    no_graph_because: str | None = Field(None, description="why not; null: it is")
    launches_per_cycle: Count = Field(description="kernels recorded a cycle; 0: none recorded")
    prepare_s: Seconds = Field(
        description="plans, copies of constants and recording; part of the set-up"
    )


class Mpi(DocumentPart):
    """The MPI library the program ran with."""

    library: str = Field(description="name and version, e.g. Open MPI 4.1.4")
    standard: str | None = Field(None, description="MPI standard it implements, e.g. 3.1")
    thread_level: Literal["single", "funneled", "serialized", "multiple"] | None = Field(
        None, description="thread support level provided"
    )
    gpu_aware: bool | None = Field(None, description="takes device pointers; null: not asked")


class Binding(DocumentPart):
    """Where one rank runs: the kernel's masks, as lists of cpus (`0-3,8`)."""

    rank: Count = Field(description="rank in the job")
    host: str = Field(description="its host")
    cpus: str = Field(description="cpus that its threads may run on")
    numa_nodes: str = Field(description="NUMA nodes of these cpus, by hwloc; empty: unknown")
    threads: list[str] = Field(description="mask of each OpenMP thread")
    gpu: str | None = Field(None, description="PCI id of its GPU, taken by the place on its host")
    choice: str = Field("", description="how GPU and cores were chosen, in one sentence")


class Layout(DocumentPart):
    """How the job was spread."""

    ranks: Positive = Field(description="MPI ranks")
    threads_per_rank: Positive = Field(
        description="threads of one rank, the fewest that OpenMP gave to a loop that asked for all"
    )
    threads_asked: Positive | None = Field(None, description="threads asked for on one rank")
    gpus: Count = Field(0, description="GPUs used by all ranks together")
    bindings: list[Binding] = Field(default_factory=list, description="one entry a rank")
    findings: list[str] = Field(default_factory=list, description="faults of the binding")
