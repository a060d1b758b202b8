# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Points of a study: values of variables, at a scale."""

from __future__ import annotations

from dataclasses import dataclass, field

from halocline.wording import counted

Value = str | int | float | bool
Values = dict[str, Value]
#: Variables that say how large a run is.
SCALE = ("hosts", "ranks", "threads")
TWIN = "-again"


@dataclass(frozen=True)
class Point:
    """What one run is made of; `changes` is how it differs from the base of its scale."""

    name: str
    values: Values
    scale: str
    changes: Values = field(default_factory=dict)
    is_base: bool = False
    #: The base once more, as a control of what is noise.
    is_twin: bool = False

    @property
    def label(self) -> str:
        """Its changes in words, e.g. `mpi = mpich`; `base`, or `base again`."""
        if self.is_base:
            return "base"
        if self.is_twin:
            return "base again"
        return ", ".join(change_words(name, value) for name, value in self.changes.items())

    @property
    def title(self) -> str:
        """The same with its scale, where there are several."""
        return f"{self.label} at {self.scale}" if self.scale else self.label

    def number(self, name: str, default: int = 1) -> int:
        """Return a whole number, e.g. ranks."""
        value = self.values.get(name, default)
        return value if isinstance(value, int) else default

    @property
    def cores(self) -> int:
        """Cores that a run of it asks for: ranks × threads."""
        return self.number("ranks") * self.number("threads")

    def twin(self) -> Point:
        """Return the control of a base."""
        return Point(self.name + TWIN, self.values, self.scale, is_twin=True)


def change_words(name: str, value: Value) -> str:
    """Return a change; parameters, and keys of a case, say themselves what they are."""
    if name == "parameters" and value:
        return str(value)
    return f"{name.removeprefix('case.')} = {value_words(value)}"


def value_words(value: Value) -> str:
    """Return a value as people write it; an empty text is a default."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) or "default"


def scale_words(values: Values) -> str:
    """Return e.g. `4 ranks`, `2 ranks × 2 threads`, `2 hosts, 8 ranks`."""
    ranks, threads, hosts = (values.get(name) for name in ("ranks", "threads", "hosts"))
    words = counted(int(ranks), "rank") if ranks is not None else "1 rank"
    if threads is not None and threads != 1:
        words += f" × {counted(int(threads), 'thread')}"
    return f"{counted(int(hosts), 'host')}, {words}" if hosts not in (None, 1) else words
