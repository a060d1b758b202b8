# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts on one machine: network namespaces joined by a cable of limited bandwidth.

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
class Hosts:
    """Names of the two hosts."""

    names: tuple[str, str]

    def command(self, mpirun: str, *words: str) -> list[str]:
        """Launch line of one rank a host, over TCP through the cable alone."""
        launch = [mpirun, "-n", "2", "--host", ",".join(f"{name}:1" for name in self.names)]
        launch += ["--allow-run-as-root", "--bind-to", "none", "--mca", "plm_rsh_agent", str(agent)]
        for layer in ("oob_tcp", "btl_tcp"):
            launch += ["--mca", f"{layer}_if_include", f"{network}.0/24"]
        launch += ["--mca", "btl", "self,tcp", "--mca", "pml", "ob1", *words]
        return [str(agent), self.names[0], *launch]

    def limit(self, rate: str) -> None:
        """Limits the bandwidth in both directions, e.g. 1gbit."""
        for name in self.names:
            bucket = ["tbf", "rate", rate, "burst", "128kb", "latency", "50ms"]
            run(
                "ip",
                "netns",
                "exec",
                name,
                "tc",
                "qdisc",
                "replace",
                "dev",
                "cable",
                "root",
                *bucket,
            )


def run(*words: str) -> None:
    """Runs a command of the system; its complaint becomes the exception's text."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"{' '.join(words)}: {done.stderr.strip() or done.returncode}")


def why_impossible() -> str:
    """The reason for which this machine cannot stand in for two hosts, or nothing."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    for tool in ("ip", "tc", "unshare"):
        if shutil.which(tool) is None:
            return f"no {tool} (packages iproute2, util-linux)"
    probe = f"halo-probe-{os.getpid()}"
    try:
        run("ip", "netns", "add", probe)
        run("ip", "netns", "delete", probe)
    except OSError as error:
        return f"no network namespaces here ({error})"
    return ""


@contextmanager
def two_hosts() -> Iterator[Hosts]:
    """Makes the hosts and takes them away again."""
    names = (f"halo-{os.getpid()}-a", f"halo-{os.getpid()}-b")
    try:
        for name in names:
            run("ip", "netns", "add", name)
            # `ip netns exec` shows this file as /etc/hosts: the machine's own stays as it is.
            hosts = Path("/etc/netns") / name / "hosts"
            hosts.parent.mkdir(parents=True)
            addresses = [f"{network}.{i + 1} {host}\n" for i, host in enumerate(names)]
            hosts.write_text("127.0.0.1 localhost\n" + "".join(addresses))
        run(
            *("ip", "link", "add", "cable", "netns", names[0], "type", "veth"),
            *("peer", "name", "cable", "netns", names[1]),
        )
        for i, name in enumerate(names):
            inside = ("ip", "-n", name)
            run(*inside, "address", "add", f"{network}.{i + 1}/24", "dev", "cable")
            run(*inside, "link", "set", "cable", "up")
            run(*inside, "link", "set", "lo", "up")
        yield Hosts(names)
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)
            shutil.rmtree(Path("/etc/netns") / name, ignore_errors=True)


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
        return subprocess.run(hosts.command(words.mpirun, *words.command), check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
