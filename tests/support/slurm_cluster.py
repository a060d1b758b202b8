# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A Slurm of two nodes on this machine, for tests."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch", "srun")
READY_WITHIN_S = 180.0
DEAD_WITHIN_S = 30.0

CONFIGURATION = """\
ClusterName=onebox
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={control_port}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock,cred_expire=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
TmpFS={folder}/tmp.%n
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={port_1} CPUs=2 RealMemory=4000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={port_2} CPUs=2 RealMemory=4000
PartitionName=debug Nodes=ALL Default=YES State=UP
"""

# One kind of fence for all: with two kinds, as by default, a rank now and then leaves MPI_Init
# before another has entered its last fence, and what it sends ends the other (docs/submit.md).
# With one it is rare.
MPI_CONFIGURATION = "PMIxCollFence=tree\n"

# Both nodes are this machine: ranks of different nodes meet over the loopback interface.
SITE = """\
name = "onebox"
scheduler = "slurm"

[machine]
cores_per_node = 2

[defaults]
time = "5m"
queue = "debug"

[defaults.environment]
OMPI_ALLOW_RUN_AS_ROOT = "1"
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = "1"
OMPI_MCA_btl = "self,tcp"
OMPI_MCA_btl_tcp_if_include = "lo"
OMPI_MCA_rmaps_base_oversubscribe = "1"
OMPI_MCA_mpi_yield_when_idle = "1"

[launch]
mpi = "openmpi"
bind_to = "none"
"""


class SlurmCluster:
    """Two slurmd and one slurmctld with their own munged, all in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.configuration = folder / "slurm.conf"
        self.site = folder / "onebox.toml"
        self._daemons: list[subprocess.Popen[bytes]] = []
        self._write_files()

    def _write_files(self) -> None:
        control, first, second = free_ports(3)
        for name in ("state", "spool.n1", "spool.n2", "tmp.n1", "tmp.n2"):
            (self.folder / name).mkdir()
        (self.folder / "munge.key").write_bytes(os.urandom(1024))
        (self.folder / "munge.key").chmod(0o400)
        text = CONFIGURATION.format(
            host=socket.gethostname(),
            user=getpass.getuser(),
            folder=self.folder,
            control_port=control,
            port_1=first,
            port_2=second,
        )
        self.configuration.write_text(text)
        (self.folder / "mpi.conf").write_text(MPI_CONFIGURATION)
        self.site.write_text(SITE)

    def start(self) -> None:
        """Start all daemons and wait until both nodes are idle."""
        files = {
            name: f"--{name}={self.folder}/munge.{end}"
            for name, end in (
                ("key-file", "key"),
                ("socket", "sock"),
                ("pid-file", "pid"),
                ("log-file", "log"),
                ("seed-file", "seed"),
            )
        }
        self._daemon("munged", "--foreground", "--force", *files.values())
        self._wait_for((self.folder / "munge.sock").exists, "munged")
        self._daemon("slurmctld", "-D", "-f", str(self.configuration))
        for node in ("n1", "n2"):
            self._daemon("slurmd", "-D", "-f", str(self.configuration), "-N", node)
        self._wait_for(lambda: self.ask("sinfo", "-h", "-t", "idle", "-o", "%D").strip() == "2", "")

    def ask(self, *words: str) -> str:
        """Run a command of Slurm; empty when it fails."""
        environment = {**os.environ, "SLURM_CONF": str(self.configuration)}
        done = subprocess.run(
            words, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        return done.stdout if done.returncode == 0 else ""

    def wait_until_idle(self) -> None:
        """Cancel what is left of a test and wait until both nodes are free again."""
        user = getpass.getuser()
        self.ask("scancel", "-u", user)
        self._wait_for(lambda: self.ask("squeue", "-h").strip() == "", "squeue to be empty")

    def stop(self) -> None:
        """End all daemons and whatever they have left behind."""
        self.ask("scancel", "-u", getpass.getuser())
        for daemon in reversed(self._daemons):
            daemon.terminate()
        for daemon in self._daemons:
            try:
                daemon.wait(DEAD_WITHIN_S)
            except subprocess.TimeoutExpired:
                daemon.kill()
        for pid in self._left_behind():
            os.kill(pid, signal.SIGKILL)

    def _daemon(self, *words: str) -> None:
        """Start a daemon as our child; the kernel ends it should pytest be killed."""
        name = Path(words[0]).name
        with (self.folder / f"{name}.out").open("ab") as out:
            program = shutil.which(words[0], path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
            self._daemons.append(
                subprocess.Popen(
                    ["setpriv", "--pdeathsig", "TERM", str(program), *words[1:]],
                    env={**os.environ, "SLURM_CONF": str(self.configuration)},
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=out,
                    start_new_session=True,
                )
            )

    def _wait_for(self, ready: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + READY_WITHIN_S
        while not ready():
            dead = [daemon.args for daemon in self._daemons if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                logs = "\n".join(path.read_text()[-1500:] for path in self.folder.glob("*.log"))
                pytest.fail(f"the test Slurm did not get ready ({what}); ended: {dead}\n{logs}")
            time.sleep(0.2)

    def _left_behind(self) -> Iterator[int]:
        """Processes whose environment names our configuration, ourselves excluded."""
        mark = f"SLURM_CONF={self.configuration}".encode()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    pid = int(process.name)
                    if pid != os.getpid():
                        yield pid
            except OSError:
                continue


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on at the moment."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]
    finally:
        for one in sockets:
            one.close()


def missing_programs() -> list[str]:
    """Return the daemons and commands that this machine lacks."""
    path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
    return [name for name in DAEMONS if shutil.which(name, path=path) is None]
