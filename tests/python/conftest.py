# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Shared fixtures: the command line in process, a stand-in for the native program, a tiny mesh, a
Slurm of two nodes on this machine."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
import pytest
from halocline.cli import app

sys.path.append(str(Path(__file__).parents[1] / "support"))

from slurm_cluster import SlurmCluster, missing_programs

if "PYTEST_XDIST_WORKER" in os.environ:
    # Jobs of Open MPI share a folder, which one may remove while another begins.
    sessions = Path(tempfile.gettempdir()) / f"halocline-mpi-{os.getpid()}"
    os.environ.update({"OMPI_MCA_orte_tmpdir_base": str(sessions)})
    atexit.register(shutil.rmtree, sessions, ignore_errors=True)

EXAMPLE_RECORD = Path(__file__).parent / "data" / "record.example.json"

STAND_IN = """#!{python}
import json, os, shutil, sys
from pathlib import Path
from halocline.case.load import load_case
words = sys.argv[1:]
case = load_case(Path(words[0]), [words[i + 1] for i, w in enumerate(words) if w == "--set"])
record = Path(words[0]).parent / case.output.directory / f"{{case.output.prefix}}record.json"
if os.environ.get("OMPI_COMM_WORLD_RANK", "0") == "0":
    seen = {{"words": words, "threads": os.environ.get("OMP_NUM_THREADS")}}
    with open({seen!r}, "w") as file:
        json.dump(seen, file)
    if os.environ.get("STAND_IN_RECORD", "yes") == "yes":
        shutil.copy({record!r}, record)
    print("stand-in at work")
sys.exit(int(os.environ.get("STAND_IN_CODE", "0")))
"""


@dataclass(frozen=True)
class Outcome:
    """What a command line did."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, object]:
        """The JSON that it printed."""
        parsed: dict[str, object] = json.loads(self.out)
        return parsed


Command = Callable[..., Outcome]


# Two faults of Open MPI under srun on busy machines, with programs of any kind (docs/submit.md).
# Slurm's daemon says that a message between nodes was lost: ranks wait for each other until they
# are ended.
LOST_MESSAGE = r"pmixp_p2p_send: .*exceeded the retry limit"
# A rank called address 0 within MPI_Init: its stack has the C library's frame and no other.
CALL_OF_NOTHING = (
    r"Failing at address: \(nil\)\n[^\n]*\[ 0\] [^\n]*libc\.so[^\n]*\n[^\n]*End of error message"
)
# The same, seen by the others, in either order: one could not connect to it for its first message,
# and Slurm says its end before its stack is out.
PEER_GONE = (
    r"(?s)(?=.*Open MPI failed to TCP connect to a peer MPI process)"
    r"(?=.*srun: error: [^\n]*Segmentation fault)"
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have tests that share one Slurm run in one worker, one after the other.

    A test that failed by one of the faults of Open MPI under srun runs a second time.
    """
    for item in items:
        if "slurm" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("slurm"))
            faults = [LOST_MESSAGE, CALL_OF_NOTHING, PEER_GONE]
            item.add_marker(pytest.mark.flaky(reruns=1, only_rerun=faults))


@pytest.fixture
def halocline(capfd: pytest.CaptureFixture[str]) -> Command:
    """Run a command line in process; output of child processes is captured too."""

    def run(*words: object) -> Outcome:
        with pytest.raises(SystemExit) as stop:
            app.main([str(word) for word in words])
        captured = capfd.readouterr()
        return Outcome(int(stop.value.code or 0), captured.out, captured.err)

    return run


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a program `halocline-solve` in place that notes its arguments and leaves a valid record.

    Returns the file with the notes.
    """
    folder = tmp_path / "bin"
    folder.mkdir()
    seen = tmp_path / "seen.json"
    program = folder / "halocline-solve"
    program.write_text(
        STAND_IN.format(python=sys.executable, seen=str(seen), record=str(EXAMPLE_RECORD))
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("HALOCLINE_BIN", str(folder))
    return seen


@pytest.fixture
def case_file(tmp_path: Path) -> Path:
    """A minimal case whose mesh folder exists; one rank, so that no launcher is needed."""
    (tmp_path / "mesh").mkdir()
    (tmp_path / "mesh" / "input.dat").write_text("size = 1\n")
    path = tmp_path / "case.toml"
    path.write_text('title = "test"\n[solver]\ncycles = 3\n[parallel]\nranks = 1\nthreads = 1\n')
    return path


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    """A copy of the example record."""
    return Path(shutil.copy(EXAMPLE_RECORD, tmp_path / "record.json"))


@pytest.fixture
def passage(tmp_path: Path) -> Path:
    """A results folder with the surface of a hub and a blade, 12 passages around x, and a field.

    Hub: 9 × 7 nodes on the cylinder r = 1. Blade: 5 × 4 nodes on a radial plane above it.
    """
    folder = tmp_path / "results"
    folder.mkdir()
    angle = 2.0 * np.pi / 12.0
    x, theta = np.meshgrid(
        np.linspace(0, 1, 9), np.linspace(-angle / 2, angle / 2, 7), indexing="ij"
    )
    hub = np.stack([x, np.cos(theta), np.sin(theta)], axis=-1).reshape(-1, 3)
    x, r = np.meshgrid(np.linspace(0.3, 0.7, 5), np.linspace(1.0, 1.4, 4), indexing="ij")
    blade = np.stack([x, r, np.zeros_like(r)], axis=-1).reshape(-1, 3)
    points = np.concatenate([hub, blade])
    quads = np.concatenate([_grid_quads(9, 7), _grid_quads(5, 4) + len(hub)])
    groups = np.repeat([0, 2], [8 * 6, 4 * 3])
    with h5py.File(folder / "mesh.L0.h5", "w") as mesh:
        mesh["node_coordinates"] = points
        mesh["bnd_quads"], mesh["bnd_quad_group"] = quads.astype("i4"), groups.astype("i4")
        mesh["bnd_node-->node"] = np.arange(len(points), dtype="i4")[:, None]
        mesh["bnd_node-->group"] = np.repeat([0, 2], [len(hub), len(blade)])[:, None]
        mesh.attrs["bnd_group_names"] = json.dumps({"0": "hub", "2": "blade"})
        mesh.attrs["rotation_axis"], mesh.attrs["periodic_angle_rad"] = [1.0, 0.0, 0.0], angle
    write_variables(folder / "variables.L0.cycles=5.h5", pressure=1.0 + 0.3 * points[:, 0])
    return folder


def _grid_quads(rows: int, columns: int) -> np.ndarray:
    first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    return np.stack([first, first + columns, first + columns + 1, first + 1], axis=1)


@pytest.fixture(name="write_variables")
def _write_variables_fixture() -> Callable[[Path, np.ndarray], None]:
    """Writes conserved variables; see `write_variables`."""
    return write_variables


def write_variables(path: Path, pressure: np.ndarray) -> None:
    """Write conserved variables of gas at rest with density 1.4 and the given pressure."""
    conserved = np.zeros((len(pressure), 5))
    conserved[:, 0], conserved[:, 4] = 1.4, pressure / 0.4
    with h5py.File(path, "w") as file:
        file["p_variables_result_L0"] = conserved


@pytest.fixture(scope="session")
def _slurm_daemons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlurmCluster]:
    missing = missing_programs()
    if missing:
        pytest.skip(f"no {', '.join(missing)} here; scripts/bootstrap.sh --test installs Slurm")
    cluster = SlurmCluster(tmp_path_factory.mktemp("slurm"))
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()


@pytest.fixture
def slurm(_slurm_daemons: SlurmCluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlurmCluster]:
    """An idle Slurm of two nodes with two cores each; its commands work in this test."""
    monkeypatch.setenv("SLURM_CONF", str(_slurm_daemons.configuration))
    yield _slurm_daemons
    _slurm_daemons.wait_until_idle()
