# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the pictures of a case beside its run: `python -P -m halocline.plot.beside JOB`.

`halocline run` starts it, and says on its standard input how the run ended: `finish`, and all that
waits is drawn, or `stop`. An end of that input without a word means that `halocline run` is gone.
"""

from __future__ import annotations

import json
import os
import re
import select
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Any

from halocline.case.model import Case
from halocline.case.pictures import PictureSection
from halocline.errors import HaloclineError, InvalidInputError
from halocline.launch.pictures import PICTURES, job_text
from halocline.plot.mesh_picture import make_drawing, paint
from halocline.plot.movie import movie_of
from halocline.plot.picture import save_picture
from halocline.plot.render import require_vtk
from halocline.plot.view import View, parse_direction, parse_isos, parse_slices
from halocline.results.mesh import Mesh, open_mesh
from halocline.results.opening import open_run
from halocline.results.run import Run
from halocline.results.series import flow_file
from halocline.terminal import note

LOOK_EVERY_S = 0.25
REPORT_EVERY_S = 10.0


class Word(Enum):
    """What `halocline run` says."""

    GO_ON = ""
    FINISH = "finish"
    STOP = "stop"


@dataclass(frozen=True)
class Job:
    """Which pictures of which run."""

    folder: Path
    """Output folder of the run."""
    prefix: str
    mesh: Path
    title: str
    since_ns: int
    """Only a results file that has changed since then is of this run; by the clock of its disk."""
    pictures: list[PictureSection]


def read_job(text: str) -> Job:
    """Read what `launch.pictures` wrote."""
    said: dict[str, Any] = json.loads(text)
    pictures = [PictureSection.model_validate(picture) for picture in said.pop("pictures")]
    folder, mesh = Path(said.pop("folder")), Path(said.pop("mesh"))
    return Job(folder=folder, mesh=mesh, pictures=pictures, **said)


def view_of(picture: PictureSection, title: str = "") -> View:
    """Return the choices of a picture as `halocline plot` knows them."""
    span = (picture.range[0], picture.range[1]) if picture.range else None
    return View(
        size=(picture.width, picture.height),
        slices=parse_slices([picture.slice] if picture.slice else []),
        isos=parse_isos([picture.iso] if picture.iso else []),
        towards=parse_direction(picture.from_),
        span=span,
        title=title,
    )


@dataclass
class Pictures:
    """The pictures of a run: which are there, which wait."""

    job: Job
    anew: bool = False
    """Pictures that are there are of an earlier run."""
    run: Run | None = None
    waiting: list[tuple[PictureSection, int]] = field(default_factory=list)
    drawn: int = 0
    _done: set[tuple[str, int]] = field(default_factory=set)
    _told: set[str] = field(default_factory=set)
    _begun: bool = False
    _seen_ns: int = -1
    _meshes: dict[int, Mesh] | None = None

    def look(self) -> None:
        """Find steps that have been completed."""
        place, prefix = self.job.folder, self.job.prefix
        found = [flow_file(file) for file in place.glob("*.vtkhdf")]
        own = [said for said in found if said is not None and said.prefix == prefix]
        times = {said.file.stat().st_mtime_ns: said for said in own}
        newest = max(times, default=-1)
        if newest < self.job.since_ns or newest == self._seen_ns:
            return
        self._begin(times[newest].after)
        run = open_run(place / f"{prefix}flow")
        run.path = times[newest].file
        self.run, self._seen_ns = run, newest
        self.waiting = [
            (picture, step)
            for step in run.steps.tolist()
            for picture in self.job.pictures
            if step in self._steps(picture) and (picture.file_start, step) not in self._done
        ]

    def _begin(self, after: int) -> None:
        """Once: older pictures count where the run goes on, and go where it begins anew."""
        if self._begun:
            return
        self._begun = True
        for picture in self.job.pictures:
            for file, step in self._files(picture):
                if self.anew:
                    file.unlink(missing_ok=True)
                elif step <= after or self.job.since_ns == 0:
                    self._done.add((picture.file_start, step))
                elif after == 0:
                    file.unlink(missing_ok=True)

    def _files(self, picture: PictureSection) -> Iterator[tuple[Path, int]]:
        name = re.compile(rf"{re.escape(self.job.prefix + picture.file_start)}\.(\d{{1,18}})\.png")
        folder = self.job.folder / PICTURES
        for file in sorted(folder.iterdir()) if folder.is_dir() else []:
            match = name.fullmatch(file.name)
            if match is not None:
                yield file, int(match[1])

    def _steps(self, picture: PictureSection) -> list[int]:
        """Return the steps that get a picture: every so many of those written."""
        steps: list[int] = [] if self.run is None else self.run.steps.tolist()
        return steps[picture.every - 1 :: picture.every]

    def draw_next(self) -> None:
        """Draw the oldest one that waits; a fault is reported once and the rest goes on."""
        picture, step = self.waiting.pop(0)
        self._done.add((picture.file_start, step))
        try:
            self._draw(picture, step)
            self.drawn += 1
        except Exception as error:  # noqa: BLE001 - a picture never harms the run
            self._tell(picture, error)

    def _draw(self, picture: PictureSection, step: int) -> None:
        view = replace(view_of(picture, self.job.title), step=step)
        drawing = make_drawing(self._at(picture.level), picture.field, view)
        file = self._place(picture, f"{step}.png")
        file.parent.mkdir(exist_ok=True)
        save_picture(file, paint(drawing, drawing.field, view))

    def movies(self) -> list[Path]:
        """Make the movies that are asked for."""
        made = []
        for picture in self.job.pictures:
            if not picture.movie or self.run is None:
                continue
            file = self._place(picture, picture.movie)
            try:
                file.parent.mkdir(exist_ok=True)
                view = view_of(picture, self.job.title)
                at_level = self._at(picture.level)
                movie_of(at_level, file, picture.field, view, self._steps(picture))
                made.append(file)
            except Exception as error:  # noqa: BLE001 - as above
                self._tell(picture, error, what="movie")
        return made

    def _place(self, picture: PictureSection, ending: str) -> Path:
        name = f"{self.job.prefix}{picture.file_start}.{ending}"
        return self.job.folder / PICTURES / name

    def _at(self, level: int) -> Run:
        """Return the run on a level, on the mesh that it reads: opened once, it says most."""
        if self.run is None:
            raise HaloclineError("no step has been written.")
        if self._meshes is None:
            try:
                self._meshes = dict(enumerate(open_mesh(self.job.mesh)))
            except HaloclineError:  # that of the results file will do
                self._meshes = {}
        if level not in self._meshes:
            return self.run.at_level(level)
        return self.run.at_level(level, self._meshes[level])

    def _tell(self, picture: PictureSection, error: Exception, what: str = "picture") -> None:
        if f"{what} {picture.file_start}" in self._told:
            return
        self._told.add(f"{what} {picture.file_start}")
        known = isinstance(error, HaloclineError)
        words = str(error) if known else f"{type(error).__name__}: {error}"
        note(f"{what} '{picture.file_start}' is not drawn. {words}")


def follow(job: Job, listen: int) -> None:
    """Draw while the run goes on, then what it asks for."""
    pictures = Pictures(job)
    word = Word.GO_ON
    while word is Word.GO_ON:
        _look(pictures)
        if pictures.waiting:
            pictures.draw_next()
        word = _next_word(listen, 0.0 if pictures.waiting else LOOK_EVERY_S)
    if word is Word.FINISH:
        finish(pictures)
        return
    _look(pictures)
    if pictures.waiting:
        count = len(pictures.waiting)
        note(f"{count} pictures wait: the run that goes on draws them, or halocline plot --case.")


def finish(pictures: Pictures) -> None:
    """Draw all that waits, and make the movies."""
    _look(pictures, last=True)
    waiting = len(pictures.waiting)
    if waiting:
        note(f"drawing {waiting} {'picture' if waiting == 1 else 'pictures'}")
    reported = time.monotonic()
    while pictures.waiting:
        pictures.draw_next()
        if time.monotonic() - reported > REPORT_EVERY_S:
            reported = time.monotonic()
            note(f"{waiting - len(pictures.waiting)} of {waiting} pictures are drawn")
    if any(picture.movie for picture in pictures.job.pictures) and pictures.run is not None:
        note("making the movie")
        for movie in pictures.movies():
            note(f"movie: {movie}")


def draw_case(case: Case, case_file: Path, *, anew: bool = False) -> dict[str, object]:
    """Draw what a case asks for and its run has not drawn (`anew`: all); return facts on it."""
    require_vtk()
    if not case.output.pictures:
        raise InvalidInputError(
            f"{case_file} asks for no pictures (it has no [[output.pictures]]). Add one."
        )
    job = read_job(job_text(case, case_file.resolve().parent, since_ns=0))
    pictures = Pictures(job, anew=anew)
    finish(pictures)
    if pictures.run is None:
        raise InvalidInputError(
            f"{job.folder} holds no {job.prefix}flow.vtkhdf to draw from. Run the case first."
        )
    return {"folder": str(job.folder / PICTURES), "drawn": pictures.drawn}


def _look(pictures: Pictures, last: bool = False) -> None:
    """A file that is being made may not be readable yet; at the end it is."""
    try:
        pictures.look()
    except (HaloclineError, OSError) as error:
        if last:
            note(f"pictures are not drawn. {error}")


def _next_word(listen: int, patience_s: float) -> Word:
    """Return what has been said; raise EOFError when nobody is left to say anything."""
    ready, _, _ = select.select([listen], [], [], patience_s)
    if not ready:
        return Word.GO_ON
    said = os.read(listen, 4096)
    if not said:
        raise EOFError
    return Word(said.decode().split()[0])


def main() -> None:
    """Run as a program; signals that are meant for the run do not end it."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    try:
        require_vtk()
        follow(read_job(sys.argv[1]), sys.stdin.fileno())
    except HaloclineError as error:
        note(f"pictures are not drawn (the run goes on). {error}")
    except EOFError:
        pass


if __name__ == "__main__":
    main()
