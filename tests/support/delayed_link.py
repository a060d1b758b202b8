# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Two hosts on this machine: network namespaces, joined by a link that takes its time.

Kernels without netem cannot delay packets, so a process carries them from one end of the link (TUN
devices, https://docs.kernel.org/networking/tuntap.html) to the other, each as late as asked. Names
of the hosts are known inside the namespaces alone. Needs root, iproute2 and /dev/net/tun.
"""

from __future__ import annotations

import collections
import fcntl
import os
import select
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

TUN, NO_HEADER, NAME_OF_DEVICE = 0x0001, 0x1000, 0x400454CA  # linux/if_tun.h
MTU = 65000
HOSTS = Path("/etc/netns")  # `ip netns exec` puts files of it in place of those of /etc
AGENT = """#!/bin/sh
# Starts a command on a host: options first, as those of ssh, then the name.
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
"""


def missing() -> str:
    """Return what this machine lacks, or ""."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    for program in ("ip", "unshare"):
        if shutil.which(program) is None:
            return f"no {program}; scripts/bootstrap.sh --test installs it"
    try:
        os.close(_device("hltry"))
    except OSError as error:
        return f"no TUN devices ({error.strerror})"
    probe = f"hlprobe{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", probe], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", probe], capture_output=True, check=False)
    return "" if made.returncode == 0 else "network namespaces are not permitted here"


class DelayedLink:
    """Two hosts whose packets arrive `delay_s` after they were sent."""

    def __init__(self, folder: Path, delay_s: float) -> None:
        """Make hosts and link; `folder` gets the agent that starts programs on them."""
        self.names = tuple(f"hl{os.getpid()}{end}" for end in "ab")
        self.subnet = "10.77.0.0/16"
        self._agent = folder / "agent.sh"
        self._agent.write_text(AGENT)
        self._agent.chmod(0o755)
        words = [sys.executable, __file__, str(delay_s), *self.names]
        self._carrier = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        if self._carrier.stdout is None or self._carrier.stdout.readline() != "ready\n":
            self.close()
            raise RuntimeError("the link did not come up")

    def close(self) -> None:
        """Remove link and hosts."""
        self._carrier.kill()
        self._carrier.wait()
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)
            shutil.rmtree(HOSTS / name, ignore_errors=True)

    def on_first(self, words: list[str]) -> list[str]:
        """Return words that run on the first host."""
        name = self.names[0]
        script = 'hostname "$0"; exec "$@"'
        return ["ip", "netns", "exec", name, "unshare", "--uts", "sh", "-c", script, name, *words]

    def mpirun_words(self) -> list[str]:
        """Return Open MPI's options for one rank on each host, over this link."""
        settings = {
            "plm_rsh_agent": str(self._agent),
            "oob_tcp_if_include": self.subnet,
            "btl": "self,tcp",
            "btl_tcp_if_include": self.subnet,
        }
        words = ["--host", ",".join(f"{name}:1" for name in self.names), "-n", "2"]
        for name, value in settings.items():
            words += ["--mca", name, value]
        return [*words, "--bind-to", "none"]


def _device(name: str) -> int:
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    request = struct.pack("16sH22s", name.encode(), TUN | NO_HEADER, b"")
    try:
        fcntl.ioctl(device, NAME_OF_DEVICE, request)
    except OSError:
        os.close(device)
        raise
    return device


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


def _make(names: tuple[str, ...]) -> list[int]:
    """Make hosts; return the ends of their link."""
    ends = []
    addresses = [f"10.77.0.{1 + place}" for place in range(len(names))]
    table = "".join(f"{at} {name}\n" for at, name in zip(addresses, names, strict=True))
    for name, own, other in zip(names, addresses, reversed(addresses), strict=True):
        _ip("netns", "add", name)
        (HOSTS / name).mkdir(parents=True)
        (HOSTS / name / "hosts").write_text("127.0.0.1 localhost\n" + table)
        ends.append(_device(name))
        _ip("link", "set", name, "netns", name)
        _ip("-n", name, "link", "set", "lo", "up")
        _ip("-n", name, "addr", "add", own, "peer", other, "dev", name)
        _ip("-n", name, "link", "set", name, "mtu", str(MTU), "up")
    return ends


def _carry(ends: list[int], delay_s: float) -> None:
    """Carry packets between two ends, for ever."""
    under_way: dict[int, collections.deque[tuple[float, bytes]]] = {
        end: collections.deque() for end in ends
    }
    other = dict(zip(ends, reversed(ends), strict=True))
    while True:
        for end, packets in under_way.items():
            while packets and packets[0][0] <= time.monotonic():
                os.write(end, packets.popleft()[1])
        due = min((packets[0][0] for packets in under_way.values() if packets), default=None)
        wait_s = None if due is None else max(0.0, due - time.monotonic())
        for end in select.select(ends, [], [], wait_s)[0]:
            packet = os.read(end, MTU + 1)
            under_way[other[end]].append((time.monotonic() + delay_s, packet))


if __name__ == "__main__":
    made = _make(tuple(sys.argv[2:]))
    print("ready", flush=True)
    _carry(made, float(sys.argv[1]))
