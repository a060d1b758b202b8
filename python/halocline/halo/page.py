# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The page of the halo experiment: self-contained HTML, exchange times over domains by scheme."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from halocline.halo.result import SCHEMES, Case, Result
from halocline.p2p.units import time_text
from halocline.page.curves import Across, Curve, curves
from halocline.page.render import markup, render_page
from halocline.page.svg import legend

FIELD_NAMES = {1: "a scalar, as pressure", 3: "a vector, as velocity", 9: "velocity gradients"}

#: Their exchanges are kernels, timed by the device itself: `exposed_s` holds nothing else.
TIMED_BY_DEVICE = ("peer",)


def page(result: Result) -> str:
    """Return the HTML page of a result."""
    runs = result.data["runs"]
    schemes = result.schemes()
    return render_page(
        "halocline.halo",
        "halo.html.j2",
        {
            "runs": runs,
            "code": result.data["code"],
            "domains": ", ".join(str(run["domains"]) for run in runs),
            "commands": [shlex.join(run["command"]) for run in runs],
            "places": _places(runs),
            "emulated": any(run["device"]["kind"] == "emulated" for run in runs),
            "turns": any(run["device"].get("takes_turns", False) for run in runs),
            "refused": _refused(runs),
            "tiles": _tiles(result),
            "legend": markup(legend([(f"s{SCHEMES.index(name)}", name) for name in schemes])),
            "plots": _plots(result),
            "schemes": schemes,
            "bytes": bytes_text,
            "traffic": [_traffic(result, vertices) for vertices in result.meshes()],
            "times": [_times(result, vertices) for vertices in result.meshes()],
            "shares": [_share(share) for share in result.data["records"]],
        },
    )


def _places(runs: Sequence[dict[str, Any]]) -> list[str]:
    """Where the runs were, each place once."""
    found = []
    for run in runs:
        device = run["device"]
        gpus = f"{device['gpus']} × " if device.get("gpus") else ""
        details = f" ({device['details']})" if device.get("details") else ""
        found.append(f"{run['host']}: {gpus}{device['name']}{details}, {run['mpi']}")
    return list(dict.fromkeys(found))


def _refused(runs: Sequence[dict[str, Any]]) -> list[str]:
    sentences = (f"{one['scheme']}: {one['reason']}" for run in runs for one in run["refused"])
    return list(dict.fromkeys(sentences))


def _plots(result: Result) -> list[dict[str, Any]]:
    plots = []
    for fields in result.fields():
        for vertices in result.meshes():
            title = f"{count_text(vertices)} vertices, M = {fields}"
            cases = result.cases(vertices)
            drawn = [_curve(cases, scheme, fields) for scheme in result.schemes()]
            svg = curves(drawn, f"exchange time, {title}", time_text, _across(cases))
            small = FIELD_NAMES.get(fields, "")
            plots.append({"title": title, "small": small, "svg": markup(svg)})
    return plots


def _across(cases: Sequence[Case]) -> Across:
    """Domains, of which those that were measured get a mark."""
    counts = [float(case.domains) for case in cases]
    return Across("domains", lambda count: f"{count:g}", lambda _low, _high: counts)


def _curve(cases: Sequence[Case], scheme: str, fields: int) -> Curve:
    rows = [(case.domains, case.row(scheme, fields)) for case in cases]
    points = [(float(domains), row["median_s"]) for domains, row in rows if row]
    return Curve(scheme, SCHEMES.index(scheme), points)


def _tiles(result: Result) -> list[dict[str, str]]:
    cases = [case for vertices in result.meshes() for case in result.cases(vertices)]
    checked = sum(row["checked_values"] for case in cases for row in case.mesh["rows"])
    rows = sum(len(case.mesh["rows"]) for case in cases)
    value = f"{checked:,}".replace(",", "\u2009")
    tiles = [_tile("values compared, all right", value, f"{rows} ledgers, all as the formulae say")]
    traffic = [factor for case in cases if (factor := traffic_factor(case)) is not None]
    if traffic:
        span = f"{min(traffic):.0f}–{max(traffic):.0f}×"
        tiles.append(_tile("bytes, whole / packed", span, "published: 20–50×"))
    tiles += _gain_tiles(result, "time, whole / packed", ("packed",))
    shares = [_share(share)["share"] for share in result.data["records"]]
    if shares:
        more = "published: 30 % → 6 %"
        tiles.append(_tile("halos' share of the run", " → ".join(shares[:2]), more))
    else:
        tiles += _gain_tiles(
            result, "time, whole / best", ("neighbour", "packed", "direct", "peer")
        )
    return tiles


def _tile(name: str, value: str, more: str) -> dict[str, str]:
    return {"name": name, "value": value, "more": more}


def _gain_tiles(result: Result, name: str, schemes: Sequence[str]) -> list[dict[str, str]]:
    """Where one of the schemes gains most over `whole`; none where none was measured beside it."""
    gains = [
        (gain, f"{scheme}, {count_text(vertices)}, {case.domains} domains, M = {fields}")
        for vertices in result.meshes()
        for case in result.cases(vertices)
        for fields in result.fields()
        for scheme in schemes
        if (gain := case.gain(scheme, fields)) is not None
    ]
    if not gains:
        return []
    gain, where = max(gains)
    return [_tile(f"{name}, at most", f"{gain:.1f}×", f"{where}; published: 7.5×")]


def traffic_factor(case: Case) -> float | None:
    """Return how many times more `whole` brings over the link than `packed`, both counted."""
    for row in case.mesh["rows"]:
        whole, packed = (case.row(name, row["fields"]) for name in ("whole", "packed"))
        if whole and packed and packed["link_bytes"] > 0:
            return float(whole["link_bytes"] / packed["link_bytes"])
    return None


def _traffic(result: Result, vertices: int) -> dict[str, Any]:
    rows = []
    for case in result.cases(vertices):
        for fields in result.fields():
            cells = []
            for scheme in result.schemes():
                row = case.row(scheme, fields)
                cells.append((row["link_copies"], bytes_text(row["link_bytes"])) if row else None)
            rows.append({"case": case, "fields": fields, "cells": cells})
    return {"vertices": count_text(vertices), "rows": rows}


def _times(result: Result, vertices: int) -> dict[str, Any]:
    rows = []
    for case in result.cases(vertices):
        for fields in result.fields():
            cells = []
            for scheme in result.schemes():
                row = case.row(scheme, fields)
                cells.append(_time_cell(row, case.gain(scheme, fields)) if row else None)
            rows.append({"domains": case.domains, "fields": fields, "cells": cells})
    return {"vertices": count_text(vertices), "rows": rows}


def _time_cell(row: dict[str, Any], gain: float | None) -> dict[str, str]:
    return {
        "median": time_text(row["median_s"]),
        "spread": f"{time_text(row['lower_s'])} – {time_text(row['upper_s'])}",
        "gain": "" if gain is None or row["scheme"] == "whole" else f"{gain:.2f}×",
    }


def _share(share: dict[str, Any]) -> dict[str, Any]:
    run_s, kernels_s = share["run_s"], share["kernels_s"]
    waited = percent_text(share["exposed_s"] / run_s)
    beside = None if kernels_s is None else percent_text(max(0.0, 1.0 - kernels_s / run_s))
    return {
        **share,
        "exchange": time_text(share["exchange_s"]),
        "waited": waited,
        "kernels": "–" if kernels_s is None else time_text(kernels_s),
        "beside": beside or "–",
        "share": waited if share["scheme"] in TIMED_BY_DEVICE else beside or waited,
        "run": time_text(run_s),
    }


def percent_text(part: float) -> str:
    """Return e.g. `6.2 %` for 0.062."""
    return f"{100 * part:.1f} %"


def count_text(count: float) -> str:
    """Return e.g. `0.49 M` for 493 039."""
    for scale, unit in ((1e6, "M"), (1e3, "K")):
        if count >= 0.1 * scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count:g}"


def bytes_text(size: int) -> str:
    """Return bytes in powers of 1000, three digits: `4.04 MB`."""
    for scale, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= scale:
            return f"{size / scale:.3g} {unit}"
    return f"{size} B"
