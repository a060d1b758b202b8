# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command and finds out where each of its ranks really runs.

A small library preloaded into the ranks writes their masks at their start and end; meanwhile this
process checks those on this host, so that ranks that are killed or bind themselves are seen too.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from halocline.doctor.affinity import affinity_data, affinity_words
from halocline.doctor.fact import read_text
from halocline.errors import MissingEnvironmentError, RunFailedError
from halocline.launch.process import run_foreground
from halocline.preload import family_of, preloaded
from halocline.preload.libraries import tool_folders

PROBE = "libhalocline-binding-probe.so"
FOLDER_VARIABLE = "HALOCLINE_BINDING_DIR"
LOOK_EVERY_S = 0.2
GPU_FOLDER = Path("/proc/driver/nvidia/gpus")


@dataclass(frozen=True)
class Rank:
    """One rank as it was found running."""

    rank: int
    host: str
    pid: int
    program: str
    calls_mpi: bool
    cpus: str
    threads: tuple[str, ...] = ()
    gpu_minors: tuple[int, ...] = ()
    visible_gpus: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        return {
            "rank": self.rank,
            "host": self.host,
            "pid": self.pid,
            "program": self.program,
            "cpus": self.cpus,
            "threads": list(self.threads),
            "gpus": [gpu_bus_id(minor) or f"/dev/nvidia{minor}" for minor in self.gpu_minors],
            "visible_gpus": self.visible_gpus,
        }


@dataclass(frozen=True)
class Check:
    """What a checked run showed."""

    exit_code: int
    ranks: list[Rank]
    machine: dict[str, Any]
    findings: list[dict[str, Any]] = field(default_factory=list)
    launch_lines: list[dict[str, str]] = field(default_factory=list)


def find_probe() -> Path:
    """Return the preloaded library, or say how to get it."""
    folders = list(tool_folders())
    for folder in folders:
        if (folder / PROBE).is_file():
            return (folder / PROBE).resolve()
    looked_in = ", ".join(str(folder) for folder in folders)
    raise MissingEnvironmentError(
        f"{PROBE} was not found (looked in {looked_in}). Build it with: make build."
    )


def check_binding(command: Sequence[str], output_to_stderr: bool = False) -> Check:
    """Run `command` with the probe and judge what was found. Its output goes to the terminal."""
    with tempfile.TemporaryDirectory(prefix="halocline-binding-") as name:
        folder = Path(name)
        words = preloaded(command, find_probe(), {FOLDER_VARIABLE: name}, family_of(command))
        seen: dict[int, Rank] = {}
        done = threading.Event()
        watcher = threading.Thread(target=_watch, args=(folder, seen, done))
        watcher.start()
        try:
            exit_code = run_foreground(words, {}, output_to_stderr)
        finally:
            done.set()
            watcher.join()
        ranks = one_per_rank(
            [*read_probes(folder, "start"), *seen.values(), *read_probes(folder, "end")]
        )
    if not ranks:
        raise RunFailedError(
            f"no rank of '{command[0]}' was seen (it started none, or is linked statically and "
            "cannot be preloaded). Check that the command runs by itself."
        )
    return _judged(exit_code, ranks)


def _judged(exit_code: int, ranks: list[Rank]) -> Check:
    host = ranks[0].host
    here = [rank for rank in ranks if rank.host == host]
    words = affinity_words(None, None, len(here))
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        machine = affinity_data(words)["machine"]
        json.dump([_for_judge(rank, bool(machine["gpus"])) for rank in here], file)
        file.flush()
        data = affinity_data([*words, "--judge", file.name])
    return Check(exit_code, ranks, data["machine"], data["findings"], data["launch_lines"])


def _for_judge(rank: Rank, has_gpus: bool) -> dict[str, Any]:
    data: dict[str, Any] = {"rank": rank.rank, "cpus": rank.cpus}
    if has_gpus:
        data["gpus"] = [gpu_bus_id(minor) for minor in rank.gpu_minors]
    return data


def one_per_rank(found: Iterable[Rank]) -> list[Rank]:
    """Keep one process a rank: the last state of the one that calls MPI, scripts around it not."""
    best: dict[int, Rank] = {}
    for rank in found:
        known = best.get(rank.rank)
        if known is None or rank.calls_mpi >= known.calls_mpi:
            gpus = set(rank.gpu_minors)
            if known is not None and known.pid == rank.pid:
                gpus |= set(known.gpu_minors)  # the last file of a GPU is closed before the end
            best[rank.rank] = replace(rank, gpu_minors=tuple(sorted(gpus)))
    return [best[number] for number in sorted(best)]


def read_probes(folder: Path, moment: str) -> list[Rank]:
    """Read what the probe wrote at `start` or `end` of the ranks, oldest process first."""
    files = sorted(folder.glob(f"*.{moment}"), key=lambda path: path.stat().st_mtime_ns)
    return [rank for path in files if (rank := _parse(read_text(path))) is not None]


def _parse(text: str) -> Rank | None:
    values: dict[str, list[str]] = {}
    for line in text.splitlines():
        key, _, value = line.partition("=")
        values.setdefault(key, []).append(value)
    try:
        return Rank(
            rank=int(values["rank"][0]),
            host=values["host"][0],
            pid=int(values["pid"][0]),
            program=values["program"][0],
            calls_mpi=values["mpi"][0] == "1",
            cpus=values["cpus"][0],
            threads=tuple(values.get("thread", [])),
            gpu_minors=tuple(sorted({int(minor) for minor in values.get("gpu_minor", [])})),
            visible_gpus=values.get("visible", [None])[0],
        )
    except (KeyError, ValueError):
        return None  # written half: the process ended in between


def _watch(folder: Path, seen: dict[int, Rank], done: threading.Event) -> None:
    """Look at the ranks of this host until the command has ended."""
    while not done.wait(LOOK_EVERY_S):
        for rank in read_probes(folder, "start"):
            now = _look_at(rank)
            if now is not None:
                seen[rank.pid] = now


def _look_at(rank: Rank) -> Rank | None:
    process = Path(f"/proc/{rank.pid}")
    cpus = _mask(process / "status")
    if cpus is None:
        return None
    masks = [_mask(task / "status") for task in _entries(process / "task")]
    minors = {
        int(text.removeprefix("/dev/nvidia"))
        for link in _entries(process / "fd")
        if (text := _target(link)).removeprefix("/dev/nvidia").isdigit()
    }
    return replace(
        rank,
        cpus=cpus,
        threads=tuple(mask for mask in masks if mask is not None),
        gpu_minors=tuple(sorted(minors)),
    )


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""


def _mask(status: Path) -> str | None:
    for line in read_text(status).splitlines():
        if line.startswith("Cpus_allowed_list:"):
            return line.partition(":")[2].strip()
    return None


def gpu_bus_id(minor: int) -> str | None:
    """Return the PCI id of /dev/nvidia<minor>, as the driver tells it."""
    for folder in _entries(GPU_FOLDER):
        for line in read_text(folder / "information").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "Device Minor" and value.strip() == str(minor):
                return folder.name
    return None
