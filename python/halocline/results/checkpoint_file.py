# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads checkpoints as results: the state of all levels after one step."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.results.data_set import DataSet
from halocline.results.field import Field
from halocline.results.mgcfd_files import parts_of

NAME = re.compile(r"(?P<prefix>.*)checkpoint\.step=\d{1,18}\.h5$", re.DOTALL)
FORMAT = "halocline-checkpoint"
CHECKSUMS = "checksums"
BESIDE = ("numbers", CHECKSUMS)
"""What is no field: numbers of the solver, and checksums of all values."""
ON_LEVEL = re.compile(r"(?P<kind>.+)_L(?P<level>\d{1,3})$")


@dataclass(frozen=True)
class Checkpoint:
    """What stands in a checkpoint."""

    solver: str
    fields: list[Field]


def checkpoint_prefix(file: Path) -> str | None:
    """Return what stands before `checkpoint.step=<n>.h5` in a name; None where it is no such."""
    match = NAME.match(file.name)
    return None if match is None else match["prefix"]


def read_checkpoint(file: Path) -> Checkpoint:
    """Read what there is; values are read later.

    Raises:
        InvalidInputError: it is not a checkpoint, or damaged.
    """
    with hdf5.opened(file) as handle:
        said = hdf5.attributes(handle)
        step = said.get("step")
        if said.get("format") != FORMAT or not isinstance(step, int):
            raise InvalidInputError(f"{file} is not a checkpoint (its attributes say otherwise).")
        found = [(name, hdf5.find(handle, name)) for name in hdf5.names(handle)]
        fields = [
            Field(part, [DataSet(file, f"/{name}", columns=columns)], [step], level=level)
            for name, data in found
            if name not in BESIDE and data is not None and hdf5.holds_numbers(data)
            for part, columns, level in _parts(name, data.shape)
        ]
    return Checkpoint(hdf5.text_of(said, "program"), fields)


def _parts(name: str, shape: tuple[int, ...]) -> list[tuple[str, tuple[int, int] | None, int]]:
    """Return the fields in a data set: name, columns, level."""
    match = ON_LEVEL.match(name)
    kind, level = (match["kind"], int(match["level"])) if match else (name, 0)
    width = shape[1] if len(shape) == 2 else 1
    return [(part, columns, level) for part, columns in parts_of(kind, width).items()]
