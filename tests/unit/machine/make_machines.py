#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the topology files of the machine tests: big machines as hwloc 2 would describe them.

hwloc's synthetic descriptions know no PCI devices, so these files are written out here. Run it in
this folder; it rewrites data/*.xml.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Card:
    """A PCI device on the bus of a NUMA node."""

    numa: int
    bus: int
    class_id: str
    vendor: str
    device: str
    name: str
    system_name: str = ""


@dataclass(frozen=True)
class Machine:
    """A machine of equal NUMA nodes, one package each."""

    file: str
    numa_nodes: int
    cores_each: int
    threads: int
    cards: tuple[Card, ...]
    far: int = 32


def mask(first: int, last: int) -> str:
    """hwloc's text of a bitmap: 32-bit words, highest first."""
    bits = sum(1 << bit for bit in range(first, last + 1))
    words = []
    while bits or not words:
        words.append(f"0x{bits & 0xFFFFFFFF:08x}")
        bits >>= 32
    return ",".join(reversed(words))


def sets(first: int, last: int, first_node: int, last_node: int) -> str:
    """The set attributes that every normal object has."""
    cpus, nodes = mask(first, last), mask(first_node, last_node)
    return f'cpuset="{cpus}" complete_cpuset="{cpus}" nodeset="{nodes}" complete_nodeset="{nodes}"'


class Writer:
    """Counts objects: each one has an index of its own in the file."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.lines: list[str] = []
        self.count = 0

    def number(self) -> int:
        self.count += 1
        return self.count

    def cores(self, node: int) -> None:
        threads = self.machine.threads
        for k in range(self.machine.cores_each):
            core = node * self.machine.cores_each + k
            first = core * threads
            where = sets(first, first + threads - 1, node, node)
            self.lines.append(
                f'<object type="Core" os_index="{core}" {where} gp_index="{self.number()}">'
            )
            for cpu in range(first, first + threads):
                where = sets(cpu, cpu, node, node)
                self.lines.append(
                    f'<object type="PU" os_index="{cpu}" {where} gp_index="{self.number()}"/>'
                )
            self.lines.append("</object>")

    def card(self, card: Card) -> None:
        bus = f"{card.bus:02x}"
        pci = f"{card.class_id} [{card.vendor}:{card.device}] [0000:0000] 01"
        self.lines += [
            (
                f'<object type="Bridge" gp_index="{self.number()}" bridge_type="0-1" depth="0" '
                f'bridge_pci="0000:[{bus}-{bus}]">'
            ),
            (
                f'<object type="PCIDev" gp_index="{self.number()}" pci_busid="0000:{bus}:00.0" '
                f'pci_type="{pci}" pci_link_speed="31.507692">'
            ),
            f'<info name="PCIDevice" value="{card.name}"/>',
        ]
        if card.system_name:
            self.lines.append(
                f'<object type="OSDev" gp_index="{self.number()}" name="{card.system_name}" '
                'osdev_type="3"/>'
            )
        self.lines += ["</object>", "</object>"]

    def package(self, node: int) -> None:
        machine = self.machine
        cpus = machine.cores_each * machine.threads
        where = sets(node * cpus, (node + 1) * cpus - 1, node, node)
        self.lines.append(
            f'<object type="Package" os_index="{node}" {where} gp_index="{self.number()}">'
        )
        self.lines.append(
            f'<object type="NUMANode" os_index="{node}" {where} gp_index="{self.number()}" '
            f'local_memory="{128 << 30}"/>'
        )
        self.cores(node)
        for card in machine.cards:
            if card.numa == node:
                self.card(card)
        self.lines.append("</object>")

    def distances(self) -> None:
        nodes = self.machine.numa_nodes
        values = [10 if a == b else self.machine.far for a in range(nodes) for b in range(nodes)]
        indexes = " ".join(str(node) for node in range(nodes)) + " "
        matrix = " ".join(str(value) for value in values) + " "
        self.lines += [
            (
                f'<distances2 type="NUMANode" nbobjs="{nodes}" kind="5" name="NUMALatency" '
                'indexing="os">'
            ),
            f'<indexes length="{len(indexes)}">{indexes}</indexes>',
            f'<u64values length="{len(matrix)}">{matrix}</u64values>',
            "</distances2>",
        ]

    def text(self) -> str:
        machine = self.machine
        last = machine.numa_nodes * machine.cores_each * machine.threads - 1
        where = sets(0, last, 0, machine.numa_nodes - 1)
        allowed = (
            f'allowed_cpuset="{mask(0, last)}" allowed_nodeset="{mask(0, machine.numa_nodes - 1)}"'
        )
        self.lines = [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<!DOCTYPE topology SYSTEM "hwloc2.dtd">',
            '<topology version="2.0">',
            f'<object type="Machine" os_index="0" {where} {allowed} gp_index="{self.number()}">',
        ]
        for node in range(machine.numa_nodes):
            self.package(node)
        self.lines.append("</object>")
        self.distances()
        self.lines.append("</topology>")
        return "\n".join(self.lines) + "\n"


def gpu(numa: int, bus: int, name: str = "NVIDIA A100-SXM4-40GB") -> Card:
    """A compute card of NVIDIA."""
    return Card(numa, bus, "0302", "10de", "20b0", name)


def nic(numa: int, bus: int, system_name: str) -> Card:
    """An InfiniBand card."""
    return Card(numa, bus, "0207", "15b3", "101b", "ConnectX-6", system_name)


MACHINES = (
    # Buses ascend while NUMA nodes descend, as on some boards with four dies a socket.
    Machine(
        "8-gpus-reversed.xml",
        4,
        16,
        1,
        (
            *(gpu(3 - k // 2, 0x10 + 0x10 * k) for k in range(8)),
            nic(0, 0xA1, "mlx5_0"),
            nic(3, 0xA2, "mlx5_1"),
        ),
    ),
    # Two sockets with hardware threads, both GPUs on the second, a console and a card on the first.
    Machine(
        "2-gpus-one-side.xml",
        2,
        8,
        2,
        (
            gpu(1, 0x81, "NVIDIA L40S"),
            gpu(1, 0x82, "NVIDIA L40S"),
            Card(0, 0x03, "0300", "1a03", "2000", "ASPEED Graphics Family"),
            nic(0, 0x21, "mlx5_0"),
        ),
        far=21,
    ),
    # The smallest machine on which being near a GPU means anything: it can be bound to for real.
    Machine("2-gpus-2-cores.xml", 2, 1, 1, (gpu(1, 0x41), gpu(0, 0x42))),
)


def main() -> None:
    """Write all files."""
    folder = Path(__file__).resolve().parent / "data"
    folder.mkdir(exist_ok=True)
    for machine in MACHINES:
        (folder / machine.file).write_text(Writer(machine).text(), encoding="utf-8")


if __name__ == "__main__":
    main()
