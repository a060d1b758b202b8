# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`runs.csv`: a line a run, for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping

from halocline.study.journal import Run, Turn
from halocline.study.load import Study

CSV_NAME = "runs.csv"
FIRST = ("run", "phase", "round", "point", "label", "scale", "state", "started", "exit_code")


def csv_text(study: Study, runs: Mapping[Turn, Run]) -> str:
    """Return all runs in the order in which they were made; units are in docs/study.md."""
    points = study.by_name
    variables = list(dict.fromkeys(name for point in study.points for name in point.values))
    measured = list(dict.fromkeys(name for run in runs.values() for name in run.values))
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow([*FIRST, *variables, *measured, "why"])
    for number, (turn, run) in enumerate(runs.items(), start=1):
        point = points[turn.point]
        rows.writerow(
            [
                *(number, turn.phase, turn.number + 1, point.name, point.label, point.scale),
                *(run.state, run.started, run.code),
                *(point.values.get(name, "") for name in variables),
                *(run.values.get(name, "") for name in measured),
                run.why,
            ]
        )
    return out.getvalue()
