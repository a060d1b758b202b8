# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables that `halocline mesh partition` prints."""

from __future__ import annotations

from typing import Any

from halocline.cli.output import console, table
from halocline.mesh.partition import best_ways

COMPARED = ("Imbal.", "Cut", "Halo", "Nbrs", "Msgs", "MB", "µs", "Split", "CPU s", "Mem MB")
LEVELS = (
    "Level",
    "Imbal.",
    "Largest",
    "Smallest",
    "Cut",
    "Halo nodes",
    "Nbrs",
    "Msgs",
    "MB",
    "µs",
    "Split",
)
LEGEND = (
    "Imbal.: largest over mean part. Cut: edges between parts. Halo: elements held for others, all "
    "sets and levels. Nbrs: neighbours of a part, mean and largest. Msgs, MB, µs: of one exchange "
    "of 5 variables at the nodes. Split: parts in several pieces. CPU s, Mem MB: of the slowest, "
    "largest rank that divided."
)
BUSY_LATENCY_S = 1e-3


def print_partition(report: dict[str, Any]) -> None:
    """Print one division, level by level."""
    way = report["ways"][0]
    made = table(_title(report, way), *LEVELS, right=LEVELS)
    for level in way["levels"]:
        made.add_row(
            str(level["level"]),
            f"{level['imbalance']:.3f}",
            f"{level['largest_part']:,}",
            f"{level['smallest_part']:,}",
            f"{level['edge_cut']:,}",
            f"{level['halo_nodes']:,}",
            _neighbours(level),
            f"{level['messages_per_exchange']:,}",
            f"{level['bytes_per_exchange'] / 1e6:.2f}",
            _microseconds(level["predicted_exchange_s"]),
            str(level["disconnected_parts"]),
        )
    console().print(made)
    memory = _megabytes(way["memory_bytes"])
    console().print(
        f"By {way['library']} on {report['ranks']} ranks: {way['wall_s']:.2f} s, "
        f"{way['cpu_s']:.2f} s CPU and {memory} MB a rank. {way['halo_elements']:,} halo elements "
        "over all sets and levels."
    )
    console().print(LEGEND)
    console().print(_link_sentence(report))


def print_comparison(report: dict[str, Any]) -> None:
    """Print all ways, the cheapest exchange first; finest level except for halo elements."""
    made = table(_title(report, None), "Partitioner", "Method", *COMPARED, right=COMPARED)
    for way in best_ways(report["ways"]):
        if "error" in way:
            continue
        level = way["levels"][0]
        made.add_row(
            way["partitioner"],
            way["method"],
            f"{level['imbalance']:.3f}",
            f"{level['edge_cut']:,}",
            f"{way['halo_elements']:,}",
            _neighbours(level),
            f"{level['messages_per_exchange']:,}",
            f"{level['bytes_per_exchange'] / 1e6:.2f}",
            _microseconds(level["predicted_exchange_s"]),
            str(level["disconnected_parts"]),
            f"{way['cpu_s']:.2f}",
            _megabytes(way["memory_bytes"]),
        )
    console().print(made)
    for way in report["ways"]:
        if "error" in way:
            console().print(f"{way['partitioner']} {way['method']}: {way['error']}")
    console().print(LEGEND)
    console().print(_link_sentence(report))


def _title(report: dict[str, Any], way: dict[str, Any] | None) -> str:
    how = f" by {way['partitioner']} {way['method']}".removesuffix(" none") if way else ""
    finest = report["mesh"]["levels"][0]
    return (
        f"{report['mesh']['input']}: {finest['nodes']:,} nodes, {finest['edges']:,} edges in "
        f"{report['parts']} parts{how}"
    )


def _neighbours(level: dict[str, Any]) -> str:
    """Mean and largest number of neighbours of a part."""
    return f"{level['neighbours']['mean']:.1f} {level['neighbours']['max']}"


def _microseconds(seconds: float | None) -> str:
    return "-" if seconds is None else f"{1e6 * seconds:,.0f}"


def _megabytes(size_bytes: int | None) -> str:
    return "-" if size_bytes is None else f"{size_bytes / 1e6:,.0f}"


def _link_sentence(report: dict[str, Any]) -> str:
    link = report["link"]
    if link is None:
        return (
            "Exchange times are not predicted: one rank cannot measure the network. Give --link "
            "MICROSECONDS,GB_PER_S or more --ranks."
        )
    busy = (
        " No network is that slow: the cores are busy or shared. Give --link."
        if link["latency_s"] > BUSY_LATENCY_S
        else ""
    )
    return (
        f"Network: {1e6 * link['latency_s']:.2g} µs and {1e-9 * link['bytes_per_s']:.3g} GB/s "
        f"({link['origin']}).{busy}"
    )
