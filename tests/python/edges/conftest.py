# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the tests of edges: files as our programs write them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


def _load(path: str, name: str) -> ModuleType:
    """Load a module beside other tests: tests are imported by path and are no package."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def snapshot_ranks() -> ModuleType:
    """The maker of rank files of the snapshot tests."""
    return _load("snapshot/rank_files.py", "rank_files_of_edges")


@pytest.fixture
def p2p_result() -> dict[str, Any]:
    """A result of halocline-p2p as JSON data."""
    data: dict[str, Any] = _load("p2p/results.py", "p2p_results_of_edges").result()
    return data


@pytest.fixture
def halo_result() -> dict[str, Any]:
    """A result of the halo experiment as JSON data."""
    data: dict[str, Any] = _load("halo/results.py", "halo_results_of_edges").result()
    return data


@pytest.fixture
def cores_result() -> dict[str, Any]:
    """A result of halocline-cores as JSON data."""
    data: dict[str, Any] = _load("cores/made_cores.py", "cores_results_of_edges").result(1, 2)
    return data
