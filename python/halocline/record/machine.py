# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the record says of program, hosts, devices, MPI and where ranks ran."""

from __future__ import annotations

from typing import Literal

from halocline.documents.part import DocumentPart, key
from halocline.record.numbers import Count, Positive, Rate, Seconds


class Code(DocumentPart):
    """The program that ran."""

    version: str = key(description="release version, as `--version` prints it")
    git: str | None = key(None, description="commit; ends in `-dirty` for a changed tree")
    build_type: str = key(description="CMake build type, e.g. Release")
    arch: str = key(description="instruction set it was built for, e.g. x86-64-v4")
    compiler: str = key(description="compiler and version, e.g. GNU 12.2.0")


class Host(DocumentPart):
    """One machine of the job."""

    name: str = key(description="MPI processor name")
    ranks: Positive = key(description="ranks on this host")
    cpu: str | None = key(None, description="CPU model")
    cores: Positive | None = key(None, description="hardware threads the host shows")
    memory_bytes: Count | None = key(None, description="main memory")


class Device(DocumentPart):
    """One accelerator of the job."""

    host: str = key(description="name of the host it sits in")
    name: str = key(description="model, or `emulated`")
    memory_bytes: Count | None = key(None, description="device memory")


class Rank(DocumentPart):
    """What one rank computes on, of jobs in which a device takes part."""

    rank: Count = key(description="MPI rank")
    backend: str = key(description="its back end: openmp, cuda, emulated")
    device: str | None = key(None, description="name of its device; null: cores")
    nodes: Count | None = key(None, description="nodes of the finest level that it owns")
    weight: Rate | None = key(None, description="its target share ÷ the mean share")
    nodes_per_s: Rate | None = key(
        None, description="measured flux stages, by which the mesh was divided; null: given, equal"
    )


class DeviceUse(DocumentPart):
    """What the devices did during the cycles, together; graph and launches of rank 0."""

    to_device_copies: Count = key(description="copies from the host")
    to_device_bytes: Count = key(description="bytes of those copies")
    to_host_copies: Count = key(description="copies to the host")
    to_host_bytes: Count = key(description="bytes of those copies")
    graph: bool = key(description="whether a cycle is submitted in one piece")
    no_graph_because: str | None = key(None, description="why not; null: it is")
    launches_per_cycle: Count = key(description="kernels recorded a cycle; 0: none recorded")
    prepare_s: Seconds = key(
        description="plans, copies of constants and recording; part of the set-up"
    )


class Mpi(DocumentPart):
    """The MPI library the program ran with."""

    library: str = key(description="name and version, e.g. Open MPI 4.1.4")
    standard: str | None = key(None, description="MPI standard it implements, e.g. 3.1")
    thread_level: Literal["single", "funneled", "serialized", "multiple"] | None = key(
        None, description="thread support level provided"
    )
    gpu_aware: bool | None = key(None, description="takes device pointers; null: not asked")


class Binding(DocumentPart):
    """Where one rank runs: the kernel's masks, as lists of cpus (`0-3,8`)."""

    rank: Count = key(description="rank in the job")
    host: str = key(description="its host")
    cpus: str = key(description="cpus that its threads may run on")
    numa_nodes: str = key(description="NUMA nodes of these cpus, by hwloc; empty: unknown")
    threads: list[str] = key(description="mask of each OpenMP thread")
    gpu: str | None = key(None, description="PCI id of its GPU, taken by the place on its host")
    choice: str = key("", description="how GPU and cores were chosen, in one sentence")


class Layout(DocumentPart):
    """How the job was spread."""

    ranks: Positive = key(description="MPI ranks")
    threads_per_rank: Positive = key(
        description="threads of one rank, the fewest that OpenMP gave to a loop that asked for all"
    )
    threads_asked: Positive | None = key(
        None, newer=True, description="threads asked for on one rank"
    )
    gpus: Count = key(0, description="GPUs used by all ranks together")
    bindings: list[Binding] = key(default_factory=list, description="one entry a rank")
    findings: list[str] = key(default_factory=list, description="faults of the binding")
