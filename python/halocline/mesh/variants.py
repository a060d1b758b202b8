# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Applies --elements and --perturb to a shape."""

from __future__ import annotations

from dataclasses import replace

from halocline.errors import InvalidInputError, UsageError
from halocline.mesh.elements import HEX, MIXED, MIXED_LAYERS
from halocline.mesh.flat_elements import QUAD
from halocline.mesh.layout import Layout
from halocline.mesh.perturb import perturbed
from halocline.mesh.request import Request
from halocline.mesh.shape import Shape


def with_variants(shape: Shape, request: Request, seed: int) -> Shape:
    """Return the shape divided into the elements asked for, with its inner nodes moved.

    Args:
        shape: a shape of hexahedra.
        request: says which elements, and how far nodes move.
        seed: of the displacements.

    Raises:
        HaloclineError: the shape has a blade, or too few cells.
    """
    parameters: dict[str, object] = {}
    coordinates, layout = shape.coordinates, shape.layout
    if request.elements != (QUAD if request.flat else HEX):
        parameters["elements"] = request.elements
    if request.perturb > 0.0:
        parameters |= {"perturb": request.perturb, "seed": seed}
        coordinates = perturbed(coordinates, layout.shape, request.perturb, seed)
        layout = replace(layout, orthogonal=False)
    if not parameters:
        return replace(shape, layout=replace(layout, elements=request.elements))
    _refuse_blade(shape)
    _refuse_few_layers(layout, request)
    return replace(
        shape,
        layout=replace(layout, elements=request.elements),
        coordinates=coordinates,
        parameters=shape.parameters | parameters,
    )


def _refuse_blade(shape: Shape) -> None:
    if shape.layout.blade is not None:
        raise UsageError(
            f"{shape.name} takes neither --elements nor --perturb: ahead of and behind the blade"
            " its cells shrink to wedges, which cannot be divided or moved node by node. Leave"
            " both out or choose another shape."
        )


def _refuse_few_layers(layout: Layout, request: Request) -> None:
    layers = layout.shape[0] - 1
    fewest = 2 if layout.flat else MIXED_LAYERS
    if request.elements == MIXED and layers < fewest:
        raise InvalidInputError(
            f"--elements {MIXED}: its blocks need at least {fewest} cells along i, but"
            f" this mesh has {layers}. Ask for more --nodes or a larger first --aspect."
        )
