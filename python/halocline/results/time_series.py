# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run measured over its steps: `<prefix>series.csv`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from halocline.errors import InvalidInputError, MissingEnvironmentError, UsageError, suggestion

SERIES_NAME = "series.csv"
Column = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TimeSeries:
    """Columns of numbers, one number a line of the file.

    Attributes:
        path: the file.
        steps: after which the numbers were measured.
        times: of these steps; the steps themselves where the run does not count time.
        units: column → unit, "1" where it has none.
    """

    path: Path
    steps: npt.NDArray[np.int64]
    times: Column
    units: dict[str, str]
    _columns: dict[str, Column]

    def __getitem__(self, name: str) -> Column:
        if name not in self._columns:
            raise UsageError(f"{self.path} has no column '{name}'. {suggestion(name, list(self))}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_xarray(self) -> Any:
        """Return an `xarray.Dataset` with the dimension step."""
        try:
            import xarray
        except ImportError:
            raise MissingEnvironmentError(
                "xarray is not installed. Run: pip install 'halocline[xarray]'."
            ) from None
        variables = {
            name: ("step", values, {"units": self.units[name]})
            for name, values in self._columns.items()
        }
        return xarray.Dataset(variables, {"step": self.steps, "time": ("step", self.times)})

    def __repr__(self) -> str:
        return f"<series {self.path}, {len(self.steps)} lines: {', '.join(self)}>"


def is_series(file: Path) -> bool:
    """Whether a file has the name of a series."""
    return file.name.endswith(SERIES_NAME)


def read_time_series(path: Path) -> TimeSeries:
    """Read a series, also one that grows: a line counts when it is complete.

    Raises:
        InvalidInputError: it is none, or damaged.
    """
    try:
        head, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        titles = [_title(text) for text in head.rstrip("\n").split(",")]
        rows = [line for line in lines if line.endswith("\n")]
        values = np.array([row.split(",") for row in rows], np.float64)
        values = values.reshape(len(rows), len(titles))
    except (OSError, ValueError) as problem:
        raise InvalidInputError(f"{path} is not a series of a run ({problem}).") from None
    names = [name for name, _ in titles]
    if names[:2] != ["step", "time"]:
        raise InvalidInputError(
            f"{path} is not a series of a run (its first columns are not step and time)."
        )
    return TimeSeries(
        path,
        values[:, 0].astype(np.int64),
        values[:, 1],
        dict(titles[2:]),
        {name: values[:, i] for i, name in enumerate(names) if i >= 2},
    )


def _title(text: str) -> tuple[str, str]:
    """Name and unit of "name [unit]"."""
    name, bracket, unit = text.partition(" [")
    return name, unit.removesuffix("]") if bracket else "1"
