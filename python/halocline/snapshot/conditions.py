# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Under which conditions a run was recorded: how it ended, who shared cores, who disturbed it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from halocline.launch.cores import parse_cpu_list
from halocline.snapshot.core_rules import taken_by_others_s
from halocline.snapshot.model import Host, NotAvailable, Rank
from halocline.snapshot.raw import RawRank
from halocline.snapshot.tables import NANO, percent
from halocline.wording import counted, seconds_words

NOISY_PRESSURE_PERCENT = 10.0
NOISY_QUEUE_PERCENT = 2.0
SHORT_RUN_S = 1.0
SITE_LIMIT = 4096
ENDINGS = {
    "exit": "ended without MPI_Finalize",
    "abort": "called MPI_Abort",
    "sigterm": "was told to stop (SIGTERM)",
    # Nobody can say when: its last file was written some time before.
    "flush": "was killed without warning, last heard of",
}
STALLED = "stalled_backend_cycles"
RAW_COUNTERS = ("cycles", "instructions", STALLED)
DEVICE_BUFFERS = "device buffers"
OPENMP = "OpenMP imbalance"
NO_FPU_EVENT = "no portable hardware event counts it"


def hosts_of(ranks: Sequence[RawRank]) -> list[Host]:
    """Return the hosts of a job with their ranks, in the order of first ranks."""
    cpus = {raw.host: raw.binding.machine_cpus for raw in ranks}
    return [
        Host(name=name, ranks=[raw.rank for raw in ranks if raw.host == name], cpus=count)
        for name, count in cpus.items()
    ]


def crowding_of(ranks: Sequence[RawRank]) -> str | None:
    """Say where more threads compute than there are hardware threads; None: nowhere."""
    for host in dict.fromkeys(raw.host for raw in ranks):
        here = [raw for raw in ranks if raw.host == host]
        threads = sum(raw.openmp_threads for raw in here)
        allowed = set().union(*(parse_cpu_list(raw.binding.cpus) for raw in here))
        if threads > len(allowed):
            load = counted(len(here), "rank")
            if threads > len(here):
                load += f" with {counted(threads, 'thread')}"
            return f"{load} on {counted(len(allowed), 'hardware thread')} of {host}"
    shared = Counter((raw.host, raw.binding.cpus) for raw in ranks if raw.binding.cpu_count == 1)
    for (host, cpu), count in shared.items():
        if count > 1:
            return f"{counted(count, 'rank')} bound to hardware thread {cpu} of {host}"
    return None


def partial_reasons(ranks: Sequence[RawRank]) -> list[str]:
    """Say for each rank that did not finish how it ended; no reason: the report is complete."""
    size = ranks[0].ranks
    reasons = [_ending(raw) for raw in ranks if not raw.complete]
    missing = sorted(set(range(size)) - {raw.rank for raw in ranks})
    if missing:
        names = ", ".join(map(str, missing[:8])) + (" …" if len(missing) > 8 else "")
        noun = "rank" if len(missing) == 1 else "ranks"
        reasons.append(
            f"{noun} {names} left no file: ended before MPI_Init returned, or on a host "
            "that does not share the output folder."
        )
    return reasons


def _ending(raw: RawRank) -> str:
    how = ENDINGS.get(raw.end, f"was stopped by {raw.end}")
    if raw.end == "abort" and raw.abort_code is not None:
        how += f" with code {raw.abort_code}"
    sentence = f"rank {raw.rank} {how} {seconds_words(raw.time.mpi_ns * NANO)} after MPI_Init"
    if raw.pending:
        longest = max(raw.pending, key=lambda call: call.since_ns)
        since = seconds_words(longest.since_ns * NANO)
        sentence += f", {since} inside {longest.function}"
    return sentence + "."


def warnings_of(ranks: Sequence[RawRank], rows: Sequence[Rank], crowding: str | None) -> list[str]:
    """Return what may spoil the figures, a sentence each."""
    found = []
    if crowding is not None:
        found.append(f"Oversubscribed: {crowding}. MPI time then is mostly waiting for a core.")
    found += _noise(ranks, rows, crowding is not None)
    longest = max(raw.recorded_ns for raw in ranks) * NANO
    if longest < SHORT_RUN_S:
        found.append(
            f"Short run: percentages of {seconds_words(longest)} say little about a long one."
        )
    paused = max(raw.time.paused_ns for raw in ranks) * NANO
    if paused > 0:
        found.append(
            f"MPI_Pcontrol(0) switched recording off for {seconds_words(paused)}; percentages are "
            f"of the other {seconds_words(longest)}."
        )
    dropped = sum(raw.call_sites.dropped for raw in ranks)
    if dropped:
        found.append(
            f"{counted(dropped, 'call')} came from more than {SITE_LIMIT} call sites and "
            "are missing in the call sites."
        )
    came = sum(raw.peers.unknown_peer_received_bytes for raw in ranks)
    went = sum(raw.peers.unknown_peer_bytes for raw in ranks) - came
    if came or went:
        found.append(
            f"{counted(went, 'byte')} went to processes outside MPI_COMM_WORLD, "
            f"{counted(came, 'byte')} came from there."
        )
    return found


def _noise(ranks: Sequence[RawRank], rows: Sequence[Rank], crowded: bool) -> list[str]:
    """Other work on the hosts: seen as CPU pressure there and as ranks whose cores it took."""
    if crowded:
        return []
    found = []
    for host in dict.fromkeys(raw.host for raw in ranks):
        here = [raw for raw in ranks if raw.host == host]
        pressure = max(percent(raw.pressure.cpu_some_ns or 0, raw.time.mpi_ns) for raw in here)
        taken = max((row for row in rows if row.host == host), key=taken_by_others_s)
        share = percent(taken_by_others_s(taken), taken.elapsed_s)
        if share >= NOISY_QUEUE_PERCENT:
            found.append(
                f"Noisy node {host}: rank {taken.rank} was ready but had no core "
                f"{share:.0f} % of the time; other processes ran there."
            )
        elif pressure >= NOISY_PRESSURE_PERCENT:
            found.append(
                f"Noisy node {host}: {pressure:.0f} % of the time some task there waited for a "
                "core (/proc/pressure/cpu)."
            )
    return found


def not_available(ranks: Sequence[RawRank], measured_imbalance: bool) -> list[NotAvailable]:
    """Return the figures that could not be measured, each once, with its reason."""
    reasons = {item.quantity: item.reason.rstrip(".") for raw in ranks for item in raw.unavailable}
    reasons["memory stalls"] = reasons.get(STALLED, reasons.get("memory stalls", ""))
    for shown_elsewhere in (*RAW_COUNTERS, DEVICE_BUFFERS, OPENMP):
        reasons.pop(shown_elsewhere, None)
    if any(raw.counters.stalled_backend_cycles is not None for raw in ranks):
        del reasons["memory stalls"]
    reasons.setdefault("floating-point use", NO_FPU_EVENT)
    if not measured_imbalance:
        reasons.setdefault("MPI imbalance", "no collective call was sampled on all its ranks")
    return [NotAvailable(figure=figure, reason=reason) for figure, reason in reasons.items()]
