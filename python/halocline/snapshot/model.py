# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The typed report of one snapshot: what `halocline snapshot` writes to snapshot.json, version 1."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from halocline.documents.store import DocumentPart

SCHEMA_NAME = "halocline.snapshot"
SCHEMA_VERSION = 1

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0.0)]
Percent = Annotated[float, Field(ge=0.0)]
Kind = Literal["point-to-point", "collective", "one-sided", "file", "management"]


class Spread(DocumentPart):
    """A quantity over ranks."""

    min: float = Field(description="smallest rank")
    mean: float = Field(description="mean over ranks")
    max: float = Field(description="largest rank")
    max_rank: Count = Field(description="the rank with the largest value")


class Mpi(DocumentPart):
    """The MPI library, as the program found it."""

    family: Literal["openmpi", "mpich"] = Field(description="ABI of the library")
    library: str = Field(description="first line of MPI_Get_library_version")
    thread_level: str = Field(description="thread level given to the program")


class Host(DocumentPart):
    """One machine of the job."""

    name: str = Field(description="host name")
    ranks: list[Count] = Field(description="its ranks")
    cpus: Count = Field(description="hardware threads that the host shows")


class Status(DocumentPart):
    """How much of the run the report covers."""

    state: Literal["complete", "partial"] = Field(description="partial: some rank did not finish")
    exit_code: int = Field(description="exit code of the command, as passed on")
    reasons: list[str] = Field(default_factory=list, description="why it is partial, a sentence each")


class Times(DocumentPart):
    """Where the time went; percentages are of `elapsed_s` and means over ranks."""

    elapsed_s: Seconds = Field(description="MPI_Init to MPI_Finalize, slowest rank")
    process_s: Seconds = Field(description="start to end of the process, slowest rank")
    wall_s: Seconds = Field(description="the whole command, launcher included")
    mpi_s: Spread = Field(description="time inside MPI calls of a rank")
    mpi_percent: Percent = Field(description="100 × mean MPI time ÷ mean elapsed time")
    imbalance_percent: Percent = Field(
        description="100 × (mean − min MPI time of a rank) ÷ mean elapsed time"
    )
    io_s: Spread | None = Field(None, description="time inside file system calls of a rank")
    io_percent: Percent | None = Field(None, description="100 × mean I/O time ÷ mean elapsed time")
