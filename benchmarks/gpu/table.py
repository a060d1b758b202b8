# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The one table of the GPU benchmark: from results, reference data and records, in the terminal."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from typing import Any

import h5py
import numpy as np

LEVELS = range(4)
SCHEMES = (
    *("packed", "neighbour", "whole", "peer"),
    *("mps-packed", "mps-neighbour", "mps-whole", "mps-peer"),
    *("direct", "direct-ipc"),
)
SCALED = ("peer", "peer-launches", "packed", "direct")
CASES = ("natural", "boosted_shuffled", "legacy")


def values(path: Path) -> Any:
    """The only dataset of a result file."""
    with h5py.File(path) as file:
        return np.asarray(file[next(iter(file))])


def result(work: Path, run: str, quantity: str, level: int) -> Any:
    """A result of a run."""
    return values(work / f"{run}.{quantity}.L{level}.cycles=25.h5")


def reference_rows(work: Path, reference: Path) -> list[tuple[str, str]]:
    """Largest difference from MG-CFD's results; whether the serial back end has the same bits."""
    rows = []
    for case in CASES:
        if not (work / f"{case}-cuda.variables.L0.cycles=25.h5").exists():
            continue
        worst, same = 0.0, True
        with h5py.File(reference / case / "result_4level.h5") as stored:
            group = stored["cycles=25"]
            for level in LEVELS:
                ours = result(work, f"{case}-cuda", "variables", level)
                theirs = np.asarray(group[f"p_variables_result_L{level}"])
                worst = max(worst, float(np.max(np.abs(ours - theirs))))
                for quantity in ("variables", "step_factors"):
                    serial = result(work, f"{case}-serial", quantity, level)
                    cuda = result(work, f"{case}-cuda", quantity, level)
                    same = same and serial.tobytes() == cuda.tobytes()
                stale = result(work, f"{case}-cuda-stale", "variables", level)
                same = same and stale.tobytes() == ours.tobytes()
        bits = "same bits as serial" if same else "BITS DIFFER from serial"
        rows.append((f"{case} against MG-CFD", f"{worst:.1e} ({bits})"))
    return rows


def record(work: Path, run: str) -> dict[str, Any] | None:
    """The run's record, if it ran."""
    path = work / f"{run}.record.json"
    loaded: dict[str, Any] | None = json.loads(path.read_text()) if path.exists() else None
    return loaded


def compute_s(work: Path, run: str) -> list[float]:
    """Compute times of the repetitions."""
    found = [record(work, f"{run}-{i}") for i in (1, 2, 3)]
    return [item["results"]["compute_s"] for item in found if item]


def stage_traffic(run: dict[str, Any], copy_gb_per_s: float) -> list[tuple[str, str]]:
    """Loops of the finest level: counted bytes over kernel time, part of a copy's speed."""
    rows = []
    for loop in run["loops"]:
        if loop["level"] == 0 and loop["ran_on"] == "device":
            milliseconds = loop["seconds"] / loop["calls"] * 1e3
            speed = loop["bytes"] / loop["seconds"] / 1e9
            part = 100 * speed / copy_gb_per_s
            rows.append(
                (
                    f"  {loop['name']}",
                    f"{milliseconds:8.3f} ms {speed:7.0f} GB/s {part:5.1f} % of a copy",
                )
            )
    return rows


def same_bits(work: Path, one: str, other: str) -> str:
    """Whether the states of all levels are the same in two runs; residuals where no states are."""
    names = [f"{run}.variables.L{level}.cycles=25.h5" for run in (one, other) for level in LEVELS]
    if not all((work / name).exists() for name in names):
        return same_residuals(record(work, one), record(work, other))
    same = all(
        result(work, one, "variables", level).tobytes()
        == result(work, other, "variables", level).tobytes()
        for level in LEVELS
    )
    return "same bits" if same else "BITS DIFFER"


def same_residuals(one: dict[str, Any] | None, other: dict[str, Any] | None) -> str:
    """Whether the residuals of all cycles are the same in two records, to the last bit."""
    if one is None or other is None:
        return "not compared"
    same = one["results"]["rms"] == other["results"]["rms"]
    return "same residuals" if same else "RESIDUALS DIFFER"


def exchange_us(run: dict) -> float:
    """Microseconds of one halo exchange of rank 0."""
    return run["halo"]["total_s"] / run["halo"]["exchanges"] * 1e6


def scheme_rows(work: Path) -> list[tuple[str, str]]:
    """Halo schemes of ranks that share the GPU: time, exchange, ledger, bits."""
    rows = []
    for size, ranks in (("1m", 2), ("1m", 4), ("8m", 2), ("8m", 4)):
        for scheme in SCHEMES:
            names = [f"{size}-{scheme}-{ranks}-{i}" for i in (1, 2, 3)]
            runs = {
                name: run
                for name in names
                if (run := record(work, name)) and run["results"]["norms"]
            }
            if not runs:
                continue
            halo = next(iter(runs.values()))["halo"]
            each = halo["exchanges"] * ranks
            times = sorted(exchange_us(run) for run in runs.values())
            span = f"{median(times):6.0f} us an exchange ({times[0]:.0f}-{times[-1]:.0f})"
            bits = {same_bits(work, name, f"{size}-one") for name in runs}
            parts = (
                f"{median(run['results']['compute_s'] for run in runs.values()):.3f} s",
                "exchanges not timed (queued)" if scheme.endswith("peer") else span,
                f"{halo['device_copies'] / each:4.1f} copies",
                f"{halo['device_bytes'] / each / 1e6:6.2f} MB a rank",
                " ".join(sorted(bits)),
            )
            rows.append((f"{size}, {ranks} ranks, {scheme}", ", ".join(parts)))
    return rows


def scaling_rows(work: Path) -> list[tuple[str, str]]:
    """A rank on each of several GPUs: time, factor over one, exchanges, bits."""
    rows = []
    for size in ("1m", "8m"):
        one = compute_s(work, f"{size}-on1-one")
        if not one:
            continue
        rows.append((f"{size}, 1 GPU", f"{median(one):.4f} s ({min(one):.4f} .. {max(one):.4f})"))
        for ranks in (2, 4, 8):
            for how in SCALED:
                name = f"{size}-on{ranks}-{how}"
                times = compute_s(work, name)
                run = record(work, f"{name}-1")
                if not times or not run:
                    continue
                text = f"{median(times):.4f} s ({min(times):.4f} .. {max(times):.4f})"
                text += f", {median(one) / median(times):.2f} of one"
                if not how.startswith("peer"):
                    text += f", {exchange_us(run):.0f} us an exchange"
                bits = {same_bits(work, f"{name}-{i}", f"{size}-on1-one-1") for i in (1, 2, 3)}
                rows.append((f"{size}, {ranks} GPUs, {how}", f"{text}, {' '.join(sorted(bits))}"))
            kernels = record(work, f"{size}-on{ranks}-peer-kernels-1")
            if kernels:
                total = sum(loop["seconds"] for loop in kernels["loops"])
                rows.append((f"{size}, {ranks} GPUs, kernels of loops", f"{total:.4f} s"))
    return rows


def mixed_rows(work: Path) -> list[tuple[str, str]]:
    """Cores only, GPU only, both."""
    rows = []
    words = {
        "cores": "all cores",
        "gpu": "GPU, one rank",
        "gpu2": "GPU, two ranks",
        "mixed": "GPU rank and rank on the other cores",
    }
    for size in ("1m", "8m"):
        for how, text in words.items():
            times = compute_s(work, f"{size}-{how}")
            if times:
                span = f"{min(times):.4f} .. {max(times):.4f}"
                bits = "" if how == "gpu2" else same_bits(work, f"{size}-{how}-1", f"{size}-gpu-1")
                rows.append((f"{size}, {text}", f"{median(times):.4f} s ({span}) {bits}"))
    return rows


def main(work: Path, reference: Path, out: Path) -> None:
    """Print the table."""
    copy = float((out / "copy_gb_per_s.txt").read_text())
    rows = [("device copy, read + written", f"{copy:.0f} GB/s")]
    rows += reference_rows(work, reference)
    for size in ("1m", "8m"):
        for how in ("graph", "launches"):
            times = compute_s(work, f"{size}-{how}")
            if times:
                span = f"{min(times):.5f} .. {max(times):.5f}"
                rows.append((f"{size}, 25 cycles, {how}", f"{median(times):.5f} s ({span})"))
        kernels = record(work, f"{size}-kernels")
        if kernels:
            total = sum(loop["seconds"] for loop in kernels["loops"] if loop["ran_on"] == "device")
            rows.append((f"{size}, sum of kernel times", f"{total:.5f} s"))
            graph = compute_s(work, f"{size}-graph")
            if graph:
                rows.append(
                    ("  time besides kernels", f"{100 * (1 - total / median(graph)):.1f} %")
                )
            rows += stage_traffic(kernels, copy)
    if record(work, "1m-openmp"):
        rows.append(("1m, CUDA and OpenMP", same_bits(work, "1m-openmp", "1m-kernels")))
    rows += scheme_rows(work) + scaling_rows(work) + mixed_rows(work)
    width = max(len(name) for name, _ in rows)
    text = "\n".join(f"{name:<{width}}  {value}" for name, value in rows)
    print(text)
    (out / "table.txt").write_text(text + "\n")


main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
