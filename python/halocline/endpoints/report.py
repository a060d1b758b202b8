# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The JSON report of a run with endpoints: what was tried, what was kept, what it gained."""

from __future__ import annotations

from typing import Literal

from halocline.documents.part import DocumentPart, key
from halocline.documents.store import DocumentKind

SCHEMA_NAME = "halocline.endpoints"
SCHEMA_VERSION = 1


class Row(DocumentPart):
    """One kind of call: a function and size class on communicators of one name and size."""

    communicator: str = key(description="Name of the communicators; empty where they have none.")
    ranks: int = key(description="Ranks of each of them.")
    communicators: int = key(description="How many there were.")
    function: str = key(description="E.g. `Allreduce`.")
    bytes_from: int = key(
        description="Smallest message of the class [bytes], which ends below twice that; "
        "0: Alltoallv, all sizes."
    )
    calls: int = key(description="Calls that could have been split.")
    split_calls: int = key(description="Calls that were.")
    trials: int = key(description="How often both ways were timed.")
    plain_s: float = key(description="Median time of a plain call in the last trial [s]; or 0.")
    split_s: float = key(description="The same split [s].")
    decision: Literal[
        "not tried", "watched", "trial unfinished", "plain", "split", "plain (results differed)"
    ] = key(description="What is done with such calls now.")


class PassedOn(DocumentPart):
    """Calls of a function that were never considered, of the rank with most of them."""

    small: int = key(description="Below the threshold.")
    user_operation: int = key(description="With an operation of the program's own.")
    inside_mpi: int = key(description="Made by MPI itself, e.g. in its file access.")
    communicator: int = key(description="Inter-communicators, other jobs' ranks, one rank.")


class EndpointsReport(DocumentPart):
    """What the library did between MPI_Init and MPI_Finalize."""

    schema_: Literal["halocline.endpoints"] = key(name="schema")
    schema_version: Literal[1]
    active: bool = key(description="Whether anything could be split.")
    why_inactive: str = key(description="If not: why.")
    ranks: int
    endpoints: int = key(description="Pieces of a split collective.")
    oversubscribed: bool = key(description="Whether workers share cores with others.")
    allreduce_threshold: int
    bcast_threshold: int
    calibrate: bool
    watched: bool = key(
        description="Whether calls were only timed, at the program's own thread level."
    )
    raised: bool = key(
        description="Whether MPI_THREAD_MULTIPLE was asked for on the program's behalf."
    )
    mpi_calls: int = key(
        description="Calls that take MPI's locks at that level, of the rank with most."
    )
    watched_s: float = key(
        description="Time in calls from 512 KB while watching, of the rank with least [s]."
    )
    next_run: Literal["", "watch", "try", "split", "plain"] = key(
        description="What is remembered for the next run of this case; empty: nothing."
    )
    why_next: str = key(description="The reason, a sentence.")
    elapsed_s: float = key(description="From MPI_Init to MPI_Finalize, rank 0 [s].")
    trial_cost_s: float = key(description="Time that trials added, of the worst rank [s].")
    gained_s: float = key(
        description="Sum over rows of split_calls × (plain_s − split_s), trials not deducted [s]."
    )
    duplicated_communicators: int = key(description="Made by the rank that made most.")
    rows: list[Row]
    passed_on: dict[str, PassedOn]


REPORT = DocumentKind(EndpointsReport, SCHEMA_NAME, SCHEMA_VERSION, "report of halocline endpoints")
