# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is recorded beside MPI: OpenMP regions, file calls, device buffers, the process, symbols."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from harness import Bench, RankFile, by_name, main

TABLE = Path(__file__).parents[3] / "tools" / "mpi_table" / "mpi.table"
# Said at the head of mpi.table; and f08 forms of status conversions.
LEFT_OUT = re.compile(r"_c2f|_f2c|_(?:f|c2?|f2)f08|_f082[cf]|MPI_(Wti|Aint_|Pcontrol)")
# Functions of the program's own side that the recorder puts itself in front of.
ALSO_WRAPPED = ("read", "write", "fopen", "sigaction", "_exit", "GOMP_parallel", "ompt_start_tool")


def check(bench: Bench) -> None:
    """All of it."""
    check_symbols(bench)
    runtimes = {"gomp": "libgomp", "omp": "libomp"}
    for suffix, runtime in runtimes.items():
        if (bench.programs / f"regions_{suffix}.{bench.family}").exists():
            check_regions(bench, f"regions_{suffix}", runtime)
            check_tiny_regions(bench, f"tiny_regions_{suffix}", runtime)
    check_files(bench)
    check_device(bench)
    check_hidden(bench)
    check_spawned(bench)
    check_switches(bench)
    check_cores(bench)


def check_symbols(bench: Bench) -> None:
    """The library exports both names of every MPI function, and needs the C library alone."""
    words = ["nm", "-D", str(bench.library)]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    # a version hides the names of MPI from dlsym (tools/preload/export.hpp)
    defined = {line.split()[-1].partition("@")[0] for line in lines if " T " in line}
    # weak ones of the compiler's start-up code resolve to nothing
    undefined = {line.split()[-1] for line in lines if " U " in line}
    strange = sorted(name for name in undefined if "@GLIBC" not in name)
    bench.equal(strange, [], "needed from elsewhere than the C library")
    table = set(re.findall(r"^(MPI_\w+)\(", TABLE.read_text(encoding="utf-8"), re.MULTILINE))
    offered = functions_of_mpi(bench)
    bench.expect(len(offered) > 340, f"only {len(offered)} functions found in the MPI library")
    bench.equal(sorted(offered - table), [], "functions of the MPI library missing in mpi.table")
    bench.equal(sorted(offered - defined), [], "functions of the MPI library without a wrapper")
    for name in (*offered, "MPI_Pcontrol"):
        bench.expect(f"P{name}" in defined, f"P{name} is not exported")
    for name in ALSO_WRAPPED:
        bench.expect(name in defined, f"{name} is not exported")
    others = {name for name in defined if name.startswith("_Z")}
    bench.equal(others, set(), "private names that are exported")


def functions_of_mpi(bench: Bench) -> set[str]:
    """What the MPI library of the programs exports, without what mpi.table leaves out."""
    words = ["ldd", str(bench.programs / f"tour_c.{bench.family}")]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    path = re.search(r"=> (\S*/libmpi(?:ch)?\.so\S*)", lines)
    if path is None:
        return set()
    words = ["nm", "-D", "--defined-only", path[1]]
    symbols = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    names = set(re.findall(r" [TW] (MPI_[A-Z][a-z]\w*)$", symbols, re.MULTILINE))
    return {name for name in names if not LEFT_OUT.search(name)}


def check_regions(bench: Bench, program: str, runtime: str) -> None:
    """Five regions of 30 calls, 3 ms against 1 ms on the program's own processor clock.

    Both threads of the fourth enter another region, which has one thread and no work.
    """
    run = bench.run(program, 1)
    bench.equal(run.code, 0, f"{program}: exit code\n{run.errors}")
    found = run.ranks[0]["openmp"] if run.ranks else {"runtime": None, "regions": []}
    bench.equal(found["runtime"], runtime, f"{program}: runtime")
    nested = [region for region in found["regions"] if region.get("nested")]
    entered = [(region["calls"], region["threads"]) for region in nested]
    bench.equal(entered, [(60, 1)], f"{program}: calls and threads of the nested region")
    outermost = [region for region in found["regions"] if region not in nested]
    bench.equal(len(outermost), 5, f"{program}: regions")
    for region in outermost:
        bench.equal((region["calls"], region["threads"]), (30, 2), f"{program}: calls, threads")
        most, mean = region["busy_max_ns"], region["busy_mean_ns"]
        bench.equal((most, mean), (90_000_000, 60_000_000), f"{program}: busiest thread and mean")
        bench.equal(region["busy_sum_ns"], 120_000_000, f"{program}: busy time of both threads")
        bench.equal(region.get("lost_ns"), 30_000_000, f"{program}: lost time")
        bench.equal(region.get("measured_calls"), 30, f"{program}: measured calls")
        bench.expect(region["elapsed_ns"] >= most, f"{program}: elapsed below busy")
        bench.expect(region["site"][0] >= 0, f"{program}: a region in no module")


def check_tiny_regions(bench: Bench, program: str, runtime: str) -> None:
    """All of 20,000 short calls are counted, few measured, and these stand for the others."""
    calls, mean_elapsed_ns = 20_000, 4_000
    clock = {"HALOCLINE_SNAPSHOT_CLOCK": "virtual_now", "OMP_WAIT_POLICY": "passive"}
    run = bench.run(program, 1, str(calls), variables=clock)
    bench.equal(run.code, 0, f"{program}: exit code\n{run.errors}")
    found = run.ranks[0]["openmp"] if run.ranks else {"runtime": None, "regions": []}
    bench.equal(found["runtime"], runtime, f"{program}: runtime")
    bench.equal(len(found["regions"]), 1, f"{program}: regions")
    for region in found["regions"]:
        bench.equal(region["calls"], calls, f"{program}: calls")
        elapsed = calls * mean_elapsed_ns
        bench.equal(region["elapsed_ns"], elapsed, f"{program}: elapsed time")
        # one in a millisecond beyond the first 32 (a look takes no virtual time); the gaps are
        # random, and twice as many too many
        measured = region.get("measured_calls", calls)
        most = 32 + 2 * elapsed // 1_000_000
        bench.expect(32 < measured <= most, f"{program}: {measured} calls measured of {most}")
        looks = int(run.output.split()[1])
        # each thread at begin and end; LLVM's runtime tells the master of one more wait
        few = 4 * measured <= looks <= 6 * measured
        bench.expect(few, f"{program}: {looks} looks at the processor clock, {measured} measured")
        # A share p of the measured calls are even; all three shares of the elapsed time change by
        # no more than p / 4 around p = 1/2, and p of n calls deviates by 1 / (2 sqrt n).
        off = 3 / 4 / 2 / (measured - 32) ** 0.5
        for key, wanted in (("busy_max_ns", 1.0), ("busy_mean_ns", 0.75), ("lost_ns", 0.25)):
            share = region.get(key, 0) / elapsed
            bench.expect(
                abs(share - wanted) <= off,
                f"{program}: {key} is {share:.3f} of elapsed, not {wanted}",
            )


def check_files(bench: Bench) -> None:
    """Calls and bytes of file_calls.c; the pipe is not a file."""
    run = bench.run("file_calls", 1)
    bench.equal(run.code, 0, f"file_calls: exit code\n{run.errors}")
    io = run.ranks[0]["io"]
    counted = {row["name"]: (row["calls"], row["bytes"]) for row in io["functions"]}
    wanted = {
        "open": (1, 0),
        "write": (1, 1000),
        "pwrite": (1, 500),
        "pread": (1, 700),
        "read": (1, 0),
        "writev": (1, 70),
        "fsync": (1, 0),
        "close": (1, 0),
        "fopen": (1, 0),
        "fwrite": (1, 200),
        "fprintf": (1, 13),
        "fputs": (1, 5),
        "fflush": (1, 0),
        "fread": (1, 200),
        "fgets": (1, 13),
        "fclose": (1, 0),
    }
    bench.equal(counted, wanted, "file_calls: functions")
    bench.equal((io["read_bytes"], io["write_bytes"]), (913, 1788), "file_calls: bytes")
    files = {Path(file["path"]).name: file for file in io["files"]}
    bench.equal(sorted(files), ["descriptor.data", "stream.data"], "file_calls: files")
    bench.equal(files["descriptor.data"]["write_bytes"], 1570, "file_calls: written")
    bench.expect(io["process"]["wchar"] >= 999 + 1570, "file_calls: wchar of the kernel")


def check_device(bench: Bench) -> None:
    """Buffers that the driver calls its own are counted apart."""
    driver = bench.programs / f"libcuda.so.{bench.family}"
    run = bench.run("device", 2, str(driver))
    bench.equal(run.code, 0, f"device: exit code\n{run.errors}")
    for rank, found in run.ranks.items():
        rows = by_name(found)
        for name, wanted in {
            # one of the two Sendrecv sends from the device; what it receives does not count here
            "MPI_Sendrecv": (1, 100),
            "MPI_Irecv": (1, 200),
            "MPI_Send": (0, 0),
            "MPI_Allreduce": (1, 64),
        }.items():
            found_row = (rows[name]["device_calls"], rows[name]["device_bytes"])
            bench.equal(found_row, wanted, f"device: {name} on {rank}")


def check_hidden(bench: Bench) -> None:
    """MPI that a plugin brought along is recorded; the launcher's marks tell the family."""
    plugin = bench.programs / f"hidden_plugin.{bench.family}"
    run = bench.run("hidden", 2, str(plugin))
    bench.equal((run.code, sorted(run.ranks)), (0, [0, 1]), f"hidden: ranks\n{run.errors}")
    for rank, found in run.ranks.items():
        row = by_name(found).get("MPI_Sendrecv", {"calls": 0, "bytes": 0})
        bench.equal((row["calls"], row["bytes"]), (1, 4), f"hidden: MPI_Sendrecv on {rank}")
        bench.equal(found["end"], "finalize", f"hidden: end of {rank}")


def check_spawned(bench: Bench) -> None:
    """A spawned process leaves no file in place of its parent's."""
    if bench.family == "mpich":
        return  # Debian's MPICH 4.0.2 cannot spawn, with or without the recorder
    run = bench.run("spawns", 1)
    bench.equal((run.code, sorted(run.ranks)), (0, [0]), f"spawns: ranks\n{run.errors}")
    rows = by_name(run.ranks[0])
    bench.equal(rows.get("MPI_Comm_spawn", {"calls": 0})["calls"], 1, "spawns: MPI_Comm_spawn")
    peers = run.ranks[0]["peers"]
    both = (peers["unknown_peer_bytes"], peers["unknown_peer_received_bytes"])
    bench.equal(both, (20, 8), "spawns: bytes exchanged with the child, bytes that came from it")


def check_switches(bench: Bench) -> None:
    """Deeper sites, no sites, no samples; what is off is said to be off."""
    deep = bench.run("tour_c", 1, "t.data", variables={"HALOCLINE_SNAPSHOT_DEPTH": "3"}).ranks[0]
    depths = {len(row["frames"]) for row in deep["call_sites"]["rows"]}
    bench.expect(3 in depths, f"depth 3: frames {depths}")
    off = bench.run(
        "tour_c",
        2,
        "t.data",
        variables={
            "HALOCLINE_SNAPSHOT_SITES": "0",
            "HALOCLINE_SNAPSHOT_SAMPLES": "0",
            "HALOCLINE_SNAPSHOT_IO": "0",
            "HALOCLINE_SNAPSHOT_OPENMP": "0",
            "HALOCLINE_SNAPSHOT_FLUSH_S": "0",
        },
    ).ranks[0]
    bench.equal(off["call_sites"]["rows"], [], "sites switched off")
    bench.equal(off["collective_samples"]["rows"], [], "samples switched off")
    check_reasons(bench, off)
    few = bench.run("threads", 2, "1", "400", variables={"HALOCLINE_SNAPSHOT_SAMPLES": "50"})
    check_thinned(bench, few.ranks)


def check_cores(bench: Bench) -> None:
    """Time on and without a core, thread by thread, the library's own left out."""
    for rank, found in bench.run("threads", 2, "2", "2000").ranks.items():
        # the age of the process when the file was written, after the last reading; steps of 10 ms
        cpu, age_ns = found["cpu"], found["time"]["process_ns"] + 20_000_000
        bench.equal(len(cpu["threads"]), cpu["threads_now"], f"cores: threads of {rank}")
        tids = [tid for tid, _, _ in cpu["threads"]]
        (main_tid,) = (thread["tid"] for thread in found["threads"] if thread["main"])
        bench.expect(main_tid in tids, f"cores: {main_tid} is not among {tids}")
        for tid, cpu_ns, queue_ns in cpu["threads"]:
            bench.expect(
                cpu_ns + queue_ns <= age_ns,
                f"cores: thread {tid} ran {cpu_ns} and queued {queue_ns} of {age_ns} ns",
            )
        busy_ns = found["pressure"]["busy_ns"]
        most_ns = found["binding"]["cpu_count"] * (age_ns + 80_000_000)
        bench.expect(0 <= busy_ns <= most_ns, f"cores: {busy_ns} ns busy, at most {most_ns}")


def check_reasons(bench: Bench, found: RankFile) -> None:
    """Each null has its sentence."""
    reasons = {entry["quantity"]: entry["reason"] for entry in found["unavailable"]}
    for quantity in ("call sites", "MPI imbalance", "time in file calls", "OpenMP imbalance"):
        bench.expect("Switched off" in reasons.get(quantity, ""), f"no reason for {quantity}")
    for name, value in found["counters"].items():
        bench.equal(value is None, name in reasons, f"counter {name}: value and reason")
    bench.expect("floating-point use" in reasons, "no reason for floating-point use")
    cpu = found["cpu"]
    bench.expect(cpu["peak_memory_bytes"] > 1 << 20, "peak memory")
    bench.expect(found["binding"]["cpu_count"] >= 1, "binding")


def check_thinned(bench: Bench, ranks: dict[int, RankFile]) -> None:
    """Thinned samples stay within their room and are the same calls on both ranks."""
    kept = []
    for found in ranks.values():
        samples = found["collective_samples"]
        bench.expect(len(samples["rows"]) <= 50, f"{len(samples['rows'])} samples kept of 50")
        bench.expect(len(samples["rows"]) >= 5, f"{len(samples['rows'])} samples kept of 50")
        bench.expect(samples["kept_one_in"] >= 8, f"kept one in {samples['kept_one_in']}")
        names = found["communicators"]
        kept.append({(names[index]["id"], sequence) for index, sequence, _, _ in samples["rows"]})
    bench.expect(len(kept) == 2 and kept[0] == kept[1], "ranks kept different calls")


if __name__ == "__main__":
    main(check)
