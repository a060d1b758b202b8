# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which headers the API reference documents, and in which group each of them stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src"

# What programs and solvers include; everything that these reach is public, too.
ROOTS = (
    "halocline/halocline.hpp",
    "halocline/io/checkpoint_file.hpp",
    "halocline/linalg/solver.hpp",
    "halocline/machine/affinity.hpp",
    "halocline/numerics/euler.hpp",
    "halocline/runtime/checkpoint.hpp",
    "halocline/runtime/results.hpp",
)

# Reached only since templates must be seen: how back ends run a loop. Programs name nothing there.
INTERNAL = (
    "halocline/backend/check/",
    "halocline/backend/device/",
    "halocline/backend/openmp/",
    "halocline/backend/serial/",
    "halocline/dist/exchange/halo_transport.hpp",
)

# Group of the reference by the beginning of a header's path; the first that fits decides.
GROUPS = (
    ("halocline/runtime/results.hpp", "results"),
    ("halocline/runtime/checkpoint.hpp", "results"),
    ("halocline/runtime/", "runtime"),
    ("halocline/io/field_", "results"),
    ("halocline/io/", "internals"),
    ("halocline/output/", "results"),
    ("halocline/mesh/halo.hpp", "distribution"),
    ("halocline/mesh/part.hpp", "distribution"),
    ("halocline/mesh/", "meshes"),
    ("halocline/loop/pack", "mathematics"),
    ("halocline/loop/integer_pack.hpp", "mathematics"),
    ("halocline/loop/vector_instructions.hpp", "mathematics"),
    ("halocline/loop/args.hpp", "loops"),
    ("halocline/loop/loop.hpp", "loops"),
    ("halocline/loop/chain.hpp", "loops"),
    ("halocline/loop/loop_", "loops"),
    ("halocline/loop/", "internals"),
    ("halocline/backend/par_loop.hpp", "loops"),
    ("halocline/backend/context.hpp", "loops"),
    ("halocline/backend/make_subset.hpp", "meshes"),
    ("halocline/backend/", "internals"),
    ("halocline/math/", "mathematics"),
    ("halocline/core/math.hpp", "mathematics"),
    ("halocline/core/values.hpp", "mathematics"),
    ("halocline/core/integer.hpp", "mathematics"),
    ("halocline/numerics/", "mathematics"),
    ("halocline/linalg/", "linear"),
    ("halocline/dist/", "distribution"),
    ("halocline/memory/", "memory"),
    ("halocline/machine/", "machine"),
    ("halocline/", "foundations"),
)


def group_of(header: str) -> str:
    """Name of the group that `header`, a path below `src`, belongs to."""
    return next(group for start, group in GROUPS if header.startswith(start))


def public_headers(sources: Path = SOURCES) -> list[str]:
    """Paths below `sources` of all headers that `ROOTS` reach without `INTERNAL` ones; sorted."""
    found: set[str] = set()
    waiting = list(ROOTS)
    while waiting:
        header = waiting.pop()
        if header in found or header.startswith(INTERNAL) or not (sources / header).is_file():
            continue
        found.add(header)
        waiting.extend(_included(sources / header))
    return sorted(found)


def _included(path: Path) -> Iterator[str]:
    return iter(re.findall(r'^#include "(halocline/[^"]+\.hpp)"', path.read_text(), re.MULTILINE))
