# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tools on ranks of the run of a case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from halocline.launch.case_run import RunPlan, Starter
from halocline.rank_tools.launching import Plan, plan_run, run
from halocline.rank_tools.report import TOOL_REPORT, ToolReport
from halocline.rank_tools.summary import REPORT_NAME

FOLDER = "tools"


def with_tools(plan: RunPlan, given: Sequence[str]) -> RunPlan:
    """Return the same run with tools; their files go below its results."""
    tools = plan_run(plan.command, given, _folder(plan))
    return replace(plan, command=tools.command, start=_starter(tools))


def report_of(plan: RunPlan) -> ToolReport | None:
    """Return what tools said, where they have come so far."""
    file = _folder(plan) / REPORT_NAME
    return TOOL_REPORT.read(file) if file.is_file() else None


def _folder(plan: RunPlan) -> Path:
    return plan.output_folder / FOLDER


def _starter(tools: Plan) -> Starter:
    def start(_words: Sequence[str], environment: dict[str, str], output_to_stderr: bool) -> int:
        code = run(tools, output_to_stderr, environment).exit_code
        return 0 if code is None else code

    return start
