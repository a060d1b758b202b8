# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Gives every named boundary a group number: by the user's word, the file's, or its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halocline.errors import InvalidInputError, UsageError, suggestion
from halocline.mesh import groups
from halocline.mesh.imports.face_faults import BoundaryFaces
from halocline.mesh.imports.source import Source

GUESSES = (
    ("symmetry", ("symm", "sym")),
    ("far-field", ("far", "freestream", "free-stream", "free stream", "infinity", "open")),
    ("inlet", ("inlet", "inflow", "intake")),
    ("outlet", ("outlet", "outflow", "exit", "exhaust")),
    ("hub", ("hub",)),
    ("shroud", ("shroud", "casing")),
    ("blade", ("blade", "airfoil", "aerofoil", "wing", "body", "fuselage", "nacelle", "cylinder")),
    ("upper-wall", ("upperwall", "upper wall", "upper-wall", "topwall", "lid")),
    ("side-wall", ("sidewall", "side wall", "side-wall", "frontandback", "empty")),
    ("wall", ("wall", "slip", "solid", "floor", "ground", "bump", "obstacle")),
)
"""Words and the parts of names that indicate them; the first that fits counts."""


@dataclass(frozen=True)
class Assignment:
    """A boundary of the file, its faces, its group, and who says so: you, the file, its name.

    `wall`: distances from walls are taken from it; planes of symmetry have the group of walls.
    """

    name: str
    faces: int
    group: int
    by: str
    wall: bool = False


def parse_boundaries(texts: list[str]) -> dict[str, int]:
    """Read NAME=GROUP, with GROUP a word or 0 to 7."""
    wanted: dict[str, int] = {}
    for text in texts:
        name, equals, word = text.rpartition("=")
        if not equals or not name:
            raise UsageError(f"--boundary '{text}' is not NAME=GROUP. Give e.g. wing=wall.")
        if name in wanted:
            raise UsageError(f"--boundary {name} is given twice. Give it once.")
        wanted[name] = group_number(word, f"--boundary {text}")
    return wanted


def group_number(word: str, where: str) -> int:
    """Return the number of a group that a word or a number names."""
    plain = re.sub(r"[\s_]+", "-", word.strip().lower())
    if plain in groups.WORDS:
        return groups.WORDS[plain]
    if plain.isdecimal() and groups.FIRST <= int(plain) <= groups.LAST:
        return int(plain)
    raise UsageError(
        f"{where}: '{word}' is not a boundary group. {suggestion(plain, groups.WORDS)} "
        f"Numbers are {groups.FIRST} to {groups.LAST}."
    )


def assign_groups(
    source: Source,
    faces: dict[int, BoundaryFaces],
    wanted: dict[str, int],
    default: int | None,
    symmetry: frozenset[str] = frozenset(),
) -> list[Assignment]:
    """Return one assignment for each boundary of the source, in its order.

    Args:
        source: has the boundaries.
        faces: of the boundary.
        wanted: groups by name.
        default: group of those that say nothing.
        symmetry: names that were called planes of symmetry.

    Raises:
        InvalidInputError: a boundary whose group nobody says.
        UsageError: a name in `wanted` that is not a boundary.
    """
    names = [patch.name for patch in source.patches]
    for name in wanted:
        if name not in names:
            raise UsageError(
                f"--boundary {name}: {source.path} has no boundary of this name. "
                f"{suggestion(name, names)}"
            )
    counts = sum(
        (np.bincount(of.patch[of.patch >= 0], minlength=len(names)) for of in faces.values()),
        np.zeros(len(names), dtype=np.int64),
    )
    found = []
    for patch, count in zip(source.patches, counts.tolist(), strict=True):
        group, by = _group_of(patch.name, patch.word, wanted, default)
        if group is None and count:
            raise _unmapped(source.path, patch.name, count)
        plane = patch.name in symmetry or (
            patch.name not in wanted and _is_symmetry(patch.name, patch.word)
        )
        wall = group is not None and group <= groups.LAST_WALL and not plane
        found.append(Assignment(patch.name, count, -1 if group is None else group, by, wall))
    return found


def symmetry_names(texts: list[str]) -> frozenset[str]:
    """Names that NAME=symmetry calls planes of symmetry."""
    pairs = (text.rpartition("=") for text in texts)
    return frozenset(name for name, _, word in pairs if word.strip().lower() == "symmetry")


def _is_symmetry(name: str, word: str) -> bool:
    return word == "symmetry" or (not word and "sym" in name.lower())


def _group_of(
    name: str, word: str, wanted: dict[str, int], default: int | None
) -> tuple[int | None, str]:
    if name in wanted:
        return wanted[name], "you"
    if word:
        return groups.WORDS[word], "the file"
    folded = name.lower().replace("_", " ")
    for guess, parts in GUESSES:
        if any(part in folded or part in folded.replace(" ", "") for part in parts):
            return groups.WORDS[guess], "its name"
    exact = {"in": "inlet", "out": "outlet", "far": "far-field"}.get(folded, "")
    if exact:
        return groups.WORDS[exact], "its name"
    return (default, "you") if default is not None else (None, "")


def _unmapped(path: Path, name: str, faces: int) -> InvalidInputError:
    shown = f"'{name}=wall'" if re.search(r"\s", name) else f"{name}=wall"
    return InvalidInputError(
        f"{path}: boundary '{name}' ({faces:,} faces) has no group, and its name does not say one. "
        f"Give it one with --boundary {shown} (or {', '.join(list(groups.WORDS)[1:6])}, …, 0 to "
        f"{groups.LAST}), or all that are left with --default-boundary."
    )
