# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Steps of a case's job on its first host: `python -P -m halocline.submit.case_steps STEP ...`.

mesh CASE [KEY=VALUE ...]                      make the mesh when it is missing
record RANKS THREADS CASE [KEY=VALUE ...]      add the case and its hash to the run record
pictures CASE [KEY=VALUE ...]                  draw what output.pictures asks for
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from halocline.case.load import load_case
from halocline.case.resolve import resolved_case
from halocline.launch.case_run import complete_record, make_mesh
from halocline.launch.mesh_recipe import mesh_job
from halocline.record.store import RECORD_NAME
from halocline.submit.program import case_output
from halocline.terminal import say


def run_step(words: Sequence[str]) -> None:
    """Run one step; the words come from a job script that we wrote."""
    step, *rest = words
    if step == "mesh":
        _mesh(Path(rest[0]), rest[1:])
    elif step == "pictures":
        _pictures(Path(rest[0]), rest[1:])
    else:
        _record(int(rest[0]), int(rest[1]), Path(rest[2]), rest[3:])


def _mesh(case_file: Path, settings: Sequence[str]) -> None:
    case = load_case(case_file, settings)
    job = mesh_job(case, case_file.parent, str(case_file))
    if job is not None:
        make_mesh(job)


def _pictures(case_file: Path, settings: Sequence[str]) -> None:
    from halocline.plot.beside import draw_case

    facts = draw_case(load_case(case_file, settings), case_file, anew=True)
    say(f"{facts['drawn']} pictures in {facts['folder']}")


def _record(ranks: int, threads: int, case_file: Path, settings: Sequence[str]) -> None:
    case = load_case(case_file, settings)
    record = case_output(case, case_file) / f"{case.output.prefix}{RECORD_NAME}"
    if record.is_file():
        complete_record(resolved_case(case, ranks, threads), case_file, record)


if __name__ == "__main__":
    from halocline.cli.problems import exit_code_of

    sys.exit(exit_code_of(lambda: run_step(sys.argv[1:])))
