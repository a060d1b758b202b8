# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares two runs: pairs their data sets by key and measures each pair."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from halocline.compare.catalogue import Catalogue, catalogue, field_catalogue, plain_catalogue
from halocline.compare.difference import Difference, Limits, measure
from halocline.compare.node_order import node_order
from halocline.errors import HaloclineError, InvalidInputError
from halocline.results.data_set import DataSet, Ints
from halocline.results.mesh import Mesh
from halocline.results.opening import open_run
from halocline.results.run import Run

LEVEL_IN_KEY = re.compile(r"(?:level_|_L|\.L)(\d{1,3})(?!\d)")
Place = str | os.PathLike[str] | Run


@dataclass(frozen=True)
class Pairing:
    """Data sets that both sides have, and those that only one has."""

    a: Catalogue
    b: Catalogue

    @property
    def common(self) -> list[str]:
        """Keys on both sides, in natural order."""
        return sorted(self.a.keys() & self.b.keys(), key=_natural)

    @property
    def only_a(self) -> list[str]:
        """Keys on the first side alone."""
        return sorted(self.a.keys() - self.b.keys(), key=_natural)

    @property
    def only_b(self) -> list[str]:
        """Keys on the second side alone."""
        return sorted(self.b.keys() - self.a.keys(), key=_natural)


@dataclass(frozen=True)
class Meshes:
    """Meshes by level: where nodes lie, and where the second run has the same nodes."""

    of_a: Mapping[int, Mesh] = field(default_factory=dict)
    of_b: Mapping[int, Mesh] | None = None
    """None: both runs number nodes alike."""
    _orders: dict[int, Ints] = field(default_factory=dict)

    def order(self, level: int) -> Ints | None:
        """Return the row of the second run for each row of the first; None for the same."""
        if self.of_b is None or level not in self.of_a or level not in self.of_b:
            return None
        if level not in self._orders:
            self._orders[level] = node_order(self.of_a[level], self.of_b[level])
        return self._orders[level]


@dataclass(frozen=True)
class Comparison:
    """What `compare` found."""

    differences: list[Difference]
    only_a: list[str]
    only_b: list[str]
    limits: Limits
    common_only: bool
    meshes: Meshes

    @property
    def equal(self) -> bool:
        """Whether all that should be equal is."""
        complete = self.common_only or not (self.only_a or self.only_b)
        return complete and all(found.accepted for found in self.differences)

    def mesh_of(self, found: Difference) -> Mesh | None:
        """Return the mesh whose nodes the rows of a data set are, where it is known."""
        mesh = self.meshes.of_a.get(level_of(found.key))
        return mesh if mesh is not None and mesh.nodes == found.shape[0] else None

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        rows = [found.as_json() for found in self.differences]
        sides = {"only_a": self.only_a, "only_b": self.only_b}
        return {"equal": self.equal, "limits": self.limits.words(), **sides, "data_sets": rows}


def compare(
    a: Place,
    b: Place,
    limits: Limits | None = None,
    *,
    common_only: bool = False,
    meshes: Meshes | None = None,
) -> Comparison:
    """Compare two runs, files or folders, data set by data set.

    Args:
        a: a path, or a `Run` of `halocline.open`.
        b: what to compare it with.
        limits: what counts as equal; equal values when None.
        common_only: accept data sets that only one side has.
        meshes: where nodes lie, see `known_meshes`; what the runs know when None.

    Raises:
        InvalidInputError: a side cannot be read, or the two share nothing.
    """
    pairing = pair(_path(a), _path(b))
    limits = limits or Limits()
    known = meshes or Meshes(_meshes_of(a))
    differences = [_located(measured, known) for measured in _measured(pairing, limits, known)]
    return Comparison(differences, pairing.only_a, pairing.only_b, limits, common_only, known)


def _measured(pairing: Pairing, limits: Limits, meshes: Meshes) -> Iterator[Difference]:
    for key in pairing.common:
        a, b = pairing.a[key], pairing.b[key]
        order = meshes.order(level_of(key))
        yield measure(key, a, b, limits, _fitting(order, a))


def _fitting(order: Ints | None, data: DataSet) -> Ints | None:
    """Rows of data sets that are not nodes keep their order."""
    if order is None:
        return None
    with data.opened() as rows:
        return order if rows.count == len(order) else None


def _located(found: Difference, meshes: Meshes) -> Difference:
    """Add the place of the largest difference, where the mesh is known."""
    mesh = meshes.of_a.get(level_of(found.key))
    if found.row is not None and mesh is not None and mesh.nodes == found.shape[0]:
        import numpy as np

        x, y, z = mesh.points_at(np.array([found.row]))[0].tolist()
        found.coordinates = (x, y, z)
    return found


def level_of(key: str) -> int:
    """Return the level that a key names; 0 where it names none."""
    match = LEVEL_IN_KEY.search(key)
    return int(match[1]) if match else 0


def _path(place: Place) -> Path:
    return place.path if isinstance(place, Run) else Path(place)


def _meshes_of(place: Place) -> dict[int, Mesh]:
    """Return the meshes that a run leads to; none where it is no run."""
    try:
        run = place if isinstance(place, Run) else open_run(place)
        return {level: run.mesh(level) for level in run.levels_with_mesh}
    except HaloclineError:
        return {}


def pair(path_a: Path, path_b: Path) -> Pairing:
    """Find what can be compared.

    Two single files may also pair by plain data set names, and files of different kinds by the
    fields in them.
    """
    pairing = Pairing(catalogue(path_a), catalogue(path_b))
    if not pairing.common and path_a.is_file() and path_b.is_file():
        pairing = _first_with_common(
            pairing, Pairing(plain_catalogue(path_a), plain_catalogue(path_b))
        )
    if not pairing.common:
        pairing = _first_with_common(pairing, Pairing(_fields_of(path_a), _fields_of(path_b)))
    if not pairing.common:
        raise InvalidInputError(
            f"{path_a} and {path_b} share no data set ({_some(pairing.a)}; {_some(pairing.b)}). "
            "Compare results of the same cycle and kind."
        )
    return pairing


def _first_with_common(first: Pairing, second: Pairing) -> Pairing:
    return second if second.common else first


def _fields_of(path: Path) -> Catalogue:
    try:
        return field_catalogue(open_run(path))
    except HaloclineError:
        return {}


def _some(found: Catalogue) -> str:
    names = sorted(found, key=_natural)
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return (", ".join(names[:2]) + more) if names else "nothing numeric"


def _natural(key: str) -> list[tuple[int, str]]:
    """Sort key that puts cycles=5 before cycles=25."""
    parts: list[tuple[int, str]] = []
    digits = ""
    for character in key + "/":
        if character.isdigit():
            digits += character
            continue
        if digits:
            parts.append((int(digits), ""))
            digits = ""
        parts.append((-1, character))
    return parts
