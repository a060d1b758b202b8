# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A setting: variables and launcher options that are added to a launch line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from halocline.launch.limited_run import Command
from halocline.preload.family import Family
from halocline.preload.launch_line import read_launch_line

MCA = "OMPI_MCA_"


@dataclass(frozen=True)
class Setting:
    """What is changed; empty: the user's own launch line."""

    environment: dict[str, str] = field(default_factory=dict)
    launch: tuple[str, ...] = ()

    def joined(self, other: Setting) -> Setting:
        """Return both together; `other` wins where they differ."""
        return Setting({**self.environment, **other.environment}, (*self.launch, *other.launch))

    def command(self, words: Sequence[str], family: Family) -> list[str]:
        """Return the launch line with the setting's words; variables are not part of it.

        Open MPI's launcher takes OMPI_MCA_… from its own environment to all ranks; any other
        variable has to be named. Hydra and srun pass the whole environment on.
        """
        line = read_launch_line(words)
        if line.launcher is None:
            return list(words)
        added = list(self.launch)
        if family is Family.OPENMPI and not line.by_srun:
            named = [name for name in self.environment if not name.startswith(MCA)]
            added += [word for name in named for word in ("-x", name)]
        result = list(words)
        for part in reversed(line.parts):
            result[part.first_option : part.first_option] = added
        return result

    def shell_line(self, words: Sequence[str], family: Family) -> str:
        """Return one line for a shell that runs the command with the setting."""
        return Command(self.command(words, family), self.environment, Path()).line

    def with_files(self, files: Mapping[str, str], folder: Path) -> Setting:
        """Return it with variables that name files in a folder."""
        named = {name: str((folder / file).absolute()) for name, file in files.items()}
        return replace(self, environment={**self.environment, **named})

    @property
    def words(self) -> str:
        """The changes as people read them."""
        shown = [f"{name}={value}" for name, value in self.environment.items()]
        return " ".join([*shown, *self.launch]) or "no change"
