# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A host whose memory saturates at six cores: what runs on up to four cannot know of eight.

An edge takes 1 ns of computing and moves BYTES bytes, which one core brings in 1 ns; all cores
together are brought no more than six of them ask for. So a loop is 1/2 + 1/2 max(1, c/6) times
slower on c busy cores: 7/6 on eight.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from halocline.cores.result import CoresResult
from halocline.documents.store import parse
from halocline.forecast.busy_host import BusyCores, BusyHost, Load, busy_host_of
from halocline.forecast.costs import costs_of
from halocline.forecast.forecast import Question, forecast
from halocline.forecast.machine import Machine
from halocline.forecast.network import Link
from halocline.forecast.page import page
from halocline.forecast.parts import Division
from halocline.forecast.report import Forecast
from halocline.forecast.solvers import Collectives
from halocline.forecast.validation import Check, Setting, validate

sys.path += [str(Path(__file__).parent), str(Path(__file__).parents[1] / "cores")]
import made_cores
import made_up

BYTES = 20
CORE_RATE = BYTES / 1e-9  # bytes a second of a core alone
SATURATED_AT = 6
LINK = Link(made_up.LATENCY_S, made_up.BYTES_PER_S, "made up")
MIB = 1 << 20


def slower(cores: int) -> float:
    """What is true of the made-up host."""
    return 0.5 + 0.5 * max(1.0, cores / SATURATED_AT)


def host(*counts: int, **more: Any) -> BusyHost:
    found = busy_host_of(
        parse(CoresResult, made_cores.result(*counts, **more), "made up"), "cores.json"
    )
    assert found is not None
    return found


HOST = host(1, 2, 4, 8, 16)


def divide(parts: int, *_way: str) -> Division:
    return made_up.division(parts)


def run(cores: int, factor: float | None = None) -> Any:
    made = made_up.run(cores, slower(cores) if factor is None else factor, BYTES)
    memory = made.record.memory
    parts = memory.parts
    assert parts is not None
    large = parts.changed(map_bytes=512 * MIB, plan_bytes=0, dat_bytes=0)
    return replace(made, record=made.record.changed(memory=memory.changed(parts=large)))


def last_check(known: BusyHost | None, *counts: int) -> Check:
    setting = Setting(divide, LINK, None, Collectives(), ("x", "auto"), known)
    return validate([run(count) for count in counts], setting)[-1]


def test_memory_that_saturates_at_six_cores_is_foretold_of_eight_from_four() -> None:
    """Within a hundredth: calls without elements are no bytes, but slow down with them here."""
    assert last_check(HOST, 1, 2, 4, 8).error == pytest.approx(0.0, abs=0.01)
    assert last_check(HOST, 1, 2, 4, 16).error == pytest.approx(0.0, abs=0.01)


def test_without_the_host_it_is_missed_as_before() -> None:
    assert last_check(None, 1, 2, 4, 8).error == pytest.approx(1.0 / slower(8) - 1.0, abs=0.01)


def test_measured_points_of_the_case_win() -> None:
    """The case was slowed by a half on 8 cores, the host says a sixth: a half is foretold."""
    costs = costs_of([run(1), run(4), run(8, 1.5)], host=HOST)
    loop = costs.loops[0]
    assert costs.slowdown(loop, 8, 8) == pytest.approx(1.0)  # of the base, which is 1.5 slower
    assert costs.slowdown(loop, 1, 1) == pytest.approx(1 / 1.5)
    grown = HOST.slower(16, 8, Load(costs.memory_shares[loop.key], 512 * MIB / 16))
    assert costs.slowdown(loop, 16, 16) == pytest.approx(grown)
    assert grown > 1.2


def test_a_loop_is_split_by_its_bytes() -> None:
    """Of 2 ns bytes need 1; a loop that moves more than memory brings is all memory."""
    assert HOST.memory_share(BYTES, 2e-9, 4, 64 * MIB) == pytest.approx(0.5)
    assert HOST.memory_share(10 * BYTES, 2e-9, 4, 64 * MIB) == 1.0
    assert HOST.memory_share(BYTES, 0.0, 4, 64 * MIB) == 0.0


def test_what_lies_in_caches_does_not_wait_for_memory() -> None:
    assert HOST.slower(16, 4, Load(0.5, MIB / 4)) == pytest.approx(1.0)
    assert HOST.slower(16, 4, Load(0.5, 64 * MIB)) == pytest.approx(0.5 + 0.5 * 16 / 6)


def test_a_clock_that_falls_slows_what_moves_nothing() -> None:
    falling = host(1, 2, 4, 8, clock=lambda cores: 1.0 if cores < 8 else 0.8)
    assert falling.slower(8, 4, Load(0.0, MIB)) == pytest.approx(1.25)
    assert falling.slower(6, 4, Load(0.0, MIB)) == pytest.approx(1.125)  # straight between


def test_beyond_the_cores_of_the_host_it_goes_on_along_the_last_two() -> None:
    """8 to 16 cores: 16/6 − 8/6 in 8; so 24 cores wait 24/6 as long as one."""
    assert HOST.slower(24, 1, Load(1.0, 64 * MIB)) == pytest.approx(4.0)


def test_more_busy_cores_never_make_it_faster() -> None:
    """A row that noise made faster counts as the one before."""
    noisy = BusyHost("x", "y", (BusyCores(1, 1.0, ((1e6, 1.0),)), BusyCores(2, 0.9, ((1e6, 0.8),))))
    assert noisy.slower(2, 1, Load(0.5, 1e6)) == 1.0


def made_forecast(known: BusyHost | None, *ranks: int) -> Forecast:
    question = Question("made up", Path("m"), ranks, (("sfc", "geom"),), Collectives())
    runs = [run(count) for count in (1, 2, 4)]
    return forecast(question, runs, Machine(LINK, LINK, 8, 8), divide, known)


def test_it_is_the_component_sharing_and_components_add_up() -> None:
    with_host, without = (made_forecast(one, 8).ways[0].rows[0] for one in (HOST, None))
    for row in (with_host, without):
        assert sum(row.components.plain().values()) == pytest.approx(row.cycle_s)
    assert without.components.sharing == pytest.approx(0.0, abs=1e-12)
    assert with_host.components.sharing == pytest.approx(with_host.cycle_s - without.cycle_s)
    assert with_host.components.sharing == pytest.approx(
        made_up.CALLS * 2e-9 * (made_up.NODES + made_up.COARSE) / 8 / 6, rel=0.01
    )


def test_the_host_is_told_in_file_and_page() -> None:
    made = made_forecast(HOST, 8)
    assert made.busy_host is not None
    assert made.busy_host.memory_share == pytest.approx(0.5, abs=0.01)
    eight = next(point for point in made.busy_host.points if point.cores == 8)
    assert eight.memory_bytes_per_s == pytest.approx(CORE_RATE * 6 / 8)
    assert eight.slower == pytest.approx(slower(8), abs=0.01)
    text = page(made, "halocline forecast")
    assert "Busy cores of a host" in text
    assert "× 1.17" in text
    assert "cores.json" in text


def test_doubts_tell_where_the_factor_comes_from() -> None:
    assert "Measure them: halocline cores" in " ".join(made_forecast(None, 8).doubts)
    assert "measured without the case." in " ".join(made_forecast(HOST, 8).doubts)
    assert "without the case up to 4" in " ".join(made_forecast(host(1, 2, 4), 8).doubts)
    assert "Hosts would keep" not in " ".join(made_forecast(HOST, 4).doubts)


def test_a_host_of_another_processor_is_doubted() -> None:
    record = run(4).record
    hosts = [one.changed(cpu="a processor") for one in record.hosts]
    runs = [run(2), replace(run(4), record=record.changed(hosts=hosts))]
    question = Question("x", Path("m"), (8,), (("sfc", "geom"),), Collectives())
    made = forecast(question, runs, Machine(LINK, LINK, 8, 8), divide, HOST)
    assert "cores.json is of a made up, runs are of a processor" in " ".join(made.doubts)


def test_nothing_is_known_of_devices() -> None:
    devices = [
        replace(one, record=one.record.changed(layout=one.record.layout.changed(gpus=one.ranks)))
        for one in (run(1), run(2))
    ]
    assert costs_of(devices, host=HOST).host is None


def test_a_result_without_memory_is_refused(
    tmp_path: Path, halocline: Callable[..., Any], case_file: Path
) -> None:
    data = made_cores.result(1, 2)
    data["rows"] = [row for row in data["rows"] if row["work"] != "triad"]
    file = tmp_path / "cores.json"
    file.write_text(json.dumps(data))
    words = ("--network", "latency=1us,bandwidth=1GB/s", "--cores", file, "--dry-run")
    refused = halocline("forecast", case_file, *words)
    assert refused.code == 3
    assert "has no row of multiply_add with rows of triad" in refused.err


def test_a_dry_run_tells_whether_the_host_is_measured(
    tmp_path: Path, halocline: Callable[..., Any], case_file: Path
) -> None:
    words = ("--network", "latency=1us,bandwidth=1GB/s", "--dry-run")
    assert "what busy cores do to each other" in halocline("forecast", case_file, *words).out
    file = tmp_path / "cores.json"
    file.write_text(json.dumps(made_cores.result(1, 2)))
    told = halocline("forecast", case_file, *words, "--cores", file, "--json")
    assert told.data["cores"] == str(file)
