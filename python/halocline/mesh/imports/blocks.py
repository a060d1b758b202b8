# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Work of an import in blocks of nodes, so that memory stays within a budget, in several processes.

A block is a range of node numbers. Faces and edges belong to the block of their lowest node, so
that a block is joined without the others, and results one behind the other are in the order that
one block for all would give: neither the budget nor the number of processes changes a bit. Cells
are walked over in pieces of a fixed size, for the same reason.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import IO, TypeVar

import numpy as np

from halocline.doctor.machine import memory_bytes
from halocline.errors import MissingEnvironmentError, UsageError
from halocline.launch.cores import usable_cores
from halocline.launch.process import PR_SET_PDEATHSIG
from halocline.mesh.arrays import AnyArray, Ints

PIECE = 1 << 18
"""Cells looked at together."""
BYTES = 80
"""Of memory for each part of an edge while a block is joined."""
MOST, FEWEST = 4_000_000, 200_000
"""Parts of edges in a block: more do not make it faster, fewer cost a walk over all cells each."""
BINS = 1 << 14

Result = TypeVar("Result")
Block = tuple[int, int]
"""First node, and the one behind the last."""


@dataclass(frozen=True)
class Resources:
    """What an import may use: memory [bytes], processes, a folder for what does not fit."""

    memory: int
    processes: int
    folder: Path


def resources_of(memory: str, processes: int, folder: Path) -> Resources:
    """Return the resources that were asked for.

    Args:
        memory: `4GB` or a number of bytes; "" for half of what the machine has free.
        processes: 0 for the cores that this process may use.
        folder: where the mesh goes; what does not fit into memory is kept beside it.
    """
    if processes < 0:
        raise UsageError(f"--processes {processes}: must be 1 or more.")
    beside = next(place for place in (folder, *folder.absolute().parents) if place.is_dir())
    wanted = _bytes_of(memory) if memory else memory_bytes()[1] // 2
    return Resources(wanted, processes or usable_cores().cores, beside)


def _bytes_of(text: str) -> int:
    match = re.fullmatch(r"([0-9]*\.?[0-9]+)\s*([kMGT]?)(i?)B?", text.strip())
    if match is None:
        raise UsageError(f"--memory {text}: is not an amount of memory. Give e.g. 4GB or 512MB.")
    base = 1024 if match[3] else 1000
    return int(float(match[1]) * base ** " kMGT".index(match[2] or " "))


def pieces(rows: AnyArray) -> Iterator[tuple[int, AnyArray]]:
    """Yield (first row, rows) of a table of cells or faces."""
    for first in range(0, len(rows), PIECE):
        yield first, rows[first : first + PIECE]


def within(lowest: AnyArray, block: Block) -> Ints:
    """Return which of some nodes lie in a block."""
    return np.flatnonzero((lowest >= block[0]) & (lowest < block[1]))


class Histogram:
    """How many things have a lowest node in each of BINS ranges of nodes."""

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes
        self._width = max(1, -(-nodes // BINS))
        self._counts: Ints = np.zeros(BINS + 1, dtype=np.int64)

    def add(self, lowest: AnyArray) -> None:
        """Count things by their lowest nodes (n,)."""
        self._counts += np.bincount(lowest // self._width, minlength=len(self._counts))

    def blocks(self, most: int) -> list[Block]:
        """Return blocks that hold `most` things each, or one range of more."""
        blocks, first, held = [], 0, 0
        for place, count in enumerate(self._counts.tolist()):
            if held and held + count > most:
                blocks.append((first, place * self._width))
                first, held = place * self._width, 0
            held += count
        blocks.append((first, self._nodes))
        return blocks


def most_in_block(resources: Resources, held: int) -> int:
    """Return how many parts of edges a block may have beside `held` bytes of the whole mesh."""
    require_memory(resources, held + resources.processes * BYTES * FEWEST)
    return min((resources.memory - held) // (resources.processes * BYTES), MOST)


def require_memory(resources: Resources, needed: int) -> None:
    """Refuse what cannot be done within the resources, before it is begun."""
    if needed > resources.memory:
        raise MissingEnvironmentError(
            f"--memory: this mesh needs {needed / 1e9:.2g} GB with {resources.processes} "
            f"process(es), and may use {resources.memory / 1e9:.2g} GB. "
            "Give more, or take a smaller mesh."
        )


_work: Callable[[int], object] | None = None


def in_processes(work: Callable[[int], Result], count: int, processes: int) -> list[Result]:
    """Return what `work` returns for 0 to count − 1, from copies of this process.

    Copies see all arrays of this process without using memory for them.
    """
    global _work  # noqa: PLW0603 - how copies find what to do
    if processes == 1 or count == 1:
        return [work(number) for number in range(count)]
    _work = work
    try:
        workers = min(processes, count)
        with ProcessPoolExecutor(workers, get_context("fork"), initializer=_serve) as pool:
            return list(pool.map(_call, range(count)))  # type: ignore[arg-type]
    except BrokenProcessPool:
        raise MissingEnvironmentError(
            "A process of the import was ended from outside, probably for want of memory. Give a "
            "smaller --memory, or fewer --processes."
        ) from None
    finally:
        _work = None


def _serve() -> None:
    """In a copy: end with the process that was copied, and leave its streams alone.

    A thread that shows progress may have held them when the copy was made.
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    sys.stdout = sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def _call(number: int) -> object:
    return None if _work is None else _work(number)


def shared_table(rows: int, columns: int, kind: str) -> AnyArray:
    """Return a table that copies of this process may fill, each its rows."""
    of = np.dtype(kind)
    memory = mmap.mmap(-1, max(1, rows * columns * of.itemsize))
    return np.frombuffer(memory, of, rows * columns).reshape(rows, columns)


class Parts:
    """A table that blocks write on disk, each its rows, and that is read as one."""

    def __init__(self, folder: Path, count: int, columns: int, kind: str) -> None:
        self._files = [tempfile.TemporaryFile(dir=folder) for _ in range(count)]  # noqa: SIM115
        self._folder, self._columns, self._kind = folder, columns, np.dtype(kind)

    def write(self, number: int, rows: AnyArray) -> None:
        """Write the rows of a block; in a copy of the process, too."""
        self._files[number].write(np.ascontiguousarray(rows, dtype=self._kind).tobytes())
        self._files[number].flush()

    def joined(self) -> AnyArray:
        """Return all rows, mapped from the disk; parts are gone with it."""
        with tempfile.TemporaryFile(dir=self._folder) as whole:
            for file in self._files:
                _append(file, whole)
            whole.flush()
            size = os.fstat(whole.fileno()).st_size // (self._kind.itemsize * self._columns)
            if size == 0:
                return np.empty((0, self._columns), self._kind)
            return np.memmap(whole, self._kind, "r", shape=(size, self._columns))


def _append(file: IO[bytes], whole: IO[bytes]) -> None:
    with file:
        file.seek(0)
        shutil.copyfileobj(file, whole, 1 << 22)
