# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of a case, drawn while a results file grows."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from halocline.case.load import parse_case
from halocline.launch.ourselves import own_command
from halocline.launch.pictures import MODULE, drawn_beside, job_text
from halocline.submit.case_steps import run_step
from PIL import Image
from results_file import write_results

pytest.importorskip(
    "pyvista", reason="pyvista is not installed: `make test` installs it and runs this"
)

SMALL = {"field": "density", "width": 96, "height": 64}


@pytest.fixture
def job(tmp_path: Path) -> Callable[..., str]:
    """Write the job of pictures from `output/flow.vtkhdf` of a case without a mesh folder."""
    (tmp_path / "output").mkdir()

    def write(*pictures: dict[str, Any], since_ns: int = 0) -> str:
        tables = [{**SMALL, **picture} for picture in pictures]
        case = parse_case({"output": {"interval": 5, "pictures": tables}}, "case.toml")
        return job_text(case, tmp_path, since_ns)

    return write


@pytest.fixture
def start() -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """Start the process that draws."""
    begun = []

    def run(text: str) -> subprocess.Popen[str]:
        words = own_command(text, module=MODULE)
        pipe = subprocess.PIPE
        begun.append(subprocess.Popen(words, stdin=pipe, stderr=pipe, text=True))
        return begun[-1]

    yield run
    for process in begun:
        process.kill()
        process.wait()


def drawn(folder: Path) -> list[str]:
    """Names of what is there."""
    place = folder / "output" / "pictures"
    return sorted(file.name for file in place.iterdir()) if place.is_dir() else []


def wait_for(folder: Path, *names: str) -> None:
    until = time.monotonic() + 60.0
    while not set(names) <= set(drawn(folder)):
        assert time.monotonic() < until, drawn(folder)
        time.sleep(0.05)


def grow(folder: Path, done: int, name: str = "flow.vtkhdf") -> Path:
    """Replace the results file by one with more steps."""
    made = write_results(folder / "next", done=done)
    return made.replace(folder / "output" / name)


def test_each_step_is_drawn_when_it_is_there_and_the_rest_at_the_end(
    job: Callable[..., str], start: Callable[..., Any], tmp_path: Path
) -> None:
    process = start(job({"movie": "gif"}, {"name": "wall", "every": 2, "range": [0.0, 9.0]}))
    grow(tmp_path, 2)
    wait_for(tmp_path, "density.5.png", "density.10.png", "wall.10.png")
    assert "density.15.png" not in drawn(tmp_path)
    grow(tmp_path, 4)
    _, said = process.communicate("finish\n", timeout=60)
    assert process.returncode == 0, said
    steps = (10, 15, 20, 5)
    pictures = [f"density.{step}.png" for step in steps]
    assert drawn(tmp_path) == [*pictures, "density.gif", "wall.10.png", "wall.20.png"]
    with Image.open(tmp_path / "output" / "pictures" / "density.5.png") as picture:
        assert picture.size == (96, 64)
    with Image.open(tmp_path / "output" / "pictures" / "density.gif") as movie:
        assert movie.n_frames == 4
    assert "movie: " in said


def test_a_picture_that_cannot_be_drawn_is_told_once(
    job: Callable[..., str], start: Callable[..., Any], tmp_path: Path
) -> None:
    grow(tmp_path, 3)
    process = start(job({"iso": "density=7", "name": "nowhere"}, {"slice": "x", "name": "cut"}))
    _, said = process.communicate("finish\n", timeout=60)
    assert process.returncode == 0
    assert said.count("picture 'nowhere' is not drawn") == 1
    # Density is x + 100 s on points with x from 0 to 2.
    assert "density is nowhere 7" in said
    assert [name for name in drawn(tmp_path) if name.startswith("cut")] == [
        *("cut.10.png", "cut.15.png", "cut.5.png")
    ]


def test_results_of_an_older_run_are_not_drawn(
    job: Callable[..., str], start: Callable[..., Any], tmp_path: Path
) -> None:
    old = grow(tmp_path, 5)
    os.utime(old, (1000.0, 1000.0))
    process = start(job({}, since_ns=2000 * 10**9))
    _, said = process.communicate("finish\n", timeout=60)
    assert (drawn(tmp_path), said) == ([], "")


@pytest.mark.parametrize(("file", "kept"), [("flow.vtkhdf", False), ("flow.after=12.vtkhdf", True)])
def test_older_pictures_stay_where_a_run_goes_on(
    job: Callable[..., str], start: Callable[..., Any], tmp_path: Path, file: str, kept: bool
) -> None:
    (tmp_path / "output" / "pictures").mkdir()
    for step in (5, 15, 30):
        (tmp_path / "output" / "pictures" / f"density.{step}.png").write_text("of before")
    grow(tmp_path, 3, file)
    process = start(job({}, since_ns=1))
    process.communicate("finish\n", timeout=60)
    assert ("density.30.png" in drawn(tmp_path)) is kept
    first = (tmp_path / "output" / "pictures" / "density.5.png").read_bytes()
    assert (first == b"of before") is kept
    assert (tmp_path / "output" / "pictures" / "density.15.png").read_bytes() != b"of before"


def test_it_ends_when_nobody_is_left_to_say_anything(
    job: Callable[..., str], start: Callable[..., Any], tmp_path: Path
) -> None:
    grow(tmp_path, 2)
    process = start(job({}))
    wait_for(tmp_path, "density.5.png")
    process.stdin.close()
    assert process.wait(60) == 0


def test_a_run_that_stopped_early_is_not_held_up(
    job: Callable[..., str], start: Callable[..., Any], tmp_path: Path
) -> None:
    process = start(job({}))
    grow(tmp_path, 5)
    _, said = process.communicate("stop\n", timeout=60)
    assert process.returncode == 0
    assert "the run that goes on draws them" in said
    assert len(drawn(tmp_path)) < 5


def test_nothing_that_happens_to_it_is_a_fault_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    case = parse_case({"output": {"interval": 5, "pictures": [SMALL]}}, "case.toml")
    monkeypatch.setattr("halocline.launch.pictures.MODULE", "halocline.no_such_module")
    with drawn_beside(case, tmp_path, tmp_path) as end:
        end(0)
    assert "the process that draws ended with code 1" in capfd.readouterr().err


def test_the_pictures_of_a_case_can_be_drawn_later(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    case = tmp_path / "case.toml"
    case.write_text(
        "[output]\ninterval = 5\n[[output.pictures]]\n"
        'field = "density"\nslice = "z=0.5"\nwidth = 96\nheight = 64\n'
    )
    (tmp_path / "output").mkdir()
    failed = halocline("plot", "--case", case)
    assert failed.code == 3
    assert "no flow.vtkhdf to draw from" in failed.err
    grow(tmp_path, 2)
    assert halocline("plot", "--case", case, "--json").data["drawn"] == 2
    grow(tmp_path, 3)
    assert halocline("plot", "--case", case, "--json").data["drawn"] == 1
    assert drawn(tmp_path) == ["density.10.png", "density.15.png", "density.5.png"]


def test_a_job_draws_all_pictures_anew_when_its_run_is_complete(tmp_path: Path) -> None:
    case = tmp_path / "case.toml"
    pictures = '[[output.pictures]]\nfield = "density"\nwidth = 96\nheight = 64\n'
    case.write_text(f"[output]\ninterval = 5\n{pictures}")
    (tmp_path / "output" / "pictures").mkdir(parents=True)
    for step in (5, 99):  # of an earlier run
        (tmp_path / "output" / "pictures" / f"density.{step}.png").write_text("old")
    write_results(tmp_path / "output" / "flow.vtkhdf", done=2)
    run_step(["pictures", str(case)])
    assert drawn(tmp_path) == ["density.10.png", "density.5.png"]
    for name in drawn(tmp_path):
        assert Image.open(tmp_path / "output" / "pictures" / name).size == (96, 64)
