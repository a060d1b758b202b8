# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Puts LD_PRELOAD and further variables into a launch line, so that only the ranks see them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from halocline.errors import UsageError
from halocline.preload.family import Family
from halocline.preload.launch_line import LaunchLine, is_program, read_launch_line

PRELOAD = "LD_PRELOAD"
# `env` takes every word with "=" before the program for a variable, be it a path.
AS_PROGRAM = ("sh", "-c", 'exec "$0" "$@"')


def preloaded(
    command: Sequence[str],
    library: Path,
    environment: Mapping[str, str] | None = None,
    family: Family | None = None,
) -> list[str]:
    """Return the launch line with `library` preloaded and `environment` set in every rank.

    The launcher itself stays as it is: Open MPI gets `-x`, Hydra `-genv`, srun `--export`, and a
    line without a launcher starts with `env`. Libraries that the user preloads stay, after ours.

    Args:
        command: The launch line in words.
        library: Absolute path of the tool library.
        environment: Further variables of the ranks.
        family: The family as `family_of` found it; decides between `-x` and `-genv`.
    """
    line = read_launch_line(command)
    variables = dict(environment or {})
    if line.launcher is None:
        own = {PRELOAD: _joined(library, os.environ.get(PRELOAD)), **variables}
        start = ["env", *(f"{name}={value}" for name, value in own.items())]
        program = line.words[0]
        hidden = "=" in program and is_program(program)
        return [*start, *(AS_PROGRAM if hidden else ()), *line.words]
    if line.by_srun:
        return _with_srun(line, library, variables)
    if family is Family.MPICH:
        return _with_hydra(line, library, variables)
    return _with_open_mpi(line, library, variables)


def _joined(library: Path, others: str | None) -> str:
    """The dynamic loader takes colons and blanks as separators, and knows no quoting."""
    text = str(library)
    if any(character in text for character in ": "):
        raise UsageError(
            f"{text} has a colon or blank in its path (LD_PRELOAD cannot name such files). "
            "Install halocline in another folder, or link it from one and set HALOCLINE_TOOLS."
        )
    return f"{text}:{others}" if others else text


def _with_open_mpi(line: LaunchLine, library: Path, variables: Mapping[str, str]) -> list[str]:
    """`-x NAME=VALUE` before each program: Open MPI keeps them apart at `:`."""
    words = list(line.words)
    if any("mca_base_env_list" in word for word in words):
        raise UsageError(
            "the launch line sets the MCA parameter mca_base_env_list (Open MPI does not take it "
            "together with -x, which carries the tool). Pass those variables by -x instead."
        )
    for part in reversed(line.parts):
        others = os.environ.get(PRELOAD)
        kept = []
        options = iter(line.options(part))
        for word in options:
            value = next(options, "") if word in ("-x", "--x") else None
            if value is not None and value.partition("=")[0] == PRELOAD:
                others = value.partition("=")[2] or others
            else:
                kept += [word] if value is None else [word, value]
        own = {PRELOAD: _joined(library, others), **variables}
        added = [word for name, value in own.items() for word in ("-x", f"{name}={value}")]
        words[part.first_option : part.program] = added + kept
    return words


def _with_hydra(line: LaunchLine, library: Path, variables: Mapping[str, str]) -> list[str]:
    """`-genv NAME VALUE` once, for all programs; a program's own `-env LD_PRELOAD` is completed."""
    words = list(line.words)
    others = os.environ.get(PRELOAD)
    for part in line.parts:
        for place in range(part.first_option, part.program - 2):
            if words[place] in ("-env", "-genv") and words[place + 1] == PRELOAD:
                words[place + 2] = _joined(library, words[place + 2])
    own = {PRELOAD: _joined(library, others), **variables}
    added = [word for name, value in own.items() for word in ("-genv", name, value)]
    start = line.parts[0].first_option
    return [*words[:start], *added, *words[start:]]


def _with_srun(line: LaunchLine, library: Path, variables: Mapping[str, str]) -> list[str]:
    """`--export=ALL,NAME=VALUE,…`; what the user exports stays."""
    part = line.parts[0]
    exported, kept = _user_exports(line.options(part))
    others = os.environ.get(PRELOAD)
    for item in list(exported):
        name, _, value = item.partition("=")
        if name == PRELOAD:
            others = value or others
            exported.remove(item)
    own = {PRELOAD: _joined(library, others), **variables}
    for name, value in own.items():
        if "," in value:
            raise UsageError(
                f"{name}={value} has a comma (srun --export takes it as a separator). "
                "Use another value, or launch with mpirun inside the allocation."
            )
    listed = ",".join([*exported, *(f"{name}={value}" for name, value in own.items())])
    launcher = line.words[: part.first_option]
    return [*launcher, f"--export={listed}", *kept, *line.words[part.program :]]


def _user_exports(options: Sequence[str]) -> tuple[list[str], list[str]]:
    exported = ["ALL"]
    kept = []
    words = iter(options)
    for word in words:
        if word == "--export":
            exported = next(words, "ALL").split(",")
        elif word.startswith("--export="):
            exported = word.partition("=")[2].split(",")
        else:
            kept.append(word)
    return [item for item in exported if item not in ("NONE", "NIL", "")], kept
