# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""OpenFOAM's polyMesh, text or binary, plain or compressed.

Our own reader: libraries either rebuild cells from faces only to lose who owns them (VTK) or walk
over faces one by one in Python. Here numpy reads whole lists.
"""

from __future__ import annotations

import gzip
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from halocline.mesh.arrays import AnyArray, Floats, Ints
from halocline.mesh.imports.blocks import pieces
from halocline.mesh.imports.source import CellFaces, Patch, Source, broken, numbers_in

WORDS = {
    "wall": "wall",
    "symmetry": "symmetry",
    "symmetryPlane": "symmetry",
    "empty": "side-wall",
    "wedge": "side-wall",
}
"""Groups that types of patches name; `patch` says nothing."""

HEADER = re.compile(rb"FoamFile\s*\{(.*?)\}", re.DOTALL)
COMMENTS = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
PARENTHESES = bytes.maketrans(b"()", b"  ")
LIST = re.compile(rb"\s*([0-9]+)\s*\(")


@dataclass
class _File:
    """A file of a polyMesh behind its header."""

    path: Path
    body: bytes
    binary: bool
    label: type
    scalar: type


def read_openfoam(path: Path) -> Source:
    """Read the mesh of an OpenFOAM case, or a polyMesh folder itself."""
    folder = _mesh_folder(path)
    points = _vectors(_open(folder, "points"))
    sizes, corners = _faces(_open(folder, "faces"))
    owner = _labels(_open(folder, "owner"))
    neighbour = _labels(_open(folder, "neighbour"))
    if len(owner) != len(sizes) or len(neighbour) > len(owner):
        raise broken(
            folder,
            f"faces ({len(sizes):,}), owner ({len(owner):,}) and neighbour ({len(neighbour):,}) "
            "do not fit together",
            "Take all files from one time.",
        )
    starts = np.concatenate([[0], np.cumsum(sizes)])
    faces, n_cells = CellFaces(oriented=True), int(owner.max(initial=-1)) + 1
    behind = np.full(len(owner), -1, dtype=owner.dtype)
    behind[: len(neighbour)] = neighbour
    if len(owner) and (owner.min() < 0 or (len(neighbour) and neighbour.min() < 0)):
        raise broken(folder, "owner or neighbour names a negative cell")
    n_cells = max(n_cells, int(behind.max(initial=-1)) + 1)
    if 4 * n_cells > len(owner) + len(neighbour):
        raise broken(
            folder,
            f"owner and neighbour name {n_cells:,} cells, too many for {len(owner):,} faces",
            "Take all files from one time.",
        )
    for k in np.unique(sizes).tolist():
        mine = np.flatnonzero(sizes == k)
        rows = _rows(corners, starts[mine], k)
        inner = np.flatnonzero(behind[mine] >= 0)
        faces.nodes[k] = np.concatenate([rows, rows[inner][:, ::-1]])
        faces.cells[k] = np.concatenate([owner[mine], behind[mine][inner]]).astype(np.int32)
    patches = _patches(_open(folder, "boundary"), sizes, starts, corners)
    return Source(folder, points, {}, patches, polyhedra=faces, n_polyhedra=n_cells)


def _rows(corners: AnyArray, starts: Ints, k: int) -> AnyArray:
    """Return the corners of faces with k of them (n, k), by where each face begins."""
    rows = np.empty((len(starts), k), dtype=np.int32)
    for first, part in pieces(starts):
        rows[first : first + len(part)] = corners[part[:, None] + np.arange(k)]
    return rows


def _mesh_folder(path: Path) -> Path:
    start = path if path.is_dir() else path.parent
    for folder in (start, start / "polyMesh", start / "constant" / "polyMesh"):
        if any((folder / name).is_file() for name in ("points", "points.gz")):
            return folder
    if (start / "processor0").is_dir():
        raise broken(start, "its mesh is divided among processors", "Run reconstructParMesh first.")
    raise broken(
        start,
        "no polyMesh is there (neither constant/polyMesh/points nor points)",
        "Name the case or its polyMesh folder.",
    )


def _open(folder: Path, name: str) -> _File:
    path = folder / name
    try:
        if path.is_file():
            text = path.read_bytes()
        else:
            path = folder / f"{name}.gz"
            text = gzip.decompress(path.read_bytes())
    except FileNotFoundError:
        raise broken(folder, f"the file '{name}' is missing", "Copy the whole folder.") from None
    except (OSError, EOFError, zlib.error) as error:
        raise broken(path, f"cannot be read ({error})", "Is it complete?") from None
    header = HEADER.search(text[:4096])
    if header is None:
        raise broken(path, "it has no FoamFile header", "Is it a file of OpenFOAM?")
    binary = re.search(rb"format\s+binary", header[1]) is not None
    arch = header[1]
    label = np.int64 if b"label=64" in arch else np.int32
    scalar = np.float32 if b"scalar=32" in arch else np.float64
    body = text[header.end() :]
    if not binary:
        return _File(path, COMMENTS.sub(b" ", body), binary, label, scalar)
    return _File(path, body, binary, label, scalar)


def _vectors(file: _File) -> Floats:
    count, start = _list_start(file)
    if file.binary:
        values = _raw(file, start, 3 * count, file.scalar)
    else:
        values = _text(file, start, np.float64)
    if len(values) != 3 * count:
        raise _incomplete(file, 3 * count, len(values))
    return np.asarray(values, dtype=np.float64).reshape(-1, 3)


def _labels(file: _File) -> AnyArray:
    count, start = _list_start(file)
    values = _raw(file, start, count, file.label) if file.binary else _text(file, start, np.int64)
    if len(values) != count:
        raise _incomplete(file, count, len(values))
    return values


def _faces(file: _File) -> tuple[Ints, AnyArray]:
    """Return the number of corners of each face, and the corners of all."""
    count, start = _list_start(file)
    if file.binary:
        offsets = np.asarray(_raw(file, start, count, file.label), dtype=np.int64)
        after = start + offsets.size * np.dtype(file.label).itemsize
        total, begin = _list_start(file, after)
        corners = _raw(file, begin, total, file.label)
        if len(offsets) != count or len(corners) != total or (np.diff(offsets) < 3).any():
            raise _incomplete(file, count, len(offsets))
        return np.diff(offsets), corners
    values = _text(file, start, np.int64)
    return _split(file, values, count)


def _split(file: _File, values: Ints, count: int) -> tuple[Ints, Ints]:
    """Divide '3 a b c 4 a b c d ...' into sizes and corners."""
    width = int(values[0]) + 1 if len(values) else 1
    if count * width == len(values) and (values[::width] == width - 1).all():
        return np.full(count, width - 1), values.reshape(-1, width)[:, 1:].ravel()
    listed: list[int] = values.tolist()
    sizes: list[int] = []
    at = 0
    for _ in range(count):
        if at >= len(listed) or listed[at] < 3:
            raise _incomplete(file, count, len(sizes))
        sizes.append(listed[at])
        at += 1 + listed[at]
    if at != len(listed):
        raise _incomplete(file, count, len(sizes))
    found = np.array(sizes, dtype=np.int64)
    keep = np.ones(len(values), dtype=bool)
    keep[np.cumsum(found + 1) - found - 1] = False
    return found, values[keep]


def _list_start(file: _File, after: int = 0) -> tuple[int, int]:
    """Return the length of the next list and where its first entry is."""
    found = LIST.search(file.body, after)
    if found is None:
        raise broken(file.path, "it holds no list", "Is it complete?")
    return int(found[1]), found.end()


def _raw(file: _File, start: int, count: int, kind: type) -> AnyArray:
    size = count * np.dtype(kind).itemsize
    if start + size > len(file.body):
        raise _incomplete(file, count, (len(file.body) - start) // np.dtype(kind).itemsize)
    return np.frombuffer(file.body, dtype=kind, count=count, offset=start)


def _text(file: _File, start: int, kind: type) -> AnyArray:
    end = file.body.rfind(b")")
    if end < start:
        raise broken(file.path, "its list has no end", "Is it complete?")
    return numbers_in(file.body[start:end].translate(PARENTHESES), kind, file.path, "its list")


def _incomplete(file: _File, wanted: int, found: int) -> Exception:
    return broken(file.path, f"it declares {wanted:,} entries but has {found:,}", "Is it complete?")


def _patches(file: _File, sizes: Ints, starts: Ints, corners: AnyArray) -> list[Patch]:
    text = COMMENTS.sub(b" ", file.body).decode(errors="replace")
    patches = []
    for name, body in re.findall(r"([^\s(){};]+|\"[^\"]*\")\s*\{([^{}]*)\}", text):
        entries = dict(re.findall(r"(\w+)\s+([^;]*);", body))
        try:
            first, count = int(entries["startFace"]), int(entries["nFaces"])
        except (KeyError, ValueError):
            raise broken(file.path, f"patch '{name}' has no startFace and nFaces") from None
        if first < 0 or count < 0 or first + count > len(sizes):
            raise broken(
                file.path, f"patch '{name}' names faces {first} to {first + count - 1}, but there "
                f"are {len(sizes):,}", "Take all files from one time.",
            )  # fmt: skip
        faces = {}
        of = np.arange(first, first + count)
        for k in np.unique(sizes[of]).tolist():
            mine = of[sizes[of] == k]
            faces[k] = _rows(corners, starts[mine], k)
        word = WORDS.get(entries.get("type", "").strip(), "")
        patches.append(Patch(name.strip('"'), faces, word))
    return patches
