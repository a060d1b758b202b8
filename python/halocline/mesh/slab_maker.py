# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Chooses how the rows of a level are computed, and adds the Laplacian where it is asked for."""

from __future__ import annotations

from dataclasses import replace

from halocline.mesh.cell_slab import make_cell_slab
from halocline.mesh.cell_surface import plan_cell_surface
from halocline.mesh.element_slab import make_element_slab
from halocline.mesh.elements import HEX
from halocline.mesh.lattice import lattice_of
from halocline.mesh.layout import Layout
from halocline.mesh.shape import Shape
from halocline.mesh.slab import Slab, make_slab, plan_surface
from halocline.mesh.slab_stiffness import edge_spans, slab_stiffness


class SlabMaker:
    """Computes rows of one level of a shape, some i-planes at a time.

    Blocks of hexahedra alone, with or without a blade, and blocks of elements have makers of their
    own, which work on the lattice; all others are made cell by cell.
    """

    def __init__(self, shape: Shape, layout: Layout, laplacian: bool = False) -> None:
        self.shape = shape
        self.layout = layout
        self.laplacian = laplacian
        plan = plan_cell_surface if layout.by_cells else plan_surface
        self.plans = [plan(layout, family) for family in shape.families(layout)]
        self._offsets = layout.plane_offsets()

    def rows(self, planes: tuple[int, int]) -> Slab:
        """Rows of the planes first..last-1."""
        layout = self.layout
        maker = make_slab if layout.elements == HEX else make_element_slab
        if layout.by_cells:
            maker = make_cell_slab
        slab = maker(layout, self.shape.coordinates, self.plans, self._offsets, planes)
        if not self.laplacian or slab.stiffness is not None:
            return slab
        lattice = lattice_of(layout, self.shape.coordinates, self._offsets, planes)
        spans = edge_spans(lattice, slab.edges)
        return replace(
            slab, stiffness=slab_stiffness(lattice, slab.edges, slab.edge_vectors, spans)
        )
