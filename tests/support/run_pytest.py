# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs pytest with its arguments; exit code 77, for ctest skipped, where a package is missing.

Asked when the test runs: Python's packages may come after CMake has configured the build.
"""

from __future__ import annotations

import importlib.util
import runpy
import sys

NEEDED = ("h5py", "numpy", "pytest", "pytest_timeout")

missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
if missing:
    print(f"skipped: {sys.executable} lacks {', '.join(missing)}. Run the test by make test.")
    sys.exit(77)
sys.argv[0] = "pytest"
sys.path[0] = ""
runpy.run_module("pytest", run_name="__main__")
