# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Each rule gives the verdict where its cause dominates, and only there."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest
from halocline.snapshot.model import Snapshot, Verdict


def run(
    rf: ModuleType,
    report: Callable[..., Snapshot],
    functions: list[dict],
    in_mpi: float,
    ranks: int = 2,
    **parts: object,
) -> Verdict:
    """A balanced run of 10 s: every rank records the same."""
    durations = {
        f["name"]: [f["time_ns"] / 1e9 / f["calls"]] * f["calls"]
        for f in functions
        if f["class"] == "collective"
    }
    extra = {"collective_samples": rf.samples(durations), **parts}
    files = [
        rf.rank_file(rank, ranks, 10.0, in_mpi, functions=functions, **extra)
        for rank in range(ranks)
    ]
    return report(files).verdict


def messages(
    rf: ModuleType, calls: int, size: int, seconds: float, quickest: float | None = None
) -> dict:
    """Sends that took the same time but for a few quicker ones: nothing of it is waiting."""
    each, place = seconds / calls, size.bit_length()
    row = [place, calls, calls * size, rf.ns(seconds), rf.ns(quickest or each)]
    return rf.function(
        "MPI_Send", "send", calls, seconds, bytes=calls * size, histogram=[row],
        quick_ns=[[place, rf.ns(each)]],
    )  # fmt: skip


def collective(rf: ModuleType, name: str, calls: int, size: int, seconds: float) -> dict:
    return rf.function(name, "collective", calls, seconds, bytes=calls * size)


def test_imbalance_names_the_slow_rank(solver: Snapshot) -> None:
    assert solver.verdict.rule == "imbalance"
    assert "rank 3 on node1 works 31 % longer" in solver.verdict.finding
    assert "22 % of the time" in solver.verdict.finding


@pytest.mark.parametrize(
    ("name", "size", "advice"),
    [
        ("MPI_Barrier", 0, "Remove barriers"),
        ("MPI_Allreduce", 8, "Join several small MPI_Allreduce calls"),
        ("MPI_Alltoall", 1_000_000, "halocline endpoints"),
    ],
)
def test_collectives(
    rf: ModuleType, report: Callable[..., Snapshot], name: str, size: int, advice: str
) -> None:
    verdict = run(rf, report, [collective(rf, name, 100, size, 3.0)], 3.0)
    assert verdict.rule == "collectives"
    assert f"30 % of the time beyond waiting for slow ranks, {name} most of it" in verdict.finding
    assert advice in verdict.advice


@pytest.mark.parametrize(("size", "rule"), [(100, "small messages"), (100_000, "large messages")])
def test_messages_by_size(
    rf: ModuleType, report: Callable[..., Snapshot], size: int, rule: str
) -> None:
    assert run(rf, report, [messages(rf, 100_000, size, 2.0)], 2.0).rule == rule


@pytest.mark.parametrize("quickest", [40e-9, 5e-6])
def test_one_lucky_call_in_a_million_is_no_price(
    rf: ModuleType, report: Callable[..., Snapshot], quickest: float
) -> None:
    """Nine seconds of ping-pong at 9 us: messages, not ranks that take turns in being late."""
    found = run(rf, report, [messages(rf, 1_000_000, 8, 9.0, quickest)], 9.0)
    assert found.rule == "small messages"
    assert found.costs["small messages"] == pytest.approx(90.0, abs=0.1)


def test_the_dearer_of_two_speaks(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    both = [messages(rf, 100_000, 100, 2.0), collective(rf, "MPI_Allreduce", 100, 8, 3.0)]
    assert run(rf, report, both, 5.0).rule == "collectives"
    both = [messages(rf, 100_000, 100, 4.0), collective(rf, "MPI_Allreduce", 100, 8, 3.0)]
    assert run(rf, report, both, 7.0).rule == "small messages"


def test_waiting_is_not_charged_to_messages(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Sends that waited for a slow rank cost little beyond that: the imbalance is the verdict."""
    row = [7, 100, 10_000, rf.ns(4.0), rf.ns(0.0001)]
    slow = [7, 100, 10_000, rf.ns(0.01), rf.ns(0.0001)]
    files = [
        rf.rank_file(rank, 2, 10.0, seconds, functions=[
            rf.function("MPI_Recv", "receive", 100, seconds, bytes=10_000, histogram=[each])])
        for rank, (seconds, each) in enumerate([(4.0, row), (0.01, slow)])
    ]  # fmt: skip
    assert report(files).verdict.rule == "imbalance"


def test_file_calls(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    io = {"time_ns": rf.ns(2.5), "read_calls": 1, "read_bytes": 1, "write_calls": 0,
          "write_bytes": 0, "other_calls": 0, "files": []}  # fmt: skip
    verdict = run(rf, report, [], 0.0, io=io)
    assert (verdict.rule, "25 % of the time" in verdict.finding) == ("files", True)


def test_mpi_io_counts_as_file_calls(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    writing = rf.function("MPI_File_write_all", "io", 10, 2.0, bytes=1000)
    assert run(rf, report, [writing], 2.0).rule == "files"


def cpu(rf: ModuleType, busy_s: float, major_faults: int = 0) -> dict:
    return {"user_ns": rf.ns(busy_s), "system_ns": 0, "voluntary_switches": 1,
            "involuntary_switches": 1, "minor_faults": 1, "major_faults": major_faults,
            "threads": [[1, rf.ns(busy_s), 0]], "peak_memory_bytes": 1}  # fmt: skip


def test_ranks_that_slept(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    verdict = run(rf, report, [], 0.0, cpu=cpu(rf, 6.0))
    assert (verdict.rule, "40 % of the time" in verdict.finding) == ("off core", True)


def test_ranks_that_queued_for_unlike_times_did_not_sleep(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Each queues for all of its time but the second that it computes."""
    files = [
        rf.queued(rf.rank_file(rank, 2, elapsed, 0.0), elapsed - 1.0)
        for rank, elapsed in enumerate((4.0, 10.0))
    ]
    assert report(files).verdict.costs.get("off core", 0.0) < 2.0


def test_ranks_that_had_no_core(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    files = [rf.queued(rf.rank_file(rank, 2, 10.0, 0.0), 4.0) for rank in range(2)]
    verdict = report(files).verdict
    assert (verdict.rule, "had none 40 % of the time." in verdict.finding) == ("noise", True)


def test_what_a_job_takes_from_itself_is_no_noise(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Nobody else used the core while the rank queued for it."""
    files = [rf.queued(rf.rank_file(rank, 2, 10.0, 0.0), 4.0, others=0.0) for rank in range(2)]
    verdict = report(files).verdict
    assert verdict.rule == "crowded"
    assert "had none 40 % of the time, and no other process used them" in verdict.finding
    files = [rf.queued(rf.rank_file(rank, 2, 10.0, 0.0), 4.0, others=1.0) for rank in range(2)]
    costs = report(files).verdict.costs
    assert costs == pytest.approx({"crowded": 30.0, "noise": 10.0})


def test_a_helper_thread_that_queues_takes_nothing(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Threads are not added up: the one that computes had its core nearly all the time."""
    file = rf.queued(rf.rank_file(0, 1, 10.0, 0.2), 0.3)
    file["cpu"]["threads"] += [[7, rf.ns(0.01), rf.ns(0.9)], [8, rf.ns(0.01), rf.ns(0.5)]]
    found = report([file])
    assert found.ranks[0].usage.run_queue_s == pytest.approx(0.3)
    assert found.verdict.rule == "computing"


def test_cpu_and_queueing_are_no_more_than_the_time(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Four busy threads of which each queues a quarter of the time: a quarter, not the whole."""
    file = rf.queued(rf.rank_file(0, 1, 10.0, 0.0), 2.5)
    file["cpu"] |= {"threads": [[tid, rf.ns(7.5), rf.ns(2.5)] for tid in range(4)]}
    file["pressure"] |= {"busy_ns": rf.ns(40.0)}
    file["binding"] = {"cpus": "0-3", "cpu_count": 4, "machine_cpus": 4}
    verdict = report([file]).verdict
    assert (verdict.rule, "had none 25 % of the time." in verdict.finding) == ("noise", True)


def test_a_rank_that_is_slow_for_want_of_a_core(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """The same imbalance as in `solver_run`, but the slow rank queued for a core."""
    files = rf.solver_run()
    files[3] = rf.queued(files[3], 4.0)
    verdict = report(files).verdict
    assert verdict.rule == "noise"
    assert "rank 3 on node1 was ready to run but had none 40 % of the time" in verdict.finding
    assert "the others waited for it" in verdict.finding


def test_queueing_of_all_alike_explains_no_slow_rank(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Every rank lost a tenth: rank 3 is late because of its work."""
    verdict = report([rf.queued(file, 1.0) for file in rf.solver_run()]).verdict
    assert verdict.rule == "imbalance"
    assert list(verdict.costs)[:2] == ["imbalance", "noise"]


def test_nobody_waited_where_mpi_took_no_time(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    files = [rf.queued(rf.rank_file(0, 2, 10.0, 0.2), 2.0), rf.rank_file(1, 2, 10.0, 0.2)]
    finding = report(files).verdict.finding
    assert finding.startswith("Other processes take the cores")
    assert "waited" not in finding


def alternating(
    rf: ModuleType, in_mpi: tuple[float, float], waits: tuple[float, float]
) -> list[dict]:
    """Two ranks of which now one, now the other is late: every second collective waits."""
    early = [[0.01, waits[0]], [waits[1], 0.01]]
    return [
        rf.rank_file(
            rank, 2, 10.0, in_mpi[rank],
            functions=[rf.function("MPI_Allreduce", "collective", 10, 5 * sum(times))],
            collective_samples=rf.samples({"MPI_Allreduce": times * 5}),
        )
        for rank, times in enumerate(early)
    ]  # fmt: skip


def test_a_slow_rank_is_blamed_for_what_it_explains_only(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Ranks are in MPI nearly all the time: twice the work outside is not why they wait."""
    found = report(alternating(rf, (9.95, 9.90), (1.97, 1.97)))
    assert found.times.load_imbalance_percent > 20
    assert found.verdict.rule == "taking turns"


def test_a_rank_is_not_blamed_for_more_work_where_it_queued(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """Rank 0 is outside MPI for 34 % more than the mean, but a part of that it had no core."""
    files = alternating(rf, (3.6, 7.0), (0.71, 1.39))
    assert report(files).verdict.rule == "imbalance"
    files[0] = rf.queued(files[0], 1.0)
    found = report(files)
    assert list(found.verdict.costs)[:2] == ["taking turns", "noise"]


def test_paging_explains_missing_cpu_time(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    verdict = run(rf, report, [], 0.0, cpu=cpu(rf, 6.0, major_faults=5000))
    assert (verdict.rule, "10,000 page faults" in verdict.finding) == ("paging", True)


def test_a_program_that_computes(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    verdict = run(rf, report, [messages(rf, 10, 100, 0.2)], 0.2)
    assert verdict.rule == "computing"
    assert "MPI 2 %" in verdict.finding
    assert "halocline snapshot scale" in verdict.advice


def test_one_rank_is_sent_to_more_ranks(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    assert "more ranks" in run(rf, report, [], 0.0, ranks=1).advice


def stopped(rf: ModuleType, calls: list[tuple[str, float]], **parts: object) -> list[dict]:
    """A run of 10 s that SIGTERM ended: each rank was inside its call for so many seconds."""
    kinds = {"MPI_Recv": "receive", "MPI_File_write_all": "io"}
    return [
        rf.rank_file(
            rank, len(calls), 10.0, 0.1, end="sigterm", complete=False,
            pending=[{"tid": 1, "function": name, "class": kinds.get(name, "collective"),
                      "since_ns": rf.ns(seconds)}],
        )
        | parts
        for rank, (name, seconds) in enumerate(calls)
    ]  # fmt: skip


def test_a_deadlock_names_the_odd_call_first(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    """It speaks before crowded cores and before the waiting, which is more than the hang."""
    calls = [("MPI_Allreduce", 9.0)] * 5 + [("MPI_Recv", 8.0)]
    binding = {"cpus": "0", "cpu_count": 1, "machine_cpus": 64}
    found = report(stopped(rf, calls, binding=binding))
    assert found.verdict.rule == "deadlock"
    assert "in the last 8.00 s before" in found.verdict.finding
    assert "inside MPI, rank 5 in MPI_Recv, 5 ranks in MPI_Allreduce." in found.verdict.finding


def test_ranks_that_finished_are_in_no_deadlock(
    rf: ModuleType, report: Callable[..., Snapshot]
) -> None:
    files = stopped(rf, [("MPI_Recv", 8.0)] * 2)
    files[1] = rf.rank_file(1, 2, 2.0, 0.1)
    assert report(files).verdict.rule == "deadlock"


def test_a_minute_is_long_in_any_run(rf: ModuleType, report: Callable[..., Snapshot]) -> None:
    for seconds, long in ((61.0, True), (59.0, False)):
        files = stopped(rf, [("MPI_Barrier", seconds)] * 2)
        for file in files:
            file["time"] |= {"mpi_ns": rf.ns(36_000)}
        assert (report(files).verdict.rule == "deadlock") == long


NO_DEADLOCK = {
    "one rank computes": [{}, {"pending": []}],
    "a call just begun": [{}, {"pending": [{"since_ns": 1000}]}],
    "a rank that ended by itself": [{}, {"end": "signal 11"}],
    "a disk that is waited for": [{}, {"pending": [{"class": "io"}]}],
    "a rank nobody heard of": [{"ranks": 3}, {"ranks": 3}],
    "another thread that calls MPI": [{}, {"threads": [{"tid": 1}, {"tid": 2}]}],
    "processes outside the job": [{}, {"functions": [{"name": "MPI_Comm_spawn"}]}],
}


@pytest.mark.parametrize("changes", NO_DEADLOCK.values(), ids=NO_DEADLOCK)
def test_what_is_no_deadlock(
    rf: ModuleType, report: Callable[..., Snapshot], changes: list[dict]
) -> None:
    """Each differs from a deadlock in one thing."""
    files = stopped(rf, [("MPI_Recv", 8.0)] * 2)
    thread = {"calls": 1, "in_mpi_ns": 0}
    spawning = rf.function("MPI_Comm_spawn", "communicator", 1, 0.01)
    whole = {"pending": files[0]["pending"][0], "threads": thread, "functions": spawning}
    for file, change in zip(files, changes, strict=True):
        for key, value in change.items():
            lists = isinstance(value, list)
            file[key] = [whole[key] | each for each in value] if lists else value
    assert report(files).verdict.rule != "deadlock"


def test_finding_and_advice_are_one_sentence_each(
    rf: ModuleType, report: Callable[..., Snapshot], solver: Snapshot
) -> None:
    for verdict in (solver.verdict, run(rf, report, [messages(rf, 100_000, 100, 2.0)], 2.0)):
        for sentence in (verdict.finding, verdict.advice):
            assert sentence.endswith(".")
            assert ". " not in sentence
