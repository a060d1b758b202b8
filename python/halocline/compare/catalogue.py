# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lists the data sets of result files and folders under names that two runs share.

A result file says its cycle in its name (`variables.L0.cycles=25.h5`), a collection of results
in its groups (`cycles=25/…`). Both get the key `cycles=25/<data set>`, so they can be compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import h5py

from halocline import hdf5
from halocline.errors import InvalidInputError

CYCLE_IN_NAME = re.compile(r"\.(cycles?=\d+)\.h5$")
SUFFIXES = (".h5", ".hdf5")


@dataclass(frozen=True)
class DataSet:
    """One HDF5 data set of a run."""

    file: Path
    name: str

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"


Catalogue = dict[str, DataSet]


def catalogue(path: Path) -> Catalogue:
    """Return the data sets of a file, or of all HDF5 files of a folder, by shared key."""
    if not path.is_dir():
        return _catalogue_file(path, _key_start(path, alone=True))
    files = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES)
    if not files:
        raise InvalidInputError(f"{path} holds no HDF5 file (*.h5). Name a folder with results.")
    merged: Catalogue = {}
    for file in files:
        for key, data_set in _catalogue_file(file, _key_start(file, alone=False)).items():
            if key in merged:
                raise InvalidInputError(
                    f"{path} holds {key} twice ({merged[key].file.name} and {file.name}: two "
                    "runs in one folder). Compare the files one by one."
                )
            merged[key] = data_set
    return merged


def plain_catalogue(path: Path) -> Catalogue:
    """Return the data sets of one file under their own names, whatever the file is called."""
    return _catalogue_file(path, "")


def _key_start(file: Path, alone: bool) -> str:
    cycle = CYCLE_IN_NAME.search(file.name)
    if cycle:
        return f"{cycle.group(1)}/"
    return "" if alone or _is_collection(file) else f"{file.name}/"


def _is_collection(file: Path) -> bool:
    with hdf5.opened(file) as handle:
        return bool(len(handle)) and all(re.match(r"cycles?=\d+$", name) for name in handle)


def _catalogue_file(file: Path, start: str) -> Catalogue:
    found: Catalogue = {}

    def visit(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset) and hdf5.holds_numbers(item):
            found[f"{start}{name}"] = DataSet(file, name)

    with hdf5.opened(file) as handle:
        handle.visititems(visit)
    return found
