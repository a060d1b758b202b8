# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts on one machine: network namespaces joined by a cable of limited bandwidth.

A process that sleeps keeps each namespace, and hosts go by their addresses: nothing is mounted, so
this works in containers and chroots, where `ip netns` does not.

As a program it runs a command on both, one rank each, and cleans up:
    python two_hosts.py [--rate 1gbit] -- COMMAND...
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

agent = Path(__file__).parent / "agent.sh"
network = "10.77.0"


@dataclass(frozen=True)
class Host:
    """An address, and the process that keeps its network namespace."""

    address: str
    keeper: int

    def run(self, *words: str) -> None:
        """Runs a command of the system on this host."""
        run("nsenter", "--net", "--target", str(self.keeper), *words)


@dataclass(frozen=True)
class Hosts:
    """The two of them."""

    pair: tuple[Host, Host]

    @property
    def names(self) -> list[str]:
        """What each host calls itself: its address, which needs no look-up."""
        return [host.address for host in self.pair]

    @property
    def environment(self) -> dict[str, str]:
        """What agent.sh needs to find the hosts."""
        return {"TWO_HOSTS": " ".join(f"{host.address}={host.keeper}" for host in self.pair)}

    def command(self, mpirun: str, *words: str) -> list[str]:
        """Launch line of one rank a host, over TCP through the cable alone."""
        places = ",".join(f"{name}:1" for name in self.names)
        launch = [mpirun, "-n", "2", "--host", places]
        launch += ["--allow-run-as-root", "--bind-to", "none", "--mca", "plm_rsh_agent", str(agent)]
        for layer in ("oob_tcp", "btl_tcp"):
            launch += ["--mca", f"{layer}_if_include", f"{network}.0/24"]
        launch += ["--mca", "btl", "self,tcp", "--mca", "pml", "ob1", *words]
        return [str(agent), self.names[0], *launch]

    def limit(self, rate: str) -> None:
        """Limits the bandwidth in both directions, e.g. 1gbit."""
        bucket = ("tbf", "rate", rate, "burst", "128kb", "latency", "50ms")
        for host in self.pair:
            host.run("tc", "qdisc", "replace", "dev", "cable", "root", *bucket)


def run(*words: str) -> None:
    """Runs a command of the system; its complaint becomes the exception's text."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"{' '.join(words)}: {done.stderr.strip() or done.returncode}")


def why_impossible() -> str:
    """The reason for which this machine cannot stand in for two hosts, or nothing."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    for tool in ("ip", "tc", "unshare", "nsenter"):
        if shutil.which(tool) is None:
            return f"no {tool} (packages iproute2, util-linux)"
    try:
        run("unshare", "--net", "--uts", "true")
    except OSError as error:
        return f"no network namespaces here ({error})"
    return ""


@contextmanager
def keeper() -> Iterator[int]:
    """A process in a network namespace of its own; both end together."""
    words = ["unshare", "--net", "sh", "-c", "echo ready; exec sleep infinity"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != b"ready\n":
                raise OSError("a network namespace could not be made.")
            yield process.pid
        finally:
            process.kill()


@contextmanager
def two_hosts() -> Iterator[Hosts]:
    """Makes the hosts and takes them away again."""
    with keeper() as first, keeper() as second:
        run(
            *("ip", "link", "add", "cable", "netns", str(first), "type", "veth"),
            *("peer", "name", "cable", "netns", str(second)),
        )
        hosts = Hosts((Host(f"{network}.1", first), Host(f"{network}.2", second)))
        for host in hosts.pair:
            host.run("ip", "address", "add", f"{host.address}/24", "dev", "cable")
            host.run("ip", "link", "set", "cable", "up")
            host.run("ip", "link", "set", "lo", "up")
        yield hosts


def main() -> int:
    """Runs the command of the command line on both hosts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rate", default="1gbit", help="bandwidth of the cable [1gbit]")
    parser.add_argument("--mpirun", default="mpirun.openmpi")
    parser.add_argument("command", nargs="+")
    words = parser.parse_args()
    reason = why_impossible()
    if reason:
        print(f"two_hosts: {reason}.", file=sys.stderr)
        return 4
    with two_hosts() as hosts:
        hosts.limit(words.rate)
        return subprocess.run(
            hosts.command(words.mpirun, *words.command),
            env={**os.environ, **hosts.environment},
            check=False,
        ).returncode


if __name__ == "__main__":
    raise SystemExit(main())
