# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Study files that are wrong: a sentence each, before any run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Write = Callable[..., Path]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'program' is missing"),
        ('[program]\ncomand = "x"', "unknown key 'program.comand'. Did you mean 'command'?"),
        ("[program]", "either `command` or `case`"),
        ('[program]\ncommand = "x"\ncase = "c.toml"', "either `command` or `case`"),
        ('[program]\ncommand = ""', "'program.command' is empty"),
        ('[program]\ncommand = "x \'y"', "cannot be split"),
        ('[program]\ncommand = "x"\n[vary]\nsize = [1, 2]', "nothing uses the variable 'size'"),
        ('[program]\ncommand = "x {size}"', "asks for {size}, which is not a variable"),
        ('[program]\ncommand = "x"\n[vary]\nhosts = [1, 2]', "there is no [submit]"),
        ('[program]\ncommand = "mpirun x"\n[vary]\nmpi = ["openmpi", "mpich"]', "itself"),
        ('[program]\ncommand = "x"\n[vary]\nbinding = ["core", "cor"]', "Did you mean 'core'"),
        ('[program]\ncommand = "x"\n[vary]\nbinding = ["core"]\n[submit]', "as their site says"),
        ('[program]\ncommand = "x"\n[vary]\ntransport = ["tpc"]', "Did you mean 'tcp'"),
        (
            '[program]\ncommand = "x"\n[vary]\nparameters = ["a b=1"]',
            "'a', which is not NAME=VALUE",
        ),
        ('design = "prodct"\n[program]\ncommand = "x"', "Did you mean 'product'"),
        ('[program]\ncommand = "x"\n[run]\nwidth = "2"', "a part is written with its unit"),
        ('[program]\ncommand = "x"\n[run]\ntime_limit = "90"', "must be like"),
        ('[program]\ncommand = "x"\n[run]\nmost = 3', "below run.least"),
        ('[program]\ncommand = "x"\n[measure]\nby = "tme"', "'tme', which is not measured"),
        ('[program]\ncommand = "x"\n[measure]\nrecords = ["a.b"]', "needs a case"),
        ('[program]\ncommand = "x"\n[measure.patterns.t]\npattern = "(x)"', "unit' is missing"),
        ('[program]\ncommand = "x"\n[measure.patterns.t]\npattern = "x"\nunit = "s"', "one pair"),
        ('[program]\ncommand = "x"\n[measure.patterns.t]\npattern = "("\nunit = "s"', "expression"),
        ('[program]\ncommand = "x"\n[measure.patterns.t]\npatern = "(x)"', "'pattern'?"),
        ('[program]\ncommand = "x"\n[measure.patterns.wall]\npattern = "(x)"\nunit="s"', "anyway"),
        ('[program]\ncommand = "x"\n[check]', "neither `pattern` nor `files`"),
        ('[program]\ncommand = "x"\n[check]\nfiles = ["a"]', "needs 'program.files'"),
        (
            '[program]\ncommand = "x"\nprograms = { openmpi = "y" }\n[vary]\nmpi=["mpich"]',
            "none for",
        ),
        ('[program]\ncase = "none.toml"', "none.toml"),
        ('[program]\ncase = "case.toml"\n[vary]\nrnks = [1]', "Did you mean 'ranks'"),
    ],
)
def test_a_wrong_study_file_gets_a_sentence(
    halocline: Run, tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "s.toml"
    (tmp_path / "case.toml").write_text("")
    if "programs" in text:
        text = text.replace('command = "x"', 'command = "{program}"')
    file.write_text(text)
    found = halocline("study", file)
    assert found.code == 3, found.err
    assert words in found.err
    assert found.err.count("\n") == 1
    assert not (tmp_path / "s").exists()


def test_no_study_file_is_a_usage_error(halocline: Run) -> None:
    assert halocline("study").code == 2


def test_a_dry_run_shows_points_and_costs_and_writes_nothing(
    halocline: Run, study_file: Write, tmp_path: Path
) -> None:
    file = study_file("[vary]\nlevel = [1.0, 2.0]")
    shown = halocline("study", file, "--dry-run", "--json").data
    assert [point["label"] for point in shown["points"]] == ["base", "level = 2.0"]
    # 2 trials, 2 rounds of the base twice, 6 to 8 rounds of 2 points and the twin.
    assert (shown["least_runs"], shown["most_runs"]) == (2 + 4 + 18, 2 + 4 + 24)
    assert not (tmp_path / "study").exists()
