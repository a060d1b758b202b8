# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline snapshot` and its verbs, with a stand-in that leaves rank files as a program would."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from halocline.snapshot.folder import RANK_FOLDER, prepare_folder
from halocline.snapshot.merge import Launch, merge
from halocline.snapshot.raw import read_ranks
from halocline.snapshot.store import read_snapshot, write_report

STAND_IN = """#!{python}
import os, shutil, sys
if len(sys.argv) > 2:
    for name in os.listdir(sys.argv[2]):
        shutil.copy(os.path.join(sys.argv[2], name), os.environ["HALOCLINE_SNAPSHOT_DIR"])
print("application speaks", os.environ.get("HALOCLINE_SNAPSHOT_DEPTH"))
sys.exit(int(sys.argv[1]))
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program `app CODE [FOLDER]` that copies rank files, and an empty recorder."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for family in ("openmpi", "mpich"):
        (tools / f"libhalocline-snapshot-{family}.so").touch()
    monkeypatch.setenv("HALOCLINE_TOOLS", str(tools))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "app"
    path.write_text(STAND_IN.format(python=sys.executable))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def rank_folder(rf: ModuleType, tmp_path: Path) -> Path:
    return rf.write_files(tmp_path / "made", rf.solver_run())


def test_a_run_shows_the_page_and_leaves_the_report(
    halocline: Callable[..., Any], program: Path, rank_folder: Path
) -> None:
    done = halocline("snapshot", "--mpi", "openmpi", "--", program, 0, rank_folder)
    assert done.code == 0
    assert "application speaks" in done.out
    assert "Load imbalance comes first" in done.out
    assert "snapshot/snapshot.html" in done.err
    data = json.loads(Path("snapshot/snapshot.json").read_text())
    assert data["command"] == [str(program), "0", str(rank_folder)]
    assert data["status"] == {"state": "complete", "exit_code": 0, "reasons": []}
    assert data["times"]["wall_s"] > 0
    assert Path("snapshot/snapshot.html").read_text().startswith("<!DOCTYPE html>")


LATE = ("rich", "jinja2")  # for the report: while the ranks run
HEAVY = ("pydantic", "numpy", "elftools", "scipy", "plotly", "matplotlib", "h5py")


def test_a_run_loads_what_it_needs(program: Path, rank_folder: Path, tmp_path: Path) -> None:
    """Before the program starts only the launch line is looked at.

    Whoever waits for the program pays for each module here, and on a full machine for each later.
    """
    words = ["snapshot", "--mpi", "openmpi", "--", str(program), "0", str(rank_folder)]
    script = f"""
import sys
from halocline.cli.app import main
import halocline.launch.process as process
start = process.subprocess.Popen
def noting(*given, **more):
    print("EARLY", *[name for name in sys.modules if name.startswith("halocline.snapshot.")])
    print("TOO EARLY", *[name for name in {HEAVY + LATE!r} if name in sys.modules])
    return start(*given, **more)
process.subprocess.Popen = noting
try:
    main({words!r})
finally:
    print("LOADED", *[name for name in {HEAVY!r} if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    lines = done.stdout.splitlines()
    (early,) = (line.split()[1:] for line in lines if line.startswith("EARLY"))
    assert sorted(early) == ["halocline.snapshot.folder", "halocline.snapshot.recording"]
    assert "TOO EARLY" in [line.strip() for line in lines]
    assert lines[-1].strip() == "LOADED"


def test_the_exit_code_of_the_program_is_passed_on(
    halocline: Callable[..., Any], program: Path, rank_folder: Path
) -> None:
    done = halocline("snapshot", "-o", "x", "--mpi", "openmpi", "--", program, 42, rank_folder)
    assert done.code == 42
    assert json.loads(Path("x/snapshot.json").read_text())["status"]["exit_code"] == 42


def test_json_alone_goes_to_stdout(
    halocline: Callable[..., Any], program: Path, rank_folder: Path
) -> None:
    done = halocline("snapshot", "--json", "--mpi", "openmpi", "--", program, 0, rank_folder)
    assert done.data["schema"] == "halocline.snapshot"
    assert "application speaks" in done.err


def test_settings_reach_the_recorder(
    halocline: Callable[..., Any], program: Path, rank_folder: Path
) -> None:
    words = ("--mpi", "openmpi", "--depth", 3, "--", program, 0, rank_folder)
    assert "application speaks 3" in halocline("snapshot", *words).out


def test_reports_get_folders_of_their_own(
    halocline: Callable[..., Any], program: Path, rank_folder: Path
) -> None:
    for _ in range(2):
        halocline("snapshot", "--mpi", "openmpi", "--", program, 0, rank_folder)
    assert Path("snapshot/snapshot.json").is_file()
    assert Path("snapshot-2/snapshot.json").is_file()


def test_a_named_folder_is_used_again_without_old_ranks(
    halocline: Callable[..., Any], program: Path, rf: ModuleType, tmp_path: Path
) -> None:
    for ranks in (4, 2):
        made = rf.write_files(tmp_path / f"np{ranks}", rf.solver_run(ranks))
        halocline("snapshot", "-o", "x", "--mpi", "openmpi", "--", program, 0, made)
    assert len(list(Path("x/ranks").iterdir())) == 2


def test_dry_run_shows_the_command_and_does_nothing(
    halocline: Callable[..., Any], program: Path
) -> None:
    done = halocline("snapshot", "--dry-run", "--mpi", "mpich", "--", program, 0)
    assert done.code == 0
    assert done.out.startswith("# MPICH, report: snapshot\nenv LD_PRELOAD=")
    assert f"HALOCLINE_SNAPSHOT_DIR={Path.cwd()}/snapshot/ranks" in done.out
    assert not Path("snapshot").exists()
    done = halocline("snapshot", "--dry-run", "--json", "--mpi", "mpich", "--", program, 0)
    assert done.data["mpi"] == "mpich"


@pytest.mark.parametrize("code", [0, 3, 5, 42])
def test_a_program_without_mpi_keeps_its_exit_code(
    halocline: Callable[..., Any], program: Path, code: int
) -> None:
    done = halocline("snapshot", "--mpi", "openmpi", "--", program, code)
    assert done.code == code
    assert f"which ended with code {code}: no rank left a file" in done.err
    assert "is not linked to MPI" in done.err


@pytest.mark.usefixtures("program")
def test_a_static_program_is_told_apart(halocline: Callable[..., Any], tmp_path: Path) -> None:
    source, made = tmp_path / "a.c", tmp_path / "static_app"
    source.write_text("int main(void) { return 9; }")
    subprocess.run(["cc", "-static", source, "-o", made], check=True)
    done = halocline("snapshot", "--mpi", "openmpi", "--", made)
    assert done.code == 9
    assert "static_app is linked statically" in done.err


def test_a_partial_run_is_reported(
    halocline: Callable[..., Any], program: Path, rf: ModuleType, tmp_path: Path
) -> None:
    files = rf.solver_run(2)
    files[1] |= {"complete": False, "end": "signal 11"}
    made = rf.write_files(tmp_path / "made", files)
    done = halocline("snapshot", "--mpi", "openmpi", "--", program, 139, made)
    assert done.code == 139
    assert "rank 1 was stopped by signal 11" in done.out


def test_show_prints_the_page_again(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType
) -> None:
    folder = folder_of("a", rf.solver_run())
    assert "Load imbalance comes first" in halocline("snapshot", "show", folder).out
    assert halocline("snapshot", "show", "--json", folder).data["slowest_rank"] == 3
    assert halocline("snapshot", "show", folder / "snapshot.json").code == 0


def test_show_merges_rank_files_alone(halocline: Callable[..., Any], rank_folder: Path) -> None:
    done = halocline("snapshot", "show", rank_folder)
    assert done.code == 0
    data = json.loads((rank_folder / "snapshot.json").read_text())
    assert data["status"]["exit_code"] is None
    assert data["command"] == ["solver", "case.in"]


def test_show_of_nothing_says_what_to_do(halocline: Callable[..., Any], tmp_path: Path) -> None:
    done = halocline("snapshot", "show", tmp_path)
    assert done.code == 3
    assert "no snapshot was taken there" in done.err


def test_a_damaged_report_names_file_and_key(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType
) -> None:
    folder = folder_of("a", rf.solver_run())
    data = json.loads((folder / "snapshot.json").read_text())
    data["times"]["mpi_precent"] = 1.0
    (folder / "snapshot.json").write_text(json.dumps(data))
    done = halocline("snapshot", "show", folder)
    assert done.code == 3
    assert "snapshot.json: unknown key 'times.mpi_precent'" in done.err
    assert "Did you mean 'mpi_percent'?" in done.err


def test_diff_of_two_runs(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType
) -> None:
    a = folder_of("a", rf.solver_run(4, elapsed=10.0))
    b = folder_of("b", rf.solver_run(4, elapsed=8.0))
    done = halocline("snapshot", "diff", a, b)
    assert "The second run is 20.0 % faster; MPI_Allreduce changed most" in done.out
    data = halocline("snapshot", "diff", "--json", a, b).data
    elapsed = data["figures"][0]
    assert (elapsed["before"], elapsed["after"]) == (pytest.approx(10.0), pytest.approx(8.0))
    assert data["cautions"] == []
    changes = {each["name"]: each["seconds"] for each in data["functions"]}
    assert changes["MPI_Sendrecv"]["after"] == pytest.approx(0.4)


def test_diff_as_a_page(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType, tmp_path: Path
) -> None:
    a = folder_of("a", rf.solver_run(4, elapsed=10.0))
    b = folder_of("b", rf.solver_run(2, elapsed=8.0))
    page = tmp_path / "out" / "diff.html"
    done = halocline("snapshot", "diff", a, b, "-o", page)
    assert str(page) in done.err
    html = page.read_text()
    assert "http" not in html
    for words in ("The second run is 20.0 % faster", "4 and 2 ranks", "MPI_Sendrecv",
                  "solver+0x1205", "4 ranks on node1", "2 ranks on node1", "−2.00 s"):  # fmt: skip
        assert words in html, words


def test_differences_of_percentages_are_points(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType
) -> None:
    a, b = folder_of("a", rf.solver_run(4)), folder_of("b", rf.solver_run(2))
    lines = halocline("snapshot", "diff", a, b).out.splitlines()
    (row,) = (line.split() for line in lines if line.startswith("MPI imbalance"))
    assert row == ["MPI", "imbalance", "22.5", "%", "15.0", "%", "−7.5", "points"]


def test_diff_tells_large_changes_as_factors(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType
) -> None:
    a = folder_of("a", rf.solver_run(4, elapsed=1.0))
    b = folder_of("b", rf.solver_run(4, elapsed=20.0))
    page = halocline("snapshot", "diff", a, b).out
    assert "The second run took 20 times as long" in page
    assert page.splitlines()[3].split() == ["a", "b", "change"], "paths lose what they share"
    assert "× 20" in next(line for line in page.splitlines() if line.startswith("elapsed"))


def test_diff_warns_of_runs_that_do_not_compare(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType
) -> None:
    a, b = folder_of("a", rf.solver_run(4)), folder_of("b", rf.solver_run(2))
    cautions = halocline("snapshot", "diff", "--json", a, b).data["cautions"]
    assert "4 and 2 ranks" in cautions


def scaling_folders(folder_of: Callable[..., Path], rf: ModuleType) -> list[Path]:
    times = {1: 16.0, 2: 8.0, 4: 5.0}
    return [folder_of(f"np{n}", rf.solver_run(n, elapsed=times[n])) for n in (4, 1, 2)]


def test_scale_of_three_runs(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType, tmp_path: Path
) -> None:
    page = tmp_path / "out" / "scaling.html"
    done = halocline("snapshot", "scale", *scaling_folders(folder_of, rf), "-o", page, "--json")
    points = done.data["points"]
    assert [point["ranks"] for point in points] == [1, 2, 4]
    assert [point["speed_up"] for point in points] == pytest.approx([1.0, 2.0, 3.2])
    assert [point["efficiency_percent"] for point in points] == pytest.approx([100, 100, 80])
    assert points[2]["function_s"]["MPI_Sendrecv"] == pytest.approx(0.25)
    assert sum(points[2]["function_s"].values()) == pytest.approx(points[2]["mpi_s"])
    assert json.loads(page.with_suffix(".json").read_text()) == done.data
    html = page.read_text()
    assert "http" not in html
    for words in ("Speed-up and efficiency", "MPI time by function", "Message sizes by scale"):
        assert words in html


def test_scale_in_the_terminal(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType, tmp_path: Path
) -> None:
    words = (*scaling_folders(folder_of, rf), "-o", tmp_path / "s.html")
    done = halocline("snapshot", "scale", *words)
    assert "From 1 rank to 4 ranks the speed-up is 3.20 (efficiency 80 %)" in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_scale_of_one_scale_is_refused(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType
) -> None:
    a, b = folder_of("a", rf.solver_run(2)), folder_of("b", rf.solver_run(2))
    done = halocline("snapshot", "scale", a, b)
    assert done.code == 2
    assert "one scale only" in done.err


def test_the_fastest_of_repeated_runs_counts(
    halocline: Callable[..., Any], folder_of: Callable[..., Path], rf: ModuleType, tmp_path: Path
) -> None:
    folders = [folder_of("a", rf.solver_run(1, elapsed=12.0)),
               folder_of("b", rf.solver_run(1, elapsed=10.0)),
               folder_of("c", rf.solver_run(2, elapsed=5.0))]  # fmt: skip
    done = halocline("snapshot", "scale", *folders, "-o", tmp_path / "s.html", "--json")
    assert done.data["points"][1]["speed_up"] == pytest.approx(2.0)
    assert "the fastest is shown" in done.data["cautions"][0]


def test_usage(halocline: Callable[..., Any]) -> None:
    assert "Did you mean 'show'?" in halocline("snapshot", "shwo", "x").err
    done = halocline("snapshot", "-o", "x")
    assert done.code == 2
    assert "Missing argument" in done.err
    done = halocline("snapshot", "--ouput", "x", "--", "app")
    assert "Did you mean '--output'?" in done.err
    assert "Examples" in halocline("snapshot", "--help").out


def test_a_clock_that_was_set_back_does_not_cost_the_launch_line(
    rf: ModuleType, tmp_path: Path
) -> None:
    folder = tmp_path / "snapshot"
    prepare_folder(folder)
    rf.write_files(folder / RANK_FOLDER, rf.solver_run())
    later = time.time_ns() + 7200 * 10**9
    for file in (folder / RANK_FOLDER).iterdir():
        os.utime(file, ns=(later, later))
    write_report(folder, merge(read_ranks(folder / RANK_FOLDER), Launch(["app"], 0, 1.0)))
    assert read_snapshot(folder).command == ["app"]
