# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The command in other locales: the same numbers, and no character that stops it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parents[2] / "support"
sys.path.append(str(SUPPORT))

from preloads import LOCALES, make_locale  # noqa: E402

Environment = dict[str, str]


@pytest.fixture(params=LOCALES)
def locale(tmp_path: Path, request: pytest.FixtureRequest) -> Environment:
    """The environment of a user with this locale."""
    return make_locale(tmp_path, request.param)


def run(folder: Path, extra: Environment, *words: str) -> bytes:
    """Run the command; its output as bytes."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONIOENCODING"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "halocline", *words],
        cwd=folder,
        env={**kept, "LC_ALL": "C.UTF-8", **extra},
        capture_output=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_meshes_and_what_is_said_of_them_are_the_same_bytes(
    tmp_path: Path, locale: Environment
) -> None:
    folders = {"plain": {}, "local": locale}
    for name, extra in folders.items():
        folder = tmp_path / name
        folder.mkdir()
        run(folder, extra, "mesh", "make", "box", "--nodes", "300", "--levels", "2", "-o", "mesh")
    for file in ("input.dat", "mesh.L0.h5"):
        ours = (tmp_path / "local" / "mesh" / file).read_bytes()
        assert ours == (tmp_path / "plain" / "mesh" / file).read_bytes(), file
    for words in (
        ("mesh", "info", "mesh", "--json"),
        ("mesh", "check", "mesh", "--json"),
        ("compare", "mesh", "mesh", "--json"),
    ):
        ours, theirs = (run(tmp_path / name, extra, *words) for name, extra in folders.items())
        assert ours == theirs, words


def test_numbers_of_tables_are_the_same(tmp_path: Path, locale: Environment) -> None:
    run(tmp_path, {}, "mesh", "make", "box", "--nodes", "300", "--levels", "2", "-o", "mesh")
    # Frames of tables differ where the encoding has none.
    ours, theirs = (
        [
            word
            for word in run(tmp_path, extra, "mesh", "info", "mesh").split()
            if word[:1].isdigit()
        ]
        for extra in (locale, {})
    )
    assert ours == theirs


@pytest.mark.parametrize(
    "verb", ["mesh", "run", "submit", "snapshot", "endpoints", "tune", "p2p", "halo", "plot"]
)
def test_help_is_shown_in_any_encoding(tmp_path: Path, verb: str) -> None:
    locale = make_locale(tmp_path, "de_DE.ISO-8859-1")
    assert b"Usage" in run(tmp_path, locale, verb, "--help")
