# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`halocline forecast CASE.toml`: runs on more ranks than are here; parsing and printing only."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from halocline.cli.output import DryRunFlag, JsonFlag, console, print_json, table
from halocline.cli.problems import examples
from halocline.terminal import note, say

if TYPE_CHECKING:
    from halocline.forecast.planning import Plan
    from halocline.forecast.report import BusyHostPart, Forecast

EXAMPLES = examples(
    "halocline forecast case.toml --ranks 64,256,1024,10000 "
    "--network latency=1.5us,bandwidth=12.5GB/s",
    "halocline forecast case.toml --ranks 128,1024 --network p2p.json -m ptscotch -m sfc:geom",
    "halocline forecast case.toml --record out1 --record out4 --ranks-per-host 64 "
    "--network p2p.json",
    "halocline forecast case.toml --record out1 --record out4 --cores cores/cores.json "
    "--network p2p.json",
    "halocline forecast gpu.toml --record h100 --record h100x2 --ranks 4,16,64 --network p2p.json",
    "halocline forecast --from forecast/forecast.json",
)


def command(
    case: Annotated[
        Path | None, typer.Argument(help="Case file (TOML).", show_default=False)
    ] = None,
    ranks: Annotated[
        str, typer.Option("--ranks", "-n", help="Numbers of ranks to predict.")
    ] = "64,256,1024",
    network: Annotated[
        str | None,
        typer.Option(
            "--network",
            help="Between hosts: latency=1.5us,bandwidth=12.5GB/s, or a result of halocline p2p.",
        ),
    ] = None,
    inside: Annotated[
        str | None,
        typer.Option("--inside", help="The same between ranks of a host; measured by default."),
    ] = None,
    partitioner: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--partitioner",
            metavar="NAME[:METHOD]",
            help="Repeatable; the case's by default.",
        ),
    ] = None,
    record: Annotated[
        list[Path] | None,
        typer.Option("--record", help="Run record to take costs from; repeatable, no run then."),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option("--measure", help="Ranks to run here for costs; powers of 2 by default."),
    ] = None,
    cycles: Annotated[int, typer.Option(min=1, help="Cycles of each of these runs.")] = 10,
    repeats: Annotated[
        int, typer.Option(min=1, help="Runs of each number of ranks; medians count.")
    ] = 5,
    ranks_per_host: Annotated[
        int | None, typer.Option("--ranks-per-host", min=1, help="Default: the cores of this host.")
    ] = None,
    cores_per_host: Annotated[
        int | None, typer.Option("--cores-per-host", min=1, help="Default: a core for each thread.")
    ] = None,
    device_link: Annotated[
        str | None,
        typer.Option("--device-link", help="GPU to host, where halos pass through the host."),
    ] = None,
    cores: Annotated[
        Path | None,
        typer.Option(
            "--cores",
            help="What busy cores do to each other: a result of halocline cores. Without --record "
            "it is measured here.",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a key of the case; repeatable."),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder for forecast.json and forecast.html.")
    ] = Path("forecast"),
    from_file: Annotated[
        Path | None, typer.Option("--from", help="Show a forecast again; compute nothing.")
    ] = None,
    dry_run: DryRunFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Predict time of a cycle, efficiency and memory of a case on thousands of ranks.

    Runs the case here on a few ranks for what its loops cost (or takes
    records), divides its mesh into as many parts as asked, and adds what links
    cost. Measured points are left out and predicted, so that the error is
    known. docs/forecast.md has the model.
    """
    from halocline.forecast.planning import Options, plan_forecast, run_plan
    from halocline.forecast.report import FORECAST

    if from_file is not None:
        _show(FORECAST.read(from_file), as_json)
        return
    options = Options(
        case=case,
        ranks=ranks,
        network=network,
        inside=inside,
        partitioners=tuple(partitioner or ()),
        records=tuple(record or ()),
        measure=measure,
        cycles=cycles,
        repeats=repeats,
        ranks_per_host=ranks_per_host,
        cores_per_host=cores_per_host,
        device_link=device_link,
        settings=tuple(settings or ()),
        output=output,
        cores=cores,
    )
    plan = plan_forecast(options)
    if dry_run:
        _show_plan(plan, as_json)
        return
    made = run_plan(plan, shlex.join(["halocline", *sys.argv[1:]]))
    _show(made, as_json)
    note(f"the page is {output / 'forecast.html'}, the figures are {output / 'forecast.json'}")


def _show_plan(plan: Plan, as_json: bool) -> None:
    if as_json:
        print_json(plan.plain())
        return
    for sentence in plan.sentences():
        say(sentence)


def _show(forecast: Forecast, as_json: bool) -> None:
    if as_json:
        print_json(forecast.plain())
        return
    from halocline.forecast.explain import what_all_do

    screen = console()
    for way in forecast.ways:
        screen.print(_way_table(forecast, way))
        screen.print(way.stops)
    screen.print(what_all_do(forecast))
    if forecast.checks:
        screen.print(_checks_table(forecast))
    if forecast.busy_host is not None:
        screen.print(_cores_table(forecast.busy_host))
    for sentence in forecast.doubts:
        screen.print(f"Mind: {sentence}")


def _way_table(forecast: Forecast, way: Any) -> Any:
    from halocline.forecast.explain import MEANINGS
    from halocline.wording import bytes_words, seconds_words

    numbers = ("ranks", "cycle", "effic.", "computing", "messages", "coarse", "memory", "imbal.")
    made = table(f"{forecast.case} by {way.name}", *numbers, "nbrs", "largest loss", right=numbers)
    for row in way.rows:
        parts = row.components.plain()
        computing = sum(parts[part] for part in ("work", "calls", "cut", "imbalance", "sharing"))
        messages = sum(parts[part] for part in ("packing", "latency", "late", "bandwidth", "sums"))
        loss = max((part for part in parts if part != "work"), key=lambda part: parts[part])
        made.add_row(
            f"{row.ranks:,}",
            seconds_words(row.cycle_s),
            f"{100 * row.efficiency:.0f} %",
            f"{100 * computing / row.cycle_s:.0f} %",
            f"{100 * messages / row.cycle_s:.0f} %",
            f"{100 * (1 - row.levels_s[0] / row.cycle_s):.0f} %",
            bytes_words(row.memory_bytes),
            f"{row.imbalance:.3f}",
            f"{row.neighbours_mean:.1f} {row.neighbours_max}",
            f"{100 * parts[loss] / row.cycle_s:.0f} % {MEANINGS[loss]}",
        )
    return made


def _cores_table(host: BusyHostPart) -> Any:
    from halocline.p2p.units import rate_text

    numbers = ("busy cores", "computing", "memory a core", "a rank's share a core", "a mean loop")
    share = f"{100 * host.memory_share:.0f} % of loops' time moves bytes"
    made = table(f"Busy cores of a host: {share}", *numbers, right=numbers)
    for point in host.points:
        made.add_row(
            str(point.cores),
            f"{100 * point.computing:.0f} %",
            rate_text(point.memory_bytes_per_s),
            rate_text(point.share_bytes_per_s),
            f"x {point.slower:.2f}",
        )
    return made


def _checks_table(forecast: Forecast) -> Any:
    from halocline.wording import seconds_words

    numbers = ("ranks", "measured", "predicted", "error", "threads a core")
    made = table("Left out and predicted", *numbers, "from ranks", right=numbers)
    for check in forecast.checks:
        made.add_row(
            str(check.ranks),
            seconds_words(check.measured_s),
            seconds_words(check.predicted_s),
            f"{100 * check.error:+.0f} %",
            f"{check.crowding:g}",
            ", ".join(str(ranks) for ranks in check.known),
        )
    return made
