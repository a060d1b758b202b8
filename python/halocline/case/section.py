# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What all sections of a case file have in common."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

FILE_NAME = r"^[^/\x00-\x1f\x7f]*$"
PATH = r"^[^\x00-\x1f\x7f]*$"
PATTERN_WORDS = {
    FILE_NAME: "no '/' and no control characters may stand in it",
    PATH: "no control characters may stand in it",
}
SECONDS = r"^([0-9]+(\.[0-9]*)?s)?$"
PATTERN_WORDS[SECONDS] = 'seconds are written as "30s"'
Steps = Annotated[int, Field(ge=1)]
When = Steps | Annotated[str, Field(pattern=SECONDS)] | list[Steps]
"""Steps between, seconds ("30s"), or a list of steps; "": never."""
AutoCount = Annotated[int, Field(ge=1)] | Literal["auto"]


class Section(BaseModel):
    """One table of the case file; unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)
