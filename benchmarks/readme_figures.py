#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""README's table of figures, made from a published session of `benchmarks/results`.

`scripts/bench.sh --publish` writes it. Without options this checks that README says what the
session says; `--write` writes it again; `--self-test` checks that a changed figure is found.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
SESSION = ROOT / "benchmarks" / "results" / "amd-epyc-2c.json"
GPU_PAGE = ROOT / "docs" / "gpu.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
PLAIN = "[plain_mgcfd.cpp](benchmarks/solver/plain_mgcfd.cpp)"
# What a row says, and the key of its figure in the session.
ROWS = (
    ("`mgcfd`, file order, 25 cycles", "run_natural"),
    ("`mgcfd`, randomly shuffled file, 25 cycles", "run_shuffled"),
    ("`mgcfd`, a cycle", "cycle_openmp_natural"),
    (f"the same method as plain scalar loops ({PLAIN}), a cycle", "cycle_yardstick"),
    ("`mgcfd`'s serial reference back end, a cycle", "cycle_serial_natural"),
    ("the same, shuffled file", "cycle_serial_shuffled"),
    ("two ranks against one", "speedup_2_ranks"),
)


def table(session: dict[str, Any]) -> str:
    """The table and its caption, Markdown, for one session file as read from JSON."""
    where = session["session"]
    figures = {figure["key"]: figure for figure in session["figures"]}
    sizes = where["sizes"]
    caption = (
        f"MG-CFD's method on {sizes['nodes'] / 1e6:g} M nodes and 4 levels, one core where nothing "
        f"else is said: {where['cpu']} with {where['cores']} cores, {where['started']}, halocline "
        f"{where['code']}, {sizes['repetitions']} repetitions in turns."
    )
    lines = [caption, "", "| | median | least to largest |", "|---|---|---|"]
    for words, key in ROWS:
        figure = figures[key]
        unit = figure["unit"]
        least, most = (number(figure[which]) for which in ("min", "max"))
        lines.append(f"| {words} | {number(figure['median'])} {unit} | {least}–{most} {unit} |")
    return "\n".join(lines)


def number(value: float) -> str:
    """Three figures that matter, no exponent; as `suite.report` shows them."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:#.3g}"


def with_table(readme: str, fragment: str) -> str:
    """The text of README with `fragment` between its marks.

    Raises:
        ValueError: the marks are missing.
    """
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"README.md has lost its marks {BEGIN} and {END}. Put them back.")
    return f"{before}{BEGIN}\n{fragment}\n{END}{after}"


def write(session: Path = SESSION) -> None:
    """Puts the table of a session into README."""
    fragment = table(json.loads(session.read_text(encoding="utf-8")))
    README.write_text(with_table(README.read_text(encoding="utf-8"), fragment), encoding="utf-8")


def faults(readme: str, session: dict[str, Any], gpu_page: str) -> list[str]:
    """One sentence for each figure of README that no published result has."""
    found = []
    if with_table(readme, table(session)) != readme:
        found.append(
            "README.md: the table of figures is not that of benchmarks/results (it was edited, or "
            "results were). Run benchmarks/readme_figures.py --write."
        )
    for line in readme.splitlines():
        if "docs/gpu.md#measured" in line:
            found += [
                f"README.md: docs/gpu.md has no {seconds} s. Take the figure from there."
                for seconds in re.findall(r"(0\.\d+) s", line)
                if f"{seconds} s" not in gpu_page
            ]
    return found


def _self_test(readme: str, session: dict[str, Any], gpu_page: str) -> int:
    changed = re.sub(r"\| \d\.\d\d s \|", "| 9.99 s |", readme, count=1)
    wrong_gpu = gpu_page.replace("0.0165 s", "0.0166 s")
    if not faults(changed, session, gpu_page) or not faults(readme, session, wrong_gpu):
        print("self-test FAILED: a changed figure was not found")
        return 1
    print("self-test: changed figures are found")
    return 0


def main() -> int:
    """Checks, or writes; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into README.md")
    parser.add_argument("--self-test", action="store_true", help="check that faults are found")
    chosen = parser.parse_args()
    if chosen.write:
        write()
    readme = README.read_text(encoding="utf-8")
    session = json.loads(SESSION.read_text(encoding="utf-8"))
    gpu_page = GPU_PAGE.read_text(encoding="utf-8")
    if chosen.self_test:
        return _self_test(readme, session, gpu_page)
    found = faults(readme, session, gpu_page)
    print("\n".join(found) or "README.md: its figures are published ones")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
