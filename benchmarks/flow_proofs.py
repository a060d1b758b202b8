# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs flows whose numbers are published, prints both, and draws them.

proofs.py                              what there is
proofs.py step cube                    runs them below build/proofs
proofs.py cavity-1000 --set mesh.make.cells=512,512 --set parallel.backend=cuda
proofs.py cube --of OUTPUT             looks at a run that has ended
proofs.py all --pictures docs/images   also draws
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from halocline.errors import suggestion
from incompressible import cavity, cube, cylinder, step, taylor_green
from incompressible.proof import Proof, Run

import halocline

ROOT = Path(__file__).parents[1]
PROOFS = {
    proof.name: proof
    for proof in (
        cavity.RE_100,
        cavity.RE_1000,
        cube.RE_1000,
        cylinder.STEADY,
        cylinder.SHEDDING,
        cylinder.PULSE,
        step.RE_800,
        taylor_green.RE_1600,
    )
}


def perform(proof: Proof, folder: Path, changes: list[str]) -> Path:
    """Make the mesh and run the case; return the folder of its results."""
    output = folder / "output"
    settings = {
        **proof.settings,
        "mesh.directory": str(folder / "mesh"),
        "output.directory": str(output),
        "output.variables": "true",
    }
    words = [f"{key}={value}" for key, value in settings.items()] + changes
    command = ["halocline", "run", str(ROOT / "examples" / "cases" / proof.case)]
    subprocess.run([*command, *(part for word in words for part in ("--set", word))], check=True)
    return output


def show(proof: Proof, run: Run) -> None:
    """Print our numbers beside the published ones."""
    steps = "" if run.record is None else f", {run.record.results.cycles} steps"
    print(f"\n{proof.title}: {run.mesh().nodes} nodes{steps}")
    rows = proof.compare(run)
    width = max(len(row.name) for row in rows)
    print(f"{'':<{width}}  {'halocline':>12}  {'published':>16}")
    for row in rows:
        print(
            f"{row.name:<{width}}  {row.value:12.7g}"
            f"  {row.published_text:>16}  {row.difference:>10}"
        )


def picture(proof: Proof, run: Run, folder: Path) -> None:
    """Draw a run over its reference, where there is something to draw."""
    if proof.draw is None:
        return
    from matplotlib import pyplot

    figure = pyplot.figure(figsize=(9.0, 4.2), layout="constrained")
    proof.draw(run, figure)
    for axes in figure.axes:
        axes.grid(alpha=0.3)
    figure.suptitle(f"{proof.title}, {run.mesh().nodes} nodes")
    figure.savefig(folder / f"{proof.name}.png", dpi=120)


def main() -> None:
    """Run and compare what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a proof, or all")
    parser.add_argument("--of", type=Path, help="results of a run that has ended")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "proofs")
    parser.add_argument("--pictures", type=Path, help="folder to draw into")
    asked = parser.parse_args()
    if not asked.names:
        sys.exit("\n".join(f"{proof.name:<16}{proof.title}" for proof in PROOFS.values()))
    for name in PROOFS if "all" in asked.names else asked.names:
        if name not in PROOFS:
            parser.error(f"there is no proof '{name}'. {suggestion(name, PROOFS)}")
        proof = PROOFS[name]
        run = halocline.open(asked.of or perform(proof, asked.work / name, asked.set))
        show(proof, run)
        if asked.pictures:
            picture(proof, run, asked.pictures)


if __name__ == "__main__":
    main()
