# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sizes, times and rates as the page writes them."""

from __future__ import annotations


def size_text(size_bytes: float) -> str:
    """Return e.g. `4 MiB`, and `1500 B` for what is not a power of 1024."""
    value, units = float(size_bytes), ("B", "KiB", "MiB", "GiB")
    place = 0
    while value >= 1024 and value % 1024 == 0 and place < len(units) - 1:
        value /= 1024
        place += 1
    return f"{value:g} {units[place]}"


def time_text(time_s: float) -> str:
    """Return a duration with three digits and the unit that suits it."""
    for limit, scale, unit in ((1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1.0, 1e3, "ms")):
        if time_s < limit:
            return f"{time_s * scale:.3g} {unit}"
    return f"{time_s:.3g} s"


def rate_text(bytes_per_s: float) -> str:
    """Return e.g. `11.8 GB/s` (powers of 1000, as links are sold)."""
    for limit, scale, unit in ((1e6, 1e3, "kB/s"), (1e9, 1e6, "MB/s"), (1e12, 1e9, "GB/s")):
        if bytes_per_s < limit * 0.9995:
            return f"{bytes_per_s / scale:.3g} {unit}"
    return f"{bytes_per_s / 1e12:.3g} TB/s"
