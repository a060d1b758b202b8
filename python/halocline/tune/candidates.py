# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Algorithms that the installed library has for a collective, as it lists them itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from halocline.preload.family import Family
from halocline.tune.library import Library, Variable

DYNAMIC = "coll_tuned_use_dynamic_rules"
RULES_FILE = "coll_tuned_dynamic_rules_filename"
SEGMENTS = "_segmentsize"
# Long messages may be cut: sizes that are tried, and from which length on.
SEGMENT_SIZES = (0, 32768, 131072)
SEGMENTED_FROM = 131072
# How MPICH's descriptions introduce an algorithm; line breaks between them are lost.
_INTRODUCED = re.compile(r"(\w+)\s+- (?:Internal|Force|Fallback)")


@dataclass(frozen=True)
class Algorithm:
    """A value of a variable that selects an algorithm for one function.

    `segments` is None where the library has no segment size for the function; 0: whole messages.
    """

    variable: str
    value: int
    label: str
    writable: bool = True
    segments: int | None = None

    @property
    def name(self) -> str:
        """A word that tells it apart from the others of a function."""
        return f"{self.variable}={self.value}" + (f"/{self.segments}" if self.segments else "")

    @property
    def title(self) -> str:
        """What people call it; a size is that of the segments of a message."""
        return f"{self.label}, {self.segments // 1024} KiB" if self.segments else self.label

    @property
    def values(self) -> dict[str, int]:
        """Variables and what they are set to."""
        found = {self.variable: self.value}
        return found if self.segments is None else found | {self.variable + SEGMENTS: self.segments}


def openmpi_variable(function: str) -> str:
    """Return the variable by which Open MPI's `tuned` component forces an algorithm."""
    return f"coll_tuned_{function.lower()}_algorithm"


def openmpi_algorithms(library: Library, function: str, size: int) -> list[Algorithm]:
    """Return the algorithms of Open MPI that are not the present choice; 0: its own decision."""
    variable = library.variables.get(openmpi_variable(function))
    if variable is None:
        return []
    present = forced_algorithm(library, function)
    cut = library.variables.get(variable.name + SEGMENTS)
    segments = (None,) if cut is None else SEGMENT_SIZES if size >= SEGMENTED_FROM else (0,)
    found = []
    for value, label in variable.items:
        if value == 0 and present:
            found.append(Algorithm(variable.name, 0, "library's choice", variable.writable))
        elif value not in (0, present) or (value == present and value and _is_cut(cut)):
            found += [
                Algorithm(variable.name, value, label, variable.writable, each) for each in segments
            ]
    return found


def _is_cut(segments: Variable | None) -> bool:
    """Whether the user has chosen a segment size, so that another one is another algorithm."""
    return segments is not None and segments.value not in ("", "0")


def forced_algorithm(library: Library, function: str) -> int:
    """Return what the user's settings force for a function; 0: nothing that counts."""
    if library.value(DYNAMIC) != "1":
        return 0  # such values are not looked at
    value = library.value(openmpi_variable(function)) or "0"
    return int(value) if value.isdigit() else 0


def mpich_variables(function: str) -> tuple[str, ...]:
    """Return the variables by which MPICH selects algorithms: of its own, and inside a host."""
    name = function.upper()
    return (f"MPIR_CVAR_{name}_INTRA_ALGORITHM", f"MPIR_CVAR_{name}_POSIX_INTRA_ALGORITHM")


def mpich_algorithms(
    library: Library, function: str, is_word: Callable[[str], bool]
) -> list[Algorithm]:
    """Return MPICH's algorithms that are not the present choice.

    Args:
        library: as described by its ranks.
        function: e.g. `Allreduce`.
        is_word: whether the library's file holds a word, zero byte after it.
    """
    found = []
    for name in mpich_variables(function):
        variable = library.variables.get(name)
        if variable is None:
            continue
        for value, label in enumerate(mpich_names(variable, is_word)):
            if str(value) != variable.value:
                found.append(Algorithm(name, value, label, variable.writable))
    return found


def mpich_names(variable: Variable, is_word: Callable[[str], bool]) -> list[str]:
    """Return the names of a variable's values in their order, from its description.

    A name sticks to the last word of the line before it (`algorithmsmp` for `smp`); it is the
    longest end of that word that the library itself compares settings with.
    """
    names = []
    for glued in _INTRODUCED.findall(variable.description):
        ends = (glued[place:] for place in range(len(glued)))
        names.append(next((end for end in ends if end[0].isalpha() and is_word(end)), glued))
    return names


def word_test(data: bytes) -> Callable[[str], bool]:
    """Return whether a word stands in a library's file as a string, or as the end of one."""
    return lambda word: data.find(word.encode() + b"\0") >= 0


def algorithms(library: Library, function: str, size: int, data: bytes) -> list[Algorithm]:
    """Return the candidates of either family.

    Args:
        library: as described by its ranks.
        function: e.g. `Allreduce`.
        size: of its messages, bytes.
        data: the library's file.
    """
    if library.family is Family.OPENMPI:
        return openmpi_algorithms(library, function, size)
    return mpich_algorithms(library, function, word_test(data))
