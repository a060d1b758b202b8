# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the program: times, results, memory, and what goes wrong with them."""

from __future__ import annotations

import re
import resource
import sys
from pathlib import Path

import pytest
from halocline.errors import InvalidInputError, RunFailedError
from halocline.preload.family import Family
from halocline.tune.journal import Journal
from halocline.tune.program import Program
from halocline.tune.runs import Reading, Run, printed_time, run_program, same_results


def _python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_the_last_printed_time_counts() -> None:
    text = "time 3 s\ntime 1.5D-1 s\n"
    assert printed_time(text, re.compile(r"time (\S+)")) == 0.15
    assert printed_time(text, re.compile(r"time .*")) == 0.15
    assert printed_time(text, re.compile(r"clock (\S+)")) is None


def test_a_run_says_time_results_and_memory() -> None:
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    code = f"x = bytearray({ours} + (60 << 20)); print('energy -1.5'); print('took 2.5 s')"
    reading = Reading(re.compile(r"took (\S+)"), (re.compile(r"energy (\S+)"),))
    run = run_program(_python(code), {}, reading, 60.0)
    assert (run.problem, run.time_s, run.results) == (None, 2.5, ["-1.5"])
    assert run.peak_bytes > ours + (60 << 20)
    assert run.wall_s > 0


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise SystemExit(3)", "ended with code 3"),
        ("print('nothing')", "has nothing like 'energy"),
        ("print('energy 1')", "printed no time like 'took"),
        ("import time; time.sleep(60)", "took too long"),
    ],
)
def test_what_is_wrong_with_a_run_is_said(code: str, words: str) -> None:
    reading = Reading(re.compile(r"took (\S+)"), (re.compile(r"energy (\S+)"),))
    # Others have time enough however busy the machine is.
    limit_s = 1.0 if words == "took too long" else 60.0
    run = run_program(_python(code), {}, reading, limit_s)
    assert run.time_s is None
    assert words in (run.problem or "")


def _printed(*results: str) -> Run:
    return Run(1.0, 1.0, 0, 0, list(results))


def test_results_are_equal_as_text_or_within_the_tolerance() -> None:
    one = _printed("step 1 e = -1.5000D+00", "done")
    near = _printed("step 1 e = -1.5001D+00", "done")
    assert same_results(one, one, 0.0)
    assert not same_results(one, near, 0.0)
    assert same_results(one, near, 1e-3)
    assert not same_results(one, near, 1e-6)
    assert not same_results(one, _printed("step 1 f = -1.5000D+00", "done"), 1.0)
    assert not same_results(one, _printed("done"), 1.0)


def test_a_journal_goes_on_after_a_torn_line(tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    journal = Journal(file, {"command": ["a"]})
    journal.put("first", {"time_s": 1.0})
    journal.close()
    with file.open("ab") as stream:
        stream.write(b'{"name": "sec')
    again = Journal(file, {"command": ["a"]})
    assert again.resumed
    assert "sec" not in again
    again.put("second", 2)
    again.close()
    last = Journal(file, {"command": ["a"]})
    assert (last["first"], last["second"]) == ({"time_s": 1.0}, 2)
    last.close()


def test_the_journal_of_another_command_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    journal = Journal(file, {"command": ["a"]})
    journal.put("first", 1)
    journal.close()
    with pytest.raises(InvalidInputError, match="other command"):
        Journal(file, {"command": ["b"]})


def test_a_program_smaller_than_halocline_is_not_given_its_memory() -> None:
    """The kernel counts what a process was before it became the command: a copy of us."""
    ballast = bytearray(200 << 20)
    ballast[:: 1 << 12] = b"x" * len(ballast[:: 1 << 12])
    assert run_program(["true"], {}, Reading(), 60.0).peak_bytes == 0


def test_nothing_of_a_run_outlives_its_time_limit(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    stubborn = f"trap '' TERM; (sleep 60 & echo $! > {pid}; wait) & wait"
    run = run_program(["sh", "-c", stubborn], {}, Reading(), 0.5)
    assert run.problem == "it took too long and was ended"
    state = Path(f"/proc/{pid.read_text().strip()}/stat")
    assert not state.exists() or " Z " in state.read_text()


def test_numbers_that_are_spelt_in_another_way_are_the_same_results() -> None:
    assert same_results(_printed("e = -1.5000D+00"), _printed("e =  -1.5e0"), 0.0)
    assert not same_results(_printed("e = nan"), _printed("e = 1.0"), 1.0)


def test_a_time_beyond_all_bounds_is_none() -> None:
    assert printed_time("time 1e999 s", re.compile(r"time (\S+)")) is None


def test_a_first_run_that_failed_is_made_again(tmp_path: Path) -> None:
    works = tmp_path / "works"
    words = ["sh", "-c", f"test -e {works} || {{ echo cannot go on; exit 1; }}"]
    journal = Journal(tmp_path / "journal.jsonl", {})
    with pytest.raises(RunFailedError, match="cannot go on"):
        Program(words, Family.OPENMPI, Reading(), journal).run_first()
    works.touch()
    assert Program(words, Family.OPENMPI, Reading(), journal).run_first().problem is None
    journal.close()


def test_a_journal_without_results_keeps_no_folder_from_another_command(tmp_path: Path) -> None:
    file = tmp_path / "journal.jsonl"
    Journal(file, {"command": ["a"]}).close()
    other = Journal(file, {"command": ["b"]})
    other.put("first", 1)
    other.close()
    with pytest.raises(InvalidInputError, match="other command"):
        Journal(file, {"command": ["a"]})
