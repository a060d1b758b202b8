# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Packs snapshot_programs.py with all that it needs, for a machine that has none of it.

The pack is a small root folder: LAMMPS, Quantum ESPRESSO, Open MPI with its plugins, Python, their
libraries down to the C library, the recorder, and a script `run` that changes into it. The other
machine needs a Linux kernel and root, nothing else, so a large quiet machine can be borrowed:

    mkdir pack && tar -xf snapshot-pack.tar.xz -C pack && pack/run --ranks 2 4 --pairs 15
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from halocline.errors import HaloclineError, MissingEnvironmentError
from halocline.preload import Family, tool_library

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ("lmp", "pw.x", "mpirun", "orted", "env", "sh")
PACKAGES = "lammps quantum-espresso quantum-espresso-data openmpi-bin"
# Plugins and data are opened at run time, so no program names them.
FOLDERS = tuple(
    Path(name)
    for name in (
        "/etc/openmpi",
        "/usr/share/openmpi",
        "/usr/lib/x86_64-linux-gnu/openmpi",
        "/usr/lib/x86_64-linux-gnu/pmix2",
        "/usr/lib/x86_64-linux-gnu/hwloc",
    )
)
SILICON = Path("/usr/share/espresso/pseudo/Si.pz-vbc.UPF")
UNUSED = {
    *("__pycache__", "tests", "test", "idlelib", "ensurepip", "lib2to3", "pydoc_data", "include"),
    *("dist-packages", "site-packages", "distutils", "f2py", "tkinter", "pkgconfig"),
    "hwloc_xml_libxml.so",  # hwloc reads XML without it, and it brings 30 MB of Unicode tables
}
MERGED = ("bin", "sbin", "lib", "lib64")  # links into /usr on Debian
ELF = b"\x7fELF"

RUN = """#!/bin/sh
# Runs benchmarks/snapshot_programs.py inside this folder; its options are taken. Needs root.
# Results: out/snapshot_programs.json in this folder.
root=$(cd "$(dirname "$0")" && pwd)
exec unshare --mount sh -c '
    root=$1; shift
    for each in proc sys dev; do mount --rbind /$each "$root/$each" || exit 4; done
    exec chroot "$root" /usr/bin/env -i PATH=/usr/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1 \\
        PYTHONPATH=/bench/python:/bench/site-packages HALOCLINE_TOOLS=/bench/lib COLUMNS=160 \\
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm=isolated \\
        /usr/bin/python3 /bench/benchmarks/snapshot_programs.py -o /out "$@"' sh "$root" "$@"
"""


class Pack:
    """A root folder that grows file by file, each with the libraries that it needs."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.known: set[Path] = set()
        for name in MERGED:
            (root / "usr" / name).mkdir(parents=True)
            (root / name).symlink_to(f"usr/{name}")
        for name in ("proc", "sys", "dev", "tmp", "out", "etc"):
            (root / name).mkdir()
        (root / "etc" / "passwd").write_text("root:x:0:0:root:/tmp:/bin/sh\n")
        (root / "etc" / "hosts").write_text("127.0.0.1 localhost\n")

    def add(self, path: Path, place: Path | None = None) -> None:
        """Add a file, or a folder with all that is used of it, here or at another place."""
        here = path.parent.resolve() / path.name
        target = self.root / (place or here).relative_to("/")
        if here in self.known:
            return
        self.known.add(here)
        if here.is_dir() and not here.is_symlink():
            for child in sorted(here.iterdir()):
                if child.name not in UNUSED and child.suffix not in (
                    ".a",
                    ".pyi",
                    ".la",
                    ".so.dbg",
                ):
                    self.add(child, place / child.name if place else None)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        if here.is_symlink():
            target.symlink_to(here.readlink())
            self.add(here.parent / here.readlink())
            return
        shutil.copy2(here, target)
        for library in needed_by(here):
            self.add(library)


def needed_by(file: Path) -> Iterator[Path]:
    """Libraries that the loader would load with it, and the loader; not those beside it."""
    with file.open("rb") as handle:
        if handle.read(4) != ELF:
            return
    listing = subprocess.run(["ldd", str(file)], capture_output=True, text=True, check=False)
    for word in listing.stdout.split():
        if word.startswith("/") and not word.endswith(":") and "site-packages" not in word:
            yield Path(word)


def python_packages() -> list[Path]:
    """Packages of PyPI that the benchmark loads, found by loading it."""
    code = (
        "import sys, elftools, rich.box, rich.console, rich.table, snapshot_programs\n"
        "for module in list(sys.modules.values()): print(getattr(module, '__file__', None) or '')"
    )
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{ROOT / 'benchmarks'}"}
    loaded = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    found = set()
    for line in loaded.stdout.splitlines():
        before, mark, after = line.partition("/site-packages/")
        if mark:
            found.add(Path(before) / "site-packages" / after.split("/")[0])
            libraries = Path(before) / "site-packages" / f"{after.split('/')[0]}.libs"
            found |= {libraries} if libraries.is_dir() else set()
    return sorted(found)


def fill(pack: Pack) -> None:
    """Programs, plugins, Python, the benchmark, and the recorder."""
    for name in PROGRAMS:
        program = shutil.which(name, path="/usr/bin:/bin")
        if program is None:
            raise MissingEnvironmentError(
                f"{name} was not found in /usr/bin. Install it: apt-get install {PACKAGES}."
            )
        pack.add(Path(program))
    for path in (*FOLDERS, Path("/usr/bin/python3"), Path("/usr/lib/python3.11")):
        pack.add(path)
    for package in python_packages():
        pack.add(package, Path("/bench/site-packages") / package.name)
    for part in ("python/halocline", "benchmarks", "tests/apps/cases"):
        pack.add(ROOT / part, Path("/bench") / part)
    library = tool_library("snapshot", Family.OPENMPI)
    pack.add(library, Path("/bench/lib") / library.name)
    pack.add(SILICON)
    run = pack.root / "run"
    run.write_text(RUN)
    run.chmod(0o755)


def main() -> int:
    """Write the pack; turn an error into one sentence and its exit code."""
    parser = argparse.ArgumentParser(prog="bench_snapshot.sh --pack", description=__doc__)
    parser.add_argument("file", type=Path, help="the pack, e.g. snapshot-pack.tar.xz")
    chosen = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="halocline-pack-") as name:
            root = Path(name) / "root"
            root.mkdir()
            fill(Pack(root))
            with tarfile.open(chosen.file, "w:xz", preset=2) as archive:
                archive.add(root, ".")
    except HaloclineError as error:
        print(f"halocline: {error}", file=sys.stderr)
        return int(error.exit_code)
    print(f"{chosen.file}: {chosen.file.stat().st_size / 2**20:.0f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
