# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on this host: the same interface, run at once; also what every script does by itself."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import select
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.launch.programs import find_program
from halocline.record.store import read_record

REFERENCE = Path(__file__).parents[3] / "data" / "mgcfd-reference" / "natural"
COMMAND = ("-m", "halocline", "submit")
LOCAL = ("--scheduler", "local", "--ranks-per-node", 1)


@pytest.fixture
def submit(
    halocline: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Run `halocline submit` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: object) -> Any:
        return halocline("submit", "--interval", "0.1", *words)

    return run


def wait_for_file(path: Path) -> None:
    end = time.monotonic() + 100
    while not path.exists():
        assert time.monotonic() < end, f"{path} did not appear"
        time.sleep(0.05)


def test_a_command_runs_at_once_and_reports(submit: Callable[..., Any]) -> None:
    done = submit(*LOCAL, "--wait", "--", "bash", "-c", "echo hello; exit 0")
    assert done.code == 0, done.err
    assert "completed" in done.out
    assert "hello" in Path("bash.job.log").read_text()


def test_without_waiting_the_job_goes_on_by_itself(submit: Callable[..., Any]) -> None:
    data = submit(*LOCAL, "--json", "--", "bash", "-c", "until [ -e go ]; do sleep 0.05; done").data
    assert data["state"] == "running"
    assert submit("--status", "bash.job.json", "--json").data["state"] == "running"
    busy = submit(*LOCAL, "--", "bash", "-c", "true")
    assert busy.code == 2
    assert "is running and writes the same files" in busy.err
    Path("go").touch()
    assert submit("--follow", data["job_id"]).code == 0


@pytest.mark.parametrize(("code", "expected"), [(3, 3), (75, 75), (1, 5), (134, 5)])
def test_the_exit_code_of_the_run_is_ours(
    submit: Callable[..., Any], code: int, expected: int
) -> None:
    done = submit(*LOCAL, "--wait", "--json", "--", "bash", "-c", f"exit {code}")
    assert done.code == expected
    assert (done.data["state"], done.data["exit_code"]) == ("failed", code)


def test_a_program_that_is_not_there_fails_with_its_shells_words(
    submit: Callable[..., Any],
) -> None:
    done = submit(*LOCAL, "--wait", "--json", "--", "./nowhere")
    assert done.code == 5
    assert done.data["exit_code"] == 127
    assert "nowhere" in Path("nowhere.job.log").read_text()


def test_cancelling_ends_the_run_too(submit: Callable[..., Any], tmp_path: Path) -> None:
    run = "trap 'touch ended; exit 143' TERM; touch ready; while :; do sleep 0.05; done"
    data = submit(*LOCAL, "--json", "--", "bash", "-c", run).data
    wait_for_file(tmp_path / "ready")
    assert submit("--cancel", data["job_id"]).code == 0
    followed = submit("--follow", data["job_id"], "--json")
    assert (followed.code, followed.data["state"]) == (5, "cancelled")
    assert (tmp_path / "ended").exists()
    assert "does not run" in submit("--cancel", data["job_id"]).err


def test_a_run_is_signalled_before_the_limit_saves_and_goes_on_where_it_was(
    submit: Callable[..., Any],
) -> None:
    Path("run.sh").write_text(
        "trap 'echo saved >>checkpoint; exit 75' USR1\n"
        "[ -e checkpoint ] && exit 0\nwhile :; do sleep 0.05; done\n"
    )
    limit = ("--time", "61s", "--notice", "1m", "--requeue", 2)
    done = submit(*LOCAL, *limit, "--wait", "--json", "--", "bash", "run.sh")
    log = Path("bash.job.log").read_text()
    assert done.code == 0, log
    assert Path("checkpoint").read_text() == "saved\n"
    assert done.data["attempt"] == 2
    assert "signal USR1: passed on to the run" in log


def test_a_run_beyond_its_limit_is_ended(submit: Callable[..., Any]) -> None:
    done = submit(*LOCAL, "--time", "1s", "--wait", "--json", "--", "sleep", "300")
    assert done.code == 5
    assert (done.data["state"], done.data["exit_code"]) == ("timeout", 143)


@pytest.mark.parametrize(("run", "expected"), [("true", 0), ("kill -KILL $PPID", 5)])
def test_no_timer_outlives_the_job_however_it_ends(
    submit: Callable[..., Any], tmp_path: Path, run: str, expected: int
) -> None:
    limit = ("--time", "3h", "--notice", "7m")
    assert submit(*LOCAL, *limit, "--wait", "--", "bash", "-c", run).code == expected
    end = time.monotonic() + 100
    while left := _processes_in(tmp_path):
        assert time.monotonic() < end, f"{left} are still there"
        time.sleep(0.05)


def _processes_in(folder: Path) -> list[int]:
    """The other processes whose working folder it is."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if Path(process / "cwd").readlink() == folder and process.name != str(os.getpid()):
                found.append(int(process.name))
    return found


def test_lines_before_and_after_surround_the_run(submit: Callable[..., Any]) -> None:
    done = submit(
        *LOCAL,
        *("--before", "export FROM=before", "--after", 'echo "code $code" >after'),
        *("--env", "A=b c", "--wait", "--", "bash", "-c", 'echo "$FROM,$A" >seen; exit 3'),
    )
    assert done.code == 3
    assert Path("seen").read_text() == "before,b c\n"
    assert Path("after").read_text() == "code 3\n"


def test_a_failing_line_before_the_run_stops_the_job(submit: Callable[..., Any]) -> None:
    done = submit(*LOCAL, "--before", "false", "--wait", "--", "touch", "ran")
    assert done.code == 4
    assert not Path("ran").exists()
    assert "commands of 'before' failed" in Path("touch.job.log").read_text()


def test_a_missing_module_command_stops_the_job(submit: Callable[..., Any]) -> None:
    hide = ("--before", "true", "--module", "gcc/12")
    done = submit(*LOCAL, *hide, "--wait", "--", "true")
    log = Path("true.job.log").read_text()
    assert done.code == 4
    assert "no command 'module'" in log or "module load gcc/12 failed" in log


def test_a_killed_job_is_seen_to_be_over(submit: Callable[..., Any]) -> None:
    data = submit(*LOCAL, "--json", "--", "sleep", "3").data
    os.kill(int(data["job_id"]), 9)
    followed = submit("--follow", data["job_id"], "--json")
    assert (followed.code, followed.data["state"]) == (5, "failed")


def test_a_job_can_be_submitted_again_from_its_file(submit: Callable[..., Any]) -> None:
    submit(*LOCAL, "--wait", "--", "bash", "-c", "echo x >>runs")
    again = submit("--again", "bash.job.json", "--json")
    assert again.code == 0
    assert submit("--follow", again.data["job_id"]).code == 0
    assert Path("runs").read_text() == "x\nx\n"


def test_a_job_that_runs_is_cancelled_before_it_runs_again(submit: Callable[..., Any]) -> None:
    run = "echo x >>runs; [ $(wc -l <runs) -eq 2 ] || exec sleep 300"
    data = submit(*LOCAL, "--json", "--", "bash", "-c", run).data
    while not Path("runs").exists():
        time.sleep(0.05)
    again = submit("--again", data["job_id"], "--json")
    assert again.code == 0, again.err
    assert "it is cancelled first" in again.err
    assert submit("--follow", again.data["job_id"]).code == 0
    assert Path("runs").read_text() == "x\nx\n"


def test_progress_is_shown_line_by_line(submit: Callable[..., Any]) -> None:
    run = (
        "for i in 1 2 3 4 5 6 7 8 9 10; do "
        'echo "Performing MG cycle $i / 10   rms 1e-9"; sleep 0.4; done'
    )
    done = submit(*LOCAL, "--wait", "--", "bash", "-c", run)
    lines = [line for line in done.out.splitlines() if "  job " in line]
    assert sum("cycle" in line for line in lines) >= 2
    assert "cycle 10 of 10" in lines[-1]


def on_terminal(
    words: list[str],
    folder: Path,
    until: bytes,
    then: Callable[[int], object],
    kind: str = "xterm-256color",
) -> tuple[int, bytes]:
    """Run halocline on a terminal of its own; call `then` once `until` has been shown."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.environ["TERM"] = kind
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where tests run in the background
        os.execv(sys.executable, [sys.executable, *COMMAND, *words])  # noqa: S606
    shown, waiting = b"", True
    with contextlib.suppress(OSError):  # a terminal whose last user has gone
        while True:
            assert select.select([terminal], [], [], 100)[0], f"nothing more than {shown!r}"
            shown += os.read(terminal, 65536)
            if waiting and until in shown:
                waiting = False
                then(terminal)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown


WATCHED = [*map(str, LOCAL), "--wait", "--interval", "0.1", "--", "bash", "-c"]


def test_on_a_terminal_a_panel_moves(tmp_path: Path) -> None:
    run = 'echo "cycle 1 / 3"; until [ -e go ]; do sleep 0.05; done; echo "cycle 3 / 3"'
    go = tmp_path / "go"
    code, shown = on_terminal([*WATCHED, run], tmp_path, b"1 of 3", lambda _: go.touch())
    assert code == 0, shown
    for text in (b"watched for", b"running", "━".encode(), b"completed", b"3 of 3"):
        assert text in shown, shown.decode(errors="replace")


def test_on_a_terminal_that_cannot_move_lines_are_shown(tmp_path: Path) -> None:
    run = 'echo "cycle 1 / 3"; until [ -e go ]; do sleep 0.05; done; echo "cycle 3 / 3"'
    go = tmp_path / "go"
    code, shown = on_terminal([*WATCHED, run], tmp_path, b"1 of 3", lambda _: go.touch(), "dumb")
    assert code == 0, shown
    assert b"completed" in shown
    assert "━".encode() not in shown


def test_lines_tell_of_a_count_that_begins_anew(tmp_path: Path) -> None:
    run = 'echo "cycle 9 / 9"; sleep 0.5; echo "cycle 1 / 9"; until [ -e go ]; do sleep 0.05; done'
    go = tmp_path / "go"
    code, shown = on_terminal([*WATCHED, run], tmp_path, b"1 of 9", lambda _: go.touch(), "dumb")
    assert code == 0, shown


def test_ctrl_c_leaves_the_job_alone_and_says_how_to_come_back(
    submit: Callable[..., Any], tmp_path: Path
) -> None:
    run = "until [ -e go ]; do sleep 0.05; done"

    def press_ctrl_c(terminal: int) -> None:
        os.write(terminal, b"\x03")

    code, shown = on_terminal([*WATCHED, run], tmp_path, b"watched for", press_ctrl_c)
    assert code == 130, shown
    assert b"goes on. Come back: halocline submit --follow" in shown
    assert submit("--status", "bash.job.json", "--json").data["state"] == "running"
    Path("go").touch()
    assert submit("--follow", "bash.job.json").code == 0


@pytest.mark.mpi
@pytest.mark.skipif(
    find_program("halocline-solve") is None or shutil.which("mpirun") is None,
    reason="halocline-solve is not built here; `make test` builds it first",
)
def test_a_case_makes_its_mesh_runs_and_ends_with_the_table(
    submit: Callable[..., Any], tmp_path: Path
) -> None:
    case = tmp_path / "box.toml"
    case.write_text(
        '[mesh.make]\nshape = "box"\nnodes = 600\nlevels = 1\n[solver]\ncycles = 2\n'
        "[parallel]\nranks = 2\nthreads = 1\n"
    )
    done = submit(case, "--scheduler", "local", "--wait")
    assert done.code == 0, done.err + (tmp_path / "output" / "box.job.log").read_text()
    assert "% of triad" in done.out
    record = read_record(tmp_path / "output")
    assert record.layout.ranks == 2
    assert record.case is not None
    stamp = json.loads((tmp_path / "mesh" / "recipe.json").read_text())
    assert stamp["nodes"] == 600
    assert record.case.hash in (tmp_path / "output" / "case.resolved.toml").read_text()


def test_a_dry_run_changes_nothing(submit: Callable[..., Any], tmp_path: Path) -> None:
    shown = submit(*LOCAL, "--dry-run", "--", "touch", "ran")
    assert shown.code == 0
    assert shown.out.startswith("#!/bin/bash\n")
    assert submit(*LOCAL, "--dry-run", "--json", "--", "touch", "ran").data["script"] == shown.out
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_is_named(submit: Callable[..., Any]) -> None:
    Path("blocked").write_text("a file")
    failed = submit(*LOCAL, "-o", "blocked/jobs", "--", "true")
    assert failed.code == 3
    assert "blocked/jobs" in failed.err
