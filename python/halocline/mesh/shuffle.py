# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Random renumbering of nodes, edges and boundary entries, and random edge directions.

Cells and boundary faces stay in their order and follow the numbers of the nodes.

Unlike the rest of the mesh maker this holds a whole level in memory: about 200 bytes a node.
"""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

from halocline.files.hdf5_sink import Hdf5Output
from halocline.mesh.arrays import Ints
from halocline.mesh.cells import cell_datasets, pieces


def shuffle_level(files: list[Path], level: int, seed: int) -> None:
    """Renumber one level of a mesh in place, knowing how the next coarser one is renumbered.

    The file gains `origin` (N, 1): the number that the node had before.

    Args:
        files: level files, finest first.
        level: the level to renumber.
        seed: the same seed gives the same files.
    """
    new = _node_order(files[level], seed, level)
    coarse = _node_order(files[level + 1], seed, level + 1) if level + 1 < len(files) else None
    rng = np.random.default_rng([seed, level, 1])
    with Hdf5Output(files[level], create=False) as handle:
        _shuffle_nodes(handle, new, coarse)
        _shuffle_edges(handle, new, rng)
        _shuffle_boundary(handle, new, rng)
        if "diagonal-->node" in handle:
            _shuffle_edges(handle, new, rng, "diagonal")
        for cells in cell_datasets(handle).values():
            for first, part in pieces(cells):
                cells[first : first + len(part)] = new[part]
        handle.attrs["shuffled"] = True
        handle.attrs["seed"] = seed


def _node_order(file: Path, seed: int, level: int) -> Ints:
    """New number of each node."""
    with h5py.File(file, "r") as handle:
        nodes = handle["node_coordinates"].shape[0]
    return np.random.default_rng([seed, level, 0]).permutation(nodes)


def _shuffle_nodes(handle: h5py.File, new: Ints, coarse: Ints | None) -> None:
    origin = np.argsort(new)
    for name in ("node_coordinates", "areas", "wall_distance"):
        if name in handle:
            handle[name][...] = handle[name][...][origin]
    if "nearest_wall_node" in handle:
        handle["nearest_wall_node"][...] = new[handle["nearest_wall_node"][...]][origin]
    if coarse is not None:
        handle["node-->mg_node"][...] = coarse[handle["node-->mg_node"][...]][origin]
    handle.create_dataset("origin", data=origin[:, None].astype(np.int32))


def _shuffle_edges(
    handle: h5py.File, new: Ints, rng: np.random.Generator, kind: str = "edge"
) -> None:
    ends_of = handle[f"{kind}-->node"]
    edges = ends_of.shape[0]
    order = rng.permutation(edges)
    flip = rng.random(edges) < 0.5
    ends = new[ends_of[...]][order]
    ends[flip] = ends[flip, ::-1]
    ends_of[...] = ends
    for name in (f"{kind}_weights", f"{kind}_vectors", f"{kind}_faces"):
        if name in handle:
            vectors = handle[name][...][order]
            vectors[flip] *= -1.0
            handle[name][...] = vectors
    if f"{kind}_stiffness" in handle:
        handle[f"{kind}_stiffness"][...] = handle[f"{kind}_stiffness"][...][order]


def _shuffle_boundary(handle: h5py.File, new: Ints, rng: np.random.Generator) -> None:
    order = rng.permutation(handle["bnd_node-->node"].shape[0])
    handle["bnd_node-->node"][...] = new[handle["bnd_node-->node"][...]][order]
    for name in ("bnd_node-->group", "bnd_node_weights"):
        handle[name][...] = handle[name][...][order]
    for name in ("bnd_quads", "periodic_node_pairs"):
        if name in handle:
            handle[name][...] = new[handle[name][...]]
