# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws times of halo exchanges by scheme.

Usage: draw.py RESULTS.json PICTURE.png; `halocline halo` and `halocline-halo --json` write results.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from matplotlib import pyplot


def main(results: str, picture: str) -> None:
    """Draw the first run of the results: one panel a mesh, one group of bars a number of fields."""
    run = json.loads(Path(results).read_text())["runs"][0]
    meshes = run["meshes"]
    figure, panels = pyplot.subplots(
        1, len(meshes), figsize=(4.6 * len(meshes), 3.8), sharey=True, layout="constrained"
    )
    for axes, mesh in zip(panels, meshes, strict=True):
        rows = mesh["rows"]
        schemes = list(dict.fromkeys(row["scheme"] for row in rows))
        fields = list(dict.fromkeys(row["fields"] for row in rows))
        width = 0.8 / len(schemes)
        for k, scheme in enumerate(schemes):
            times = [1e6 * row["median_s"] for row in rows if row["scheme"] == scheme]
            places = [m + (k - 0.5 * (len(schemes) - 1)) * width for m in range(len(fields))]
            axes.bar(places, times, width, label=scheme)
        axes.set_yscale("log")
        axes.set_xticks(range(len(fields)), [f"M = {count}" for count in fields])
        axes.set_title(f"{mesh['vertices'] / 1e6:.1f} M vertices, {run['domains']} domains")
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
    panels[0].set_ylabel("µs an exchange")
    figure.legend(*panels[0].get_legend_handles_labels(), ncols=6, loc="outside lower center")
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
