# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Takes snapshots of points: of each once, in a run that is not timed, or in every run."""

from __future__ import annotations

from pathlib import Path

from halocline.errors import HaloclineError, UsageError
from halocline.launch.limited_run import Ended
from halocline.study.journal import Run, Turn
from halocline.study.launch import Launch
from halocline.study.load import Study
from halocline.terminal import note

SNAPSHOTS = "snapshots"


def snapshot_folder(study: Study, point: str) -> Path:
    """Return where the snapshot of a point is."""
    return study.folder / SNAPSHOTS / point


class Recorder:
    """Puts the recorder into launch lines, and its reports into the study's folder."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._refused = False

    def words(self, turn: Turn, launch: Launch) -> tuple[list[str], Path | None]:
        """Return the words of a run, and the folder of its snapshot where one is taken."""
        wanted = self._study.file.measure.snapshot
        if wanted == "never" or (wanted == "once" and turn.phase != "trial") or self._refused:
            return list(launch.command.words), None
        from halocline.snapshot.folder import prepare_folder
        from halocline.snapshot.recording import Settings, plan_recording

        folder = snapshot_folder(self._study, turn.point)
        try:
            plan = plan_recording(launch.command.words, folder, None, Settings())
            prepare_folder(folder)
        except HaloclineError as error:
            self._refused = True
            why = "the command is not linked to an MPI library that is known"
            note(
                f"no snapshots: {why if isinstance(error, UsageError) else error} "
                '(measure.snapshot = "never" asks for none)'
            )
            return list(launch.command.words), None
        return plan.command, folder

    def finish(self, folder: Path, launch: Launch, ended: Ended, run: Run) -> None:
        """Make the report; what its run says of memory and I/O goes to the run's numbers."""
        from halocline.snapshot.merge import Launch as Recorded
        from halocline.snapshot.merge import merge
        from halocline.snapshot.raw import read_ranks
        from halocline.snapshot.store import write_report

        ranks_folder = folder / "ranks"
        try:
            ranks = read_ranks(ranks_folder)
            if not ranks:
                return
            snapshot = merge(ranks, Recorded(list(launch.command.words), ended.code, ended.wall_s))
            write_report(folder, snapshot)
        except HaloclineError as error:
            note(f"no snapshot of {run.turn.point}: {error}")
            return
        peaks = [rank.usage.peak_rss_bytes for rank in snapshot.ranks]
        run.values["rank_memory_bytes"] = float(max(peaks))
        io = [rank.io.seconds for rank in snapshot.ranks if rank.io is not None]
        if io:
            run.values["io_s"] = max(io)
