# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The runs of mgcfd that the benchmark compares."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from halocline.launch.layout import Layout
from halocline.launch.mpi import THREAD_VARIABLES, launch_words
from halocline.launch.mpi_library import mpi_family

NATURAL, SHUFFLED = "natural", "shuffled"
OVERLAP, WAITING = "2 ranks, Gigabit", "2 ranks, Gigabit, no overlap"
GIGABIT = ("--network-model", "50,0.125", "--halo-scheme", "auto", "--no-triad")


@dataclass(frozen=True)
class Variant:
    """One way to run one mesh."""

    name: str
    mesh: str
    cycles: int
    backend: str = "openmp"
    ranks: int = 1
    threads: int = 1
    renumber: bool = True
    flags: tuple[str, ...] = ("--no-triad",)

    def command(self, program: Path, mesh_folder: Path, output: Path) -> list[str]:
        """The whole command line, launcher included."""
        layout = Layout(self.ranks, self.threads, oversubscribed=False)
        launcher = launch_words("auto", layout, mpi_family(program), [])
        words = ["-d", str(mesh_folder), "-o", f"{output}/", "-g", str(self.cycles)]
        words += ["-m", "ptscotch", "--backend", self.backend, "--threads", str(self.threads)]
        words.append("--renumber" if self.renumber else "--no-renumber")
        return [*launcher, str(program), *words, *self.flags]

    def environment(self) -> dict[str, str]:
        """OpenMP settings: threads stay on the cores that the launcher gave their rank."""
        values = (str(self.threads), "close", "cores")
        return dict(zip(THREAD_VARIABLES, values, strict=True))


@dataclass(frozen=True)
class Sizes:
    """How much work the benchmark does.

    The serial back end runs fewer cycles (`shuffled_cycles` on the shuffled mesh), since every
    cycle costs the same and only the time of one is compared.
    """

    nodes: int
    repetitions: int
    cycles: int
    serial_cycles: int
    shuffled_cycles: int


def variants(sizes: Sizes, cores: int) -> list[Variant]:
    """All runs of one repetition, in the order in which they take turns."""
    few = min(5, sizes.cycles)
    made = [
        Variant("fast", NATURAL, sizes.cycles, flags=("--triad",)),
        Variant("plain", NATURAL, sizes.serial_cycles, backend="serial", renumber=False),
        Variant("fast shuffled", SHUFFLED, sizes.cycles),
        Variant(
            "plain shuffled", SHUFFLED, sizes.shuffled_cycles, backend="serial", renumber=False
        ),
        Variant("set-up", NATURAL, 1),
        Variant("set-up shuffled", SHUFFLED, 1),
        Variant("stream", NATURAL, few, flags=("--no-triad", "--measure-mem-bound")),
    ]
    if cores >= 2:
        made.append(Variant("2 threads", NATURAL, sizes.cycles, threads=2, flags=("--triad",)))
        made.append(Variant("2 ranks", NATURAL, sizes.cycles, ranks=2))
        made.append(Variant(OVERLAP, NATURAL, few, ranks=2, flags=GIGABIT))
        waiting = (*GIGABIT, "--no-halo-overlap")
        made.append(Variant(WAITING, NATURAL, few, ranks=2, flags=waiting))
    return made
