# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`[[output.pictures]]`: what is drawn while a run goes on, and the keys that it goes with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from halocline.case.section import FILE_NAME, PATH, PATTERN_WORDS, Section
from halocline.errors import InvalidInputError

if TYPE_CHECKING:
    from halocline.case.model import Case

NUMBER = r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?"
SLICE = rf"^([xyz](={NUMBER})?)?$"
ISO = rf"^([^=\x00-\x1f\x7f]+={NUMBER})?$"
DIRECTION = rf"^([-+]?[xyz]|{NUMBER},{NUMBER},{NUMBER})?$"
PATTERN_WORDS[SLICE] = 'a plane is written as "x=0.5", or "x" for the middle'
PATTERN_WORDS[ISO] = 'a surface of a value is written as "density=1.1"'
PATTERN_WORDS[DIRECTION] = 'a direction is written as "x", "-z" or "1,1,0.5"'


class PictureSection(Section):
    """One view of the fields over time, drawn while the run goes on."""

    field: str = Field(
        "", pattern=PATH, description="what is coloured; empty: pressure, or the first field"
    )
    slice: str = Field("", pattern=SLICE, description='a plane, "x=0.5", or "x" for the middle')
    iso: str = Field("", pattern=ISO, description='the surface of a value, "density=1.1"')
    from_: str = Field(
        "", alias="from", pattern=DIRECTION, description='where to look from: "x", "-z", "1,1,0.5"'
    )
    range: list[float] = Field(
        default_factory=list, description="of colours, [low, high]; empty: that of each picture"
    )
    level: int = Field(0, ge=0, le=63, description="of the mesh, 0 the finest")
    every: int = Field(1, ge=1, description="every so many steps of flow.vtkhdf")
    name: str = Field("", pattern=FILE_NAME, description="start of file names; empty: the field's")
    width: int = Field(960, ge=64, le=8192, description="pixels")
    height: int = Field(640, ge=64, le=8192, description="pixels")
    movie: Literal["", "gif", "mp4"] = Field(
        "", description="made of all its steps at the end of the run; empty: none"
    )

    @property
    def file_start(self) -> str:
        """How names of its files begin, behind the prefix of the run."""
        return self.name or self.field.replace("/", "_") or "picture"

    def plain(self) -> dict[str, Any]:
        """Return its keys as the case file spells them."""
        return self.model_dump(mode="json", by_alias=True)


def check_pictures(case: Case, source: str) -> None:
    """Raise InvalidInputError where the pictures of a case do not go with its other keys."""
    output = case.output
    if not output.pictures:
        return
    if output.interval in ("", []):
        raise InvalidInputError(
            f"{source}: key 'output.pictures' asks for pictures, but 'output.interval' is empty "
            "(they are drawn from what it writes). Set it, e.g. interval = 10."
        )
    levels = output.levels or [0]
    names: set[str] = set()
    for number, picture in enumerate(output.pictures):
        key = f"{source}: key 'output.pictures.{number}"
        if picture.level not in levels:
            raise InvalidInputError(
                f"{key}.level' is {picture.level}, which is not among 'output.levels' ({levels}). "
                "Add it there."
            )
        if picture.range and not (len(picture.range) == 2 and picture.range[0] < picture.range[1]):
            raise InvalidInputError(
                f"{key}.range' is {picture.range}, not two numbers, the lower one first. "
                "Correct it."
            )
        if picture.file_start in names:
            raise InvalidInputError(
                f"{key}.name': two pictures are called '{picture.file_start}' (their files would "
                "be the same). Give each a name."
            )
        names.add(picture.file_start)
