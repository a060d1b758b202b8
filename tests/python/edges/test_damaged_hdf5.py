# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""HDF5 files with data sets that are not numbers, were never written, or are damaged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import h5py
import numpy as np
import pytest
from halocline.mesh.folder import SHAPES
from results_file import write_results

HUGE = 1 << 40
CODES = (0, 3, 6)


@pytest.fixture
def told(halocline: Callable[..., Any]) -> Callable[..., Any]:
    """Run a command line: it ends well or with a sentence on the file."""

    def run(*words: object, codes: tuple[int, ...] = CODES) -> Any:
        done = halocline(*words)
        assert done.code in codes, done.err
        assert "internal error" not in done.err
        assert "Traceback" not in done.err
        assert "Warning" not in done.err
        if "--json" in words and done.out:
            json.loads(done.out, parse_constant=pytest.fail)
        assert done.code != 3 or done.err.startswith("halocline: ") or "Violated" in done.out
        return done

    return run


@pytest.fixture
def mesh(halocline: Callable[..., Any], tmp_path: Path) -> Path:
    """A small mesh of two levels."""
    words = ("mesh", "make", "box", "--nodes", 300, "--levels", 2, "-o", tmp_path / "mesh")
    assert halocline(*words).code == 0
    return tmp_path / "mesh"


def opaque(file: h5py.File, name: str) -> None:
    file.create_dataset(name, (4, 3), dtype=np.dtype("V7"))


def compound(file: h5py.File, name: str) -> None:
    file.create_dataset(name, data=np.zeros((4, 3), dtype=[("a", "f8"), ("b", "i4")]))


def reference(file: h5py.File, name: str) -> None:
    file.create_dataset(name, (4, 3), dtype=h5py.ref_dtype)


def strings(file: h5py.File, name: str) -> None:
    file.create_dataset(name, data=["\x1b[31m", "b"], dtype=h5py.string_dtype())


def lists(file: h5py.File, name: str) -> None:
    file.create_dataset(name, (4, 3), dtype=h5py.vlen_dtype(np.float64))


def bit_field(file: h5py.File, name: str) -> None:
    space = h5py.h5s.create_simple((4, 3))
    h5py.h5d.create(file.id, name.encode(), h5py.h5t.STD_B8LE, space)


def nothing(file: h5py.File, name: str) -> None:
    file[name] = h5py.Empty("f8")


def scalar(file: h5py.File, name: str) -> None:
    file[name] = 3.0


def empty(file: h5py.File, name: str) -> None:
    file.create_dataset(name, (0, 3), dtype="f8")


def cube(file: h5py.File, name: str) -> None:
    file[name] = np.zeros((4, 3, 2))


def group(file: h5py.File, name: str) -> None:
    file.create_group(name)


def link_to_nowhere(file: h5py.File, name: str) -> None:
    file[name] = h5py.SoftLink("/nowhere")


def link_outside(file: h5py.File, name: str) -> None:
    file[name] = h5py.ExternalLink("/nowhere.h5", "/x")


def link_to_itself(file: h5py.File, name: str) -> None:
    file[name] = h5py.SoftLink(f"/{name}")


def other_numbers(file: h5py.File, name: str) -> None:
    kind = "i8" if SHAPES.get(name, (0, "f"))[1] == "i" else "f8"
    largest = np.iinfo("i8").max if kind == "i8" else 1e308
    file[name] = np.full((4, SHAPES.get(name, (5, "f"))[0]), largest, dtype=kind)


def not_finite(file: h5py.File, name: str) -> None:
    file[name] = np.full((4, SHAPES.get(name, (5, "f"))[0]), np.nan)


def never_written(file: h5py.File, name: str) -> None:
    columns, kind = SHAPES.get(name, (5, "f"))
    file.create_dataset(name, (HUGE, columns), dtype=f"{kind}8")


def hardly_written(file: h5py.File, name: str) -> None:
    columns, kind = SHAPES.get(name, (5, "f"))
    made = file.create_dataset(
        name, (HUGE, columns), dtype=f"{kind}8", chunks=(1 << 10, columns), compression="gzip"
    )
    made[0] = 1


def wide(file: h5py.File, name: str) -> None:
    file.create_dataset(name, (2, HUGE), dtype="f8", chunks=(1, 1 << 10))


def elsewhere(file: h5py.File, name: str) -> None:
    columns, kind = SHAPES.get(name, (5, "f"))
    source = h5py.VirtualSource("/nowhere.h5", "x", shape=(HUGE, columns))
    layout = h5py.VirtualLayout(shape=(HUGE, columns), dtype=f"{kind}8")
    layout[...] = source
    file.create_virtual_dataset(name, layout)


MAKERS = (
    *(opaque, compound, reference, strings, lists, bit_field, nothing, scalar, empty, cube, group),
    *(link_to_nowhere, link_outside, link_to_itself, other_numbers, not_finite, never_written),
    *(hardly_written, wide, elsewhere),
)
DATASETS = ("node_coordinates", "edge-->node", "bnd_node-->group", "bnd_quads", "bnd_quad_group",
            "cells_hexahedron")  # fmt: skip
NOT_DRAWN = ("edge-->node", "bnd_node-->group")


@pytest.mark.parametrize("make", MAKERS)
def test_levels_with_other_data_sets(
    told: Callable[..., Any], mesh: Path, tmp_path: Path, make: Callable[[h5py.File, str], None]
) -> None:
    level = mesh / "mesh.L0.h5"
    good = shutil.copy(level, tmp_path / "good.h5")
    for name in DATASETS:
        shutil.copy(good, level)
        with h5py.File(level, "r+") as file:
            for alias in [key for key in file if key.startswith(name)]:
                del file[alias]
            make(file, name)
        told("mesh", "info", mesh, "--json")
        told("mesh", "check", mesh)
        if name not in NOT_DRAWN or make is compound:
            told("plot", mesh, "-o", tmp_path / "a.png", "--size", "60x40")


@pytest.mark.parametrize("make", MAKERS)
def test_results_with_other_data_sets(
    told: Callable[..., Any],
    passage: Path,
    tmp_path: Path,
    make: Callable[[h5py.File, str], None],
) -> None:
    field = passage / "variables.L0.cycles=5.h5"
    good = shutil.copy(field, tmp_path / "variables.L0.cycles=5.h5")
    with h5py.File(field, "w") as file:
        make(file, "p_variables_result_L0")
    told("compare", field, good)
    told("compare", good, field, "--json", "--common")
    told("compare", field, field)
    told("plot", passage, "-o", tmp_path / "a.png", "--size", "60x40", codes=(3,))


@pytest.mark.parametrize("make", [never_written, hardly_written, elsewhere])
def test_what_was_never_written_is_said_so(
    told: Callable[..., Any], mesh: Path, tmp_path: Path, make: Callable[[h5py.File, str], None]
) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        make(file, "q")
    done = told("compare", tmp_path / "a.h5", tmp_path / "a.h5", codes=(3,))
    assert "declares 43,980,465,111,040 bytes" in done.err
    level = mesh / "mesh.L0.h5"
    with h5py.File(level, "r+") as file:
        for name in ("bnd_node-->group", "bnd_node-->node", "bnd_node_weights"):
            for alias in [key for key in file if key.startswith(name)]:
                del file[alias]
            make(file, name)
    for verb in ("info", "check"):
        assert "does not hold as many" in told("mesh", verb, mesh, codes=(3,)).err


def test_compressed_and_compact_data_sets_are_read(
    told: Callable[..., Any], tmp_path: Path
) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("zeros", data=np.zeros((1 << 20, 2)), compression="gzip")
        file.create_dataset("chunks", data=np.arange(1000.0), chunks=(64,))
        file["tiny"] = 1.0
        file.create_dataset("none", (0, 5), dtype="f8")
    told("compare", tmp_path / "a.h5", tmp_path / "a.h5", codes=(0,))


def test_levels_with_other_attributes(told: Callable[..., Any], mesh: Path, tmp_path: Path) -> None:
    values: tuple[Any, ...] = (
        *("", "{", "[]", '{"x": 1}', "[" * 5000, "\x1b[31m", 3, -1.0, np.nan, 1e308, 5e-324),
        *(h5py.Empty("f8"), np.void(b"\x1b[0m"), np.zeros(3), np.zeros((2, 2)), ["a", "b"]),
        np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]),
    )
    names = ("bnd_group_names", "rotation_axis", "periodic_angle_rad", "shape", "length_unit")
    level = mesh / "mesh.L0.h5"
    for value in values:
        with h5py.File(level, "r+") as file:
            for name in names:
                file.attrs[name] = value
            file.attrs["reference"] = file["areas"].ref
        told("mesh", "info", mesh, "--json")
        told("mesh", "check", mesh)
        told("plot", mesh, "-o", tmp_path / "a.png", "--size", "60x40")


def test_files_that_are_cut_or_no_hdf5_at_all(
    told: Callable[..., Any], mesh: Path, tmp_path: Path
) -> None:
    level = mesh / "mesh.L0.h5"
    good, rng = level.read_bytes(), Random(7)  # noqa: S311 - repeatable, on purpose
    cuts = [good[: rng.randrange(len(good))] for _ in range(6)]
    for text in (b"", b"\x89HDF\r\n\x1a\n", b"\x1b[31m" * 100, *cuts):
        level.write_bytes(text)
        told("mesh", "info", mesh, codes=(3,))
        told("mesh", "check", mesh, codes=(3,))
        told("plot", mesh, "-o", tmp_path / "a.png", codes=(3,))
        told("compare", level, level, codes=(3,))
    level.unlink()
    level.mkdir()
    told("mesh", "info", mesh, codes=(3,))
    told("plot", mesh, "-o", tmp_path / "a.png", codes=(3,))


@pytest.mark.timeout(300)
def test_levels_with_any_byte_turned_over(
    told: Callable[..., Any], mesh: Path, tmp_path: Path
) -> None:
    """HDF5's own structures, among them some on which HDF5 crashes or turns in circles."""
    level = mesh / "mesh.L0.h5"
    good = level.read_bytes()
    whole = tmp_path / "whole.h5"
    whole.write_bytes(good)
    refused = 0
    for at in range(0, 6000, 101):
        bad = bytearray(good)
        bad[at] ^= 0xFF
        level.write_bytes(bytes(bad))
        refused += told("mesh", "info", mesh).code == 3
        refused += told("mesh", "check", mesh).code == 3
        refused += told("compare", whole, level).code == 3
    assert refused > 30


def test_results_files_with_any_byte_turned_over(told: Callable[..., Any], tmp_path: Path) -> None:
    """A file that grows while it is read may hold anything; what it holds is checked first."""
    whole = write_results(tmp_path / "whole.vtkhdf")
    bad_file = tmp_path / "bad.vtkhdf"
    good = whole.read_bytes()
    refused = 0
    for at in range(0, len(good), 3001):
        bad = bytearray(good)
        bad[at] ^= 0xFF
        bad_file.write_bytes(bytes(bad))
        refused += told("compare", whole, bad_file).code == 3
        if at % 4 == 0:
            told("plot", bad_file, "-o", tmp_path / "a.png", "--size", "60x40", "-q", "density")
    assert refused > 0


def test_input_files_that_are_damaged(told: Callable[..., Any], mesh: Path, tmp_path: Path) -> None:
    index = mesh / "input.dat"
    good, rng = index.read_bytes(), Random(8)  # noqa: S311
    absurd = [
        good.replace(b"num_levels = 2", b"num_levels = " + number)
        for number in (b"0", b"-1", b"x", b"1" * 12, b"9" * 5000, b"1e3", "²".encode())
    ]
    swapped = [good.replace(b"0 = ", key + b" = ") for key in ("²".encode(), b"-1", b"9" * 30)]
    flips = []
    for _ in range(20):
        text = bytearray(good)
        for _ in range(3):
            text[rng.randrange(len(text))] = rng.randrange(256)
        flips.append(bytes(text))
    for text in (b"", good[:40], good.decode().encode("utf-16"), *absurd, *swapped, *flips):
        index.write_bytes(text)
        told("mesh", "info", mesh)
        told("plot", mesh, "-o", tmp_path / "a.png", "--size", "60x40")


def test_a_field_of_another_mesh_is_refused(
    told: Callable[..., Any],
    passage: Path,
    tmp_path: Path,
    write_variables: Callable[..., None],
) -> None:
    """More rows than nodes would draw without a word; the surface alone decides what is read."""
    for rows in (82, 84, 83 * 8):
        write_variables(passage / "variables.L0.cycles=5.h5", pressure=np.linspace(1.0, 3.0, rows))
        done = told("plot", passage, "-o", tmp_path / "a.png", "--size", "60x40", codes=(3,))
        assert f"has {rows} rows, but the mesh has 83 nodes" in done.err
