# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The report as one self-contained HTML page."""

from __future__ import annotations

from functools import partial

from halocline.page.render import load_template, markup, render_page
from halocline.page.svg import SERIES
from halocline.snapshot.figures.binding_map import binding_map
from halocline.snapshot.figures.message_sizes import message_sizes
from halocline.snapshot.figures.rank_bars import LYING_BARS, rank_bars
from halocline.snapshot.figures.rank_matrix import rank_matrix, traffic_words
from halocline.snapshot.model import Snapshot
from halocline.snapshot.view import (
    FORMULAE,
    buffer_words,
    cautions,
    command_words,
    cpu_list_words,
    data_files,
    library_words,
    named_phases,
    notable_ranks,
    path_words,
    percent_words,
    phase_functions_words,
    sampled_words,
    tiles,
    top_functions,
    top_sites,
    uneven_regions,
    untimed_words,
    where_words,
)
from halocline.wording import bytes_words, count_words, seconds_words

PACKAGE = "halocline.snapshot"
TEMPLATE = "snapshot.html.j2"
RANK_ROWS = 10
SITE_ROWS = 8
CAUTIONS = 8
FILE_ROWS = 5
REGION_ROWS = 4


def load_page_template() -> None:
    """Compile the template of the page."""
    load_template(PACKAGE, TEMPLATE)


def html_page(snapshot: Snapshot) -> str:
    """Return the page."""
    colours = function_colours(snapshot)
    return render_page(
        PACKAGE,
        TEMPLATE,
        {
            "snapshot": snapshot,
            "long": len(snapshot.ranks) > LYING_BARS,
            "cautions": cautions(snapshot, CAUTIONS),
            "where": where_words(snapshot),
            "library": library_words(snapshot),
            "command": command_words(snapshot),
            "tiles": tiles(snapshot),
            "functions": top_functions(snapshot),
            "untimed": untimed_words(snapshot),
            "sampled": sampled_words(snapshot),
            "phases": named_phases(snapshot),
            "phase_functions": phase_functions_words,
            "colours": colours,
            "sites": top_sites(snapshot, SITE_ROWS),
            "ranks": notable_ranks(snapshot, RANK_ROWS),
            "files": data_files(snapshot)[:FILE_ROWS],
            "regions": uneven_regions(snapshot)[:REGION_ROWS],
            "buffers": buffer_words(snapshot),
            "formulae": FORMULAE,
            "bars": markup(rank_bars(snapshot)),
            "sizes": markup(message_sizes(snapshot.histograms, colours)),
            "matrix_kind": traffic_words(snapshot.links),
            "matrix": markup(rank_matrix(snapshot.links, len(snapshot.ranks))),
            "binding": markup(binding_map(snapshot)),
            "seconds": seconds_words,
            "bytes": bytes_words,
            "count": count_words,
            "percent": percent_words,
            "cpus": cpu_list_words,
            "shown_path": partial(path_words, snapshot),
        },
    )


def function_colours(snapshot: Snapshot) -> dict[str, str]:
    """Return the colour class of each top function; all drawings of a page share it."""
    names = [function.name for function in top_functions(snapshot)]
    return {name: f"s{place % SERIES}" for place, name in enumerate(names)}
