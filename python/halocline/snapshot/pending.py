# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls that had not returned: they count up to the moment at which the rank was last heard of.

A rank that hangs has spent its time there. The recorder keeps such calls apart (`pending`), because
only a call that returned has a size.
"""

from __future__ import annotations

from halocline.snapshot.raw import (
    RawFunction,
    RawPending,
    RawRank,
    RawSite,
    RawSites,
    RawThread,
)


def count_pending(raw: RawRank) -> RawRank:
    """Return the rank with its calls in progress as calls of their function, site and thread."""
    calls = [_within(call, raw.recorded_ns) for call in raw.pending]
    if not calls:
        return raw
    more = sum(call.since_ns for call in calls)
    return raw.changed(
        pending=calls,
        time=raw.time.changed(in_mpi_ns=raw.time.in_mpi_ns + more),
        threads=[_thread(thread, calls) for thread in raw.threads],
        functions=_functions(raw.functions, calls),
        call_sites=_sites(raw.call_sites, calls),
    )


def _within(call: RawPending, limit_ns: int) -> RawPending:
    return call.changed(since_ns=min(call.since_ns, limit_ns))


def _thread(thread: RawThread, calls: list[RawPending]) -> RawThread:
    own = [call.since_ns for call in calls if call.tid == thread.tid]
    return thread.changed(calls=thread.calls + len(own), in_mpi_ns=thread.in_mpi_ns + sum(own))


def _functions(functions: list[RawFunction], calls: list[RawPending]) -> list[RawFunction]:
    by_name = {function.name: function for function in functions}
    for call in calls:
        known = by_name.get(call.function) or RawFunction(
            name=call.function, kind=call.kind, calls=0, time_ns=0
        )
        by_name[call.function] = known.changed(
            calls=known.calls + 1,
            time_ns=known.time_ns + call.since_ns,
            max_ns=max(known.max_ns, call.since_ns),
            unfinished_calls=known.unfinished_calls + 1,
            unfinished_ns=known.unfinished_ns + call.since_ns,
        )
    return list(by_name.values())


def _sites(sites: RawSites, calls: list[RawPending]) -> RawSites:
    rows = list(sites.rows)
    for call in calls:
        if call.frames:
            time = {"calls": 1, "time_ns": call.since_ns, "max_ns": call.since_ns}
            rows.append(RawSite(function=call.function, frames=call.frames, **time))
    return sites.changed(rows=rows)
