# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Words of the solver's program."""

from __future__ import annotations

from pathlib import Path

from halocline.launch.solve import solve_words


def test_a_case_that_looks_like_a_flag_is_named_as_a_file() -> None:
    assert solve_words(Path("-case.toml"), [], 1)[0] == "./-case.toml"
    assert solve_words(Path("case.toml"), [], 1)[0] == "case.toml"
    assert solve_words(Path("/a/-case.toml"), [], 1)[0] == "/a/-case.toml"
