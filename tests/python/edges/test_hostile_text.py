# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Titles, file names, JSON and error texts that look like markup or carry terminal commands.

Every verb shows them as they are, with control characters spelt out, and ends with its own code.
"""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import h5py
import numpy as np
import pytest
from halocline.terminal import harmless, harmless_json, harmless_line

MARKUP = "[/x][red]m[bold] :warning: "
CONTROL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2028\x08\x7f"
HOSTILE = MARKUP + CONTROL
SPELT = r"\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2028\x08\x7f"
TURNING = ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")
NAME = "[/x][red]m\x1b[31m\u202e\x9b"
"""The same for a file name: no slash at its end, none of the signs that case files refuse."""


def acts_on_terminals(text: str) -> list[str]:
    """Characters that a terminal would obey, as Unicode itself classifies them."""
    return sorted(
        {
            character
            for character in text
            if character not in "\n\t"
            and (
                unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
                or unicodedata.bidirectional(character) in TURNING
            )
        }
    )


@pytest.fixture
def shown(halocline: Callable[..., Any]) -> Callable[..., Any]:
    """Run a command line in process and make sure that nothing it prints acts on the terminal."""

    def run(*words: object, code: int = 0) -> Any:
        done = halocline(*words)
        assert acts_on_terminals(done.out + done.err) == []
        assert done.code == code, done.err
        assert "internal error" not in done.err
        return done

    return run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a name that looks like markup and carries terminal commands."""
    made = tmp_path / NAME.replace("/", "")
    made.mkdir()
    return made


def one_line(text: str) -> str:
    """What a table has folded, as one line without blanks."""
    return re.sub(r"[\s│]+", "", text)


def poisoned(data: Any) -> Any:
    """The same JSON with hostile text appended to every string but schemas, kinds and times."""
    if isinstance(data, dict):
        kept = ("schema", "format", "family", "kind", "class", "state", "started", "thread_level")
        kept += (
            "ran_on",
            "strategy",
            "thread_provided",
            "columns",
            "cpus",
            "id",
            "end",
            "path",
            "mode",
        )
        return {
            key: value if key in kept and isinstance(value, str | list) else poisoned(value)
            for key, value in data.items()
        }
    if isinstance(data, list):
        return [poisoned(item) for item in data]
    return data + HOSTILE if isinstance(data, str) else data


def test_controls_are_spelt_out_and_all_else_stays() -> None:
    assert harmless("a\tb\nc — ü 🙂 [x]") == "a\tb\nc — ü 🙂 [x]"
    assert harmless(CONTROL) == SPELT
    assert harmless("caf\udce9") == r"caf\xe9"
    assert harmless_line("a\nb") == r"a\x0ab"
    assert json.loads(harmless_json(json.dumps(HOSTILE, ensure_ascii=False))) == HOSTILE
    every = "".join(map(chr, range(0x3000)))
    assert acts_on_terminals(harmless(every)) == []


@pytest.mark.usefixtures("stand_in")
def test_a_good_run_with_a_hostile_title_is_a_good_run(
    shown: Callable[..., Any], case_file: Path
) -> None:
    title = json.dumps(HOSTILE)
    done = shown("run", case_file, "--set", f"title={title}")
    assert one_line(MARKUP + SPELT) in one_line(done.out)
    shown("run", case_file, "--set", f"title={title}", "--json")
    shown("run", case_file, "--set", f"title={title}", "--dry-run")


@pytest.mark.usefixtures("stand_in")
def test_a_run_in_a_hostile_folder_with_a_hostile_record(
    shown: Callable[..., Any], case_file: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from halocline.documents.store import parse
    from halocline.launch import case_run
    from halocline.record.model import Record

    def hostile_record(path: Path) -> Record:
        return parse(Record, poisoned(json.loads(path.read_text())), "poisoned")

    monkeypatch.setattr(case_run, "read_record", hostile_record)
    moved = Path(shutil.move(case_file, folder / "case [b].toml"))
    shutil.move(case_file.parent / "mesh", folder / "mesh")
    done = shown("run", moved)
    assert "flux_edge[/x][red]m" in done.out
    recipe = ("--set", "mesh.directory=made", "--set", "mesh.make.shape=box")
    shown("run", moved, *recipe, "--set", "mesh.make.nodes=200", "--set", "mesh.make.levels=1")


def test_mistakes_in_words_and_files_are_told_without_acting(
    shown: Callable[..., Any], folder: Path
) -> None:
    shown(HOSTILE, code=2)
    shown("run", HOSTILE, code=3)
    shown("run", "--" + CONTROL.replace("\n", ""), code=2)
    shown("mesh", HOSTILE, code=2)
    shown("compare", folder, folder, code=3)
    shown("mesh", "info", folder, code=3)
    shown("mesh", "check", folder, code=3)
    shown("mesh", "make", "box", "--nodes", HOSTILE, "-o", folder, code=2)
    shown("plot", folder, code=3)
    shown("plot", "--record", folder, code=3)
    shown("p2p", "--from", folder / "none.json", code=3)
    shown("halo", "--from", folder / "none.json", code=3)
    shown("halo", "--domains", HOSTILE, code=2)
    shown("cores", "--from", folder / "none.json", code=3)
    shown("snapshot", "show", folder, code=3)
    shown("submit", "--status", HOSTILE, code=3)
    shown("submit", "--scheduler", HOSTILE, "--", "true", code=2)
    shown("endpoints", "--config", folder / "none.toml", "--", "true", code=3)
    case = folder / "case.toml"
    case.write_text(f"title = 3\n{json.dumps(HOSTILE)} = {json.dumps(HOSTILE)}\n")
    shown("run", case, code=3)
    case.write_bytes(b"\x1b[31m = \xff")
    shown("run", case, code=3)


def test_meshes_with_hostile_names(shown: Callable[..., Any], folder: Path) -> None:
    shown("mesh", "make", "box", "--nodes", 200, "--levels", 1, "-o", folder)
    with h5py.File(folder / "mesh.L0.h5", "r+") as mesh:
        mesh.attrs["bnd_group_names"] = json.dumps({str(n): HOSTILE for n in range(8)})
        mesh.attrs["shape"] = mesh.attrs["length_unit"] = HOSTILE + "$\\frac$"
        mesh.attrs[MARKUP] = HOSTILE
    done = shown("mesh", "info", folder)
    assert one_line(SPELT) in one_line(done.out)
    shown("mesh", "info", folder, "--json")
    shown("mesh", "check", folder)
    shown("mesh", "check", folder, "--json")
    shown("plot", folder, "-o", folder / "a.png", "--size", "300x200")
    words = ("--size", "300x200", "--title", HOSTILE + "$\\frac$", "--json")
    shown("plot", folder, "-o", folder / "b.png", *words)
    with h5py.File(folder / "mesh.L0.h5", "r+") as mesh:
        mesh["edge-->node"][0] = 10**6
    (folder / "mesh.L0.h5").rename(folder / f"{NAME.replace('/', '')}.h5")
    index = (folder / "input.dat").read_text()
    (folder / "input.dat").write_text(index.replace("mesh.L0", NAME.replace("/", "")))
    shown("mesh", "check", folder, code=3)


def test_results_with_hostile_names(shown: Callable[..., Any], folder: Path) -> None:
    for name, value in (("a.h5", 1.0), ("b.h5", 2.0)):
        with h5py.File(folder / name, "w") as file:
            file[HOSTILE.replace("/", "|")] = np.full(3, value)
            file[f"{name} [bold]\x1b"] = 0.0
    done = shown("compare", folder / "a.h5", folder / "b.h5", code=6)
    assert one_line("[|x][red]m[bold] :warning: " + SPELT) in one_line(done.out)
    shown("compare", folder / "a.h5", folder / "b.h5", "--json", code=6)


def test_records_with_hostile_text(
    shown: Callable[..., Any], folder: Path, record_file: Path
) -> None:
    record = folder / "record.json"
    record.write_text(json.dumps(poisoned(json.loads(record_file.read_text()))))
    shown("plot", "--record", record, "-o", folder / "loops.png", "--json")


def test_snapshots_with_hostile_text(
    shown: Callable[..., Any], folder: Path, snapshot_ranks: ModuleType
) -> None:
    rf = snapshot_ranks
    for name, ranks in (("before", 2), ("after", 3)):
        made = rf.write_files(folder / name, rf.solver_run(ranks))
        shown("snapshot", "show", made)
        report = made / "snapshot.json"
        report.write_text(json.dumps(poisoned(json.loads(report.read_text()))))
    before, after = folder / "before", folder / "after"
    done = shown("snapshot", "show", before)
    assert "[/x][red]m" in done.out
    shown("snapshot", "show", before, "--json")
    shown("snapshot", "diff", before, after)
    shown("snapshot", "diff", before, after, "--json")
    page = folder / "scale.html"
    shown("snapshot", "scale", before, after, "-o", page)
    shown("snapshot", "scale", before, after, "-o", page, "--json")


def test_jobs_with_hostile_text(
    shown: Callable[..., Any], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    words = ("submit", "--scheduler", "local", "--interval", 0.1)
    shown(*words, "--dry-run", "--", "echo", HOSTILE)
    shown(*words, "--dry-run", "--json", "--", "echo", HOSTILE)
    shown(*words, "--wait", "--", "echo", HOSTILE)
    shown("submit", "--status", "echo.job.json")
    shown("submit", "--status", "echo.job.json", "--json")


def test_launch_lines_with_hostile_words(
    shown: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool in ("snapshot-openmpi", "endpoints-openmpi"):
        (tmp_path / f"libhalocline-{tool}.so").touch()
    monkeypatch.setenv("HALOCLINE_TOOLS", str(tmp_path))
    for verb in ("snapshot", "endpoints"):
        line = (verb, "--mpi", "openmpi", "--dry-run")
        shown(*line, "--", "./app", HOSTILE)
        shown(*line, "--json", "--", "./app", HOSTILE)


def test_the_doctor_shows_what_programs_answer(
    shown: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from halocline.doctor import examine
    from halocline.doctor.fact import Fact, State

    facts = [Fact(HOSTILE, HOSTILE, State.MISSING, found_by=HOSTILE, remedy=HOSTILE)]
    monkeypatch.setattr(examine, "examine", lambda: {HOSTILE: facts})
    done = shown("doctor", code=4)
    assert MARKUP.split(maxsplit=1)[0] in done.out
    shown("doctor", "--json", code=4)


def test_pages_escape_what_they_show(snapshot_ranks: ModuleType) -> None:
    from halocline.documents.store import parse
    from halocline.snapshot.html import html_page
    from halocline.snapshot.merge import Launch, merge
    from halocline.snapshot.model import Snapshot

    rf, tag = snapshot_ranks, "<script>alert(1)</script>\"'"
    report = merge(rf.parsed(rf.solver_run(2)), Launch(["app"], 0, 1.0))
    text = json.dumps(poisoned(report.plain()))
    text = text.replace(json.dumps(HOSTILE)[1:-1], json.dumps(tag)[1:-1])
    page = html_page(parse(Snapshot, json.loads(text), "poisoned"))
    assert "alert(1)" in page
    assert "<script>alert" not in page


def test_there_is_one_way_to_the_terminal() -> None:
    """No markup is read anywhere, and only two modules print."""
    package = Path(__file__).parents[3] / "python" / "halocline"
    offences = {
        "markup": r"rich\.markup|from_markup|rich\.console import .*\bConsole\b|\[/\w*\]\"",
        "printing": r"(?<![\w.])print\(|typer\.echo\(|\.secho\(|sys\.std(out|err)\.write",
    }
    allowed = {
        "markup": {"screen.py", "cli/problems.py"},  # the latter: heads of help pages
        "printing": {"terminal.py", "cli/output.py", "cli/submit.py"},  # the latter: a script
    }
    for kind, pattern in offences.items():
        users = {
            str(path.relative_to(package))
            for path in package.rglob("*.py")
            if re.search(pattern, path.read_text(encoding="utf-8"))
        }
        assert users <= allowed[kind], kind
