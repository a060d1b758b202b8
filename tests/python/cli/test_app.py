# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The command line as a whole: help, version, mistakes, exit codes, what is imported."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

VERBS = ("mesh", "run", "submit", "compare", "plot", "snapshot", "study", "tune", "doctor")


def test_help_lists_every_verb_and_shows_examples(halocline: Callable[..., Any]) -> None:
    shown = halocline("--help")
    assert shown.code == 0
    assert all(verb in shown.out for verb in VERBS)
    assert "Examples" in shown.out


@pytest.mark.parametrize("verb", ["run", "submit", "compare", "plot", "doctor"])
def test_help_of_a_verb_has_examples_and_json(halocline: Callable[..., Any], verb: str) -> None:
    shown = halocline(verb, "--help")
    assert shown.code == 0
    assert f"halocline {verb}" in shown.out.partition("Examples")[2]
    assert "--json" in shown.out


def test_help_of_a_verb_says_what_its_arguments_are(halocline: Callable[..., Any]) -> None:
    """Typer before 0.26 loses these texts with click 8.5, which overwrites them."""
    assert "Case file (TOML)." in halocline("run", "--help").out


def test_version_is_the_package_version(halocline: Callable[..., Any]) -> None:
    from halocline import __version__

    assert halocline("--version").out == f"halocline {__version__}\n"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["rnu", "case.toml"], "Did you mean 'run'?"),
        (["docter"], "Did you mean 'doctor'?"),
        (["run", "case.toml", "--dry-rnu"], "Did you mean '--dry-run'?"),
        (["compare", "a", "b", "--tolerence", "1"], "Did you mean '--tolerance'?"),
        (["plot", ".", "--quantitty", "mach"], "Did you mean '--quantity'?"),
        (["mesh", "maek"], "Did you mean 'make'?"),
    ],
)
def test_a_misspelt_word_is_one_line_with_the_nearest_known_one(
    halocline: Callable[..., Any], words: list[str], hint: str
) -> None:
    failed = halocline(*words)
    assert failed.code == 2
    assert hint in failed.err
    assert len(failed.err.splitlines()) == 1


@pytest.mark.parametrize("words", [["compare", "a"], ["run"], ["plot"], ["compare", "--tolerance"]])
def test_a_missing_argument_is_one_line_and_usage_code(
    halocline: Callable[..., Any], words: list[str]
) -> None:
    failed = halocline(*words)
    assert failed.code == 2
    assert len(failed.err.splitlines()) == 1


def test_a_defect_is_one_line_and_offers_the_traceback(
    halocline: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import halocline.doctor.examine as module

    def broken() -> None:
        raise KeyError("surprise")

    monkeypatch.setattr(module, "examine", broken)
    failed = halocline("doctor")
    assert failed.code == 5
    assert "KeyError" in failed.err
    assert "HALOCLINE_DEBUG" in failed.err
    assert len(failed.err.splitlines()) == 1


HEAVY = ("numpy", "h5py", "pydantic", "matplotlib", "scipy", "plotly")
TOLD_BY_OPTIONS = ["--mpi", "openmpi", "--dry-run"]


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["run", "--help"],
        ["submit", "--help"],
        ["mesh", "--help"],
        ["tune", "--help"],
        ["p2p", "--dry-run"],
        ["halo", "--dry-run"],
        ["cores", "--help"],
        ["snapshot", *TOLD_BY_OPTIONS, "--", "true"],
        ["with", "--tool", "env A=b:0", "--dry-run", "--", "true"],
        ["forecast", "--help"],
        ["endpoints", *TOLD_BY_OPTIONS, "--threads", "2", "--", "true"],
    ],
)
def test_no_heavy_package_is_loaded_for_help_or_before_a_launch(
    words: list[str], tmp_path: Path
) -> None:
    """Each is 0.1 s that a user waits for; `run` alone needs pydantic, to read the case."""
    for tool in ("snapshot", "endpoints"):
        (tmp_path / f"libhalocline-{tool}-openmpi.so").touch()
    program = (
        "import sys\n"
        "from halocline.cli.app import main\n"
        f"try:\n    main({words!r})\n"
        "except SystemExit as end:\n    assert not end.code\n"
        f"print('LOADED', [name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HALOCLINE_TOOLS": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.parametrize(
    ("typed", "offered"), [("halocline co", "compare"), ("halocline run --dr", "--dry-run")]
)
def test_the_shell_completes_verbs_and_their_options(typed: str, offered: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from halocline.cli.app import main; main()"],
        env={
            **os.environ,
            "_HALOCLINE_COMPLETE": "complete_bash",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(typed.count(" ")),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert offered in done.stdout.split()


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m halocline run --schema | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == "{\n"
    assert done.stderr == ""


def test_a_verb_does_not_look_for_garbage_among_the_modules_that_it_loads(
    case_file: Path,
) -> None:
    """A verb loads hundreds of modules; by itself Python would walk them dozens of times."""
    script = (
        "import gc, sys\n"
        "from halocline.cli.app import main\n"
        "begun = sum(generation['collections'] for generation in gc.get_stats())\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "looked = sum(generation['collections'] for generation in gc.get_stats()) - begun\n"
        "print('LOOKED', looked)\n"
    )
    words = [sys.executable, "-c", script, "run", "--dry-run", str(case_file)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert int(done.stdout.rsplit("LOOKED", 1)[1]) <= 2
