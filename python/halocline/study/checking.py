# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Whether a run's results are those of the base: what is wrong is never fast."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from halocline.errors import HaloclineError
from halocline.files.names import temporary_name
from halocline.files.output_file import explained
from halocline.printed import alike
from halocline.study.launch import Launch
from halocline.study.load import Study
from halocline.study.point import Point

REFERENCE = "reference"


class Checker:
    """Keeps the results of bases, and compares others with them."""

    def __init__(self, study: Study, answer_of_base: Callable[[str], str]) -> None:
        """`answer_of_base` returns what the check's pattern found in the trial of a base."""
        self._study = study
        self._answer_of_base = answer_of_base

    def reference_base(self, point: Point) -> Point:
        """Return the base whose results a point must have: sizes of weak scaling differ."""
        scaling = self._study.file.scaling
        weak = scaling is not None and scaling.weak is not None
        return self._study.base_of(point) if weak else self._study.bases[0]

    def difference(self, point: Point, launch: Launch, answer: str) -> str:
        """Return in what a run differs from its base; empty: in nothing.

        Call it right after the run: it reads the files in the run's folder.
        """
        check = self._study.file.check
        if check is None:
            return ""
        base = self.reference_base(point)
        if check.pattern is not None and point.name != base.name:
            expected = self._answer_of_base(base.name)
            if not alike(expected, answer, check.absolute, check.relative):
                return f"the check's pattern finds '{answer}', where the base has '{expected}'"
        files = self._files()
        return self._file_difference(base, launch, files) if files else ""

    def _files(self) -> list[str]:
        check = self._study.file.check
        if check is None or (check.pattern is not None and not check.files):
            return []
        return list(check.files) or ["."]

    def _file_difference(self, base: Point, launch: Launch, files: list[str]) -> str:
        from halocline.compare import Limits, compare

        kept = self._study.folder / REFERENCE / base.name
        if not kept.is_dir():
            with explained(kept):
                _keep(launch.command.folder, files, kept)
            return ""
        check = self._study.file.check
        limits = Limits(check.absolute, check.relative) if check else Limits()
        for name in files:
            if _same_bytes(kept / name, launch.command.folder / name):
                continue
            try:
                found = compare(kept / name, launch.command.folder / name, limits, common_only=True)
            except HaloclineError as error:
                return f"its results cannot be compared with those of the base: {error}"
            if found.only_a:
                return f"its results lack {found.only_a[0]}, which those of the base have"
            if not found.equal:
                apart = [each for each in found.differences if not each.accepted]
                worst = max(apart, key=lambda each: each.max_rel)
                return (
                    f"{worst.key} differs from the base's by {worst.max_rel:.3g} relative "
                    f"({limits.words()})"
                )
        return ""


def _same_bytes(one: Path, other: Path) -> bool:
    """Whether two files are the same; results that `compare` cannot read may still be."""
    return one.is_file() and other.is_file() and filecmp.cmp(one, other, shallow=False)


def _keep(folder: Path, files: list[str], kept: Path) -> None:
    """Copy results of a base; a copy that breaks off is none."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    draft = temporary_name(kept)
    try:
        for name in files:
            source, target = folder / name, draft / name
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            elif source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
            else:
                raise HaloclineError(f"there is no {name} in the run's folder (key 'check.files').")
        os.rename(draft, kept)  # noqa: PTH104 - a folder, in one step
    finally:
        shutil.rmtree(draft, ignore_errors=True)
