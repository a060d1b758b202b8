# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the mgcfd program for tests, and makes small cases that are right by construction."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Spoil = Callable[[h5py.File], None]

# What is waited for comes within seconds. These limits only keep a hung program from hanging the
# suite: a crowded machine may stop a process for a minute.
time_limit_s = 600.0
patience_s = 400.0


def program(name: str = "mgcfd") -> str:
    """Path of the program under one of its names; ctest passes the folder."""
    return str(Path(os.environ["HALOCLINE_PROGRAMS"]) / name)


def launcher(ranks: int) -> list[str]:
    """Words before the program; a single rank needs no launcher."""
    if ranks == 1:
        return []
    return [
        os.environ["HALOCLINE_MPIRUN"],
        "-n",
        str(ranks),
        *os.environ["HALOCLINE_MPIRUN_FLAGS"].split(),
    ]


@dataclass(frozen=True)
class Run:
    """What a run of the program left behind."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def messages(self) -> list[str]:
        """What the program itself said on stderr, without the launcher's words."""
        return [line for line in self.err.splitlines() if line.startswith("mgcfd: ")]

    def record(self, name: str = "record.json") -> dict[str, Any]:
        """The run record."""
        result: dict[str, Any] = json.loads((self.folder / name).read_text())
        return result

    def files(self) -> set[str]:
        """Names of all HDF5 results and half-written files below the folder."""
        found = [
            *self.folder.rglob("*.cycles=*"),
            *self.folder.rglob("*.cycle=*"),
            *self.folder.rglob("*.partial"),
        ]
        return {str(path.relative_to(self.folder)) for path in found}


def environment(threads: int | str = 1) -> dict[str, str]:
    """The caller's environment with this number of threads and no colour."""
    return {**os.environ, "OMP_NUM_THREADS": str(threads)}


def run(
    folder: Path,
    *words: str,
    ranks: int = 1,
    threads: int | str = 1,
    name: str = "mgcfd",
    cwd: Path | None = None,
    before: Callable[[], None] | None = None,
) -> Run:
    """Runs the program in `folder` (or `cwd`) and collects what it says; `folder` holds results."""
    done = subprocess.run(
        [*launcher(ranks), program(name), *words],
        cwd=cwd or folder,
        env=environment(threads),
        capture_output=True,
        text=True,
        timeout=time_limit_s,
        check=False,
        stdin=subprocess.DEVNULL,
        restore_signals=False,
        preexec_fn=before,
    )
    return Run(done.returncode, done.stdout, done.stderr, folder)


def run_words(folder: Path, command: Sequence[str], more: Mapping[str, str] | None = None) -> Run:
    """Runs any command line in `folder`, with `more` in its environment."""
    done = subprocess.run(
        command,
        cwd=folder,
        env={**environment(), **(more or {})},
        capture_output=True,
        text=True,
        timeout=time_limit_s,
        check=False,
    )
    return Run(done.returncode, done.stdout, done.stderr, folder)


def wait_for(condition: Callable[[], bool], limit_s: float) -> None:
    """Waits until `condition()` holds."""
    end = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


# With weights of this size the damping factor 1e-7 of the scheme cancels: states move visibly.
weight_scale = 1e7


def box_level(shape: tuple[int, int, int], parents: bool) -> dict[str, Array]:
    """One level: a box of unit-spaced nodes and its median dual.

    Free stream enters at x = 0 (group 4) and meets a wall at the other end; all other sides are
    walls as well (group 1). Dual faces are products of widths, 1 inside and 1/2 at the ends, so
    that every dual cell is closed exactly; then all are scaled. Edge weights point from the first
    node to the second, boundary weights inward.
    """
    nodes = np.arange(np.prod(shape)).reshape(shape)
    index = np.stack(np.unravel_index(nodes.ravel(), shape), axis=1)
    widths = [np.where((np.arange(n) == 0) | (np.arange(n) == n - 1), 0.5, 1.0) for n in shape]
    width = np.stack([widths[axis][index[:, axis]] for axis in range(3)], axis=1)
    ends, weights, entries, groups, areas = [], [], [], [], []
    for axis in range(3):
        normal = weight_scale * np.eye(3)[axis]
        face = np.prod(np.delete(width, axis, axis=1), axis=1)
        first = np.delete(nodes, -1, axis=axis).ravel()
        ends.append(np.stack([first, np.delete(nodes, 0, axis=axis).ravel()], axis=1))
        weights.append(normal * face[first, None])
        for side, inward in ((0, 1.0), (-1, -1.0)):
            at = np.take(nodes, side, axis=axis).ravel()
            entries.append(at)
            groups.append(np.full(at.size, 4 if (axis, side) == (0, 0) else 1))
            areas.append(normal * inward * face[at, None])
    level: dict[str, Array] = {
        "node_coordinates": index.astype(float),
        "edge-->node": np.concatenate(ends).astype(np.int32),
        "edge_weights": np.concatenate(weights),
        "bnd_node-->node": np.concatenate(entries).astype(np.int32)[:, None],
        "bnd_node-->group": np.concatenate(groups).astype(np.int32)[:, None],
        "bnd_node_weights": np.concatenate(areas),
        "areas": np.prod(width, axis=1)[:, None],
    }
    if parents:
        coarse = tuple((n + 1) // 2 for n in shape)
        parent = np.ravel_multi_index(tuple((index // 2).T), coarse)
        level["node-->mg_node"] = parent[:, None].astype(np.int32)
    return level


legacy_names = {
    "node_coordinates": "node_coordinates.renumbered",
    "edge-->node": "edge-->node.renumbered",
    "edge_weights": "edge_weights.recalculated",
    "bnd_node-->node": "bnd_node-->node.renumbered",
    "node-->mg_node": "node-->mg_node.renumbered",
}


def write_level(path: Path, level: Mapping[str, Array]) -> None:
    """Writes one level under its default and its legacy names."""
    with h5py.File(path, "w") as file:
        for name, values in level.items():
            file[name] = values
            if name in legacy_names:
                file[legacy_names[name]] = values


def write_input(folder: Path, levels: int, text: str = "") -> None:
    """Writes input.dat for this number of levels, with more lines in front."""
    lines = [
        text,
        "size = 1",
        f"num_levels = {levels}",
        "mesh_name = rotor37",
        "base_array_index = 0",
        "[levels]",
    ]
    lines += [f"{level} = mesh.L{level}.h5" for level in range(levels)]
    (folder / "input.dat").write_text("\n".join(line for line in lines if line) + "\n")


def make_box(folder: Path, shape: tuple[int, int, int] = (5, 4, 3), levels: int = 2) -> Path:
    """A box case in `folder`; each level has half the nodes of the finer one in each direction."""
    folder.mkdir(parents=True, exist_ok=True)
    for level in range(levels):
        write_level(folder / f"mesh.L{level}.h5", box_level(shape, level + 1 < levels))
        i, j, k = ((n + 1) // 2 for n in shape)
        shape = (i, j, k)
    write_input(folder, levels)
    return folder


def spoil(folder: Path, level: int, change: Spoil) -> None:
    """Changes a level's file by hand."""
    with h5py.File(folder / f"mesh.L{level}.h5", "r+") as file:
        change(file)


def result(folder: Path, name: str) -> Array:
    """The only dataset of a result file."""
    with h5py.File(folder / name, "r") as file:
        (dataset,) = file.values()
        values: Array = dataset[()]
        return values


def all_results(folder: Path) -> dict[str, bytes]:
    """Values of every result file below `folder`, as bytes."""
    return {
        path.name: result(path.parent, path.name).tobytes()
        for path in sorted(folder.glob("*.h5"))
        if "cycle" in path.name
    }
