# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`mesh import` in blocks and processes: the same bytes, whatever memory and cores there are."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from foreign_meshes import (
    Foreign,
    from_level,
    square,
    write_cgns,
    write_cgns_of_faces,
    write_openfoam,
    write_su2,
)
from halocline.errors import (
    InvalidInputError,
    MissingEnvironmentError,
    RunFailedError,
    UsageError,
)
from halocline.mesh.imports import blocks, cgns_ragged, read_cgns, read_su2
from halocline.mesh.imports.blocks import (
    Histogram,
    Resources,
    in_processes,
    most_in_block,
    resources_of,
)
from halocline.mesh.imports.request import ImportRequest
from halocline.mesh.imports.run import import_mesh

Make = Callable[..., Any]
NAMES = {0: "lower", 1: "upper", 2: "side", 4: "inlet", 5: "outlet"}


def imported(path: Path, folder: Path, processes: int) -> dict[str, bytes]:
    """Import with groups by default; the bytes of all files of the mesh."""
    means = Resources(10**9, processes, folder.parent)
    import_mesh(path, folder, ImportRequest(levels=3, default=0), resources=means)
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def of_elements(elements: str) -> Callable[[Make], Foreign]:
    return lambda make: from_level(
        make("bump", 3000, 1, elements=elements, perturb=0.2)[0].data, NAMES
    )


def folded(make: Make) -> Foreign:
    """Hexahedra of which some name a node twice."""
    return from_level(make("rotor37", 3000, 1)[0].data, {0: "hub"})


MESHES: dict[str, Any] = {
    "tetrahedra": (of_elements("tet"), write_cgns),
    "mixed": (of_elements("mixed"), write_su2),
    "polyhedra": (of_elements("mixed"), write_cgns_of_faces),
    "faces": (of_elements("hex"), write_openfoam),
    "folded": (folded, write_su2),
    "flat": (lambda _: square(40, triangles=True), write_su2),
}


@pytest.mark.parametrize(("mesh", "write"), MESHES.values(), ids=MESHES.keys())
def test_blocks_and_processes_change_no_byte(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mesh: Any, write: Any
) -> None:
    path = write(mesh(make), tmp_path)
    whole = imported(path, tmp_path / "whole", processes=1)
    monkeypatch.setattr(blocks, "MOST", 5000)
    assert imported(path, tmp_path / "blocks", processes=1) == whole
    assert imported(path, tmp_path / "processes", processes=3) == whole


def test_tables_read_piece_by_piece_are_the_whole(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mesh = of_elements("tet")(make)
    files = write_cgns_of_one_kind(mesh, tmp_path), write_su2(mesh, tmp_path, numbered=True)
    whole = [imported(path, tmp_path / f"whole{path.suffix}", 1) for path in files]
    monkeypatch.setattr(read_cgns, "PIECE", 1000)
    monkeypatch.setattr(read_su2, "PIECE_BYTES", 40_000)
    for path, expected in zip(files, whole, strict=True):
        assert imported(path, tmp_path / f"pieces{path.suffix}", 3) == expected
    text = files[1].read_text().splitlines()
    at = next(n for n, line in enumerate(text) if line.startswith("NELEM"))
    text[at + 3000] = "10 1 2 x 3 0"
    files[1].write_text("\n".join(text))
    with pytest.raises(InvalidInputError, match="NELEM holds text that is not a number"):
        imported(files[1], tmp_path / "broken", 3)


def add_offsets(path: Path) -> None:
    """Say where elements of the MIXED section begin, as CGNS 4 does and older files do not."""
    with h5py.File(path, "r+") as file:
        section = file["Base/Zone/Volume"]
        listed = section["ElementConnectivity/ data"][...].astype(np.int64)
        first, last = section["ElementRange/ data"][...].ravel()
        begins = read_cgns.starts_of_mixed(listed, int(last - first + 1))
        assert begins is not None
        place = section.create_group("ElementStartOffset")
        place.attrs["label"] = np.bytes_("DataArray_t")
        place[" data"] = np.append(begins, len(listed))


@pytest.mark.parametrize("offsets", [True, False], ids=["offsets", "no offsets"])
def test_mixed_sections_read_piece_by_piece_are_the_whole(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, offsets: bool
) -> None:
    path = write_cgns(of_elements("mixed")(make), tmp_path)
    if offsets:
        add_offsets(path)
    whole = imported(path, tmp_path / "whole", 1)
    monkeypatch.setattr(cgns_ragged, "PIECE", 700)
    assert imported(path, tmp_path / "pieces", 1) == whole
    assert imported(path, tmp_path / "processes", 3) == whole


def test_polygons_read_piece_by_piece_are_the_whole(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_cgns_of_faces(of_elements("mixed")(make), tmp_path)
    whole = imported(path, tmp_path / "whole", 1)
    monkeypatch.setattr(cgns_ragged, "PIECE", 700)
    assert imported(path, tmp_path / "pieces", 3) == whole


@pytest.mark.parametrize(
    ("place", "value"),
    [(-1, 10**6), (900, 0), (900, 10**6), (901, -1)],
    ids=["end", "backwards", "far out", "negative"],
)
def test_offsets_that_do_not_fit_are_a_sentence(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: int, value: int
) -> None:
    path = write_cgns(of_elements("mixed")(make), tmp_path)
    add_offsets(path)
    with h5py.File(path, "r+") as file:
        file["Base/Zone/Volume/ElementStartOffset/ data"][place] = value
    monkeypatch.setattr(cgns_ragged, "PIECE", 700)
    with pytest.raises(InvalidInputError, match="section 'Volume'"):
        imported(path, tmp_path / "out", 3)


def write_cgns_of_one_kind(mesh: Foreign, folder: Path) -> Path:
    """Write a CGNS file whose tetrahedra are a section of one kind, with nodes as integers."""
    path = write_cgns(mesh, folder)
    with h5py.File(path, "r+") as file:
        section = file["Base/Zone/Volume"]
        section[" data"][0] = 10
        rows = section["ElementConnectivity/ data"][...].reshape(-1, 5)[:, 1:]
        del section["ElementConnectivity/ data"]
        section["ElementConnectivity/ data"] = rows.ravel()
    return path


def test_elements_of_a_mixed_section_begin_where_the_ones_before_end() -> None:
    random = np.random.default_rng(2)
    widths = {10: 5, 12: 6, 17: 9, 2: 2}
    kinds = random.choice(list(widths), 300).repeat(random.integers(1, 40, 300))
    rows = [[kind, *random.integers(1, 20, widths[kind] - 1)] for kind in kinds.tolist()]
    listed = np.concatenate(rows)  # nodes have the numbers of kinds, too
    expected = np.cumsum([0, *(len(row) for row in rows)])
    found = read_cgns.starts_of_mixed(listed, len(rows))
    np.testing.assert_array_equal(found, expected[:-1])
    assert read_cgns.starts_of_mixed(listed[:-1], len(rows)) is None
    assert read_cgns.starts_of_mixed(listed, len(rows) + 1) is None


def test_faults_are_told_alike_by_all_blocks(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mesh = of_elements("tet")(make)
    rows = mesh.cells["cells_tetrahedron"]
    mesh.cells["cells_tetrahedron"] = np.concatenate([rows, rows[[5, 700]]])
    path = write_su2(mesh, tmp_path)
    told = []
    for most, processes in ((10**9, 1), (5000, 1), (5000, 3)):
        monkeypatch.setattr(blocks, "MOST", most)
        with pytest.raises(InvalidInputError, match="faces have more than two cells") as error:
            imported(path, tmp_path / "out", processes)
        told.append(str(error.value))
    assert len(set(told)) == 1


def test_blocks_hold_no_more_than_they_may_and_leave_no_node_out() -> None:
    histogram = Histogram(100)
    histogram.add(np.arange(100).repeat(np.arange(100) % 7))
    found = histogram.blocks(20)
    assert [first for first, _ in found] == [0, *(last for _, last in found[:-1])]
    assert found[-1][1] == 100
    assert max(sum(n % 7 for n in range(*block)) for block in found) <= 20


def test_memory_that_is_too_little_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(MissingEnvironmentError, match=r"needs 1.* GB with 2 process"):
        most_in_block(Resources(10**9, 2, tmp_path), held=10**9)
    assert most_in_block(Resources(15 * 10**8, 2, tmp_path), held=10**9) == 5 * 10**8 // 160


@pytest.mark.parametrize(
    ("text", "size"),
    [("4GB", 4 * 10**9), ("512MB", 512 * 10**6), ("1.5GiB", 3 * 2**29), ("1000", 1000)],
)
def test_amounts_of_memory(tmp_path: Path, text: str, size: int) -> None:
    assert resources_of(text, 1, tmp_path / "not" / "there").memory == size


def test_words_that_are_no_amount_of_memory(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not an amount of memory"):
        resources_of("much", 1, tmp_path)


def test_a_process_that_is_killed_is_a_sentence() -> None:
    def work(number: int) -> None:
        if number == 1:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(MissingEnvironmentError, match="want of memory"):
        in_processes(work, 3, 2)


def test_a_full_disk_is_a_sentence(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_su2(of_elements("tet")(make), tmp_path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(blocks, "MOST", 5000)
    monkeypatch.setattr(blocks.Parts, "write", full)
    with pytest.raises(RunFailedError, match=r"No space left.*Make free space"):
        imported(path, tmp_path / "out", 2)


PATIENT = """
import os, sys, time
from halocline.mesh.imports.blocks import in_processes

def work(number):
    os.write(int(sys.argv[1]), f"{os.getpid()} ".encode())
    time.sleep(600)

in_processes(work, 2, 2)
"""


def test_copies_end_with_a_process_that_is_killed() -> None:
    receiving, sending = os.pipe()
    words = [sys.executable, "-c", PATIENT, str(sending)]
    with subprocess.Popen(words, pass_fds=[sending]) as process:
        os.close(sending)
        with os.fdopen(receiving) as pipe:
            told = ""
            while told.count(" ") < 2:
                told += pipe.read(1)
            process.kill()
            assert pipe.read() == ""  # all ends are closed: nobody is left
