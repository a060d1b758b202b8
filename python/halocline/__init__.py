# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""halocline: unstructured-mesh CFD on CPUs and GPUs, driven from one command.

`halocline.open("output")` gives the results of a run as arrays.
"""

# This file imports nothing: `python -m halocline` runs it while the current folder is searched.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from halocline.results.opening import open_run as open  # noqa: A004

__all__ = ["__version__", "open"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load what reads results when it is first asked for: verbs start without numpy and h5py."""
    if name == "open":
        from halocline.results.opening import open_run

        return open_run
    raise AttributeError(f"module 'halocline' has no attribute '{name}'")
