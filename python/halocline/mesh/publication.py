# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Gives a folder its mesh: levels under temporary names until all are there, the index last."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import MissingEnvironmentError
from halocline.files.output_file import Draft, output_error

OTHER_MESH_NAME = "m6wing"
"""A name that MG-CFD takes for a mesh that is none of its own."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, nodes done and nodes in all."""


@dataclass(frozen=True)
class LevelSummary:
    """What one level contains."""

    file: str
    nodes: int
    edges: int
    boundary_entries: int
    size_bytes: int


def input_dat(mesh_name: str, nodes: int, levels: int) -> str:
    """Text of MG-CFD's input.dat."""
    lines = [
        f"size = {nodes}",
        f"num_levels = {levels}",
        "base_array_index = 0",
        f"mesh_name = {mesh_name}",
        "[levels]",
        *(f"{level} = {level_file_name(level)}" for level in range(levels)),
    ]
    return "\n".join(lines) + "\n"


def level_file_name(level: int) -> str:
    """File name of a level."""
    return f"mesh.L{level}.h5"


def require_room(folder: Path, needed_bytes: int) -> None:
    """Make the folder; say in a sentence why the mesh cannot be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free_bytes = shutil.disk_usage(folder).free
    except OSError as error:
        raise MissingEnvironmentError(_cannot_write(folder, error)) from error
    if not os.access(folder, os.W_OK):
        raise MissingEnvironmentError(
            f"{folder}: the folder is not writable. Choose another folder with -o."
        )
    if needed_bytes > free_bytes:
        raise MissingEnvironmentError(
            f"{folder}: the mesh needs about {needed_bytes / 1e9:.1f} GB, but only"
            f" {free_bytes / 1e9:.1f} GB are free. Free some space or choose another folder."
        )


def _cannot_write(folder: Path, error: OSError) -> str:
    reason = error.strerror or str(error).splitlines()[0]
    return f"{folder}: cannot write the mesh ({reason}). Choose another folder with -o."


@contextmanager
def drafts_of(folder: Path, levels: int) -> Iterator[list[Draft]]:
    """Level files in the making; whatever is not published in the end is removed."""
    with ExitStack() as drafts:
        try:
            yield [
                drafts.enter_context(Draft(folder / level_file_name(level)))
                for level in range(levels)
            ]
        except OSError as error:
            raise output_error(folder, error) from error


def publish(folder: Path, drafts: list[Draft], text: str) -> None:
    """Give the finished files their final names, the index last; drop an older mesh's levels."""
    with Draft(folder / "input.dat") as index:
        index.write(text.encode())
        for draft in (*drafts, index):
            draft.complete()
        for draft in (*drafts, index):
            draft.publish()
    for old in folder.glob("mesh.L*.h5"):
        if old.name not in {level_file_name(level) for level in range(len(drafts))}:
            old.unlink()


class Counter:
    """Counts finished nodes and passes them on, not more often than anybody can read."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total = total
        self._done = 0
        self._progress = progress
        self._shown_s = 0.0

    def add(self, what: str, nodes: int) -> None:
        """Count nodes as done."""
        self._done += nodes
        now_s = time.monotonic()
        if self._progress and (now_s - self._shown_s > 0.1 or self._done == self._total):
            self._shown_s = now_s
            self._progress(what, self._done, self._total)


def summary(file: Path, level: int) -> LevelSummary:
    """Read the sizes of a level that was written."""
    import h5py

    with h5py.File(file, "r") as handle:
        return LevelSummary(
            file=level_file_name(level),
            nodes=int(handle["node_coordinates"].shape[0]),
            edges=int(handle["edge-->node"].shape[0]),
            boundary_entries=int(handle["bnd_node-->node"].shape[0]),
            size_bytes=file.stat().st_size,
        )
