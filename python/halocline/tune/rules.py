# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Rules: what a tuning decided, for which library, and the files that say it to the library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from halocline.documents.part import DocumentPart, key
from halocline.documents.store import DocumentKind
from halocline.errors import InvalidInputError, UsageError
from halocline.preload.family import Family
from halocline.tune.library import library_version, program_library
from halocline.tune.settings import Setting

RULES_NAME = "rules.json"


class Ruling(DocumentPart):
    """An algorithm for one function, one size of communicators and a stretch of message sizes."""

    function: str = key(description="e.g. `MPI_Allreduce`")
    members: int = key(description="ranks of the communicator")
    low_bytes: int = key(description="smallest size, as docs/formats/snapshot-raw.md counts it")
    high_bytes: int | None = key(None, description="past the largest size; null: no bound")
    algorithm: str = key(description="as the library names it")
    ratio: float = key(description="time of a call over that of the default, in the benchmark")


class Gain(DocumentPart):
    """What the whole program gained."""

    ratio: float = key(description="time with the rules over time without")
    low: float = key(description="lower end of its interval")
    high: float = key(description="upper end")
    error_rate: float = key(description="probability of such a verdict where there is no gain")
    pairs: int = key(description="interleaved pairs of runs")
    noise: float = key(description="share by which the default differs from itself")


class Rules(DocumentPart):
    """The decision of a tuning, version 1."""

    schema_name: Literal["halocline.tune-rules"] = key(
        name="schema", description="always `halocline.tune-rules`"
    )
    schema_version: Literal[1] = key(description="1; raised when a key changes its meaning")
    made_by: str = key(description="halocline and its version")
    made: str = key(description="UTC, ISO 8601")
    family: Literal["openmpi", "mpich"] = key(description="MPI family")
    library: str = key(description="version of the library; rules hold for this one alone")
    command: list[str] = key(description="launch line that was tuned")
    ranks: int = key(description="its ranks")
    environment: dict[str, str] = key(description="variables to set")
    files: dict[str, str] = key(
        default_factory=dict,
        description="variables that name files, which lie beside this one",
    )
    launch: list[str] = key(default_factory=list, description="options for the launcher")
    rulings: list[Ruling] = key(default_factory=list, description="what those files say")
    gain: Gain

    def setting(self, folder: Path) -> Setting:
        """Return the setting, with files in `folder`."""
        return Setting(self.environment, tuple(self.launch)).with_files(self.files, folder)


RULES = DocumentKind(Rules, "halocline.tune-rules", 1, "rules file of halocline tune")


def read_rules(place: Path) -> tuple[Rules, Path]:
    """Read rules by their file or folder; return them with the folder of their files.

    Raises:
        InvalidInputError: there are none, or a file is missing.
    """
    file = place / RULES_NAME if place.is_dir() else place
    if place.is_dir() and not file.exists():
        raise InvalidInputError(
            f"{place} has no {RULES_NAME} (that tuning came to no decision, or has not ended). "
            "See its page."
        )
    rules = RULES.read(file)
    for name in rules.files.values():
        if Path(name).name != name or not (file.parent / name).is_file():
            raise InvalidInputError(
                f"{file}: the file '{name}' is not beside it (rules are moved as a whole folder). "
                "Restore it, or tune again."
            )
    return rules, file.parent


def require_library(rules: Rules, words: Sequence[str], source: Path) -> Family:
    """Return the family of a launch line if the rules are for its library.

    Raises:
        UsageError: they are for another library or version.
    """
    library = program_library(words)
    if library is None or library.family is None:
        raise UsageError(
            "cannot tell which MPI library the program of this launch line uses (rules of "
            f"{source} are for {rules.library} alone). Name the program itself, not a script that "
            "starts it."
        )
    version = library_version(library)
    if library.family != rules.family or version != rules.library:
        raise UsageError(
            f"{source} holds rules for {rules.library}, but the program uses {version} (algorithms "
            "and their numbers differ between versions). Tune again with this library."
        )
    return Family(rules.family)
