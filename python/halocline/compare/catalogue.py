# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Lists the data sets of result files and folders under names that two runs share.

A result file says its cycle in its name (`variables.L0.cycles=25.h5`), a collection of results
in its groups (`cycles=25/…`). Both get the key `cycles=25/<data set>`, so they can be compared.
A results file keeps fields by step: `step=25/level_0/density`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import h5py

from halocline import hdf5
from halocline.errors import InvalidInputError
from halocline.results.checkpoint_file import CHECKSUMS, checkpoint_prefix
from halocline.results.data_set import DataSet
from halocline.results.field import Field
from halocline.results.opening import fields_over_time, open_run
from halocline.results.run import Run
from halocline.results.vtkhdf_file import SUFFIX

CYCLE_IN_NAME = re.compile(r"\.(cycles?=\d+)\.h5$")
SUFFIXES = (".h5", ".hdf5")


Catalogue = dict[str, DataSet]


def catalogue(path: Path) -> Catalogue:
    """Return the data sets of a file, a prefix, or all HDF5 files of a folder, by shared key."""
    if not path.is_dir():
        if path.suffix == SUFFIX or not path.exists():  # a prefix, or nothing
            return field_catalogue(open_run(path))
        return _catalogue_file(path, _key_start(path, alone=True))
    files = sorted(file for file in path.iterdir() if file.suffix in (*SUFFIXES, SUFFIX))
    if not files:
        raise InvalidInputError(f"{path} holds no HDF5 file (*.h5). Name a folder with results.")
    merged: Catalogue = {}
    if any(file.suffix == SUFFIX for file in files):
        merged = _frames(fields_over_time(path))
    for file in (file for file in files if file.suffix != SUFFIX):
        for key, data_set in _catalogue_file(file, _key_start(file, alone=False)).items():
            if key in merged:
                raise InvalidInputError(
                    f"{path} holds {key} twice ({merged[key].file.name} and {file.name}: two "
                    "runs in one folder). Compare the files one by one."
                )
            merged[key] = data_set
    return merged


def field_catalogue(run: Run) -> Catalogue:
    """Return the fields of a run by step, level and name."""
    return _frames(run.all_fields)


def _frames(fields: Iterable[Field]) -> Catalogue:
    return {
        f"step={step}/level_{field.level}/{field.name}": frame
        for field in fields
        for step, frame in zip(field.steps.tolist(), field.frames, strict=True)
    }


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
    if checkpoint_prefix(file) is not None:
        found.pop(f"{start}{CHECKSUMS}", None)  # they follow from the rest
    return found
