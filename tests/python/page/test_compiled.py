# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Compiled templates are kept, and are of the template that is there."""

from __future__ import annotations

import sys
from pathlib import Path

import jinja2
import pytest
from halocline.page import compiled

OPTIONS = {"autoescape": True, "trim_blocks": True, "lstrip_blocks": True}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for compiled templates."""
    monkeypatch.setattr(compiled, "FOLDER", tmp_path / "__pycache__")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path / "__pycache__"


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of templates that were compiled."""
    seen: list[str] = []
    real = jinja2.Environment.compile

    def noting(self: jinja2.Environment, source: str, name: str, *more: object) -> object:
        seen.append(name)
        return real(self, source, name, *more)  # type: ignore[call-overload]

    monkeypatch.setattr(jinja2.Environment, "compile", noting)
    return seen


def rendered(templates: Path, **options: bool) -> str:
    """What the page of a new process says."""
    environment = jinja2.Environment(  # noqa: S701 - with and without
        loader=jinja2.FileSystemLoader(templates),
        bytecode_cache=compiled.CompiledTemplates(),
        **(OPTIONS | options),  # type: ignore[arg-type]
    )
    return environment.get_template("page").render(x="<")


def test_a_template_is_compiled_once(tmp_path: Path, compilations: list[str]) -> None:
    (tmp_path / "page").write_text("x is {{ x }}")
    assert rendered(tmp_path) == rendered(tmp_path) == "x is &lt;"
    assert compilations == ["page"]


def test_a_changed_template_is_compiled_again(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("{{ x }}")
    rendered(tmp_path)
    (tmp_path / "page").write_text("new {{ x }}")
    assert rendered(tmp_path) == "new &lt;"


def test_other_options_make_other_code(tmp_path: Path) -> None:
    (tmp_path / "page").write_text("{{ x }}")
    assert [rendered(tmp_path, autoescape=option) for option in (True, False)] == ["&lt;", "<"]


@pytest.mark.parametrize("damage", [b"", b"j2", b"\x00" * 3000])
def test_damaged_code_is_compiled_again(tmp_path: Path, folder: Path, damage: bytes) -> None:
    (tmp_path / "page").write_text("{{ x }}")
    rendered(tmp_path)
    (kept,) = folder.iterdir()
    kept.write_bytes(damage)
    assert rendered(tmp_path) == "&lt;"


def test_nothing_is_kept_where_python_keeps_nothing(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    (tmp_path / "page").write_text("{{ x }}")
    assert rendered(tmp_path) == "&lt;"
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(compiled, "FOLDER", tmp_path / "file" / "__pycache__")
    (tmp_path / "page").write_text("{{ x }}")
    assert rendered(tmp_path) == "&lt;"
