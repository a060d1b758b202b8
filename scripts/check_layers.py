#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when a file includes a header of a layer that its own layer must not see.

All layers share one include folder (src/), so the compiler alone would accept a reversed include
of a header-only layer. This scan runs in `make lint` and as a test.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

# Direct neighbours below each layer; what those see is seen too.
BELOW: dict[str, tuple[str, ...]] = {
    "core": (),
    "math": ("core",),
    "memory": ("core",),
    "machine": ("core",),
    "mesh": ("memory",),
    "loop": ("math", "mesh"),
    "backend": ("loop",),
    "dist": ("mesh",),
    "io": ("mesh",),
    "numerics": ("math",),
    "linalg": ("backend", "dist", "io"),
    "output": ("backend", "dist", "io"),
    "runtime": ("output", "machine"),
    "run": ("runtime",),
    "solver": ("run", "linalg", "numerics"),
}
# Folders outside src/halocline that are limited too.
# Tools stand on `core` alone, but for benchmarks of transfers and of halo exchanges: they measure
# what `memory` and `dist` offer.
# Programs see what they put together; what they share lies in a layer, not in one of them.
LIMITED_FOLDERS: dict[str, tuple[str, ...]] = {
    "apps": ("solver",),
    "apps/meshtool": ("dist", "io", "linalg", "machine"),
    "tools": ("core",),
    "tools/bench_parts": ("memory", "machine"),
    "tools/p2p_bench": ("memory", "machine"),
    "tools/cores_bench": ("memory", "machine"),
    "tools/halo_bench": ("dist", "machine"),
    "tools/affinity": ("machine",),
}

SUFFIXES = {".hpp", ".cpp", ".cuh", ".cu", ".h", ".c"}
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')


def visible_from(layer: str) -> set[str]:
    """Returns the layer itself and every layer below it."""
    seen = {layer}
    for lower in BELOW[layer]:
        seen |= visible_from(lower)
    return seen


def source_files(folder: Path) -> Iterator[Path]:
    """Yields the C++ and CUDA files of a folder, in a stable order."""
    if folder.is_dir():
        yield from sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES)


def faults_of(path: Path, owner: str, allowed: set[str]) -> Iterator[str]:
    """Yields one sentence for each include of `path` that leaves the allowed layers."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        match = INCLUDE.match(line)
        if match is None:
            continue
        where = f"{path}:{number}"
        parts = match.group(1).split("/")
        if ".." in parts:
            yield f'{where}: relative include {match.group(1)}: write "halocline/<layer>/..."'
        elif len(parts) > 2 and parts[0] == "halocline":
            if parts[1] not in BELOW:
                yield f"{where}: '{parts[1]}' is not a layer: name it in scripts/check_layers.py"
            elif parts[1] not in allowed:
                yield f"{where}: {owner} must not include {parts[1]} (layers only look down)"


def check(root: Path) -> list[str]:
    """Returns every fault of the tree at `root`."""
    faults: list[str] = []
    layers = root / "src" / "halocline"
    for folder in sorted(p for p in layers.iterdir() if p.is_dir()) if layers.is_dir() else []:
        if folder.name not in BELOW:
            faults.append(f"{folder}: unknown layer: name it in scripts/check_layers.py")
            continue
        for path in source_files(folder):
            faults += faults_of(path, folder.name, visible_from(folder.name))
    for name, limits in LIMITED_FOLDERS.items():
        allowed = set().union(*(visible_from(limit) for limit in limits))
        deeper = [root / other for other in LIMITED_FOLDERS if other.startswith(f"{name}/")]
        for path in source_files(root / name):
            if not any(folder in path.parents for folder in deeper):
                faults += faults_of(path, name, allowed)
    return faults


def self_test() -> list[str]:
    """Returns what this script fails to notice in a small tree made for the purpose."""
    cases = {
        "src/halocline/mesh/good.hpp": ('#include "halocline/core/error.hpp"', False),
        "src/halocline/solver/good.cpp": ('#include "halocline/memory/buffer.hpp"', False),
        "src/halocline/core/reversed.hpp": ('#include "halocline/mesh/set.hpp"', True),
        "src/halocline/dist/sideways.cpp": ("#  include <halocline/loop/par_loop.hpp>", True),
        "src/halocline/loop/relative.hpp": ('#include "../core/error.hpp"', True),
        "src/halocline/utils/stray.hpp": ("", True),
        "apps/solve/good.cpp": ('#include "halocline/run/driver.hpp"', False),
        "apps/solve/neighbour.cpp": ('#include "../mgcfd/run.hpp"', True),
        "apps/meshtool/wide.cpp": ('#include "halocline/solver/mgcfd/case.hpp"', True),
        "src/halocline/run/reversed.cpp": ('#include "halocline/solver/mgcfd/case.hpp"', True),
        "tools/p2p/wide.cpp": ('#include "halocline/mesh/set.hpp"', True),
        "tools/p2p/good.cpp": ('#include "halocline/core/error.hpp"', False),
        "tools/p2p/memory.cpp": ('#include "halocline/memory/device.hpp"', True),
        "tools/p2p_bench/good.cpp": ('#include "halocline/memory/device.hpp"', False),
        "tools/p2p_bench/wide.cpp": ('#include "halocline/mesh/set.hpp"', True),
    }
    problems: list[str] = []
    for name, (text, is_fault) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(text + "\n", encoding="utf-8")
            if bool(check(Path(folder))) != is_fault:
                problems.append(f"self-test: {name}: expected {'a fault' if is_fault else 'none'}")
    return problems


def main() -> int:
    """Parses the options, prints the faults, returns 1 when there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true", help="check the checker")
    options = parser.parse_args()
    faults = self_test() if options.self_test else check(options.root)
    print("\n".join(faults) if faults else "layers: every include looks down")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
