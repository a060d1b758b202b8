# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Schemas, key tables, examples and pages of studies follow the models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from halocline.case.load import parse_model
from halocline.documents.toml import read_toml
from halocline.study.design import points_of
from halocline.study.figures.selection import MOST_ROWS
from halocline.study.markdown import markdown
from halocline.study.model import StudyFile
from halocline.study.page import page
from halocline.study.result import StudyResult
from studies import many_points

TOP = Path(__file__).parents[3]
EXAMPLES = sorted((TOP / "examples" / "studies").glob("*.toml"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_examples_are_studies_with_a_check(file: Path) -> None:
    study = parse_model(StudyFile, read_toml(file), str(file))
    assert len(points_of(study, str(file))) > 2
    assert study.check is not None
    assert study.run.time_limit == "2m"
    assert file.name in file.with_name("README.md").read_text()


def test_a_page_of_a_hundred_points_is_small_and_stands_alone() -> None:
    text = page(many_points(100))
    assert len(text.encode()) < 300_000  # 3 MB are allowed
    assert "<script" not in text
    assert "http" not in text.replace("http://www.w3.org", "")
    assert text.count("p0") >= 100
    assert text.count('text-anchor="end"') < 8 * MOST_ROWS


def test_a_page_escapes_what_programs_say() -> None:
    result = many_points(3)
    hostile = result.points[1].changed(
        label="<b>&", state="failed", why="<i>", last_lines=["<script>alert(1)</script>"]
    )
    made = result.changed(points=[result.points[0], hostile, result.points[2]])
    assert "<script" not in page(made)
    assert "\\<b\\>" in markdown(made)


def test_markdown_has_a_row_a_point() -> None:
    text = markdown(many_points(100))
    assert sum(line.startswith("| setting = ") for line in text.splitlines()) >= 99
    widths = {line.count("|") for line in text.splitlines() if line.startswith("| setting = ")}
    assert len(widths) <= 2


def test_results_survive_writing() -> None:
    result = many_points(5)
    assert json.loads(json.dumps(result.plain()))["schema"] == "halocline.study"
    assert isinstance(result, StudyResult)
