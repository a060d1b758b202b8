# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Programs that solve the same problem, in turns: how they are run and how they are shown.

Times are CPU seconds of one core, which other work on the machine disturbs less than it does the
clock on the wall. Ratios are formed within a repetition.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import numpy
from halocline.cli.output import console, table
from halocline.errors import MissingEnvironmentError, RunFailedError

TOUCHED_BYTES = 6 << 30
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Peer:
    """A program with its options: `run` returns the numbers of one run."""

    name: str
    run: Callable[[], Mapping[str, float]]


@dataclass
class Samples:
    """What a peer's runs gave, by the number's name, in the order of repetitions."""

    name: str
    numbers: dict[str, list[float]] = field(default_factory=dict)

    def median(self, number: str) -> float:
        """Return the middle one."""
        return median(self.numbers[number])

    def spread(self, number: str, digits: int) -> str:
        """Return 'median (least–largest)'."""
        values = self.numbers[number]
        middle, low, high = (f"{v:.{digits}f}" for v in (median(values), min(values), max(values)))
        return f"{middle} ({low}–{high})"

    def ratios(self, number: str, ours: Samples) -> list[float]:
        """Return how many times as long as `ours` each repetition took."""
        return [a / b for a, b in zip(self.numbers[number], ours.numbers[number], strict=True)]


def touch_memory() -> None:
    """Write to as much memory as a peer needs, in large pages, and give it back.

    The host of a virtual machine takes memory away that nobody used for a while. Who asks for it
    first then pays for all of it: a hierarchy of 0.75 s takes 2.2 s.
    """
    numpy.ones(TOUCHED_BYTES // 8)  # numpy asks for large pages


def take_turns(peers: Sequence[Peer], repetitions: int) -> list[Samples]:
    """Run each of the peers once, then each once more."""
    samples = [Samples(peer.name) for peer in peers]
    for repetition in range(repetitions):
        for peer, kept in zip(peers, samples, strict=True):
            console().print(f"  {repetition + 1}/{repetitions}  {peer.name}", highlight=False)
            touch_memory()
            for number, value in peer.run().items():
                kept.numbers.setdefault(number, []).append(value)
    return samples


def run_program(
    command: Sequence[str | Path], folder: Path | None = None, accepted: Sequence[int] = (0,)
) -> str:
    """Return what a program prints; raise RunFailedError with its last lines if it fails."""
    words = [str(word) for word in command]
    environment = {**os.environ, **ENVIRONMENT}
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode not in accepted:
        tail = " | ".join((done.stdout + done.stderr).strip().splitlines()[-3:])
        raise RunFailedError(f"'{' '.join(words)}' failed with exit code {done.returncode}: {tail}")
    return done.stdout


def require_file(path: Path, remedy: str) -> Path:
    """Return `path`; raise MissingEnvironmentError with the remedy where there is none."""
    if not path.exists():
        raise MissingEnvironmentError(f"{path} is missing. {remedy}")
    return path


def show(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose first column has names."""
    shown = table(title, *columns, right=columns[1:])
    for row in rows:
        shown.add_row(*row)
    console().print(shown)


def write(path: Path, title: str, samples: Sequence[Samples]) -> None:
    """Write all numbers of all repetitions as JSON, with the load of the machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "what": title,
        "load_average": os.getloadavg(),
        "peers": {kept.name: kept.numbers for kept in samples},
    }
    path.write_text(json.dumps(document, indent=1) + "\n")
    console().print(f"wrote {path}", highlight=False)
