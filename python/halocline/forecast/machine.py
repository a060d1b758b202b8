# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where a predicted run would be: hosts, their cores, the links between them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from halocline.forecast.network import Link


@dataclass(frozen=True)
class Machine:
    """Where it would run."""

    network: Link
    #: Between ranks of one host.
    inside: Link
    ranks_per_host: int
    cores_per_host: int
    threads: int = 1
    #: Between a GPU and its host, where messages pass through the host; None: they do not.
    device: Link | None = None

    def busy_cores(self, ranks: int) -> int:
        """Cores of a host that compute."""
        return min(min(ranks, self.ranks_per_host) * self.threads, self.cores_per_host)

    def crowding(self, ranks: int) -> float:
        """Threads that share a core."""
        wanted = min(ranks, self.ranks_per_host) * self.threads
        return max(1.0, wanted / self.cores_per_host)

    def hosts(self, ranks: int) -> int:
        """Hosts of a job."""
        return math.ceil(ranks / self.ranks_per_host)
