# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Settings of the preloaded library, from a TOML file, the command line and the environment.

The library itself reads environment variables; here they get names, limits and suggestions.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import parse
from halocline.documents.toml import read_toml
from halocline.errors import UsageError, suggestion

PREFIX = "MEP_"
THREADS_LIMIT = 64
Elements = Annotated[int, Bounds(ge=0)]


class EndpointSettings(DocumentPart):
    """Keys of a settings file; what is not set keeps the library's default."""

    enable: bool | None = key(None, description="Whether collectives may be split at all.")
    num_threads: Annotated[int, Bounds(ge=1, le=THREADS_LIMIT)] | None = key(
        None, description="Endpoints of a rank, its own thread included."
    )
    allreduce_threshold: Elements | None = key(
        None, description="Shortest Allreduce and Reduce that may be split, in elements."
    )
    bcast_threshold: Elements | None = key(
        None, description="Shortest message of the others, in elements of 8 bytes."
    )
    calibrate: bool | None = key(None, description="False: split whatever it costs.")
    verify: bool | None = key(None, description="True: compare each split result with plain.")
    budget: Annotated[float, Bounds(ge=0.0, le=100.0)] | None = key(
        None, description="Part of the run that trials may cost, in percent."
    )
    summary: bool | None = key(None, description="Whether a table is printed at the end.")
    report: str | None = key(None, min_length=1, description="File of the JSON report.")
    thread_level: Literal["auto", "own", "multiple"] | None = key(
        None, description="Whether MPI_THREAD_MULTIPLE is asked for on the program's behalf."
    )
    memory: str | None = key(
        None, min_length=1, description="Folder of what is remembered of cases; none: nothing."
    )
    case: str | None = key(
        None, min_length=1, description="Name of runs that are alike, for the memory."
    )

    def variables(self) -> dict[str, str]:
        """Return what is set as variables of the library."""
        chosen = self.plain().items()
        return {variable_of(name): _text(value) for name, value in chosen if value is not None}


def variable_of(name: str) -> str:
    """Return the environment variable of a key, e.g. `MEP_NUM_THREADS`."""
    return PREFIX + name.upper()


def _text(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def load_settings(path: Path) -> EndpointSettings:
    """Read a settings file (TOML, keys at the top level)."""
    return parse(EndpointSettings, read_toml(path, "settings file"), str(path))


def given_settings(options: Mapping[str, Any]) -> EndpointSettings:
    """Return the settings of options; those that were not given are None."""
    given = {name: value for name, value in options.items() if value is not None}
    return parse(EndpointSettings, given, "halocline endpoints")


def environment_settings(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the MEP_* variables of the environment; names that nobody knows are errors."""
    known = [variable_of(name) for name in EndpointSettings.__keys__]
    found = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    for name in found:
        if name not in known:
            raise UsageError(
                f"environment variable {name} is not known (no setting of endpoints has this "
                f"name). {suggestion(name, known)}"
            )
    return found
