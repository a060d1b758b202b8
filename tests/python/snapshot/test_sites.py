# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Call sites: merged over ranks whatever the load address, named only where names are certain."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from halocline.snapshot.elf import read_symbols
from halocline.snapshot.sites import call_sites_of, openmp_of
from halocline.snapshot.symbols import Place, resolve, short_name

SOURCE = """
static int hidden(int x) { return x * 3 + 1; }
int work(int x) { volatile int y = hidden(x); return y; }
int main(int argc, char **argv) {
    (void)argv;
    return work(argc) == 0;
}
"""
needs_compiler = pytest.mark.skipif(
    not (shutil.which("gcc") and shutil.which("addr2line")),
    reason="no gcc or addr2line; scripts/bootstrap.sh installs them, `make test` runs it",
)


def site(function: str, frames: list[list[int]], calls: int, seconds: float) -> dict:
    return {"function": function, "frames": frames, "calls": calls,
            "time_ns": round(seconds * 1e9), "max_ns": 0, "bytes": 10 * calls}  # fmt: skip


def sites(modules: list[tuple[str, str | None]], rows: list[dict]) -> dict:
    listed = [
        {"index": place, "path": path, "build_id": build_id}
        for place, (path, build_id) in enumerate(modules)
    ]
    return {"modules": listed, "rows": rows, "dropped": 0}


def nowhere(_path: str, addresses: list[int]) -> dict[int, Place]:
    return {address: Place() for address in addresses}


def test_ranks_agree_on_a_site_by_build_id_and_offset(rf: ModuleType) -> None:
    """Rank 1 lists the modules in another order and saw the file under another path."""
    first = sites([("/a/app", "beef"), ("/lib/x.so", None)], [site("MPI_Send", [[0, 64]], 3, 1.0)])
    second = sites([("/lib/x.so", None), ("/b/app", "beef")], [site("MPI_Send", [[1, 64]], 5, 3.0)])
    files = [rf.rank_file(rank, 2, 9.0, 4.0, call_sites=part)
             for rank, part in enumerate([first, second])]  # fmt: skip
    found = call_sites_of(rf.parsed(files), nowhere)
    assert len(found) == 1
    assert (found[0].ranks, found[0].calls, found[0].bytes) == (2, 8, 80)
    assert found[0].seconds.mean == pytest.approx(2.0)
    assert found[0].seconds.max_rank == 1
    assert found[0].place == "app+0x40"


def test_other_builds_and_functions_stay_apart(rf: ModuleType) -> None:
    rows = [site("MPI_Send", [[0, 64]], 1, 1.0), site("MPI_Recv", [[0, 64]], 1, 2.0)]
    files = [
        rf.rank_file(0, 2, 9.0, 4.0, call_sites=sites([("/a/app", "beef")], rows)),
        rf.rank_file(1, 2, 9.0, 4.0, call_sites=sites([("/a/app", "cafe")], rows)),
    ]
    found = call_sites_of(rf.parsed(files), nowhere)
    assert [(each.function, each.ranks) for each in found] == [
        ("MPI_Recv", 1), ("MPI_Recv", 1), ("MPI_Send", 1), ("MPI_Send", 1),
    ]  # fmt: skip


def test_callers_are_shown_innermost_first(rf: ModuleType) -> None:
    def names(_path: str, addresses: list[int]) -> dict[int, Place]:
        known = {63: Place("inner(int)", "/src/a.cpp", 7), 127: Place("outer<int>()")}
        return {address: known[address] for address in addresses}

    part = sites([("/a/app", None)], [site("MPI_Send", [[0, 64], [0, 128]], 1, 1.0)])
    found = call_sites_of(rf.parsed([rf.rank_file(0, 1, 9.0, 1.0, call_sites=part)]), names)
    assert found[0].place == "inner (a.cpp:7) ← outer<int> (app+0x80)"
    assert (found[0].symbol, found[0].line) == ("inner(int)", 7)


def test_code_outside_any_file(rf: ModuleType) -> None:
    part = sites([], [site("MPI_Send", [[-1, 4096]], 1, 1.0)])
    found = call_sites_of(rf.parsed([rf.rank_file(0, 1, 9.0, 1.0, call_sites=part)]), nowhere)
    assert found[0].place == "code outside any file+0x1000"


def test_openmp_return_addresses_of_libomp_are_moved_back(rf: ModuleType) -> None:
    asked: list[int] = []

    def note(_path: str, addresses: list[int]) -> dict[int, Place]:
        asked.extend(addresses)
        return nowhere(_path, addresses)

    for runtime in ("libgomp", "libomp"):
        region = {"site": [0, 256], "calls": 1, "threads": 2, "elapsed_ns": 5,
                  "busy_sum_ns": 6, "busy_max_ns": 4, "busy_mean_ns": 3}  # fmt: skip
        openmp = {"runtime": runtime, "regions": [region]}
        part = sites([("/a/app", None)], [])
        openmp_of(rf.parsed([rf.rank_file(0, 1, 1.0, 0.0, openmp=openmp, call_sites=part)]), note)
    assert asked == [256, 255]


def build(folder: Path, *flags: str) -> Path:
    (folder / "app.c").write_text(SOURCE)
    program = folder / "app"
    words = ["gcc", "-O0", *flags, "-o", str(program), str(folder / "app.c")]
    subprocess.run(words, check=True)
    return program


def extent_of(program: Path, name: str) -> tuple[int, int]:
    listing = subprocess.run(["nm", "-S", str(program)], capture_output=True, text=True, check=True)
    match = re.search(rf"^(\w+) (\w+) [tT] {name}$", listing.stdout, re.MULTILINE)
    assert match is not None
    return int(match[1], 16), int(match[2], 16)


@needs_compiler
def test_names_and_lines_with_debug_information(tmp_path: Path) -> None:
    program = build(tmp_path, "-g")
    start, _ = extent_of(program, "work")
    place = resolve(str(program), [start + 4])[start + 4]
    assert (place.symbol, Path(place.file or "").name, place.line) == ("work", "app.c", 3)


@needs_compiler
def test_names_without_lines_when_there_is_no_debug_information(tmp_path: Path) -> None:
    program = build(tmp_path)
    start, size = extent_of(program, "hidden")
    found = resolve(str(program), [start, start + size - 1])
    assert all(place == Place("hidden") for place in found.values())


@needs_compiler
def test_a_stripped_program_gives_no_wrong_name(tmp_path: Path) -> None:
    program = build(tmp_path, "-rdynamic")
    start, _ = extent_of(program, "hidden")
    exported, _ = extent_of(program, "work")
    subprocess.run(["strip", str(program)], check=True)
    found = resolve(str(program), [start + 4, exported + 4])
    assert found[start + 4] == Place()
    assert found[exported + 4].symbol == "work"


@needs_compiler
def test_damaged_files_raise_nothing(tmp_path: Path) -> None:
    """Bytes of the file's and the sections' headers changed in turn, and files cut short."""
    program = build(tmp_path)
    whole = program.read_bytes()
    headers = int.from_bytes(whole[40:48], "little")
    broken = tmp_path / "broken"
    for place in [*range(64), *range(headers, len(whole), 7)]:
        for value in (0, 0xFF):
            broken.write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
            read_symbols(str(broken)).name_at(0x1000)
    for length in range(0, len(whole), 997):
        broken.write_bytes(whole[:length])
        assert read_symbols(str(broken)).names == []


def test_files_that_are_gone_or_no_programs_have_no_names(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no program")
    assert resolve(str(text), [1]) == {1: Place()}
    assert resolve(str(tmp_path / "gone"), [1]) == {1: Place()}


@pytest.mark.parametrize(
    ("symbol", "short"),
    [
        ("LAMMPS_NS::CommBrick::forward_comm(int)", "LAMMPS_NS::CommBrick::forward_comm"),
        ("f<void (*)(int)>::g(double)", "f<void (*)(int)>::g"),
        ("(anonymous namespace)::run(char**)", "(anonymous namespace)::run"),
        ("void send<Vector<float> >(Vector<float>*, int)", "send<Vector<float> >"),
        ("int (anonymous namespace)::f<a, b>(int)", "(anonymous namespace)::f<a, b>"),
        ("main", "main"),
        ("mp_sum_rv_", "mp_sum_rv_"),
    ],
)
def test_short_names(symbol: str, short: str) -> None:
    assert short_name(symbol) == short
