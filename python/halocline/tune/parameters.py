# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Settings beside algorithms: which of them the installed library knows, and what to try."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halocline.documents.toml import read_toml
from halocline.errors import InvalidInputError, UsageError, suggestion
from halocline.preload.family import Family
from halocline.preload.launch_line import LaunchLine, read_launch_line
from halocline.tune.library import Library
from halocline.tune.settings import MCA, Setting

CATALOGUE = Path(__file__).with_name("parameters.toml")
KEYS = {"family", "kind", "name", "values", "factors", "needs", "about", "memory"}
KINDS = ("variable", "environment", "launch")


@dataclass(frozen=True)
class Parameter:
    """A setting with what is tried beside its present value."""

    name: str
    kind: str
    values: tuple[str, ...]
    about: str = ""
    memory: bool = False
    family: Family = Family.OPENMPI
    present: str = ""

    def setting(self, value: str) -> Setting:
        """Return the setting that gives it a value."""
        if self.kind == "launch":
            return Setting({}, (self.name, value))
        prefix = MCA if self.kind == "variable" and self.family is Family.OPENMPI else ""
        return Setting({prefix + self.name: value})


def catalogue(path: Path = CATALOGUE) -> list[dict[str, Any]]:
    """Read the tables of a catalogue.

    Raises:
        InvalidInputError: a key is unknown or missing.
    """
    document = read_toml(path, "catalogue of settings")
    for unknown in sorted(document.keys() - {"parameter"}):
        raise InvalidInputError(f"{path}: unknown key '{unknown}'. Write [[parameter]].")
    tables = document.get("parameter", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InvalidInputError(
            f"{path}: 'parameter' is not a list of tables. Write [[parameter]]."
        )
    for place, table in enumerate(tables):
        _check(path, place, table)
    return tables


def _check(path: Path, place: int, table: dict[str, Any]) -> None:
    where = f"{path}: parameter {place + 1}"
    for unknown in sorted(table.keys() - KEYS):
        raise InvalidInputError(f"{where}: unknown key '{unknown}'. {suggestion(unknown, KEYS)}")
    for needed in ("family", "kind", "name"):
        if not isinstance(table.get(needed), str):
            raise InvalidInputError(f"{where}: key '{needed}' is missing. Add it.")
    if table["family"] not in list(Family):
        raise InvalidInputError(
            f"{where}: no family '{table['family']}'. {suggestion(table['family'], list(Family))}"
        )
    if table["kind"] not in KINDS:
        raise InvalidInputError(
            f"{where}: no kind '{table['kind']}'. {suggestion(table['kind'], KINDS)}"
        )
    if ("values" in table) == ("factors" in table):
        raise InvalidInputError(f"{where}: give either 'values' or 'factors', not both.")
    key = "values" if "values" in table else "factors"
    kinds = (str, int) if key == "values" else (int, float)
    if not isinstance(table[key], list) or not all(isinstance(each, kinds) for each in table[key]):
        what = "texts or whole numbers" if key == "values" else "numbers"
        raise InvalidInputError(f"{where}: key '{key}' is not a list of {what}. Correct it.")


def known_parameters(
    library: Library, words: Sequence[str], tables: Iterable[dict[str, Any]]
) -> list[Parameter]:
    """Return what the library knows, the user has not chosen, and has something else to try."""
    line = read_launch_line(words)
    found = []
    for table in tables:
        if table["family"] != library.family or not _is_known(library, table):
            continue
        if _is_chosen(line, table, library.family):
            continue
        present = library.value(table["name"]) or "" if table["kind"] == "variable" else ""
        values = _values(library, table, present)
        if values:
            found.append(
                Parameter(
                    name=table["name"],
                    kind=table["kind"],
                    values=values,
                    about=table.get("about", ""),
                    memory=bool(table.get("memory", False)),
                    family=library.family,
                    present=present,
                )
            )
    return found


def _is_known(library: Library, table: dict[str, Any]) -> bool:
    if "needs" in table and table["needs"] not in library.variables:
        return False
    return table["kind"] != "variable" or table["name"] in library.variables


def _is_chosen(line: LaunchLine, table: dict[str, Any], family: Family) -> bool:
    """Whether the user says so already, in the environment or on the launch line."""
    name = table["name"]
    prefix = MCA if table["kind"] == "variable" and family is Family.OPENMPI else ""
    options = [word.partition("=")[0] for part in line.parts for word in line.options(part)]
    if table["kind"] == "launch":
        stem = name.lstrip("-")
        taken = {"bind-to": {"oversubscribe", "rankfile", "rf", "cpu-set"}}.get(stem, set())
        return (
            line.launcher is None
            or line.by_srun
            or bool({option.lstrip("-") for option in options} & {stem, *taken})
        )
    return prefix + name in os.environ or name in options


def _values(library: Library, table: dict[str, Any], present: str) -> tuple[str, ...]:
    variable = library.variables.get(table["name"])
    if "factors" in table:
        if not re.fullmatch(r"\d+", present) or int(present) == 0:
            return ()
        values = [str(max(1, round(int(present) * factor))) for factor in table["factors"]]
    else:
        values = [str(value) for value in table["values"]]
        numbers = {name: str(value) for value, name in variable.items} if variable else {}
        if numbers:
            known = numbers | {number: number for number in numbers.values()}
            values = [value for value in values if known.get(value, present) != present]
    return tuple(value for value in dict.fromkeys(values) if value != present)


def asked_parameters(library: Library, given: Sequence[str]) -> list[Parameter]:
    """Return the parameters of `--try NAME=V1,V2,…`.

    A name that the library lists is a variable of it, one with hyphens a launcher's option, any
    other in capitals an environment variable.
    """
    found = []
    for text in given:
        name, mark, values = text.partition("=")
        choices = tuple(value for value in values.split(",") if value)
        if not mark or not choices:
            raise UsageError(f"--try {text}: no values (nothing to try). Write NAME=VALUE,VALUE.")
        found.append(
            Parameter(
                name=name,
                kind=_kind_of(library, name),
                values=choices,
                about="asked for by --try",
                memory=True,
                family=library.family,
                present=library.value(name) or "",
            )
        )
    return found


def _kind_of(library: Library, name: str) -> str:
    if name.startswith("-"):
        return "launch"
    if name in library.variables:
        return "variable"
    if name.isupper():
        return "environment"
    raise UsageError(
        f"--try: {library.family.label} has no variable '{name}' (as its ranks list them). "
        f"{suggestion(name, library.variables)}"
    )
