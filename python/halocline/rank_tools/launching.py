# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a launch line with tools on chosen ranks, and tells what they printed."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import UsageError
from halocline.files.lock import Place, locked
from halocline.files.output_file import write_text
from halocline.launch.ourselves import own_command
from halocline.launch.process import run_foreground, shell_exit_code
from halocline.preload.launch_line import LaunchLine, read_launch_line
from halocline.rank_tools.insertion import before_programs
from halocline.rank_tools.numbering import numbering_of, ranks_asked_for
from halocline.rank_tools.rank_set import Count
from halocline.rank_tools.report import TOOL_REPORT, ToolReport
from halocline.rank_tools.script import rank_script
from halocline.rank_tools.summary import REPORT_NAME, summarised
from halocline.rank_tools.terminal_host import TerminalHost
from halocline.rank_tools.tool import Tool, read_tools

SCRIPT_NAME = "rank.sh"
BRIDGE = "halocline.rank_tools.terminal_bridge"


@dataclass(frozen=True)
class Plan:
    """All that a run will do."""

    given: list[str]
    command: list[str]
    tools: list[Tool]
    folder: Path
    script: str
    ranks: int | None
    #: Whether one of them talks to its user, through a socket of ours.
    terminal: TerminalHost | None = None

    @property
    def script_file(self) -> Path:
        """Where the script will be."""
        return self.folder / SCRIPT_NAME

    @property
    def shell_line(self) -> str:
        """The command as one could type it."""
        return shlex.join(self.command)


def plan_run(command: Sequence[str], given: Sequence[str], folder: Path) -> Plan:
    """Decide how to run a launch line; look at the machine, change nothing."""
    line = read_launch_line(command)
    tools = read_tools(given)
    numbering = numbering_of(line)
    ranks = ranks_asked_for(line)
    check_ranks(tools, ranks)
    place = folder.absolute()
    terminal = _terminal(tools, line)
    bridge = own_command(str(terminal.socket), module=BRIDGE) if terminal else ()
    return Plan(
        given=list(command),
        command=before_programs(line, ("sh", str(place / SCRIPT_NAME))),
        tools=tools,
        folder=place,
        script=rank_script(tools, numbering, place, bridge),
        ranks=ranks,
        terminal=terminal,
    )


def check_ranks(tools: Sequence[Tool], ranks: int | None) -> None:
    """Refuse ranks beyond the job, and files that several ranks would write.

    Args:
        tools: the tools of a job.
        ranks: how many the job has; None: the script finds out.
    """
    for tool in tools:
        largest = tool.ranks.largest
        if ranks is not None and tool.ranks.count is Count.GLOBAL and largest >= ranks:
            has = "1 rank, rank 0" if ranks == 1 else f"{ranks} ranks, 0 to {ranks - 1}"
            raise UsageError(
                f"--tool '{tool.given}' names rank {largest}, but the job has {has}. "
                "Correct the list, or start more ranks."
            )
        if tool.ranks.size(ranks) != 1 and _writes_one_file(tool):
            raise UsageError(
                f"--tool '{tool.given}' names one file for several ranks (each would overwrite "
                "the others'). Put {rank} into its name, or leave it to us."
            )


def _writes_one_file(tool: Tool) -> bool:
    varying = ("{", "%p", "%q", "%h")
    named = tool.kind.writes_itself(tool.words[1:])
    return named and not any(sign in word for word in tool.words for sign in varying)


def _terminal(tools: Sequence[Tool], line: LaunchLine) -> TerminalHost | None:
    """There is one terminal: one tool on one rank may have it."""
    talking = [tool for tool in tools if tool.wants_terminal]
    if not talking:
        return None
    ranks = ranks_asked_for(line)
    for tool in talking:
        if len(talking) > 1 or tool.ranks.size(ranks) != 1:
            raise UsageError(
                f"--tool '{tool.given}' asks its user on {tool.ranks.text} (of one terminal). "
                f"Choose one rank, e.g. {Path(tool.program).name}:0, or give it --batch."
            )
    return None if line.launcher is None else TerminalHost()


def run(
    plan: Plan, output_to_stderr: bool = False, environment: Mapping[str, str] | None = None
) -> ToolReport:
    """Run the launch line with our terminal; return what tools said and the exit code."""
    with locked(Place(plan.folder, "with", what=f"files of tools to {plan.folder}")):
        prepare_folder(plan.folder)
        write_script(plan.folder, plan.script)
        code = _run(plan, environment or {}, output_to_stderr)
        report = summarised(plan.folder, plan.given, plan.tools, shell_exit_code(code))
        TOOL_REPORT.write(report, plan.folder / REPORT_NAME)
    return report


def _run(plan: Plan, environment: Mapping[str, str], output_to_stderr: bool) -> int:
    if plan.terminal is None:
        return run_foreground(plan.command, environment, output_to_stderr)
    # The launcher would read our terminal for rank 0, while the tool's user types into it.
    without_input = ["sh", "-c", 'exec "$0" "$@" </dev/null', *plan.command]
    with plan.terminal.serving() as start:
        return run_foreground(without_input, environment, output_to_stderr, meanwhile=start)


def prepare_folder(folder: Path) -> None:
    """Remove what an older run left of the same kind; anything else stays."""
    (folder / REPORT_NAME).unlink(missing_ok=True)
    for started in folder.glob("*.[0-9]*.started"):
        started.with_suffix(".log").unlink(missing_ok=True)
        started.unlink(missing_ok=True)


def write_script(folder: Path, text: str) -> None:
    """Write the script that stands before the program."""
    write_text(folder / SCRIPT_NAME, text, mode=0o755)
