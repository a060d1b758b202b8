# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures of the tests of edges: rank files as the recorder writes them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def snapshot_ranks() -> ModuleType:
    """The maker of rank files of the snapshot tests."""
    path = Path(__file__).parents[1] / "snapshot" / "rank_files.py"
    spec = importlib.util.spec_from_file_location("rank_files_of_edges", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
