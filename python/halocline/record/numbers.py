# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the record with their bounds."""

from __future__ import annotations

from typing import Annotated

from halocline.documents.part import Bounds

Count = Annotated[int, Bounds(ge=0)]
Positive = Annotated[int, Bounds(ge=1)]
Seconds = Annotated[float, Bounds(ge=0.0)]
Rate = Annotated[float, Bounds(ge=0.0)]
