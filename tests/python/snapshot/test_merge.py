# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Merging rank files: sums, spreads, matrix, sizes, buffers, partial runs, crowding, noise."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from halocline.errors import InvalidInputError
from halocline.snapshot.model import Snapshot
from halocline.snapshot.raw import read_ranks


def test_times_and_functions_of_a_run(solver: Snapshot) -> None:
    times = solver.times
    assert times.elapsed_s == pytest.approx(10.0)
    assert times.mpi_percent == pytest.approx(100 * (3 * 3.6 + 0.6) / 40)
    assert times.imbalance_percent == pytest.approx(100 * 3 * 3.0 / 40)
    assert times.io_percent == pytest.approx(100 * 0.2 / 40)
    allreduce, sendrecv = solver.functions
    assert (allreduce.name, allreduce.calls, allreduce.bytes) == ("MPI_Allreduce", 400, 3200)
    assert allreduce.seconds.mean == pytest.approx((3 * 3.1 + 0.1) / 4)
    assert allreduce.seconds.max == pytest.approx(3.1)
    assert allreduce.imbalance_share_percent == pytest.approx(100.0)
    assert sendrecv.kind == "point-to-point"
    assert sendrecv.percent_of_mpi == pytest.approx(100 * 2.0 / 11.4)


def test_the_slowest_and_the_most_waited_for_rank_are_named(solver: Snapshot) -> None:
    assert solver.slowest_rank == 3
    assert solver.most_waited_for_rank == 3
    assert solver.ranks[3].caused_wait_s == pytest.approx(9.0)


def test_message_sizes_and_matrix(solver: Snapshot) -> None:
    sizes = {h.function: [(b.min_bytes, b.max_bytes, b.messages) for b in h.bins]
             for h in solver.histograms}  # fmt: skip
    assert sizes["MPI_Sendrecv"] == [(32768, 65535, 4000)]
    assert sizes["MPI_Allreduce"] == [(8, 15, 400)]
    links = {(link.source, link.target): link for link in solver.links}
    assert links[3, 0].messages == 1000
    assert links[3, 0].bytes == 40_000_000
    assert links[0, 2].messages == 0
    assert links[0, 2].collective_bytes == 800


def test_one_sided_traffic_goes_where_the_data_goes(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    columns = ["rank", "put_messages", "put_bytes", "get_messages", "get_bytes"]
    peers = {"columns": columns, "rows": [[1, 2, 20, 3, 30]], "unknown_peer_bytes": 0}
    found = report([rf.rank_file(0, 2, 1.0, 0.0, peers=peers), rf.rank_file(1, 2, 1.0, 0.0)])
    assert {(k.source, k.target): (k.messages, k.bytes) for k in found.links} == {
        (0, 1): (2, 20),
        (1, 0): (3, 30),
    }


def test_a_missing_sender_is_replaced_by_what_receivers_saw(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    columns = ["rank", "sent_messages", "sent_bytes", "received_messages", "received_bytes"]
    rows = [[1, 1, 10, 2, 20], [2, 3, 30, 4, 40]]
    peers = {"columns": columns, "rows": rows, "unknown_peer_bytes": 0}
    found = report([rf.rank_file(0, 3, 1.0, 0.0, peers=peers), rf.rank_file(1, 3, 1.0, 0.0)])
    links = {(link.source, link.target): link.messages for link in found.links}
    assert links == {(0, 1): 1, (0, 2): 3, (2, 0): 4}


def test_device_and_host_buffers_apart(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    send = rf.function("MPI_Send", "send", 10, 0.1, bytes=1000, device_bytes=300, device_calls=3)
    found = report([rf.rank_file(0, 1, 1.0, 0.1, functions=[send])])
    assert found.buffers is not None
    assert (found.buffers.device_calls, found.buffers.device_bytes) == (3, 300)
    assert (found.buffers.host_calls, found.buffers.host_bytes) == (7, 700)


def test_buffers_are_not_guessed_without_a_driver(solver: Snapshot) -> None:
    assert solver.buffers is None


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("MPI_Isend", "start", "point-to-point"),
        ("MPI_Start", "start", "point-to-point"),
        ("MPI_Iallreduce", "start", "collective"),
        ("MPI_Ineighbor_alltoallv", "start", "collective"),
        ("MPI_Waitall", "complete", "point-to-point"),
        ("MPI_Win_fence", "rma_sync", "one-sided"),
        ("MPI_File_write_all", "io", "file"),
        ("MPI_Comm_split", "communicator", "communicator"),
        ("MPI_Comm_rank", "local", "local"),
    ],
)
def test_kinds(
    rf: ModuleType, report: Callable[..., Snapshot], name: str, kind: str, expected: str
) -> None:
    found = report([rf.rank_file(0, 1, 1.0, 0.1, functions=[rf.function(name, kind, 1, 0.1)])])
    assert found.functions[0].kind == expected


def test_counters_are_ratios_over_all_ranks_or_absent(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    counted = {"cycles": 1000, "instructions": 500, "stalled_backend_cycles": 250}
    found = report([rf.rank_file(rank, 2, 1.0, 0.0, counters=counted) for rank in (0, 1)])
    assert found.counters.memory_stall_percent == pytest.approx(25.0)
    assert found.counters.instructions_per_cycle == pytest.approx(0.5)
    files = [rf.rank_file(0, 2, 1.0, 0.0, counters=counted), rf.rank_file(1, 2, 1.0, 0.0)]
    assert report(files).counters.memory_stall_percent is None


def test_openmp_imbalance_of_known_threads(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    """Two threads, one works 3 s, the other 1 s, in 10 s: even load would save 1 s."""
    region = {
        "site": [0, 0x100],
        "calls": 5,
        "threads": 2,
        "elapsed_ns": rf.ns(3.0),
        "busy_sum_ns": rf.ns(4.0),
        "busy_max_ns": rf.ns(3.0),
        "busy_mean_ns": rf.ns(2.0),
    }
    sites = {"modules": [{"index": 0, "path": "/x/app", "build_id": None}], "rows": [],
             "dropped": 0}  # fmt: skip
    openmp = {"runtime": "libgomp", "regions": [region]}
    binding = {"cpus": "0-1", "cpu_count": 2, "machine_cpus": 2}
    file = rf.rank_file(0, 1, 10.0, 0.0, openmp=openmp, call_sites=sites, binding=binding)
    found = report([file])
    assert found.openmp is not None
    assert found.openmp.imbalance_percent == pytest.approx(10.0)
    assert found.openmp.regions[0].imbalance_percent == pytest.approx(100 / 3)
    assert found.openmp.regions[0].place == "app+0x100"
    assert found.verdict.rule == "threads"


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"end": "abort", "abort_code": 7}, ["rank 1 called MPI_Abort with code 7 5.00 s after"]),
        ({"end": "sigterm"}, ["rank 1 was told to stop (SIGTERM)"]),
        ({"end": "signal 11"}, ["rank 1 was stopped by signal 11"]),
        ({"end": "exit"}, ["rank 1 ended without MPI_Finalize"]),
        (
            {"end": "flush",
             "pending": [{"tid": 1, "function": "MPI_Recv", "since_ns": 2_000_000_000}]},
            ["rank 1 was killed without warning", "2.00 s inside MPI_Recv"],
        ),
    ],
)  # fmt: skip
def test_partial_reports_say_why(
    rf: ModuleType, report: Callable[..., Snapshot], parts: dict, words: list[str]
) -> None:
    files = [rf.rank_file(0, 2, 5.0, 0.1), rf.rank_file(1, 2, 5.0, 0.1, complete=False, **parts)]
    status = report(files, exit_code=1).status
    assert status.state == "partial"
    assert len(status.reasons) == 1
    assert all(word in status.reasons[0] for word in words)


def test_a_rank_without_a_file_makes_the_report_partial(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    status = report([rf.rank_file(0, 3, 5.0, 0.1), rf.rank_file(2, 3, 5.0, 0.1)]).status
    assert status.state == "partial"
    assert "rank 1 left no file" in status.reasons[0]


def bound(rf: ModuleType, rank: int, ranks: int, cpus: str, count: int) -> dict:
    binding = {"cpus": cpus, "cpu_count": count, "machine_cpus": 2}
    return rf.rank_file(rank, ranks, 5.0, 0.1, binding=binding)


def test_more_ranks_than_hardware_threads_are_crowded(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    found = report([bound(rf, rank, 3, "0-1", 2) for rank in range(3)])
    assert found.warnings[0].startswith("Oversubscribed: 3 ranks on 2 hardware threads of node1")
    assert found.verdict.rule == "crowded"


def test_two_ranks_bound_to_one_thread_are_crowded(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    masks = [("0", 1), ("0", 1), ("1", 1)]
    files = [bound(rf, rank, 3, *mask) for rank, mask in enumerate(masks)]
    assert report(files).verdict.rule == "crowded"
    masks = [("0", 1), ("0", 1), ("1-3", 3)]
    files = [bound(rf, rank, 3, *mask) for rank, mask in enumerate(masks)]
    assert "bound to hardware thread 0" in report(files).warnings[0]


def test_ranks_that_fit_are_not_crowded(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    assert report([bound(rf, rank, 2, str(rank), 1) for rank in range(2)]).warnings == []


def test_a_noisy_node_is_named(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    quiet, queued = rf.rank_file(0, 2, 5.0, 0.1), rf.rank_file(1, 2, 5.0, 0.1)
    warning = report([quiet, rf.queued(queued, 1.0)]).warnings[0]
    assert warning.startswith("Noisy node node1: rank 1 was ready but had no core 20 %")
    pressed = rf.rank_file(0, 1, 5.0, 0.1, pressure={"cpu_some_ns": rf.ns(2.0)})
    assert "40 % of the time some task there waited" in report([pressed]).warnings[0]


def test_reasons_of_missing_figures_are_kept(solver: Snapshot) -> None:
    figures = {each.figure: each.reason for each in solver.not_available}
    assert figures["memory stalls"] == "perf_event_open: no such device"
    assert "floating-point use" in figures


def test_figures_are_of_the_time_that_was_recorded(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """MPI_Pcontrol(0) left out 6 of 8 s: half of the others are MPI."""
    file = rf.rank_file(0, 1, 8.0, 1.0, functions=[rf.function("MPI_Test", "test", 9, 1.0)])
    file["time"]["paused_ns"] = rf.ns(6)
    found = report([file])
    assert found.times.elapsed_s == pytest.approx(2.0)
    assert found.times.mpi_percent == pytest.approx(50.0)
    assert found.functions[0].percent_of_elapsed == pytest.approx(50.0)
    assert found.warnings[0].startswith("MPI_Pcontrol(0) switched recording off for 6.00 s")


def test_threads_inside_at_once_count_once(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    """1.0 and 0.6 s in MPI, 1.0 s of them with a thread or two: functions add up to that."""
    threads = [
        {"tid": 1, "main": True, "calls": 1, "in_mpi_ns": rf.ns(1.0)},
        {"tid": 2, "main": False, "calls": 3, "in_mpi_ns": rf.ns(0.6)},
    ]
    functions = [rf.function("MPI_Recv", "receive", 1, 1.0), rf.function("MPI_Put", "rma", 3, 0.6)]
    file = rf.rank_file(0, 1, 2.0, 1.6, threads=threads, functions=functions)
    file["time"]["any_thread_in_mpi_ns"] = rf.ns(1.0)
    found = report([file])
    assert found.times.mpi_percent == pytest.approx(50.0)
    assert [each.seconds.mean for each in found.functions] == pytest.approx([0.625, 0.375])
    seconds = {each.main: each.mpi_s for each in found.ranks[0].threads}
    assert seconds == pytest.approx({True: 1.0, False: 0.6})


def test_threads_that_take_turns_add_up(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    """Older recorders tell no union: four threads of a quarter each were inside one by one."""
    threads = [{"tid": k, "main": not k, "calls": 1, "in_mpi_ns": rf.ns(0.25)} for k in range(4)]
    found = report([rf.rank_file(0, 1, 2.0, 1.0, threads=threads)])
    assert found.times.mpi_percent == pytest.approx(50.0)


def test_nested_regions_lose_by_their_share(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Outermost: 1 s lost of 10. Nested, in two threads at once: 2 s, which is one second each."""
    outer = {"site": [0, 1], "calls": 10, "threads": 2, "elapsed_ns": rf.ns(8), "nested": False,
             "measured_calls": 10, "busy_max_ns": rf.ns(4), "busy_mean_ns": rf.ns(3),
             "lost_ns": rf.ns(1)}  # fmt: skip
    inner = {**outer, "nested": True, "calls": 2000, "measured_calls": 20,
             "busy_max_ns": rf.ns(5)}  # fmt: skip
    openmp = {"runtime": "libgomp", "regions": [outer, inner]}
    found = report([rf.rank_file(0, 1, 10.0, 0.0, openmp=openmp)])
    assert found.openmp is not None
    assert found.openmp.imbalance_percent == pytest.approx(20.0)
    assert (found.openmp.entered, found.openmp.nested, found.openmp.measured) == (2010, 2000, 30)
    assert found.openmp.seconds.mean == pytest.approx(8.0), "nested ones lie within the others"
    uneven = {each.nested: each.imbalance_percent for each in found.openmp.regions}
    assert uneven == pytest.approx({False: 25.0, True: 40.0})


def test_no_rank_file_at_all(report: Callable[..., Snapshot]) -> None:
    with pytest.raises(InvalidInputError, match="No rank left a file"):
        report([])


def test_rank_files_are_checked(rf: ModuleType, tmp_path: Path) -> None:
    rf.write_files(tmp_path, [rf.rank_file(0, 2, 1.0, 0.0), rf.rank_file(1, 3, 1.0, 0.0)])
    with pytest.raises(InvalidInputError, match="2 and 3 ranks"):
        read_ranks(tmp_path)
    broken = rf.rank_file(0, 2, 1.0, 0.0)
    del broken["time"]["mpi_ns"]
    rf.write_files(tmp_path, [broken])
    with pytest.raises(InvalidInputError, match=r"rank-0\.json: key 'time\.mpi_ns'"):
        read_ranks(tmp_path)


def test_unknown_keys_of_newer_recorders_are_taken(rf: ModuleType, tmp_path: Path) -> None:
    rf.write_files(tmp_path, [rf.rank_file(0, 1, 1.0, 0.0, news={"a": 1})])
    assert read_ranks(tmp_path)[0].ranks == 1
