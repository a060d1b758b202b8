# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Corners that users meet: blanks in paths, odd numbers, moved files, a base that is corrected."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from halocline.errors import HaloclineError
from halocline.launch.limited_run import Command, Stop, StopCondition, run_limited
from halocline.launch.session import session_members
from halocline.study.driver import StoppedByUserError
from halocline.study.load import load_study
from halocline.study.measurements import MissingValueError, record_values
from halocline.study.schedule import Schedule

Run = Callable[..., Any]
Write = Callable[..., Path]
SHORT = '[run]\nmost = 6\nnoise_rounds = 0\ntwins = false\n[measure]\nsnapshot = "never"\n'


def result(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "study.json").read_text())
    return found


def _program(folder: Path, text: str) -> Path:
    file = folder / "mein prógram.sh"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def test_a_path_with_blanks_runs_in_quotes_and_is_explained_without(
    halocline: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "my codes"
    folder.mkdir()
    _program(folder, "sleep 0.01")
    file = folder / "s.toml"
    file.write_text(f"[program]\ncommand = \"'./mein prógram.sh' a\"\n{SHORT}")
    assert halocline("study", file).code == 0
    file.write_text(f'[program]\ncommand = "./mein prógram.sh a"\n{SHORT}')
    done = halocline("study", file, "-o", tmp_path / "other")
    assert done.code == 3
    assert "there is no program" in done.err
    assert "in quotes of its own" in done.err
    assert not (tmp_path / "other").exists()


def test_numbers_are_compared_as_numbers_however_they_are_printed(
    halocline: Run, tmp_path: Path
) -> None:
    _program(tmp_path, 'echo "energy = $1"; echo "time = 1.5D-01 s"')
    file = tmp_path / "s.toml"
    file.write_text(
        "[program]\ncommand = [\"./mein prógram.sh\", '{printed}']\n"
        '[vary]\nprinted = ["1000.0", "1000", "1.0D+03", "1e3", "1001", "NaN"]\n'
        f'{SHORT}by = "t"\n[measure.patterns.t]\npattern = "time = (\\\\S+)"\nunit = "s"\n'
        '[check]\npattern = "energy = (.*)"\n'
    )
    done = halocline("study", file)
    assert done.code == 0, done.err
    points = {each["label"]: each for each in result(tmp_path / "s")["points"]}
    states = {label.removeprefix("printed = "): each["state"] for label, each in points.items()}
    assert states == {
        **dict.fromkeys(("base", "1000", "1.0D+03", "1e3"), "ok"),
        "1001": "wrong",
        "NaN": "failed",
    }
    assert points["base"]["median"]["value"] == 0.15


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "1" + 400 * "0"])
def test_a_record_without_finite_numbers_is_no_measurement(tmp_path: Path, number: str) -> None:
    """NaN would be written into the journal, which nobody could read again."""
    record = tmp_path / "record.json"
    record.write_text(f'{{"results": {{"total_runtime_s": {number}}}}}')
    with pytest.raises(MissingValueError, match="no finite number"):
        record_values(record, ["results.total_runtime_s"])


def test_a_study_file_may_go_while_its_study_runs(halocline: Run, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    _program(tmp_path, f"rm -f '{file}'")
    file.write_text(f'[program]\ncommand = ["./mein prógram.sh"]\n{SHORT}')
    text = file.read_text()
    done = halocline("study", file)
    assert done.code == 0, done.err
    assert result(tmp_path / "s")["study_text"] == text


def test_a_base_that_is_corrected_runs_again(halocline: Run, tmp_path: Path) -> None:
    program = _program(tmp_path, "exit 3")
    file = tmp_path / "s.toml"
    file.write_text(f'[program]\ncommand = ["./mein prógram.sh"]\n{SHORT}')
    assert halocline("study", file).code == 5
    program.write_text("#!/bin/sh\n")
    assert halocline("study", file).code == 0
    assert result(tmp_path / "s")["runs"] == 7


def test_a_study_that_only_failed_does_not_keep_its_folder(halocline: Run, tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text(f'[program]\ncommand = "false"\n{SHORT}')
    assert halocline("study", file).code == 5
    file.write_text(f'[program]\ncommand = "true"\n{SHORT}')
    assert halocline("study", file).code == 0
    file.write_text(f'[program]\ncommand = "true again"\n{SHORT}')
    assert "runs of another study" in halocline("study", file).err


def test_scales_that_are_the_same_run_once(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('[program]\ncommand = "true"\n[scaling]\nstrong = [1, 1, "1x1", 2, 1]\n')
    assert [point.scale for point in load_study(file).points] == ["1 rank", "2 ranks"]


@pytest.mark.parametrize("name", ["/etc/passwd", "../result"])
def test_files_outside_the_folder_of_a_run_cannot_be_checked(tmp_path: Path, name: str) -> None:
    file = tmp_path / "s.toml"
    file.write_text(f'[program]\ncommand = "true"\nfiles = ["in"]\n[check]\nfiles = ["{name}"]\n')
    with pytest.raises(HaloclineError, match="outside the folder of a run"):
        load_study(file)


def test_programs_that_no_word_asks_for_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('[program]\ncommand = "x"\nprograms = { openmpi = "./a" }\n')
    with pytest.raises(HaloclineError, match=r"nothing uses \[program.programs\]"):
        load_study(file)


def test_environment_and_words_spell_truth_alike(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('[program]\ncommand = "x {on}"\n[base]\non = true\n"env.ON" = true\n')
    (launch,) = load_study(file).launches.values()
    assert (launch.command.words[1], launch.command.environment["ON"]) == ("true", "true")


def test_points_that_did_not_run_are_told(
    halocline: Run, study_file: Write, tmp_path: Path
) -> None:
    change = {"most = 8": "most = 8\nbudget_runs = 5"}
    assert halocline("study", study_file("[vary]\nlevel = [1.0, 0.9]", **change)).code == 0
    page = (tmp_path / "study" / "study.html").read_text()
    assert "2 not run" in page
    assert "all ran" not in page


def test_jobs_keep_to_the_budget_of_runs(
    halocline: Run, study_file: Write, tmp_path: Path, runs_made: Callable[[], int]
) -> None:
    change = {"most = 8": "most = 8\njobs = 3\nbudget_runs = 10"}
    more = '[submit]\nscheduler = "local"\n[vary]\nlevel = [1.0, 0.9]'
    assert halocline("study", study_file(more, **change)).code == 0
    assert runs_made() == result(tmp_path / "study")["runs"] == 10


def test_a_run_ends_with_the_journal_that_cannot_note_it(tmp_path: Path) -> None:
    begun: list[int] = []

    def refuse(pid: int) -> None:
        begun.append(pid)
        raise HaloclineError("the disk is full")

    command = Command(["sleep", "60"], {}, tmp_path)
    with (tmp_path / "log").open("wb") as log, pytest.raises(HaloclineError, match="full"):
        run_limited(command, log, StopCondition(60.0), started=refuse)
    assert session_members(begun[0]) == []


def test_results_that_lack_what_the_base_has_are_wrong(halocline: Run, tmp_path: Path) -> None:
    (tmp_path / "write.py").write_text(
        "import h5py, sys\n"
        "with h5py.File('out.h5', 'w') as file:\n"
        "    for name in filter(None, sys.argv[1:]): file[name] = [1.0, 2.0]\n"
    )
    file = tmp_path / "s.toml"
    file.write_text(
        '[program]\ncommand = "python3 write.py rho {second}"\nfiles = ["write.py"]\n'
        f'[vary]\nsecond = ["p", ""]\n{SHORT}[check]\nfiles = ["out.h5"]\n'
    )
    done = halocline("study", file)
    assert done.code == 0, done.err
    base, other = result(tmp_path / "s")["points"]
    assert (base["state"], other["state"]) == ("ok", "wrong")
    assert "its results lack" in other["why"]


def test_nothing_is_left_where_runs_started(halocline: Run, tmp_path: Path) -> None:
    (tmp_path / "in").touch()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    file = tmp_path / "s.toml"
    program = f'[program]\ncommand = "true"\nfiles = ["in"]\n[base]\nfolder = "{elsewhere}"\n'
    file.write_text(program + SHORT)
    assert halocline("study", file).code == 0
    assert list(elsewhere.iterdir()) == []


def test_a_base_without_a_result_is_no_base(halocline: Run, tmp_path: Path) -> None:
    """All that is not a number would be as right as the base."""
    file = tmp_path / "s.toml"
    file.write_text(
        f'[program]\ncommand = "echo energy = nan"\n{SHORT}[check]\npattern = "energy = (.*)"\n'
    )
    done = halocline("study", file)
    assert done.code == 5
    assert "finds 'nan', which is not a result" in done.err


def test_what_goes_on_with_a_stopped_study_can_be_typed(tmp_path: Path) -> None:
    file = tmp_path / "my study.toml"
    file.write_text(f'[program]\ncommand = "true"\n{SHORT}')
    own, other = (
        str(StoppedByUserError(load_study(file, output))) for output in (None, tmp_path / "b")
    )
    assert own.endswith(f"Go on with: halocline study '{file}'")
    assert other.endswith(f"halocline study '{file}' -o {tmp_path / 'b'}")


def test_who_stops_a_study_of_jobs_does_not_wait_for_the_next_look() -> None:
    stop = Stop()
    Timer(0.1, lambda: setattr(stop, "asked", signal.SIGTERM)).start()
    began = time.monotonic()
    stop.sleep(30.0)
    assert time.monotonic() - began < 5.0


def test_what_is_left_is_bounded_by_the_budget_of_runs(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    text = '[program]\ncommand = "true {a}"\n[vary]\na = [1, 2]\n[run]\nmost = 9\nbudget_runs = '
    for budget, left in ((5, (5, 5)), (20, (18, 20)), (99, (18, 27))):
        file.write_text(f"{text}{budget}\n")
        assert Schedule(load_study(file), {}).runs_left(0) == left


def test_rounds_beyond_those_allowed_say_why(halocline: Run, tmp_path: Path) -> None:
    """Three verdicts at once need 7 rounds; the file allows 6."""
    file = tmp_path / "s.toml"
    short = SHORT.replace("most = 6", 'most = 6\nwidth = "0 %"')
    file.write_text(f'[program]\ncommand = "true {{a}}"\n[vary]\na = [1, 2, 3, 4]\n{short}')
    assert halocline("study", file).code == 0
    found = result(tmp_path / "s")
    assert found["ending"] == "7 rounds are made, which 3 verdicts need at least"
    told = [winner["sentence"] for winner in found["winners"] if winner["point"] is None]
    assert all(sentence.startswith("No point of 3") for sentence in told)
