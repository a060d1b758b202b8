# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A quantity on the nodes of one level, at all steps that were written; read when asked for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from halocline.errors import UsageError
from halocline.results.data_set import AnyArray, DataSet

SAME_TIME = 1e-9
"""Two times are the same when they differ by less, relative to the longest time."""
SHOWN = 6


class Field:
    """One quantity of a run.

    Attributes:
        name: as the file has it.
        unit: of its values; "1" where they have none, "" where the file does not say.
        level: of the mesh, 0 is the finest.
        steps: numbers of the steps that were written, ascending.
        times: the same as times; they equal the steps where the run does not count time.
    """

    def __init__(
        self,
        name: str,
        frames: Sequence[DataSet],
        steps: Sequence[int],
        times: Sequence[float] | None = None,
        *,
        unit: str = "",
        level: int = 0,
    ) -> None:
        self.name = name
        self.unit = unit
        self.level = level
        self.frames = list(frames)
        self.steps: npt.NDArray[np.int64] = np.asarray(steps, dtype=np.int64)
        self.times: npt.NDArray[np.float64] = np.asarray(
            steps if times is None else times, dtype=np.float64
        )

    def __len__(self) -> int:
        return len(self.frames)

    def __repr__(self) -> str:
        where = f"level {self.level}, {steps_text(self.steps)}"
        return f"<field {self.name}{in_brackets(self.unit)}, {where}>"

    def __getitem__(self, position: int) -> AnyArray:
        """Return the values of the step at a position; -1 is the last one written."""
        return self.frames[position].read()

    def at(self, step: int | None = None, time: float | None = None) -> AnyArray:
        """Return the values at a step or a time; at the last step when neither is named.

        Returns:
            (nodes,) or (nodes, components), in the order of the mesh file.

        Raises:
            UsageError: there is no such step or time; it names those there are.
        """
        return self[self.position(step, time)]

    def position(self, step: int | None = None, time: float | None = None) -> int:
        """Return where a step or time lies among those written."""
        if step is not None and time is not None:
            raise UsageError("Name a step or a time, not both (they may mean different ones).")
        if not self.frames:
            raise UsageError(f"No step of {self.name} has been written yet. Wait for the first.")
        if step is None and time is None:
            return len(self) - 1
        if step is not None:
            found = np.flatnonzero(self.steps == step)
            what, known = f"step {step}", steps_text(self.steps)
        else:
            room = SAME_TIME * max(1e-300, float(np.abs(self.times).max()))
            found = np.flatnonzero(np.abs(self.times - (time or 0.0)) <= room)
            what, known = f"time {time:g}", _times_text(self.times)
        if found.size == 0:
            raise UsageError(f"There is no {what} of {self.name} (written: {known}). Choose one.")
        return int(found[-1])


def in_brackets(unit: str) -> str:
    """Return a unit as it stands behind a name; nothing for numbers without one."""
    return "" if unit in {"", "1"} else f" [{unit}]"


def steps_text(steps: npt.NDArray[np.int64]) -> str:
    """Return steps in words: a few by name, many by first, last and distance."""
    if len(steps) == 0:
        return "no steps"
    if len(steps) == 1:
        return f"step {steps[0]}"
    if len(steps) <= SHOWN:
        return "steps " + ", ".join(str(step) for step in steps.tolist())
    gaps = np.unique(np.diff(steps))
    every = f" by {gaps[0]}" if len(gaps) == 1 and gaps[0] != 1 else ""
    return f"{len(steps)} steps {steps[0]} … {steps[-1]}{every}"


def _times_text(times: npt.NDArray[np.float64]) -> str:
    shown = [f"{time:g}" for time in times[:SHOWN]]
    return ", ".join(shown) + (f", …, {times[-1]:g}" if len(times) > SHOWN else "")
