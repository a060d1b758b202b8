# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Call sites merged over ranks and resolved to names; OpenMP regions likewise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from halocline.snapshot.model import CallSite, OpenMp, Region
from halocline.snapshot.raw import RawModule, RawRank, RawRegion, RawSite
from halocline.snapshot.symbols import Place, resolve, short_name
from halocline.snapshot.tables import NANO, percent, spread

SITES_KEPT = 100
Resolver = Callable[[str, list[int]], dict[int, Place]]


@dataclass
class _Merged:
    """One call site over ranks."""

    rows: dict[int, RawSite] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)


def call_sites_of(ranks: Sequence[RawRank], resolver: Resolver = resolve) -> list[CallSite]:
    """Merge call sites over ranks, keep those with most time, resolve their places."""
    merged = _merge(ranks)
    order = sorted(merged, key=lambda key: -sum(row.time_ns for row in merged[key].rows.values()))
    kept = order[:SITES_KEPT]
    frames = [
        (path, offset - 1)
        for key in kept
        for path, (_, offset) in zip(merged[key].paths, key[1], strict=True)
    ]
    places = _resolve_all(frames, resolver)
    return [_call_site(key, merged[key], ranks, places) for key in kept]


Key = tuple[str, tuple[tuple[str, int], ...]]


def _merge(ranks: Sequence[RawRank]) -> dict[Key, _Merged]:
    """Ranks agree on a site by function, build id (or path) and offset of each frame."""
    merged: dict[Key, _Merged] = {}
    for place, raw in enumerate(ranks):
        modules = {module.index: module for module in raw.call_sites.modules}
        for row in raw.call_sites.rows:
            found = [modules.get(index) for index, _ in row.frames]
            frames = tuple(
                (_identity(module), offset)
                for module, (_, offset) in zip(found, row.frames, strict=True)
            )
            entry = merged.setdefault((row.function, frames), _Merged())
            entry.paths = entry.paths or [module.path if module else "" for module in found]
            known = entry.rows.get(place)
            entry.rows[place] = row if known is None else _sum(known, row)
    return merged


def _identity(module: RawModule | None) -> str:
    return (module.build_id or module.path) if module else ""


def _sum(a: RawSite, b: RawSite) -> RawSite:
    return a.changed(
        calls=a.calls + b.calls, time_ns=a.time_ns + b.time_ns, bytes=a.bytes + b.bytes
    )


def _resolve_all(
    frames: Sequence[tuple[str, int]], resolver: Resolver
) -> dict[tuple[str, int], Place]:
    by_path: dict[str, list[int]] = {}
    for path, address in frames:
        by_path.setdefault(path, []).append(address)
    return {
        (path, address): place
        for path, addresses in by_path.items()
        if path
        for address, place in resolver(path, addresses).items()
    }


def _call_site(
    key: Key,
    merged: _Merged,
    ranks: Sequence[RawRank],
    places: dict[tuple[str, int], Place],
) -> CallSite:
    function, frames = key
    rows = merged.rows
    found = [
        (path, offset, places.get((path, offset - 1), Place()))
        for path, (_, offset) in zip(merged.paths, frames, strict=True)
    ]
    path, offset, innermost = found[0] if found else ("", 0, Place())
    seconds = [row.time_ns * NANO * ranks[place].mpi_share for place, row in rows.items()]
    return CallSite(
        function=function,
        place=" ← ".join(place_words(*each) for each in found) or "unknown",
        module=path,
        offset=offset,
        symbol=innermost.symbol,
        file=innermost.file,
        line=innermost.line,
        ranks=len(rows),
        calls=sum(row.calls for row in rows.values()),
        bytes=sum(row.bytes for row in rows.values()),
        seconds=spread(seconds, [ranks[place].rank for place in rows]),
    )


def place_words(path: str, offset: int, place: Place) -> str:
    """Return what a person calls a place: function and line, else module and offset."""
    module = Path(path).name or "code outside any file"
    where = f"{Path(place.file).name}:{place.line}" if place.file else f"{module}+0x{offset:x}"
    return f"{short_name(place.symbol)} ({where})" if place.symbol else where


def openmp_of(ranks: Sequence[RawRank], resolver: Resolver = resolve) -> OpenMp | None:
    """Merge parallel regions over ranks; None where no rank entered one."""
    runtime = next((raw.openmp.runtime for raw in ranks if raw.openmp.regions), None)
    if runtime is None:
        return None
    lost = [
        percent(
            sum(region.lost for region in raw.openmp.regions),
            raw.recorded_ns,
        )
        for raw in ranks
    ]
    regions = [region for raw in ranks for region in raw.openmp.regions]
    seconds = [
        sum(region.elapsed_ns for region in raw.openmp.regions if not region.nested) * NANO
        for raw in ranks
    ]
    return OpenMp(
        runtime=runtime,
        entered=sum(region.calls for region in regions),
        nested=sum(region.calls for region in regions if region.nested),
        measured=sum(_measured(region) for region in regions),
        seconds=spread(seconds, [raw.rank for raw in ranks]),
        imbalance_percent=sum(lost) / len(lost),
        regions=_regions(ranks, runtime, resolver),
    )


def _measured(region: RawRegion) -> int:
    return region.calls if region.measured_calls is None else region.measured_calls


@dataclass
class _RegionSum:
    """One region over ranks."""

    path: str
    calls: int = 0
    measured: int = 0
    threads: int = 0
    elapsed_ns: int = 0
    busy_max_ns: int = 0
    uneven_ns: int = 0  # busy_max - busy_mean
    lost_ns: int = 0


def _regions(ranks: Sequence[RawRank], runtime: str, resolver: Resolver) -> list[Region]:
    # libgomp gives the body's own address, libomp a return address behind the call.
    back = 0 if runtime == "libgomp" else 1
    sums: dict[tuple[str, int, bool], _RegionSum] = {}
    for raw in ranks:
        modules = {module.index: module for module in raw.call_sites.modules}
        for region in raw.openmp.regions:
            module = modules.get(region.site[0])
            key = (_identity(module), region.site[1] - back, region.nested)
            entry = sums.setdefault(key, _RegionSum(module.path if module else ""))
            entry.calls += region.calls
            entry.threads = max(entry.threads, region.threads)
            entry.elapsed_ns += region.elapsed_ns
            entry.measured += _measured(region)
            entry.busy_max_ns += region.busy_max_ns or 0
            entry.uneven_ns += (region.busy_max_ns or 0) - (region.busy_mean_ns or 0)
            entry.lost_ns += region.lost
    frames = [(entry.path, address) for (_, address, _), entry in sums.items()]
    places = _resolve_all(frames, resolver)
    made = [
        Region(
            place=place_words(entry.path, address, places.get((entry.path, address), Place())),
            nested=nested,
            calls=entry.calls,
            measured_calls=entry.measured,
            threads=entry.threads,
            seconds=entry.elapsed_ns * NANO,
            imbalance_percent=percent(max(0, entry.uneven_ns), entry.busy_max_ns),
            lost_s=entry.lost_ns * NANO / len(ranks),
        )
        for (_, address, nested), entry in sums.items()
    ]
    return sorted(made, key=lambda region: -region.lost_s)
