# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The scaling study as an HTML page and as a terminal page."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from halocline import __version__
from halocline.page.render import markup, render_page
from halocline.snapshot.figures.message_sizes import message_sizes
from halocline.snapshot.figures.scale_charts import (
    elapsed_columns,
    function_columns,
    scale_words,
    share_columns,
    speed_up_lines,
)
from halocline.snapshot.model import Histogram, Snapshot
from halocline.snapshot.scale import OTHERS, Scaling
from halocline.snapshot.terminal import plain_table
from halocline.snapshot.view import command_words, library_words, percent_words
from halocline.wording import bytes_words, count_words, seconds_words

GOOD_EFFICIENCY_PERCENT = 80.0


def summary(study: Scaling) -> tuple[str, str]:
    """Return two sentences: how far it scales, and which function grows most."""
    first, last = study.points[0], study.points[-1]
    good = [p for p in study.points if p.efficiency_percent >= GOOD_EFFICIENCY_PERCENT]
    limit = f"{GOOD_EFFICIENCY_PERCENT:.0f} %"
    reach = f"up to {scale_words(good[-1])} it stays above {limit}"
    if good == [first]:
        reach = f"it is below {limit} from {scale_words(study.points[1])} on"
    finding = (
        f"From {scale_words(first)} to {scale_words(last)} the speed-up is {last.speed_up:.2f} "
        f"(efficiency {last.efficiency_percent:.0f} %); {reach}."
    )
    growth = {
        name: last.function_s[name] / last.elapsed_s - first.function_s[name] / first.elapsed_s
        for name in study.functions
    }
    name = max(growth, key=growth.__getitem__, default=OTHERS)
    if growth.get(name, 0.0) <= 0.0:
        return finding, "No MPI function takes a larger share at the larger scale."
    more = (
        f"{name} grows most, by {100 * growth[name]:.1f} percentage points of the elapsed time; "
        f"MPI takes {last.mpi_percent:.0f} % at {scale_words(last)}."
    )
    return finding, more


def scale_html(study: Scaling, example: Snapshot) -> str:
    """Return the page; `example` is any of the snapshots, for command and library."""
    sizes = [Histogram(function=scale_words(p), bins=p.sizes) for p in study.points]
    return render_page(
        "halocline.snapshot",
        "scale.html.j2",
        {
            "study": study,
            "labels": [scale_words(point) for point in study.points],
            "command": command_words(example),
            "library": library_words(example),
            "made_by": f"halocline {__version__}",
            "summary": summary(study),
            "speed_up": markup(speed_up_lines(study)),
            "elapsed": markup(elapsed_columns(study)),
            "functions": markup(function_columns(study)),
            "shares": markup(share_columns(study)),
            "sizes": markup(message_sizes(sizes, {}, rows=len(sizes), css="s0")),
            "seconds": seconds_words,
            "bytes": bytes_words,
            "count": count_words,
            "percent": percent_words,
        },
    )


def scale_terminal(study: Scaling) -> RenderableType:
    """Return the page for a terminal."""
    finding, more = summary(study)
    parts: list[RenderableType] = [
        Text.assemble((f"{study.program}: ", "bold"), (finding, "bold"), " ", more),
        *(Text(f"! {caution}", style="yellow") for caution in study.cautions),
        "",
    ]
    columns = ("elapsed", "speed-up", "efficiency", "MPI", "imbalance", "messages", "bytes")
    made = plain_table("Scaling", "scale", *columns)
    for point in study.points:
        imbalance = point.imbalance_percent
        made.add_row(
            scale_words(point),
            seconds_words(point.elapsed_s),
            f"{point.speed_up:.2f}",
            percent_words(point.efficiency_percent),
            percent_words(point.mpi_percent),
            "–" if imbalance is None else percent_words(imbalance),
            count_words(point.messages),
            bytes_words(point.bytes),
        )
    names = [*study.functions, OTHERS]
    functions = plain_table("MPI time by function, mean of ranks", "function", *_labels(study))
    for name in names:
        cells = [f"{seconds_words(point.function_s[name])}" for point in study.points]
        functions.add_row(name, *cells)
    return Group(*parts, made, "", functions)


def _labels(study: Scaling) -> list[str]:
    return [scale_words(point) for point in study.points]
