# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The results files of one run: those of long runs and of runs that went on follow each other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from halocline.results.data_set import DataSet
from halocline.results.field import Field

if TYPE_CHECKING:
    from halocline.record.model import Record

FLOW = re.compile(
    r"(?P<prefix>.*)flow(?:\.after=(?P<after>\d{1,9}))?(?:\.part=(?P<part>\d{1,9}))?"
    r"(?P<alone>\.step=(?P<step>\d{1,9})|\.mesh)?\.vtkhdf$",
    re.DOTALL,
)


@dataclass(frozen=True)
class FlowFile:
    """A results file, by what its name says."""

    file: Path
    prefix: str
    after: int
    """The step of the checkpoint that the run went on from; 0 for one from the beginning."""
    part: int
    """Files by the clock have room for so many steps; then the next part begins."""
    alone: bool
    """Whether each step has a file of its own, and the mesh: these are never of an older run."""
    step: int
    """The step that such a file is of; 0 for the mesh."""


def flow_file(file: Path) -> FlowFile | None:
    """Return what the name of a file says; None where no run calls its results so."""
    match = FLOW.match(file.name)
    if match is None:
        return None
    return FlowFile(
        file,
        match["prefix"],
        int(match["after"] or 0),
        int(match["part"] or 1),
        match["alone"] is not None,
        int(match["step"] or 0),
    )


def of_one_run(files: Iterable[Path], record: Record | None) -> list[Path]:
    """Return results files in the order of their steps, without those of an older run.

    A run from the beginning leaves files in place that an older run had gone on with, and later
    parts of a longer one. The record tells, which lists the files of its run; without one a file
    counts when it is no older than those that it goes on from.
    """
    found = [(flow_file(file), file) for file in files]
    plain = [file for said, file in found if said is None]
    flows = [said for said, _ in found if said is not None]
    plain += [said.file for said in sorted(flows, key=lambda said: said.step) if said.alone]
    named = sorted(
        (said for said in flows if not said.alone), key=lambda said: (said.after, said.part)
    )
    if record is not None:
        last = record.io.restarted_after or 0
        made = {Path(file).name for file in record.io.files}
        current = [
            said
            for said in named
            if said.after < last or (said.after == last and (said.file.name in made or not made))
        ]
        return [*plain, *(said.file for said in current or named)]
    kept: list[Path] = []
    newest = 0
    for said in named:
        changed = said.file.stat().st_mtime_ns
        if changed >= newest:
            kept.append(said.file)
            newest = changed
    return [*plain, *kept]


def joined(fields: Iterable[Field]) -> list[Field]:
    """Return one field for all of a name and level; of a step that is there twice the first counts.

    A run that was killed has steps beyond its checkpoint, and the run that goes on has them again,
    bit for bit.
    """
    groups: dict[tuple[int, str], list[Field]] = {}
    for field in fields:
        groups.setdefault((field.level, field.name), []).append(field)
    return [group[0] if len(group) == 1 else _joined(group) for group in groups.values()]


def _joined(group: list[Field]) -> Field:
    steps: dict[int, tuple[float, DataSet]] = {}
    for field in group:
        times = field.times.tolist()
        for step, time, frame in zip(field.steps.tolist(), times, field.frames, strict=True):
            steps.setdefault(step, (time, frame))
    order = sorted(steps)
    return Field(
        group[0].name,
        [steps[step][1] for step in order],
        order,
        [steps[step][0] for step in order],
        unit=group[0].unit,
        level=group[0].level,
    )
