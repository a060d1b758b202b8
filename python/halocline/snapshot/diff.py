# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The difference of two snapshots: what became faster or slower, and in which function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from halocline.documents.part import DocumentPart, key
from halocline.snapshot.model import Function, Snapshot

FUNCTIONS_SHOWN = 8
SITES_SHOWN = 6


class Change(DocumentPart):
    """One figure before and after."""

    name: str
    unit: str = key(description="s, %, B or empty for counts")
    before: float | None = key(description="null: not available")
    after: float | None = key(description="null: not available")

    @property
    def by(self) -> float | None:
        """After − before."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before

    @property
    def percent(self) -> float | None:
        """The change in percent of before; None for percentages and where there is no before."""
        by = self.by
        return None if by is None or not self.before or self.unit == "%" else 100 * by / self.before


class FunctionChange(DocumentPart):
    """One MPI function before and after."""

    name: str
    seconds: Change = key(description="mean over ranks")
    calls: Change
    bytes: Change


class SiteChange(DocumentPart):
    """One call site before and after; sites are matched by function and resolved place."""

    function: str
    place: str
    seconds: Change = key(description="mean over ranks")


class Difference(DocumentPart):
    """Two snapshots side by side."""

    schema_name: Literal["halocline.snapshot-diff"] = key(name="schema")
    schema_version: Literal[1]
    cautions: list[str] = key(description="why the two may not be comparable")
    figures: list[Change]
    functions: list[FunctionChange] = key(description="largest change of time first")
    sites: list[SiteChange] = key(description="largest change of time first")


def difference(before: Snapshot, after: Snapshot) -> Difference:
    """Return what changed from `before` to `after`."""
    figures = [
        Change(name=name, unit=unit, before=value(before), after=value(after))
        for name, unit, value in FIGURES
    ]
    return Difference(
        schema_name="halocline.snapshot-diff",
        schema_version=1,
        cautions=_cautions(before, after),
        figures=figures,
        functions=_function_changes(before, after),
        sites=_site_changes(before, after),
    )


def _mean(snapshot: Snapshot, value: Callable[..., float]) -> float:
    values = [value(rank) for rank in snapshot.ranks]
    return sum(values) / len(values)


def _mean_outside(snapshot: Snapshot) -> float:
    return _mean(snapshot, lambda rank: rank.elapsed_s - rank.mpi_s)


def _total(snapshot: Snapshot, key: str) -> float:
    return float(sum(getattr(rank.usage, key) for rank in snapshot.ranks))


Figure = tuple[str, str, Callable[[Snapshot], float | None]]
FIGURES: tuple[Figure, ...] = (
    ("elapsed", "s", lambda s: s.times.elapsed_s),
    ("outside MPI, mean", "s", _mean_outside),
    ("MPI, mean", "s", lambda s: s.times.mpi_s.mean),
    ("MPI", "%", lambda s: s.times.mpi_percent),
    ("MPI imbalance", "%", lambda s: s.times.imbalance_percent),
    ("load imbalance", "%", lambda s: s.times.load_imbalance_percent),
    ("OpenMP imbalance", "%", lambda s: s.openmp.imbalance_percent if s.openmp else None),
    ("file I/O", "%", lambda s: s.times.io_percent),
    ("CPU use, mean", "%", lambda s: _mean(s, lambda r: r.usage.cpu_percent)),
    ("MPI calls", "", lambda s: float(sum(f.calls for f in s.functions))),
    ("bytes in messages", "B", lambda s: float(sum(f.bytes for f in s.functions))),
    ("peak memory, largest", "B", lambda s: float(max(r.usage.peak_rss_bytes for r in s.ranks))),
    ("involuntary switches", "", lambda s: _total(s, "involuntary_switches")),
    ("major page faults", "", lambda s: _total(s, "major_faults")),
)


def _cautions(before: Snapshot, after: Snapshot) -> list[str]:
    found = []
    if before.program != after.program:
        found.append(f"different programs: {before.program} and {after.program}")
    elif before.command != after.command:
        found.append("different commands")
    if len(before.ranks) != len(after.ranks):
        found.append(f"{len(before.ranks)} and {len(after.ranks)} ranks")
    if {host.name for host in before.hosts} != {host.name for host in after.hosts}:
        found.append("different hosts")
    if before.mpi.library != after.mpi.library:
        found.append(f"different MPI libraries: {before.mpi.library} and {after.mpi.library}")
    for name, snapshot in (("first", before), ("second", after)):
        if snapshot.status.state == "partial":
            found.append(f"the {name} report is partial")
        found += [f"{name}: {warning}" for warning in snapshot.warnings]
    return found


def _function_changes(before: Snapshot, after: Snapshot) -> list[FunctionChange]:
    old = {function.name: function for function in before.functions}
    new = {function.name: function for function in after.functions}
    made = [_function_change(name, old.get(name), new.get(name)) for name in old | new]
    return sorted(made, key=lambda change: -abs(change.seconds.by or 0.0))


def _function_change(name: str, old: Function | None, new: Function | None) -> FunctionChange:
    def change(label: str, unit: str, value: Callable[[Function], float]) -> Change:
        sides = [value(side) if side else 0.0 for side in (old, new)]
        return Change(name=label, unit=unit, before=sides[0], after=sides[1])

    return FunctionChange(
        name=name,
        seconds=change("mean time", "s", lambda function: function.seconds.mean),
        calls=change("calls", "", lambda function: float(function.calls)),
        bytes=change("bytes", "B", lambda function: float(function.bytes)),
    )


def _site_changes(before: Snapshot, after: Snapshot) -> list[SiteChange]:
    sides: list[dict[tuple[str, str], float]] = []
    for snapshot in (before, after):
        sums: dict[tuple[str, str], float] = {}
        for site in snapshot.call_sites:
            key = (site.function, site.place)
            total = site.seconds.mean * site.ranks / len(snapshot.ranks)
            sums[key] = sums.get(key, 0.0) + total
        sides.append(sums)
    made = [
        SiteChange(
            function=key[0],
            place=key[1],
            seconds=Change(
                name="mean time",
                unit="s",
                before=sides[0].get(key, 0.0),
                after=sides[1].get(key, 0.0),
            ),
        )
        for key in sides[0] | sides[1]
    ]
    return sorted(made, key=lambda change: -abs(change.seconds.by or 0.0))
