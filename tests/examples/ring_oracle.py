#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Computes what examples/06_two_ranks must print, in plain Python, and compares.

The order of additions is part of the promise: a node collects from its edges by ascending number.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path


def diffuse(u: list[float]) -> list[float]:
    """One step round the ring: edge i joins nodes i and i + 1."""
    n = len(u)
    flux = [0.0] * n
    for i in range(n):
        j = (i + 1) % n
        flux[i] += u[j] - u[i]
        flux[j] += u[i] - u[j]
    return [a + 0.3 * b for a, b in zip(u, flux, strict=True)]


def mixed_bits(values: list[float]) -> int:
    """The checksum of the example, over the bit patterns of all values."""
    mixed = 0
    for value in values:
        (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        mixed = (mixed ^ bits) * 0x100000001B3 % 2**64
    return mixed


def main() -> int:
    """Returns 1 when the file named on the command line holds something else."""
    u = [1.0 / (i + 1) for i in range(1000)]
    for _ in range(100):
        u = diffuse(u)
    line = f"all bits of the result, mixed: {mixed_bits(u):016x}\n"
    stored = Path(sys.argv[1]).read_text(encoding="utf-8")
    if stored != line:
        print(f"{sys.argv[1]} holds\n  {stored}but plain Python computes\n  {line}", end="")
        return 1
    print(line, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
