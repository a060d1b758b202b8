# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Shows jobs: a table of one, and its way through the queue, live or line by line."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from halocline.cli.output import console, table
from halocline.submit.job_file import SubmittedJob
from halocline.submit.schedulers.scheduler import Phase, Scheduler
from halocline.submit.view import JobView, follow, same_look
from halocline.terminal import harmless, harmless_line, say

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

COLOURS = {
    Phase.PENDING: "yellow",
    Phase.RUNNING: "cyan",
    Phase.COMPLETED: "green",
    Phase.UNKNOWN: "dim",
}
PROGRESS_STEP = 0.1


def show_job(job: SubmittedJob, view: JobView) -> None:
    """Print what is known about a job."""
    rows = table(f"Job {view.job_id} ({job.scheduler})", "", "")
    rows.show_header = False
    for what, value in _facts(job, view):
        rows.add_row(what, value)
    console().print(rows)


def _facts(job: SubmittedJob, view: JobView) -> list[tuple[str, str | Text]]:
    facts: list[tuple[str, str | Text]] = [("name", job.name), ("state", _coloured(view))]
    facts += [("hosts", view.hosts)] if view.hosts else []
    facts += [("attempt", str(view.attempt))] if view.attempt > 1 else []
    if view.progress is not None:
        facts.append(("cycles", f"{view.progress.done} of {view.progress.total}"))
    facts += [("exit code", str(view.exit_code))] if view.exit_code is not None else []
    return [*facts, ("script", job.script), ("log", job.log)]


def _coloured(view: JobView) -> Text:
    from halocline.screen import styled

    state = styled(str(view.phase), COLOURS.get(view.phase, "red"))
    return state.append(harmless(f" ({view.reason})")) if view.reason else state


def watch(job: SubmittedJob, scheduler: Scheduler, interval_s: float, to_stderr: bool) -> JobView:
    """Show a job until it is over: moving on a terminal, line by line elsewhere."""
    stream = sys.stderr if to_stderr else sys.stdout
    if stream.isatty() and not console(to_stderr).is_dumb_terminal:
        return _watch_live(job, scheduler, interval_s, to_stderr)
    last = None
    for view in follow(job, scheduler, interval_s):
        if not same_look(view, last) or _has_moved(view, last):
            say(harmless_line(_line(view)), to_stderr=to_stderr)
            last = view
    return view


def _line(view: JobView) -> str:
    words = [time.strftime("%H:%M:%S"), f"job {view.job_id}", str(view.phase)]
    words += [f"({view.reason})"] if view.reason else []
    words += [f"on {view.hosts}"] if view.hosts else []
    words += [f"attempt {view.attempt}"] if view.attempt > 1 else []
    if view.progress is not None:
        words.append(f"cycle {view.progress.done} of {view.progress.total}")
    words += [f"exit code {view.exit_code}"] if view.exit_code is not None else []
    return "  ".join(words)


def _has_moved(view: JobView, last: JobView | None) -> bool:
    """Whether progress is worth a line: the first known, a tenth of the way, or a new count."""
    if view.progress is None:
        return False
    if last is None or last.progress is None or view.progress.total != last.progress.total:
        return True
    moved = view.progress.done - last.progress.done
    return moved < 0 or moved >= PROGRESS_STEP * view.progress.total


def _watch_live(
    job: SubmittedJob, scheduler: Scheduler, interval_s: float, to_stderr: bool
) -> JobView:
    from rich.live import Live

    begun = time.monotonic()
    with Live(console=console(to_stderr), transient=True, refresh_per_second=4) as live:
        for view in follow(job, scheduler, interval_s):
            live.update(_panel(job, view, time.monotonic() - begun))
    return view


def _panel(job: SubmittedJob, view: JobView, seconds: float) -> Table:
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    panel = table(f"Job {view.job_id} ({job.scheduler}): {job.name}", "", "")
    panel.show_header = False
    panel.add_row("state", _coloured(view))
    panel.add_row("hosts", view.hosts or "–")
    panel.add_row("attempt", str(view.attempt))
    panel.add_row("watched for", f"{seconds:.0f} s")
    if view.progress is not None:
        done = view.progress
        row = Table.grid(padding=(0, 1))
        bar = ProgressBar(done.total, done.done, width=40, complete_style="cyan")
        row.add_row(bar, f"{done.done} of {done.total}")
        panel.add_row("cycles", row)
    return panel
