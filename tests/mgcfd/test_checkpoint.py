# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints: a run goes on from one with the bits of the run that was never interrupted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from mgcfd_support import (
    Run,
    environment,
    launcher,
    make_box,
    patience_s,
    program,
    run,
    wait_for,
)

SHAPE = (9, 8, 7)
STEPS = 12


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A three-level box."""
    return make_box(tmp_path_factory.mktemp("case"), SHAPE, 3)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, case: Path) -> Run:
    """The run that was never interrupted."""
    done = run(tmp_path_factory.mktemp("whole"), "-d", str(case), *asked(STEPS))
    assert done.code == 0, done.err
    return done


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory, case: Path) -> Path:
    """What a run of seven steps left: checkpoints of steps 3 and 6."""
    folder = tmp_path_factory.mktemp("part")
    done = run(folder, "-d", str(case), *asked(7), "--checkpoint-interval", "3", ranks=2)
    assert done.code == 0, done.err
    assert checkpoints(folder) == {3, 6}
    return folder


def asked(steps: int) -> list[str]:
    """Words of every run here."""
    return ["-g", str(steps), "--output-variables", "--output-step-factors"]


def checkpoints(folder: Path) -> set[int]:
    """Steps of the checkpoints in a folder."""
    return {int(path.stem.rpartition("=")[2]) for path in folder.glob("checkpoint.step=*.h5")}


def copy_checkpoints(source: Path, target: Path) -> None:
    """Copies them, oldest first: the newest file is the newest checkpoint."""
    for step in sorted(checkpoints(source)):
        name = f"checkpoint.step={step}.h5"
        (target / name).write_bytes((source / name).read_bytes())
        time.sleep(0.01)


def require_same_end(done: Run, whole: Run) -> None:
    """All that both runs computed is the same to the last bit."""
    assert done.code == 0, done.err
    names = sorted(path.name for path in whole.folder.glob("*.cycles=*.h5"))
    assert len(names) == 6
    for name in names:
        assert (done.folder / name).read_bytes() == (whole.folder / name).read_bytes(), name
    assert done.record()["results"]["rms"] == whole.record()["results"]["rms"]


WAYS: list[tuple[int, list[str]]] = [
    (1, []),
    (1, ["--backend", "serial"]),
    (1, ["--backend", "check"]),
    (1, ["--backend", "emulated"]),
    (2, ["-m", "sfc"]),
    (3, ["-m", "random", "--io", "sync"]),
    (3, ["--backend", "emulated", "--halo-scheme", "peer"]),
    (2, ["--no-renumber", "--backend", "serial"]),
]


@pytest.mark.parametrize(("ranks", "words"), WAYS)
def test_any_run_goes_on_with_the_same_bits(
    tmp_path: Path, case: Path, part: Path, whole: Run, ranks: int, words: list[str]
) -> None:
    copy_checkpoints(part, tmp_path)
    again = ["-d", str(case), *asked(STEPS), "--restart", "auto", "--checkpoint-interval", "4"]
    done = run(tmp_path, *again, *words, ranks=ranks)
    require_same_end(done, whole)
    assert "Continuing after 6 steps from checkpoint.step=6.h5" in done.out
    io = done.record()["io"]
    assert io["restarted_from"] == "checkpoint.step=6.h5"
    assert io["restarted_after"] == 6
    assert io["checkpoint"] == "checkpoint.step=12.h5"
    assert checkpoints(tmp_path) == {8, 12}


def test_devices_write_what_hosts_write(tmp_path: Path, case: Path, part: Path) -> None:
    words = ["-d", str(case), *asked(6), "--checkpoint-interval", "3", "--backend", "emulated"]
    assert run(tmp_path, *words, ranks=2).code == 0
    for step in (3, 6):
        name = f"checkpoint.step={step}.h5"
        assert (tmp_path / name).read_bytes() == (part / name).read_bytes()


def test_a_named_checkpoint_need_not_be_the_newest(
    tmp_path: Path, case: Path, part: Path, whole: Run
) -> None:
    source = part / "checkpoint.step=3.h5"
    done = run(tmp_path, "-d", str(case), *asked(STEPS), "--restart", str(source))
    require_same_end(done, whole)
    assert done.record()["io"]["restarted_after"] == 3
    assert checkpoints(part) == {3, 6}


def test_without_a_checkpoint_auto_starts_at_the_beginning(
    tmp_path: Path, case: Path, whole: Run
) -> None:
    done = run(tmp_path, "-d", str(case), *asked(STEPS), "--restart", "auto")
    require_same_end(done, whole)
    assert "no checkpoint yet" in done.out
    assert done.record()["io"]["restarted_from"] is None


def test_only_the_newest_stay(tmp_path: Path, case: Path) -> None:
    words = ["-d", str(case), *asked(9), "--checkpoint-interval", "1"]
    assert run(tmp_path, *words, "--checkpoint-keep", "3").code == 0
    assert checkpoints(tmp_path) == {7, 8, 9}


def test_checkpoints_come_by_the_clock(tmp_path: Path, case: Path) -> None:
    words = ["-d", str(case), "-g", "3", "--checkpoint-seconds", "1e-9", "--checkpoint-keep", "9"]
    assert run(tmp_path, *words, ranks=2).code == 0
    assert checkpoints(tmp_path) == {1, 2, 3}


# --- files that cannot be used --------------------------------------------------------------------


def damage(path: Path, dataset: str) -> None:
    """Changes one bit of one value."""
    with h5py.File(path, "r+") as file:
        row = file[dataset].shape[0] // 2
        value = file[dataset][row]
        file[dataset][row] = (value.view(np.int64) ^ 1).view(np.float64)


@pytest.mark.parametrize("ranks", [1, 3])
@pytest.mark.parametrize("dataset", ["variables_L0", "variables_L2", "numbers"])
def test_one_wrong_bit_is_found_and_the_older_checkpoint_used(
    tmp_path: Path, case: Path, part: Path, whole: Run, ranks: int, dataset: str
) -> None:
    copy_checkpoints(part, tmp_path)
    damage(tmp_path / "checkpoint.step=6.h5", dataset)
    os.utime(tmp_path / "checkpoint.step=6.h5")
    words = ["-d", str(case), *asked(STEPS)]
    named = run(tmp_path, *words, "--restart", "checkpoint.step=6.h5", ranks=ranks)
    assert named.code == 3, named.err
    (said,) = named.messages
    assert f"'checkpoint.step=6.h5' is damaged (the checksum of dataset '{dataset}'" in said
    assert "older checkpoint" in said
    done = run(tmp_path, *words, "--restart", "auto", ranks=ranks)
    require_same_end(done, whole)
    assert "is damaged" in done.err
    assert done.record()["io"]["restarted_after"] == 3


def test_a_half_file_is_passed_over(tmp_path: Path, case: Path, part: Path, whole: Run) -> None:
    copy_checkpoints(part, tmp_path)
    data = (part / "checkpoint.step=6.h5").read_bytes()
    (tmp_path / "checkpoint.step=6.h5").write_bytes(data[: len(data) // 2])
    require_same_end(run(tmp_path, "-d", str(case), *asked(STEPS), "--restart", "auto"), whole)


def test_when_none_can_be_used_nothing_is_computed_anew(
    tmp_path: Path, case: Path, part: Path
) -> None:
    copy_checkpoints(part, tmp_path)
    for step in (3, 6):
        damage(tmp_path / f"checkpoint.step={step}.h5", "variables_L1")
    done = run(tmp_path, "-d", str(case), *asked(STEPS), "--restart", "auto")
    assert done.code == 3, done.err
    assert "none of the 2 checkpoint(s)" in done.err
    assert checkpoints(tmp_path) == {3, 6}


def test_checkpoints_of_other_runs_are_refused(tmp_path: Path, case: Path, part: Path) -> None:
    source = part / "checkpoint.step=6.h5"
    other = make_box(tmp_path / "other", (9, 8, 6), 3)
    done = run(tmp_path, "-d", str(other), *asked(STEPS), "--restart", str(source))
    assert done.code == 3, done.err
    assert f"'{source}' is a checkpoint of another run (mesh '" in done.err
    legacy = run(tmp_path, "-d", str(case), *asked(STEPS), "--restart", str(source), "-l")
    assert legacy.code == 3, legacy.err
    assert "is a checkpoint of another run" in legacy.err


def test_other_files_and_versions_are_refused(tmp_path: Path, case: Path, part: Path) -> None:
    words = ["-d", str(case), *asked(STEPS), "--restart"]
    missing = run(tmp_path, *words, "no.h5")
    assert missing.code == 3
    assert "checkpoint 'no.h5' does not exist" in missing.err
    mesh = run(tmp_path, *words, str(case / "mesh.L0.h5"))
    assert mesh.code == 3
    assert "is not a checkpoint" in mesh.err
    later = tmp_path / "later.h5"
    later.write_bytes((part / "checkpoint.step=6.h5").read_bytes())
    with h5py.File(later, "r+") as file:
        file.attrs["format_version"] = np.int64(99)
    version = run(tmp_path, *words, str(later), ranks=2)
    assert version.code == 3
    (said,) = version.messages
    assert "has version 99 of the checkpoint format (this program reads version 1)" in said


# --- ends that nobody chose -----------------------------------------------------------------------


def start(folder: Path, case: Path, ranks: int, *words: str) -> subprocess.Popen[bytes]:
    """A run in the background; what it says is in `log`."""
    command = [*launcher(ranks), program(), "-d", str(case), *words]
    with (folder / "log").open("a") as out:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment(),
            stdout=out,
            stderr=out,
            start_new_session=True,
        )


@pytest.mark.parametrize(
    ("ranks", "number"),
    [(1, signal.SIGTERM), (3, signal.SIGTERM), (1, signal.SIGUSR1), (2, signal.SIGUSR1)],
)
def test_a_signal_leaves_a_checkpoint(
    tmp_path: Path, case: Path, ranks: int, number: signal.Signals
) -> None:
    words = ["-g", "100000000", "--checkpoint-interval", "100000000"]
    job = start(tmp_path, case, ranks, *words)
    try:
        wait_for(lambda: "Performing MG cycle" in (tmp_path / "log").read_text(), patience_s)
        # After a second of computing a run measures the machine's bandwidth, unless it has to end.
        time.sleep(1.1 if number == signal.SIGTERM else 0.0)
        job.send_signal(number)
        code = job.wait(timeout=patience_s)
    finally:
        job.kill()
        job.wait()
    text = (tmp_path / "log").read_text()
    assert text.count("stopped after cycle") == 1
    if ranks == 1 or number != signal.SIGTERM:
        assert code == 75, text
        record = json.loads((tmp_path / "record.json").read_text())
        assert record["status"]["state"] == "stopped"
        assert record["triad_gb_per_s"] is None
    else:  # mpirun has a code of its own then, and kills what still runs a second later
        assert code != 0, text
        assert not list(tmp_path.rglob("*.partial"))
    (step,) = checkpoints(tmp_path)
    assert f"stopped after cycle {step} of 100000000 (asked to by {number.name})" in text
    assert f"--restart auto goes on from checkpoint.step={step}.h5" in text
    end = str(step + 3)
    gone_on = run(tmp_path, "-d", str(case), "-g", end, "--restart", "auto", "--output-variables")
    assert gone_on.code == 0, gone_on.err
    straight = tmp_path / "straight"
    straight.mkdir()
    assert run(straight, "-d", str(case), "-g", end, "--output-variables").code == 0
    name = f"variables.L0.cycles={end}.h5"
    assert (tmp_path / name).read_bytes() == (straight / name).read_bytes()


def test_a_time_limit_leaves_a_checkpoint(tmp_path: Path, case: Path) -> None:
    begin = time.monotonic()
    done = run(tmp_path, "-d", str(case), "-g", "100000000", "--time-limit", "2", ranks=2)
    assert done.code == 75, done.err
    assert "its time limit is near" in done.err
    assert len(checkpoints(tmp_path)) == 1
    assert time.monotonic() - begin < patience_s


KILLS = int(os.environ.get("HALOCLINE_KILLS", "12"))


def wait_for_newer(folder: Path, step: int, job: subprocess.Popen[bytes]) -> None:
    """Waits for a checkpoint of a later step, or for the end of the job."""
    wait_for(
        lambda: max(checkpoints(folder), default=0) > step or job.poll() is not None, patience_s
    )


@pytest.mark.parametrize("ranks", [1, 2])
def test_kill_9_at_any_moment_loses_nothing(tmp_path: Path, case: Path, ranks: int) -> None:
    """A checkpoint after every step: the kills come while checkpoints are written and replaced."""
    dice = np.random.default_rng(ranks)
    newest = 0
    words = ["-g", "100000000", "--checkpoint-interval", "1", "--restart", "auto"]
    for kill in range(KILLS // ranks):
        job = start(tmp_path, case, ranks, *words)
        try:
            wait_for_newer(tmp_path, newest, job)
            assert job.poll() is None, (tmp_path / "log").read_text()
            time.sleep(dice.random() * 0.05)
        finally:
            os.killpg(job.pid, signal.SIGKILL)
            job.wait()
        found = max(checkpoints(tmp_path), default=0)
        assert found > newest, kill
        newest = found
    end = newest + 2
    last = run(tmp_path, "-d", str(case), "-g", str(end), "--restart", "auto", "--output-variables")
    assert last.code == 0, last.err
    assert "damaged" not in (tmp_path / "log").read_text() + last.err
    straight = tmp_path / "straight"
    straight.mkdir()
    assert run(straight, "-d", str(case), "-g", str(end), "--output-variables").code == 0
    name = f"variables.L0.cycles={end}.h5"
    assert (tmp_path / name).read_bytes() == (straight / name).read_bytes()
