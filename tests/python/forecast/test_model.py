# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The model against small cases computed by hand, its monotony, a case whose answer is known."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from halocline.errors import HaloclineError
from halocline.forecast.costs import Contention, Costs, costs_of
from halocline.forecast.curve import fit
from halocline.forecast.explain import efficiencies, where_it_stops
from halocline.forecast.linear_levels import LevelSize
from halocline.forecast.machine import Machine
from halocline.forecast.measured import Exchange, merged
from halocline.forecast.messages import exchange_seconds, reduction_s
from halocline.forecast.model import predict
from halocline.forecast.network import Link, read_link
from halocline.forecast.parts import Division, LevelParts, read_division, whole_mesh
from halocline.forecast.solvers import SOLVERS, Collectives
from halocline.forecast.validation import Setting, known_costs, validate

sys.path.append(str(Path(__file__).parent))
import made_up

LINK = Link(made_up.LATENCY_S, made_up.BYTES_PER_S, "made up")
NOTHING, FOUR = Collectives(), Collectives(4.0, 2.0)
RANKS = [1 << place for place in range(13)]


def divide(parts: int, *_way: str) -> Division:
    return made_up.division(parts)


SETTING = Setting(divide, LINK, None, NOTHING, ("x", "auto"))


def machine(**changes: object) -> Machine:
    own = Machine(network=LINK, inside=LINK, ranks_per_host=1, cores_per_host=1)
    return replace(own, **changes)  # type: ignore[arg-type]


def costs(*parts: int) -> Costs:
    return costs_of([made_up.run(count) for count in parts or (1, 2)])


def triangle() -> LevelParts:
    """Three parts: 0 sends 10 nodes to 1 and 20 to 2; 1 sends 30 to 0; 2 sends nothing."""
    numbers = np.array([100.0, 100.0, 100.0])
    return LevelParts(
        nodes=numbers,
        shared=np.array([30.0, 30.0, 0.0]),
        edges=numbers,
        own_edges=numbers,
        boundary=np.zeros(3),
        halo=np.array([30.0, 10.0, 20.0]),
        senders=np.array([0, 0, 1]),
        receivers=np.array([1, 2, 0]),
        link_nodes=np.array([10.0, 20.0, 30.0]),
    )


def test_a_curve_goes_through_its_points_and_on() -> None:
    """Slope (3 − 2) ÷ (20 − 10) = 0.1 below 10, hence 1 at nothing; 6 ÷ 20 beyond 40."""
    curve = fit([(10.0, 2.0), (20.0, 3.0), (40.0, 9.0)])
    places = np.array([0.0, 5.0, 10.0, 15.0, 30.0, 80.0])
    assert curve(places) == pytest.approx([1.0, 1.5, 2.0, 2.5, 6.0, 21.0])


def test_a_curve_never_falls() -> None:
    """5, then 2 twice at one size: pooled to (5 + 2 + 2) ÷ 3 = 3 at both."""
    curve = fit([(10.0, 5.0), (20.0, 2.0), (20.0, 2.0), (30.0, 6.0)])
    assert curve(np.array([10.0, 20.0, 30.0])) == pytest.approx([3.0, 3.0, 6.0])
    noisy = fit([(float(n), 1.0 + (n * 7919 % 13) / 5.0) for n in range(1, 60)])
    values = noisy(np.linspace(0.0, 100.0, 997))
    assert np.all(np.diff(values) >= -1e-12)


def test_calls_without_elements_cost_what_they_cost() -> None:
    """A loop over a boundary that the mesh does not have."""
    curve = fit([(0.0, 1e-6), (0.0, 3e-6)])
    assert curve(np.array([0.0, 0.5, 1.0, 1e6])) == pytest.approx([2e-6] * 4)


def test_one_point_has_no_fixed_cost() -> None:
    assert fit([(10.0, 2.0)])(np.array([5.0, 20.0])) == pytest.approx([1.0, 4.0])


def test_an_exchange_costs_what_the_larger_direction_costs() -> None:
    """Bytes are 8 a node, each part is on a host of its own.

    Part 0 sends two messages, 240 B together, and receives one of 240; part 1 sends one of 240 and
    receives one of 80; part 2 receives one of 160.
    """
    made = Division("x", "none", 3, (triangle(),))
    waits = exchange_seconds(Exchange(0, 1.0, 8.0, False), made, machine(), 1e-9)
    latency, rate = LINK.latency_s, LINK.bytes_per_s
    assert waits.latency == pytest.approx([2 * latency, latency, latency])
    expected = [2 * latency + 240 / rate, latency + 240 / rate, latency + 160 / rate]
    assert waits.travel == pytest.approx(expected)
    assert waits.packing == pytest.approx([240e-9, 240e-9, 160e-9])


def test_ranks_of_a_host_share_its_card_and_talk_inside() -> None:
    """Parts 0 and 1 on one host: between hosts only 0 → 2, 160 B, which both ranks see pass."""
    inside = Link(1e-7, 1e10, "inside")
    made = Division("x", "none", 3, (triangle(),))
    waits = exchange_seconds(
        Exchange(0, 1.0, 8.0, False), made, machine(inside=inside, ranks_per_host=2), 0.0
    )
    card = 160 / LINK.bytes_per_s
    assert waits.travel == pytest.approx(
        [
            LINK.latency_s + inside.latency_s + card + 240 / inside.bytes_per_s,
            inside.latency_s + card + 240 / inside.bytes_per_s,
            LINK.latency_s + card,
        ]
    )


def test_halos_of_devices_pass_twice_between_device_and_host() -> None:
    made = Division("x", "none", 3, (triangle(),))
    device = Link(5e-6, 2e9, "device")
    exchange = Exchange(0, 1.0, 8.0, False)
    plain = exchange_seconds(exchange, made, machine(), 0.0)
    staged = exchange_seconds(exchange, made, machine(device=device), 0.0)
    more = np.array([240.0, 240.0, 160.0]) / device.bytes_per_s + device.latency_s
    assert staged.travel - plain.travel == pytest.approx(2.0 * more)


def test_sums_double_inside_hosts_and_then_between_them() -> None:
    """16 ranks on 4 hosts: 2 steps inside, 2 outside; one rank sums nothing up."""
    inside = Link(1e-7, 1e10, "inside")
    own = machine(inside=inside, ranks_per_host=4)
    step = [link.latency_s + 8 / link.bytes_per_s for link in (inside, LINK)]
    assert reduction_s(16, own, 8.0) == pytest.approx(2 * step[0] + 2 * step[1])
    assert reduction_s(1, own, 8.0) == 0.0


def test_a_cycle_of_mgcfd_visits_levels_down_and_up() -> None:
    """As `halocline snapshot` counts on four levels: 7 Allreduce of 8 bytes, 12 of 48."""
    four = replace(made_up.run(2), levels=(LevelSize(8, 8, 0),) * 4)
    assert SOLVERS["mgcfd"].together(four) == Collectives(7.0, 12.0)


@pytest.mark.parametrize("parts", [1, 2, 3, 64, 4096])
def test_the_made_up_machine_is_foretold_exactly(parts: int) -> None:
    """Equal parts, costs linear in elements, halos that nothing hides: the model has no freedom."""
    made = predict(costs(), made_up.division(parts), machine(), NOTHING)
    assert made.seconds == pytest.approx(made_up.cycle_s(parts), rel=1e-9)
    assert sum(made.components.values()) == pytest.approx(made.seconds, rel=1e-12)
    assert sum(made.by_level) == pytest.approx(made.seconds, rel=1e-12)
    held = (made_up.NODES + made_up.COARSE) / parts + 2 * min(2, parts - 1)
    assert made.memory_bytes == pytest.approx(1e7 + 100.0 * held, rel=1e-4)


def test_components_are_what_was_put_in() -> None:
    made = predict(costs(), made_up.division(64), machine(), NOTHING)
    calls = made_up.CALLS
    work = calls * made_up.EDGE_S * (made_up.NODES + made_up.COARSE) / 64
    assert made.components["work"] == pytest.approx(work)
    assert made.components["calls"] == pytest.approx(2 * calls * made_up.CALL_S)
    assert made.components["latency"] == pytest.approx(2 * calls * 2 * made_up.LATENCY_S)
    assert made.components["imbalance"] == pytest.approx(0.0, abs=1e-15)


def test_without_costs_of_messages_and_calls_it_scales_perfectly() -> None:
    free = Link(0.0, 1e30, "free")
    linear = costs()
    curve = fit([(1000.0, 1e-5)])
    linear = replace(linear, curves=dict.fromkeys(linear.curves, curve))
    own = machine(network=free, inside=free)
    rows = [predict(linear, made_up.division(parts), own, NOTHING) for parts in RANKS]
    assert efficiencies(rows, rows[0]) == pytest.approx([1.0] * len(RANKS))


def test_a_sum_over_all_ranks_has_its_best_number_of_ranks_where_calculus_says() -> None:
    """T = W / P + s log2(P) (L + 8 / B) is least at P = W ln 2 ÷ (s (L + 8 / B)).

    Powers of two are asked for; messages and calls cost nothing here.
    """
    linear = replace(costs(), curves={"flux of edges": fit([(1000.0, 1000.0 * made_up.EDGE_S)])})
    loops = tuple(replace(loop, exchange=None) for loop in linear.loops)
    linear = replace(linear, loops=loops)
    sums = 4.0
    step = sums * (LINK.latency_s + 8.0 / LINK.bytes_per_s)
    work = made_up.CALLS * made_up.EDGE_S * (made_up.NODES + made_up.COARSE)
    best = work * math.log(2.0) / step
    rows = [
        predict(linear, made_up.division(parts), machine(), Collectives(sums)) for parts in RANKS
    ]
    fastest = min(rows, key=lambda row: row.seconds).division.parts
    assert fastest / math.sqrt(2.0) <= best <= fastest * math.sqrt(2.0)
    sentence = where_it_stops(rows, rows[0])
    assert f"More than {fastest:,} ranks make it slower" in sentence
    assert "sums over all ranks" in sentence


def test_slower_links_never_make_it_faster() -> None:
    own, made = costs(), made_up.division(256)
    latencies = [
        predict(own, made, machine(network=Link(s, 1e9, "")), FOUR) for s in (0.0, 1e-6, 1e-5)
    ]
    rates = [predict(own, made, machine(network=Link(1e-6, b, "")), FOUR) for b in (1e10, 1e8, 1e6)]
    for rows in (latencies, rates):
        times = [row.seconds for row in rows]
        assert times == sorted(times)
        assert times[0] < times[-1]


def test_more_elements_on_a_part_never_make_it_faster() -> None:
    even = made_up.division(4)
    uneven = even.levels[0].edges + np.array([0.0, 4000.0, 0.0, -4000.0])
    changed = replace(even, levels=(replace(even.levels[0], edges=uneven), even.levels[1]))
    own = costs()
    extra = (
        predict(own, changed, machine(), NOTHING).seconds
        - predict(own, even, machine(), NOTHING).seconds
    )
    assert extra == pytest.approx(made_up.CALLS * 4000 * made_up.EDGE_S)
    assert predict(own, changed, machine(), NOTHING).components["imbalance"] == pytest.approx(extra)


def test_what_is_computed_meanwhile_hides_messages() -> None:
    """Overlapped, level 0 hides its wait behind core elements; level 1 is too small for that."""
    own = costs()
    loops = tuple(
        replace(loop, exchange=replace(loop.exchange, overlapped=True))
        for loop in own.loops
        if loop.exchange
    )
    made = predict(replace(own, loops=loops), made_up.division(64), machine(), NOTHING)
    wait = 2 * (LINK.latency_s + 40 / LINK.bytes_per_s)
    nodes = made_up.COARSE / 64
    hidden = made_up.call_s(made_up.COARSE, 64) * (1.0 - 2.0 / nodes)
    exposed = made_up.CALLS * (wait - hidden)
    assert made.components["latency"] + made.components["bandwidth"] == pytest.approx(exposed)


def test_busy_cores_slow_each_other_as_measured_and_on_along_the_line() -> None:
    factor = Contention(((1.0, 0.8), (2.0, 0.9), (4.0, 1.0)))
    assert [factor(cores) for cores in (1, 3, 4, 8)] == pytest.approx([0.8, 0.95, 1.0, 1.2])
    assert Contention(((2.0, 1.0),))(64) == 1.0


def test_costs_come_from_runs_that_had_a_core_for_each_thread() -> None:
    host = [{"name": "n", "ranks": 4, "cores": 2, "cpu": None, "memory_bytes": None}]
    crowded = made_up.record(4).plain()
    crowded["hosts"] = host
    from halocline.documents.store import parse
    from halocline.forecast.measured import measured
    from halocline.record.model import Record

    four = measured(parse(Record, crowded, "x"), "x")
    assert (four.crowding, four.busy_cores) == (2.0, 2)
    own = costs_of([made_up.run(1), made_up.run(2), four])
    assert own.busy_cores == 2
    assert [cores for cores, _ in own.contention.points] == [1.0, 2.0]


def test_the_base_is_not_slowed_by_a_run_on_as_many_cores() -> None:
    """Two ranks, and one rank of two threads that takes twice as long, on the same two cores."""
    base, other = made_up.run(2), made_up.run(1)
    layout = other.record.layout.changed(threads_per_rank=2)
    hosts = [host.changed(cores=2) for host in other.record.hosts]
    record = other.record.changed(layout=layout, hosts=hosts)
    loops = tuple(replace(loop, seconds=4 * loop.seconds) for loop in other.loops)
    slow = replace(other, record=record, loops=loops)
    assert slow.busy_cores == base.busy_cores
    assert costs_of([base, slow]).contention(base.busy_cores) == pytest.approx(1.0)


def test_points_that_are_left_out_are_foretold() -> None:
    """The made-up machine keeps to the model: no error. A run twice as slow: half is foretold."""
    runs = [made_up.run(parts) for parts in (1, 2, 4, 8)]
    checks = validate(runs, SETTING)
    assert [(check.ranks, check.known) for check in checks] == [
        (2, (1,)),
        (4, (1, 2)),
        (8, (1, 2, 4)),
    ]
    assert [check.error for check in checks] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)
    slow = made_up.run(8, results={"compute_s": 2 * made_up.CYCLES * made_up.cycle_s(8)})
    checks = validate([*runs[:3], slow], SETTING)
    assert checks[-1].error == pytest.approx(-0.5, abs=1e-6)


def test_between_hosts_lies_the_link_that_a_run_found_there() -> None:
    """Two hosts of two ranks: a message between ranks 1 and 2 takes a second, others as told."""
    host = {"ranks": 2, "cores": 64, "cpu": None, "memory_bytes": None}
    hosts = [{"name": name, **host} for name in "ab"]
    partition = made_up.record(4).partition
    assert partition is not None
    assert partition.prediction is not None
    slow = partition.prediction.changed(latency_s=1.0)
    run = made_up.run(4)
    record = run.record.changed(
        hosts=[run.record.hosts[0].changed(**each) for each in hosts],
        partition=partition.changed(prediction=slow),
    )
    (check,) = validate([made_up.run(1), replace(run, record=record)], SETTING)
    exchanges = 2 * made_up.CALLS  # on two levels
    more_s = exchanges * (1.0 - made_up.LATENCY_S)
    assert check.predicted_s == pytest.approx(made_up.cycle_s(4) + more_s, rel=1e-6)


def test_of_runs_of_one_layout_each_loop_has_its_median() -> None:
    """One run is late on level 0, one on level 1, one is lucky throughout."""
    runs = [made_up.run(2) for _ in range(5)]
    changes = [{0: 1.0}, {1: 1.0}, dict.fromkeys(range(9), -1.0e-9), {}, {}]
    noisy = [
        replace(
            run,
            loops=tuple(
                replace(loop, seconds=loop.seconds + change.get(loop.level, 0.0))
                for loop in run.loops
            ),
        )
        for run, change in zip(runs, changes, strict=True)
    ]
    (one, two) = merged([*noisy, made_up.run(4)])
    assert [loop.seconds for loop in one.loops] == [loop.seconds for loop in runs[0].loops]
    assert two.ranks == 4


def test_the_pattern_of_a_loop_is_read_from_its_counts() -> None:
    loop = made_up.run(2).loops[0]
    assert loop.exchange == Exchange(0, made_up.CALLS, made_up.WIDTH * 8, False)
    assert loop.seconds == pytest.approx(made_up.call_s(made_up.NODES, 2))
    assert made_up.run(1).loops[0].exchange is None


@pytest.mark.parametrize(
    ("text", "latency_s", "bytes_per_s"),
    [
        ("latency=1.5us,bandwidth=12.5GB/s", 1.5e-6, 12.5e9),
        ("bandwidth=1Gbit/s, latency=0.05 ms", 5e-5, 125e6),
        ("latency=0s,bandwidth=1e3MB/s", 0.0, 1e9),
    ],
)
def test_links_are_words_with_units(text: str, latency_s: float, bytes_per_s: float) -> None:
    link = read_link(text)
    assert (link.latency_s, link.bytes_per_s) == pytest.approx((latency_s, bytes_per_s))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("latency=1.5,bandwidth=1GB/s", "has no unit that is known"),
        ("latency=1us", "both latency and bandwidth are needed"),
        ("latncy=1us,bandwidth=1GB/s", "Did you mean 'latency'"),
        ("latency=1us,bandwidth=0GB/s", "no byte would move"),
        ("latency=1us,bandwidth=1e999GB/s", "nothing would take time"),
        ("latency=1e999s,bandwidth=1GB/s", "no byte would move"),
        ("latency=1us,latency=2us,bandwidth=1GB/s", "latency is given twice"),
        ("latency=1..5us,bandwidth=1GB/s", "is not a number"),
        ("no-such-file.json", "Cannot read no-such-file.json"),
        ("1.5us,12.5GB/s", "is neither a link in words nor a result of halocline p2p"),
    ],
)
def test_links_that_cannot_be_are_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(HaloclineError, match=sentence):
        read_link(text)


def test_a_division_is_read_part_by_part() -> None:
    parts = {
        "nodes": [3, 2],
        "shared_nodes": [1, 1],
        "edges": [2, 2],
        "edges_of_others": [0, 1],
        "boundary": [1, 0],
        "links": {"from": [0, 1], "to": [1, 0], "nodes": [1, 1]},
    }
    way = {"partitioner": "block", "method": "none", "cpu_s": 1.0, "levels": [{"parts": parts}]}
    made = read_division({"ranks": 2, "parts": 2, "ways": [way]})
    assert made.levels[0].edges.tolist() == [2.0, 3.0]
    assert made.held_nodes.tolist() == [4.0, 3.0]
    assert made.cpu_s == 2.0
    whole = whole_mesh([LevelSize(5, 4, 1)])
    assert whole.held_nodes.tolist() == [5.0]


def test_what_messages_wait_for_beyond_links_is_seen_and_grows_with_messages() -> None:
    """Exchanges of two ranks, of a message each, waited EXTRA_S longer; of eight, of 7/4 a rank."""
    extra_s = 5e-6
    two = made_up.run(2)
    loops = tuple(replace(loop, waited_s=loop.waited_s + extra_s) for loop in two.loops)
    late = replace(two, loops=loops)
    known, seen = ([made_up.run(1), run] for run in (two, late))
    without, with_late = (
        predict(known_costs(runs, SETTING), made_up.division(8), machine(), NOTHING)
        for runs in (known, seen)
    )
    calls = 2 * made_up.CALLS  # of two levels
    assert without.components["late"] == pytest.approx(0.0, abs=1e-12)
    assert with_late.components["late"] == pytest.approx(calls * extra_s * 14 / 8)
    assert with_late.seconds - without.seconds == pytest.approx(calls * extra_s * 14 / 8)
    assert sum(with_late.components.values()) == pytest.approx(with_late.seconds)


def test_what_a_run_waited_for_that_other_work_held_up_is_left_out() -> None:
    two = made_up.run(2)
    loops = tuple(replace(loop, waited_s=1.0) for loop in two.loops)
    results = two.record.results
    busy = results.changed(compute_cpu_s=0.5 * 2 * results.compute_s)
    held_up = replace(two, loops=loops, record=two.record.changed(results=busy))
    assert held_up.held_up == pytest.approx(0.5)
    assert known_costs([held_up], SETTING).late_s == {}
    assert known_costs([replace(two, loops=loops)], SETTING).late_s != {}


def test_merged_runs_waited_their_median() -> None:
    one = made_up.run(2)
    other = replace(one, loops=tuple(replace(loop, waited_s=9.0) for loop in one.loops))
    (all_three,) = merged([other, one, one])
    assert [loop.waited_s for loop in all_three.loops] == [loop.waited_s for loop in one.loops]
