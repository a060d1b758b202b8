# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Settings of the preloaded library, from a TOML file, the command line and the environment.

The library itself reads environment variables; here they get names, limits and suggestions.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from halocline.case.load import parse_model, read_toml
from halocline.errors import UsageError, suggestion

PREFIX = "MEP_"
THREADS_LIMIT = 64


class EndpointSettings(BaseModel):
    """Keys of a settings file; what is not set keeps the library's default."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    enable: bool | None = Field(None, description="Whether collectives may be split at all.")
    num_threads: int | None = Field(
        None, ge=1, le=THREADS_LIMIT, description="Endpoints of a rank, its own thread included."
    )
    allreduce_threshold: int | None = Field(
        None, ge=0, description="Shortest Allreduce and Reduce that may be split, in elements."
    )
    bcast_threshold: int | None = Field(
        None, ge=0, description="Shortest message of the others, in elements of 8 bytes."
    )
    calibrate: bool | None = Field(None, description="False: split whatever it costs.")
    verify: bool | None = Field(None, description="True: compare each split result with plain.")
    budget: float | None = Field(
        None, ge=0.0, le=100.0, description="Part of the run that trials may cost, in percent."
    )
    summary: bool | None = Field(None, description="Whether a table is printed at the end.")
    report: str | None = Field(None, min_length=1, description="File of the JSON report.")
    thread_level: Literal["auto", "own", "multiple"] | None = Field(
        None, description="Whether MPI_THREAD_MULTIPLE is asked for on the program's behalf."
    )
    memory: str | None = Field(
        None, min_length=1, description="Folder of what is remembered of cases; none: nothing."
    )
    case: str | None = Field(
        None, min_length=1, description="Name of runs that are alike, for the memory."
    )

    def variables(self) -> dict[str, str]:
        """Return what is set as variables of the library."""
        chosen = self.model_dump(exclude_none=True)
        return {variable_of(key): _text(value) for key, value in chosen.items()}


def variable_of(key: str) -> str:
    """Return the environment variable of a key, e.g. `MEP_NUM_THREADS`."""
    return PREFIX + key.upper()


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def load_settings(path: Path) -> EndpointSettings:
    """Read a settings file (TOML, keys at the top level)."""
    return parse_model(EndpointSettings, read_toml(path, "settings file"), str(path))


def environment_settings(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the MEP_* variables of the environment; names that nobody knows are errors."""
    known = [variable_of(key) for key in EndpointSettings.model_fields]
    found = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    for name in found:
        if name not in known:
            raise UsageError(
                f"environment variable {name} is not known (no setting of endpoints has this "
                f"name). {suggestion(name, known)}"
            )
    return found
