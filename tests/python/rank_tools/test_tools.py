# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Tools for chosen ranks: lists, words, the script of a rank, what is refused."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from halocline.errors import HaloclineError
from halocline.preload.launch_line import read_launch_line
from halocline.rank_tools.grouping import ranges
from halocline.rank_tools.numbering import ALONE, OPEN_MPI, SLURM
from halocline.rank_tools.numbering import ranks_asked_for as asked
from halocline.rank_tools.rank_set import RankSet, read_rank_set
from halocline.rank_tools.running import NO_RANKS
from halocline.rank_tools.script import rank_script
from halocline.rank_tools.summary import UNKNOWN_INSTRUCTION, reader_of
from halocline.rank_tools.tool import Tool, read_tools


def ranks(text: str) -> RankSet:
    return read_rank_set(text, text)


def tool(text: str) -> Tool:
    return read_tools([text], installed=False)[0]


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("0", {0}),
        ("0-3,7", {0, 1, 2, 3, 7}),
        ("7, 0-1 ,1-3", {0, 1, 2, 3, 7}),
        ("all", set(range(10))),
        ("local:0", {0, 5}),
        ("local:1-2", {1, 2, 6, 7}),
        ("exclusive", {0, 5}),
    ],
)
def test_a_list_holds_its_ranks(text: str, chosen: set[int]) -> None:
    """Ten ranks on two hosts of five."""
    assert {rank for rank in range(10) if ranks(text).has(rank, rank % 5)} == chosen


def test_ranges_that_touch_are_joined() -> None:
    assert ranks("5,0-2,3").ranges == ((0, 3), (5, 5))
    assert ranks("0-3,2-9").size(None) == 10
    assert ranges([0, 1, 2, 5, 7, 8]) == "0-2, 5, 7-8"


@pytest.mark.parametrize(
    ("text", "program", "list_"),
    [
        ("gdb:local:0", "gdb", "local:0"),
        ("valgrind --suppressions=a:b:0-3", "valgrind --suppressions=a:b", "0-3"),
        ("strace", "strace", "all"),
        ("perf record -e 'a:b u':exclusive", "perf record -e a:b u", "exclusive"),
    ],
)
def test_the_list_stands_after_the_last_colon(text: str, program: str, list_: str) -> None:
    read = tool(text)
    assert (" ".join(read.words), read.ranks.text) == (program, list_)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("valgrind --tool=massif:0", "--log-file={file}.log --massif-out-file={file}.massif"),
        ("strace -f:0", "-o {file}.log -f"),
        ("perf stat -d:0", "stat -o {file}.log -d"),
        ("perf record -g:0", "record -o {file}.data -g"),
        ("gdb --batch:0", "gdb -ex run --batch -ex thread apply all backtrace -ex set language c"),
        ("gdb -batch -ex run:0", "gdb -batch -ex run -ex set language c"),
        ("gdb --batch --eval-command=bt:0", "gdb -ex run --batch --eval-command=bt -ex set"),
        ("gdb --batch -x example.gdb:0", "gdb --batch -x example.gdb -ex set language c"),
        ("strace -o mine.{rank}:0", "-o mine.{rank}"),
        ("nsys profile:0", "profile --force-overwrite true -o {file}"),
        ("compute-sanitizer:0", "--log-file {file}.log"),
    ],
)
def test_tools_are_told_where_to_write(text: str, words: str) -> None:
    assert words in " ".join(tool(text).start_words())


def test_a_tool_attaches_by_its_own_option_or_by_a_placeholder() -> None:
    assert tool("strace -c:0").attach_words(7)[-2:] == ("-p", "7")
    assert tool("mine --to {pid}:0").attach_words(7) == ("mine", "--to", "{pid}")
    with pytest.raises(HaloclineError, match="not known to attach"):
        tool("valgrind:0").attach_words(7)


def test_two_tools_of_one_name_have_files_of_their_own() -> None:
    assert [one.name for one in read_tools(["strace:0", "strace -c:1"], installed=False)] == [
        "strace",
        "strace-2",
    ]


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("./app", 1),
        ("mpirun -n 4 ./app", 4),
        ("mpirun -np 2 ./a : -n 3 ./b", 5),
        ("mpirun ./app", None),
        ("srun -n4 ./app", 4),
        ("srun --ntasks=8 -c 2 ./app", 8),
        ("srun -N 2 ./app", None),
    ],
)
def test_the_number_of_ranks_is_read_where_it_stands(line: str, count: int | None) -> None:
    assert asked(read_launch_line(line.split())) == count


def run_script(script: str, folder: Path, *words: str, **variables: str) -> Any:
    """Run a rank's script as a launcher would."""
    file = folder / "rank.sh"
    file.write_text(script)
    return subprocess.run(
        ["sh", str(file), *words],
        env={"PATH": "/usr/bin:/bin", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_script_passes_words_and_code_unchanged(tmp_path: Path) -> None:
    """Words with blanks, quotes, dollars and nothing in them; a code of the program's own."""
    script = rank_script([tool("env A=1:0")], OPEN_MPI, tmp_path)
    words = ["a b", "it's", "$HOME", "", "*"]
    program = 'for word; do printf "<%s>" "$word"; done; printf "%s" "$A"; exit 9'
    for rank, value in (("0", "1"), ("1", "")):
        done = run_script(
            script, tmp_path, "sh", "-c", program, "sh", *words, OMPI_COMM_WORLD_RANK=rank
        )
        text = "".join(f"<{word}>" for word in words) + value
        log = tmp_path / "env.0.log"
        assert (done.returncode, log.read_text() if rank == "0" else done.stdout) == (9, text)


def test_placeholders_become_numbers_of_the_rank(tmp_path: Path) -> None:
    given = "env 'A={rank} of {size}' 'B=${local}{file}':all"
    script = rank_script([tool(given)], SLURM, tmp_path)
    done = run_script(
        script,
        tmp_path,
        "sh",
        "-c",
        'echo "$A|$B"',
        SLURM_PROCID="3",
        SLURM_LOCALID="1",
        SLURM_NTASKS="4",
    )
    assert done.stdout == f"3 of 4|$1{tmp_path}/env.3\n"


def test_the_first_tool_stands_outermost(tmp_path: Path) -> None:
    given = ["env A=outer B=1:0", "env A=inner:0"]
    script = rank_script(read_tools(given), ALONE, tmp_path)
    run_script(script, tmp_path, "sh", "-c", 'echo "$A$B"')
    assert (tmp_path / "env.0.log").read_text() == "inner1\n"


def test_a_rank_beyond_the_job_ends_all_ranks_with_one_sentence(tmp_path: Path) -> None:
    script = rank_script([tool("strace:5")], OPEN_MPI, tmp_path)
    done = [
        run_script(script, tmp_path, "true", OMPI_COMM_WORLD_RANK=rank, OMPI_COMM_WORLD_SIZE="2")
        for rank in ("0", "1")
    ]
    assert [one.returncode for one in done] == [2, 2]
    assert "meant for rank 5, but the job has 2" in done[0].stderr
    assert done[1].stderr == ""


def test_a_process_without_a_rank_is_not_taken_for_rank_0(tmp_path: Path) -> None:
    done = run_script(rank_script([tool("strace:0")], OPEN_MPI, tmp_path), tmp_path, "true")
    assert done.returncode == 2
    assert "no launcher gave this process a rank" in done.stderr


def test_a_tool_that_is_missing_on_a_host_is_named_with_it(tmp_path: Path) -> None:
    done = run_script(rank_script([tool("no-such-tool:0")], ALONE, tmp_path), tmp_path, "true")
    assert done.returncode == 4
    assert "there is no program 'no-such-tool' on host" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--tool", "strace:0-x", "--", "true"], 2, "'0-x' is not a list of ranks"),
        (["--tool", "strace:3-1", "--", "true"], 2, "Write 1-3"),
        (["--tool", "strce-no:0", "--", "true"], 4, "there is no program 'strce-no'"),
        (["--tool", "env:1", "--", "true"], 2, "the job has 1 rank, rank 0"),
        (["--tool", "env:4", "--", "srun", "-n", "4", "true"], 2, "4 ranks, 0 to 3"),
        (["--tool", ":0", "--", "true"], 2, "names no program"),
        (["--tool", "env 'a:0", "--", "true"], 2, "cannot be split into words"),
        (["--tool", "strace -o a:0-1", "--", "srun", "-n", "2", "x"], 2, "one file for several"),
        (["--tool", "env:0", "--", "jsrun", "-n", "2", "true"], 2, "not understood"),
        (["--tool", "env:0", "--", "srun", "--multi-prog", "f"], 2, "programs from a file"),
        (["--", "true"], 2, "no tool is given"),
        (["--tool", "env:0"], 2, "no launch line given"),
        (["--tool", "env:0", "--attach", "x"], 2, "neither the number of a process"),
        (["--tool", "env:0", "--attach", "999999999"], 3, "there is no process"),
        (["--tool", "env:0", "--attach", "1", "--", "true"], 2, "Leave one out"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    halocline: Callable[..., Any],
    words: list[str],
    code: int,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    failed = halocline("with", *words)
    assert (failed.code, len(failed.err.splitlines())) == (code, 1)
    assert sentence in failed.err
    assert not (tmp_path / "tools").exists()


VALGRIND = """\
==7== Syscall param writev(vector[...]) points to uninitialised byte(s)
==7==    at 0x4B1: writev (writev.c:26)
==7==
==7== Invalid write of size 4
==7==    at 0x10: main (sums.c:10)
==7==  Address 0x1 is 0 bytes after a block of size 36 alloc'd
==7==
==7==    definitely lost: 1,093 bytes in 3 blocks
==7== ERROR SUMMARY: 12 errors from 2 contexts (suppressed: 0 from 0)
"""
LOST = (
    "12 errors in 2 places, 1,093 bytes definitely lost; "
    "first: Invalid write of size 4 at main (sums.c:10)"
)
ENDED = """\
==7== Process terminating with default action of signal 4 (SIGILL)
==7== ERROR SUMMARY: 0 errors from 0 contexts (suppressed: 0 from 0)
"""
UNKNOWN = f"ended by SIGILL: {UNKNOWN_INSTRUCTION}"
STRACE = """\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 40.76    0.008331          23       356           read
100.00    0.020000                  1000        50 total
"""
GDB = """\
Thread 1 "app" received signal SIGSEGV, Segmentation fault.
0x0000555555555139 in main () at crash.c:3
#0  0x0000555555555139 in main () at crash.c:3
"""
ATTACHED = """\
Thread 2 (Thread 1 "app"):
#0  0x1 in epoll_wait () from libc.so
Thread 1 (Thread 2 "app"):
#0  0x7 in clock_nanosleep () from libc.so
#1  0x5 in main (argc=1, argv=0x7) at sums.c:16
[Inferior 1 (process 7) detached]
"""


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "valgrind",
            VALGRIND,
            LOST,
        ),
        ("valgrind", "==7== ERROR SUMMARY: 0 errors from 0 contexts", "no error"),
        ("valgrind", f"vex amd64->IR: unhandled instruction bytes\n{ENDED}", UNKNOWN),
        ("valgrind", ENDED, "ended by SIGILL, no error"),
        ("strace", STRACE, "most time in read: 40.76 %, 0.008331 s, 356 calls"),
        ("strace", "read(1)\n+++ exited with 3 +++\n", "2 lines, exited with 3"),
        ("gdb", GDB, "SIGSEGV, Segmentation fault at main () at crash.c:3"),
        ("gdb", "[Inferior 1 (process 7) exited with code 06]", "exited with code 06"),
        ("gdb", ATTACHED, "in clock_nanosleep, main at sums.c:16"),
        ("other", "one\ntwo\n\n", "two"),
        ("compute-sanitizer", "========= ERROR SUMMARY: 2 errors", "2 errors"),
    ],
)
def test_a_line_says_what_a_tool_found(name: str, text: str, said: str) -> None:
    assert reader_of(tool(f"{name}:0"))(text) == said


GDB_CASES = [
    ("gdb --batch", "exit 7", 7),
    ("gdb --batch -ex bt", "exit 0", 0),
    ("gdb --batch -ex run -ex bt", "exit 7", 7),
    ("gdb --batch", "kill -SEGV $$", 139),
    ("gdb --batch", "kill -KILL $$", 137),
    ("gdb --batch -ex kill -ex bt", "kill -SEGV $$", 1),
]


@pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb here; make test installs it")
@pytest.mark.parametrize(("words", "program", "code"), GDB_CASES)
def test_gdb_without_a_user_ends_as_the_program_did(
    halocline: Callable[..., Any], tmp_path: Path, words: str, program: str, code: int
) -> None:
    done = halocline("with", "-o", tmp_path, "--tool", words, "--", "sh", "-c", program)
    assert done.code == code, (tmp_path / "gdb.0.log").read_text()
    assert "Quit anyway" not in (tmp_path / "gdb.0.log").read_text()


def test_files_of_the_user_stay_in_the_folder(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    ours, theirs = tmp_path / "env.9.started", tmp_path / "run.2024.log"
    for file in (ours, ours.with_suffix(".log"), theirs):
        file.write_text("here 1\n")
    assert halocline("with", "-o", tmp_path, "--tool", "env:0", "--", "true").code == 0
    assert theirs.exists()
    assert not ours.exists()
    assert not ours.with_suffix(".log").exists()


def test_a_range_is_as_long_as_it_likes() -> None:
    assert ranks("0-999999999").size(None) == 10**9


def test_a_tool_in_brackets_is_summed_up(halocline: Callable[..., Any], tmp_path: Path) -> None:
    tool_file = tmp_path / "my tool [2]"
    tool_file.write_text('#!/bin/sh\necho "tool at work"\nexec "$@"\n')
    tool_file.chmod(0o755)
    words = ("--json", "-o", tmp_path / "t", "--tool", f"'{tool_file}':0", "--", "true")
    (found,) = halocline("with", *words).data["tools"]
    assert [row["said"] for row in found["rows"]] == ["tool at work"]


@pytest.mark.parametrize(
    ("name", "is_rank"),
    [("prtest", True), ("srunner", True), ("mpirun.openmpi", False), ("hydra_pmi_proxy", False)],
)
def test_programs_whose_names_begin_like_launchers_are_ranks(name: str, is_rank: bool) -> None:
    assert (NO_RANKS.fullmatch(name) is None) == is_rank


def test_a_tool_that_attaches_knows_the_size_of_the_job(
    halocline: Callable[..., Any], tmp_path: Path
) -> None:
    variables = {"OMPI_COMM_WORLD_RANK": "2", "OMPI_COMM_WORLD_SIZE": "5"}
    rank = subprocess.Popen(["sleep", "60"], env={**os.environ, **variables})
    try:
        words = ("-o", tmp_path, "--tool", "echo {rank} of {size}, {pid}:2", "--attach", rank.pid)
        assert halocline("with", *words).code == 0
    finally:
        rank.kill()
        rank.wait()
    assert (tmp_path / "echo.2.log").read_text() == f"2 of 5, {rank.pid}\n"
