# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the HDF5 file of one level in MG-CFD's format, slab by slab."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType

import numpy as np

from halocline import __version__
from halocline.files.hdf5_sink import Hdf5Output
from halocline.mesh.arrays import AnyArray, Ints
from halocline.mesh.block_cells import cell_offsets
from halocline.mesh.cells import corners_of
from halocline.mesh.edge_rows import Stiffness
from halocline.mesh.layout import Layout
from halocline.mesh.shape import Shape
from halocline.mesh.slab import Slab, SurfacePlan

FORMAT_VERSION = 1
LEGACY_NAMES = {
    "node_coordinates.renumbered": "node_coordinates",
    "edge-->node.renumbered": "edge-->node",
    "edge_weights.recalculated": "edge_weights",
    "bnd_node-->node.renumbered": "bnd_node-->node",
    "node-->mg_node.renumbered": "node-->mg_node",
}
"""Names that MG-CFD reads in its legacy mode: hard links to the same data."""


class LevelWriter:
    """Creates all datasets of a level at their final size and fills them plane by plane."""

    def __init__(
        self,
        path: Path,
        layout: Layout,
        plans: list[SurfacePlan],
        *,
        has_parents: bool,
        periodic: bool,
        laplacian: bool = False,
    ) -> None:
        self._layout = layout
        self._laplacian = laplacian
        self._plans = plans
        self._node_offsets = layout.plane_offsets()
        self._edge_offsets = layout.edge_offsets()
        self._first_entry = _starts([int(plan.node_offsets[-1]) for plan in plans])
        self._first_quad = _starts([int(plan.quad_offsets[-1]) for plan in plans])
        self._cell_offsets = cell_offsets(layout)
        self._periodic = periodic
        self._output = Hdf5Output(path, create=True)
        self._file = self._output.file
        self._create(has_parents)

    def __enter__(self) -> LevelWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._output.__exit__(kind, value, trace)

    def _create(self, has_parents: bool) -> None:
        nodes, edges = int(self._node_offsets[-1]), int(self._edge_offsets[-1])
        entries, quads = self._first_entry[-1], self._first_quad[-1]
        sizes = {
            "node_coordinates": ((nodes, 3), "f8"),
            "areas": ((nodes, 1), "f8"),
            "edge-->node": ((edges, 2), "i4"),
            "edge_weights": ((edges, 3), "f8"),
            "bnd_node-->node": ((entries, 1), "i4"),
            "bnd_node-->group": ((entries, 1), "i4"),
            "bnd_node_weights": ((entries, 3), "f8"),
            "bnd_quads": ((quads, 4), "i4"),
            "bnd_quad_group": ((quads,), "i4"),
        }
        sizes |= self._sizes_of_laplacian(edges) if self._laplacian else {}
        if has_parents:
            sizes["node-->mg_node"] = ((nodes, 1), "i4")
        if self._periodic:
            pairs = self._layout.shape[0] * self._layout.shape[1]
            sizes["periodic_node_pairs"] = ((pairs, 2), "i4")
        for name, offsets in self._cell_offsets.items():
            sizes[name] = ((int(offsets[-1]), corners_of(name) or 0), "i4")
        for name, (shape, kind) in sizes.items():
            self._file.create_dataset(name, shape=shape, dtype=kind)
        for alias, name in LEGACY_NAMES.items():
            if name in self._file:
                self._file[alias] = self._file[name]

    def describe(self, shape: Shape, level: int, levels: int, scaling: tuple[str, float]) -> None:
        """Store what the file is and how it was made, as attributes of the file.

        Args:
            shape: what is in the mesh.
            level: number of this level.
            levels: how many there are.
            scaling: name and value of the factor on area vectors.
        """
        names = {str(group): name for group, name in sorted(shape.group_names.items())}
        attributes: dict[str, object] = {
            "format": "halocline-mesh",
            "format_version": FORMAT_VERSION,
            "code_version": __version__,
            "shape": shape.name,
            "level": level,
            "levels": levels,
            "parameters": json.dumps(shape.parameters),
            "scaling": scaling[0],
            "area_factor": scaling[1],
            "length_unit": shape.length_unit,
            "bnd_group_names": json.dumps(names),
            "shuffled": False,
        }
        if shape.periodic:
            attributes["rotation_axis"] = np.array(shape.periodic.axis)
            attributes["periodic_angle_rad"] = shape.periodic.angle_rad
        if self._laplacian:
            attributes["dimension"] = 2 if self._layout.flat else 3
        if any(self._layout.wraps):
            attributes["periods"] = np.array(shape.periods)
        for name, value in attributes.items():
            self._file.attrs[name] = value

    def _sizes_of_laplacian(self, edges: int) -> dict[str, tuple[tuple[int, ...], str]]:
        diagonals = int(self._layout.row_counts.diagonal_offsets[-1])
        sizes: dict[str, tuple[tuple[int, ...], str]] = {"edge_stiffness": ((edges, 1), "f8")}
        if diagonals:
            sizes["diagonal-->node"] = ((diagonals, 2), "i4")
            sizes["diagonal_stiffness"] = ((diagonals, 1), "f8")
            sizes["edge_faces"] = ((edges, 3), "f8")
            sizes["diagonal_faces"] = ((diagonals, 3), "f8")
        if any(self._layout.wraps):
            sizes["edge_vectors"] = ((edges, 3), "f8")
            if diagonals:
                sizes["diagonal_vectors"] = ((diagonals, 3), "f8")
        return sizes

    def write_slab(self, slab: Slab, planes: tuple[int, int], factor: float) -> None:
        """Write the rows of some planes; area vectors are multiplied by the factor."""
        node = int(self._node_offsets[planes[0]])
        edge = int(self._edge_offsets[planes[0]])
        self._put("node_coordinates", node, slab.coordinates)
        self._put("areas", node, slab.volumes[:, None])
        self._put("edge-->node", edge, slab.edges)
        self._put("edge_weights", edge, slab.edge_vectors * factor)
        for number, (plan, surface) in enumerate(zip(self._plans, slab.surfaces, strict=True)):
            entry = self._first_entry[number] + int(plan.node_offsets[planes[0]])
            quad = self._first_quad[number] + int(plan.quad_offsets[planes[0]])
            group = plan.family.group
            self._put("bnd_node-->node", entry, surface.nodes[:, None])
            self._put("bnd_node-->group", entry, np.full((len(surface.nodes), 1), group))
            self._put("bnd_node_weights", entry, surface.vectors * factor)
            self._put("bnd_quads", quad, surface.quads)
            self._put("bnd_quad_group", quad, np.full(len(surface.quads), group))
        for name, cells in slab.cells.items():
            self._put(name, int(self._cell_offsets[name][planes[0]]), cells)
        if slab.stiffness is not None:
            self._write_stiffness(slab.stiffness, edge, planes[0])
        if slab.spans is not None:
            self._put("edge_vectors", edge, slab.spans)
        if self._periodic:
            self._write_pairs(planes)

    def write_parents(self, parents: Ints, planes: tuple[int, int]) -> None:
        """Write the coarse node of each node of some planes."""
        self._put("node-->mg_node", int(self._node_offsets[planes[0]]), parents[:, None])

    def _write_pairs(self, planes: tuple[int, int]) -> None:
        ids = self._layout.node_ids(np.arange(*planes), self._node_offsets)
        pairs = np.stack([ids[:, :, 0].ravel(), ids[:, :, -1].ravel()], axis=-1)
        self._put("periodic_node_pairs", planes[0] * self._layout.shape[1], pairs)

    def _write_stiffness(self, stiffness: Stiffness, edge: int, plane: int) -> None:
        diagonal = int(self._layout.row_counts.diagonal_offsets[plane])
        self._put("edge_stiffness", edge, stiffness.edges[:, None])
        self._put("diagonal-->node", diagonal, stiffness.diagonals)
        self._put("diagonal_stiffness", diagonal, stiffness.diagonal_weights[:, None])
        if stiffness.spans is not None:
            self._put("diagonal_vectors", diagonal, stiffness.spans)
        if "edge_faces" in self._file:  # else they are those of the mesh
            self._put("edge_faces", edge, stiffness.faces)
            self._put("diagonal_faces", diagonal, stiffness.diagonal_faces)

    def _put(self, name: str, first: int, rows: AnyArray | None) -> None:
        if rows is not None and len(rows):
            dataset = self._file[name]
            dataset[first : first + len(rows)] = rows.astype(dataset.dtype, copy=False)
            self._output.sink.check()


def _starts(counts: list[int]) -> list[int]:
    return [int(start) for start in np.concatenate([[0], np.cumsum(counts)])]
