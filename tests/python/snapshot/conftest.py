# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the snapshot tests: rank files made by hand and reports of them."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from halocline.snapshot.merge import Launch, merge
from halocline.snapshot.model import Snapshot
from halocline.snapshot.store import RANK_FOLDER, write_report

COMMAND = ["mpirun", "-n", "4", "./solver", "case.in"]


def _load(name: str) -> ModuleType:
    """Load a module of this folder: tests are imported by path and are no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


rank_files = _load("rank_files")


@pytest.fixture
def rf() -> ModuleType:
    """The maker of rank files."""
    return rank_files


@pytest.fixture
def report() -> Callable[..., Snapshot]:
    """Makes the report of rank files."""

    def made(files: list[dict], exit_code: int | None = 0, **more: object) -> Snapshot:
        return merge(rank_files.parsed(files), Launch(COMMAND, exit_code, 11.0), **more)

    return made


@pytest.fixture
def solver(report: Callable[..., Snapshot]) -> Snapshot:
    """The report of `rank_files.solver_run`."""
    return report(rank_files.solver_run())


@pytest.fixture
def folder_of(tmp_path: Path, report: Callable[..., Snapshot]) -> Callable[..., Path]:
    """Writes a snapshot folder as `halocline snapshot` leaves it."""

    def written(name: str, files: list[dict]) -> Path:
        folder = tmp_path / name
        rank_files.write_files(folder / RANK_FOLDER, files)
        write_report(folder, report(files))
        return folder

    return written
