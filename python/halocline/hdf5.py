# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads HDF5 files of others; reports what is damaged, never written or no number in a sentence.

A file may declare more than it holds. HDF5 would hand out fill values for ever, so what a data set
declares is set against what is stored before anything is read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from halocline.child import ChildDiedError, in_child
from halocline.errors import InvalidInputError

NUMBERS = "fiub"
MOST_COMPRESSED = 1100
"""Deflate makes 1032 bytes of one at best."""
LARGEST_ROW_BYTES = 1 << 28
BLOCK_BYTES = 512
"""Of `st_blocks`, whatever the file system's own blocks."""


@contextmanager
def opened(file: Path, remedy: str = "Is it complete?") -> Iterator[h5py.File]:
    """Open a file for reading; damage that shows while it is open becomes a sentence, too."""
    if not file.exists():
        raise InvalidInputError(f"{file} does not exist. Check the path.")
    if not file.is_file():
        raise InvalidInputError(f"{file} is not a regular file. Name an HDF5 file.")
    try:
        with h5py.File(file, "r") as handle:
            yield handle
    except (OSError, RuntimeError, KeyError, TypeError, ValueError) as error:
        if not _is_of_hdf5(error):
            raise
        reason = " ".join(str(error).split())[:200]
        raise InvalidInputError(
            f"{file} is not a readable HDF5 file ({reason}). {remedy}"
        ) from None


def _is_of_hdf5(error: Exception) -> bool:
    """Whether h5py raised it: it gives HDF5's errors one of five kinds, by what HDF5 was doing."""
    if isinstance(error, OSError | RuntimeError):
        return True
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    module = "" if last is None else str(last.tb_frame.f_globals.get("__name__"))
    return module.split(".")[0] == "h5py"


def find(handle: h5py.Group, name: str) -> h5py.Dataset | None:
    """Return a data set, None where there is none; a link that leads nowhere is none."""
    try:
        found = handle.get(name)
    except (KeyError, ValueError):
        return None
    return found if isinstance(found, h5py.Dataset) else None


def names(handle: h5py.Group) -> list[str]:
    """Return the names in a group; those that are not text are left out."""
    return [name for name in handle if isinstance(name, str)]


def kind(data: h5py.Dataset) -> str:
    """Return numpy's letter for the type of its values; empty where numpy has none."""
    try:
        return str(data.dtype.kind)
    except (TypeError, ValueError):
        return ""


def holds_numbers(data: h5py.Dataset) -> bool:
    """Whether a data set holds plain numbers at all."""
    return data.shape is not None and kind(data) in NUMBERS


def require_numbers(data: h5py.Dataset) -> h5py.Dataset:
    """Refuse what does not hold plain numbers, all of them written, in rows of a sane size."""
    where = f"{data.file.filename}: data set '{data.name}'"
    if not holds_numbers(data):
        raise InvalidInputError(f"{where} holds no numbers. Remake the file.")
    itemsize = int(data.dtype.itemsize)
    columns = math.prod(data.shape[1:])
    if columns * itemsize > LARGEST_ROW_BYTES:
        raise InvalidInputError(f"{where} has rows of {columns:,} values. Remake the file.")
    size = columns * itemsize * (data.shape[0] if data.shape else 1)
    if size > _most_stored(data):
        raise InvalidInputError(
            f"{where} declares {size:,} bytes, but the file does not hold as many (it was never "
            "written, or its values lie in other files). Remake the file."
        )
    return data


def _most_stored(data: h5py.Dataset) -> int:
    """Return how many bytes of values the file can hold for a data set."""
    properties = data.id.get_create_plist()
    if data.is_virtual or properties.get_external_count():
        return 0
    stored = int(data.id.get_storage_size())
    most = stored * MOST_COMPRESSED if properties.get_nfilters() else stored
    blocks = Path(data.file.filename).stat().st_blocks
    return min(most, blocks * BLOCK_BYTES * MOST_COMPRESSED) if blocks else most


def attributes(handle: h5py.Group) -> dict[str, Any]:
    """Return all attributes as plain values; what cannot be read is said to be so.

    Texts of variable length lie in structures of the file on which HDF5, when they are damaged, may
    crash or turn in circles.
    """
    return attributes_of([handle])[0]


def attributes_of(items: Sequence[h5py.HLObject]) -> list[dict[str, Any]]:
    """Return the attributes of several groups and data sets of one file."""
    if not items:
        return []
    try:
        return in_child(lambda: [_attributes(item) for item in items])
    except ChildDiedError:
        raise InvalidInputError(
            f"{items[0].file.filename}: the attributes are damaged (HDF5 cannot read them). "
            "Remake the file."
        ) from None


def _attributes(handle: h5py.HLObject) -> dict[str, Any]:
    found = {}
    for name in handle.attrs:
        try:
            found[str(name)] = _plain(handle.attrs[name])
        except (KeyError, OSError, RuntimeError, TypeError, ValueError):
            found[str(name)] = "(cannot be read)"
    return found


def fixed_text(item: h5py.HLObject, name: str) -> str:
    """Return an attribute that is text of fixed length; empty where there is no such.

    It lies in the attribute itself, so reading it is safe even where the file is damaged.
    """
    try:
        if name not in item.attrs or item.attrs.get_id(name).dtype.kind != "S":
            return ""
        return str(_plain(item.attrs[name]))
    except (KeyError, OSError, RuntimeError, TypeError, ValueError):
        return ""


def text_of(values: dict[str, Any], name: str, default: str = "") -> str:
    """Return an attribute that is text, else the default."""
    value = values.get(name)
    return value if isinstance(value, str) else default


def numbers_of(values: dict[str, Any], name: str, count: int) -> npt.NDArray[np.float64] | None:
    """Return an attribute of `count` finite numbers, else None."""
    value = values.get(name)
    listed = value if isinstance(value, list) else [value]
    if len(listed) != count or not all(_is_number(item) for item in listed):
        return None
    return np.asarray(listed, dtype=np.float64)


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= 1e300  # false for NaN, too; larger integers would not fit


def _plain(value: Any) -> Any:
    """Turn what HDF5 hands out into plain Python values; what is none of them into words."""
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return value if isinstance(value, bool | int | float | str) else str(value)
