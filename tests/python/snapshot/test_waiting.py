# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Waiting and imbalance: rank files whose answer follows from how they were made."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from halocline.snapshot.model import Snapshot
from halocline.snapshot.waiting import waiting_times


def one_phase(
    rf: ModuleType, ranks: int, slow_work: float, work: float = 1.0, calls: int = 10
) -> list[dict]:
    """`calls` steps: rank 0 works `slow_work`, the others `work`, then all meet in a barrier."""
    files = []
    for rank in range(ranks):
        wait = 0.0 if rank == 0 else slow_work - work
        price = 1e-6
        files.append(
            rf.rank_file(
                rank,
                ranks,
                calls * (slow_work + price),
                calls * (wait + price),
                functions=[rf.function("MPI_Barrier", "collective", calls, calls * (wait + price))],
                collective_samples=rf.samples({"MPI_Barrier": [wait + price] * calls}),
            )
        )
    return files


@pytest.mark.parametrize("percent", [10.0, 33.0, 50.0])
def test_imbalance_known_by_construction(
    rf: ModuleType, report: Callable[..., Snapshot], percent: float
) -> None:
    # Two ranks; the quick one waits a share w of each step, so on average w/2 is waiting.
    slow = 1.0 / (1.0 - 2 * percent / 100) if percent < 50 else 1e9
    found = report(one_phase(rf, 2, slow))
    assert found.times.imbalance_percent == pytest.approx(percent, abs=0.01)
    assert found.times.load_imbalance_percent == pytest.approx(percent, abs=0.01)
    assert found.slowest_rank == 0
    assert found.most_waited_for_rank == 0


def test_a_slow_rank_that_changes_is_seen(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    """Ranks take turns in being late: equal sums of work, yet half of each step is waiting."""
    late, early = [0.001, 0.501], [0.501, 0.001]
    files = [
        rf.rank_file(
            rank,
            2,
            10.0,
            2.51,
            functions=[rf.function("MPI_Allreduce", "collective", 10, 2.51)],
            collective_samples=rf.samples({"MPI_Allreduce": times * 5}),
        )
        for rank, times in enumerate([late, early])
    ]
    found = report(files)
    assert found.times.load_imbalance_percent == pytest.approx(0.0, abs=1e-6)
    assert found.times.imbalance_percent == pytest.approx(25.0, abs=0.1)
    assert found.verdict.rule == "taking turns"


def test_sampled_calls_stand_for_all(rf: ModuleType) -> None:
    """One in ten calls kept: the waiting share of the samples is applied to the whole time."""
    files = [
        rf.rank_file(
            rank,
            2,
            10.0,
            total,
            functions=[rf.function("MPI_Barrier", "collective", 100, total)],
            collective_samples=rf.samples({"MPI_Barrier": [total / 100] * 10}),
        )
        for rank, total in enumerate([4.0, 1.0])
    ]
    waiting = waiting_times(rf.parsed(files))
    assert waiting.of_rank(0) == pytest.approx(3.0)
    assert waiting.of_rank(1) == pytest.approx(0.0)
    assert list(waiting.caused) == pytest.approx([0.0, 0.3])


def test_calls_that_a_member_did_not_keep_are_left_out(rf: ModuleType) -> None:
    files = [
        rf.rank_file(
            rank,
            2,
            10.0,
            1.0,
            functions=[rf.function("MPI_Barrier", "collective", 2, 1.0)],
            collective_samples=rf.samples({"MPI_Barrier": times}),
        )
        for rank, times in enumerate([[0.5, 0.5], [0.5]])
    ]
    assert waiting_times(rf.parsed(files)).of_rank(0) == 0.0


def test_communicators_are_told_apart(rf: ModuleType) -> None:
    """Ranks 0-1 and 2-3 have their own communicators with the same sequence numbers."""
    durations = [0.1, 0.3, 0.2, 0.9]
    files = []
    for rank, duration in enumerate(durations):
        pair = {"index": 2, "id": f"pair{rank // 2}", "name": "", "size": 2, "rank": rank % 2}
        files.append(
            rf.rank_file(
                rank,
                4,
                1.0,
                duration,
                functions=[rf.function("MPI_Barrier", "collective", 1, duration)],
                communicators=[pair],
                collective_samples={"rows": [[2, 0, 0, rf.ns(duration)]],
                                    "function_names": ["MPI_Barrier"]},
            )
        )  # fmt: skip
    waiting = waiting_times(rf.parsed(files))
    assert [waiting.of_rank(rank) for rank in range(4)] == pytest.approx([0.0, 0.2, 0.0, 0.7])


def test_a_quick_leaf_of_a_rooted_collective_is_not_blamed(rf: ModuleType) -> None:
    files = [
        rf.rank_file(
            rank,
            2,
            1.0,
            duration,
            functions=[rf.function("MPI_Reduce", "collective", 1, duration)],
            collective_samples=rf.samples({"MPI_Reduce": [duration]}),
        )
        for rank, duration in enumerate([0.5, 0.001])
    ]
    waiting = waiting_times(rf.parsed(files))
    assert waiting.of_rank(0) == pytest.approx(0.499)
    assert list(waiting.caused) == [0.0, 0.0]


def priced(
    rf: ModuleType, calls: int, seconds: float, quick: float, size: int = 10, least: float = 1e-7
) -> dict:
    """Receives of one size of which a quarter ended within `quick` seconds."""
    row = [size, calls, calls << (size - 1), rf.ns(seconds), rf.ns(least)]
    late = [0, 3, 0, 0, None]  # received by Irecv: counted, not timed
    return rf.function("MPI_Recv", "receive", calls, seconds, histogram=[row, late],
                       quick_ns=[[size, rf.ns(quick)]])  # fmt: skip


def waits(rf: ModuleType, *receives: dict) -> list[float]:
    files = [
        rf.rank_file(rank, len(receives), 1.0, 0.5, functions=[each])
        for rank, each in enumerate(receives)
    ]
    waiting = waiting_times(rf.parsed(files))
    return [waiting.of_rank(rank) for rank in range(len(receives))]


def test_point_to_point_is_priced_where_a_quarter_of_the_calls_is_quickest(
    rf: ModuleType,
) -> None:
    """Rank 0 is waited for: its calls tell the price, though they take a little more themselves."""
    found = waits(rf, priced(rf, 1000, 0.006, 5e-6), priced(rf, 1000, 0.4, 300e-6))
    assert found == pytest.approx([0.006 - 1000 * 5e-6, 0.4 - 1000 * 5e-6])


def test_few_calls_set_no_price_where_others_made_many(rf: ModuleType) -> None:
    found = waits(rf, priced(rf, 1000, 0.011, 10e-6), priced(rf, 15, 15 * 3e-6, 3e-6))
    assert found == pytest.approx([0.001, 0.0])
    assert waits(rf, priced(rf, 15, 0.011, 10e-6))[0] == pytest.approx(0.011 - 15 * 10e-6)


def test_what_no_message_undercuts_is_no_waiting(rf: ModuleType) -> None:
    """Half of the calls find their message there (60 ns), half wait 2.4 us for the next one."""
    assert waits(rf, priced(rf, 1000, 1000 * 1.23e-6, 60e-9, size=4, least=4e-8)) == [0.0]


def test_a_bin_below_its_price_pays_for_no_other(rf: ModuleType) -> None:
    small, large = priced(rf, 10**5, 0.03, 0.3e-6, size=4), priced(rf, 100, 0.09, 50e-6, size=14)
    both = small | {"time_ns": rf.ns(0.12), "histogram": small["histogram"] + large["histogram"],
                    "quick_ns": small["quick_ns"] + large["quick_ns"]}  # fmt: skip
    assert waits(rf, both)[0] == pytest.approx(0.09 - 100 * 50e-6)


def test_files_of_older_recorders_tell_the_quickest_call_alone(rf: ModuleType) -> None:
    older = priced(rf, 100, 0.09, 1.0, least=20e-6)
    del older["quick_ns"]
    assert waits(rf, older)[0] == pytest.approx(0.09 - 100 * 20e-6)


def test_calls_that_all_wait_are_not_free_of_waiting(rf: ModuleType) -> None:
    """Four receives of 1 KiB that take 50 ms each: no network needs that for them."""
    row = [11, 4, 4096, rf.ns(0.2), rf.ns(0.05)]
    receive = rf.function("MPI_Recv", "receive", 4, 0.2, histogram=[row])
    waiting = waiting_times(rf.parsed([rf.rank_file(0, 1, 1.0, 0.2, functions=[receive])]))
    assert waiting.of_rank(0) == pytest.approx(0.2 - 4 * (100e-6 + 2048 * 10e-9))


def test_neighbourhood_calls_are_priced_like_messages(rf: ModuleType) -> None:
    row = [4, 10, 80, rf.ns(0.1), rf.ns(3e-6)]
    call = rf.function("MPI_Neighbor_alltoall", "collective", 10, 0.1, histogram=[row])
    waiting = waiting_times(rf.parsed([rf.rank_file(0, 1, 1.0, 0.1, functions=[call])]))
    assert waiting.of_rank(0) == pytest.approx(0.1 - 10 * 3e-6)


def test_polling_counts_as_waiting(rf: ModuleType) -> None:
    test = rf.function("MPI_Test", "test", 50, 0.3, polling_ns=rf.ns(0.25))
    waiting = waiting_times(rf.parsed([rf.rank_file(0, 1, 1.0, 0.3, functions=[test])]))
    assert waiting.of_rank(0) == pytest.approx(0.25)


def test_ranks_that_are_through_early_wait_in_finalize(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    found = report([rf.rank_file(0, 2, 4.0, 0.0), rf.rank_file(1, 2, 10.0, 0.0)])
    assert found.times.finalize_wait_s == pytest.approx(3.0)
    assert found.times.imbalance_percent == pytest.approx(30.0)
    assert found.ranks[0].finalize_wait_s == pytest.approx(6.0)


def test_a_rank_alone_waits_for_nobody(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    barrier = rf.function("MPI_Barrier", "collective", 1, 0.5)
    found = report([rf.rank_file(0, 1, 1.0, 0.5, functions=[barrier])])
    assert found.times.imbalance_percent == 0.0


def test_threads_that_wait_at_once_wait_once(rf: ModuleType) -> None:
    """Two threads that call MPI, both waiting the same second: the rank waited one second."""
    threads = [{"tid": tid, "main": tid == 1, "calls": 1, "in_mpi_ns": rf.ns(1)} for tid in (1, 2)]
    files = [
        rf.rank_file(
            rank,
            2,
            4.0,
            total,
            threads=threads,
            functions=[rf.function("MPI_Barrier", "collective", 2, total)],
            collective_samples=rf.samples({"MPI_Barrier": [total / 2] * 2}),
        )
        for rank, total in enumerate([2.0, 2e-6])
    ]
    files[0]["time"]["any_thread_in_mpi_ns"] = rf.ns(1)
    assert waiting_times(rf.parsed(files)).of_rank(0) == pytest.approx(1.0, abs=1e-3)


def test_a_call_that_never_returned_waited_all_the_time(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Rank 0 hangs 6 of 8 s in a message, rank 1 in a barrier; its file call waits for nobody."""
    frames = [[0, 0x1205]]
    hangs = [
        {"tid": 1, "function": "MPI_Recv", "class": "receive", "frames": frames},
        {"tid": 1, "function": "MPI_Barrier", "class": "collective"},
        {"tid": 1, "function": "MPI_File_sync", "class": "io"},
    ]
    modules = [{"index": 0, "path": "/opt/app", "build_id": "ab"}]
    files = [
        rf.rank_file(
            rank, 3, 8.0, 0.5, end="flush", complete=False,
            pending=[{**call, "since_ns": rf.ns(6)}],
            functions=[rf.function("MPI_Barrier", "collective", 5, 0.5)],
            collective_samples=rf.samples({"MPI_Barrier": [0.1] * 5}),
            call_sites={"modules": modules, "rows": [], "dropped": 0},
        )
        for rank, call in enumerate(hangs)
    ]  # fmt: skip
    found = report(files)
    assert found.times.mpi_percent == pytest.approx(100 * 6.5 / 8)
    assert found.times.imbalance_percent == pytest.approx(100 * 12 / 24)
    by_name = {each.name: each for each in found.functions}
    receive, barrier = by_name["MPI_Recv"], by_name["MPI_Barrier"]
    assert (receive.calls, receive.unfinished_calls, receive.seconds.max) == (1, 1, 6.0)
    assert (receive.kind, receive.waiting_s) == ("point-to-point", pytest.approx(2.0))
    assert (barrier.calls, barrier.unfinished_calls) == (16, 1)
    assert barrier.waiting_s == pytest.approx(2.0)
    assert by_name["MPI_File_sync"].waiting_s == 0.0
    site = found.call_sites[0]
    assert (site.function, site.calls, site.seconds.max) == ("MPI_Recv", 1, 6.0)
    assert found.ranks[1].unfinished_call == "MPI_Barrier"


def test_collectives_without_samples_leave_the_imbalance_open(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    barrier = rf.function("MPI_Barrier", "collective", 1, 0.5)
    unsampled = rf.samples({}) | {"seen": 1}
    files = [
        rf.rank_file(rank, 2, 1.0, 0.5, functions=[barrier], collective_samples=unsampled)
        for rank in (0, 1)
    ]
    found = report(files)
    assert found.times.imbalance_percent is None
    assert any(each.figure == "MPI imbalance" for each in found.not_available)
