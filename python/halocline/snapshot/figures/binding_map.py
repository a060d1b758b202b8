# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which hardware threads each rank may run on: one strip of cells a host."""

from __future__ import annotations

from halocline.page.svg import Box, drawing, rect, text
from halocline.snapshot.model import Host, Rank, Snapshot
from halocline.wording import counted

WIDTH = 560.0
HOSTS_DRAWN = 4
CELLS_A_LINE = 64


def binding_map(snapshot: Snapshot) -> str:
    """Return a strip for each of the first hosts; a cell is a hardware thread with its ranks."""
    body: list[str] = []
    y = 0.0
    for host in snapshot.hosts[:HOSTS_DRAWN]:
        ranks = [rank for rank in snapshot.ranks if rank.host == host.name]
        y = _strip(body, host, ranks, y)
    if len(snapshot.hosts) > HOSTS_DRAWN:
        more = counted(len(snapshot.hosts) - HOSTS_DRAWN, "more host")
        body.append(text(0, y + 12, f"{more} in snapshot.json", "soft"))
        y += 18
    return drawing(WIDTH, y, body, "binding of ranks to hardware threads")


def _strip(body: list[str], host: Host, ranks: list[Rank], y: float) -> float:
    """Draw one host below `y`; return where the next may start."""
    body.append(text(0, y + 12, f"{host.name}: {_summary(host, ranks)}"))
    y += 18
    highest = max((cpu for rank in ranks for cpu in rank.cpus), default=0)
    count = max(host.cpus, highest + 1)
    step = WIDTH / min(count, CELLS_A_LINE)
    step = min(step, 34.0)
    height = min(step, 22.0)
    for cpu in range(count):
        row, column = divmod(cpu, CELLS_A_LINE)
        users = [rank.rank for rank in ranks if cpu in rank.cpus]
        css = "empty" if not users else "s0" if len(users) == 1 else "s1"
        box = Box(column * step, y + row * (height + 2), step - 1.5, height)
        names = ", ".join(map(str, users)) or "none"
        body.append(rect(box, css, f"hardware thread {cpu}: ranks {names}"))
        if len(users) == 1 and step >= 18:
            body.append(text(box.x + box.width / 2, box.y + height / 2 + 4, names, "on", "middle"))
    return y + (count // CELLS_A_LINE + 1) * (height + 2) + 8


def _summary(host: Host, ranks: list[Rank]) -> str:
    threads = counted(host.cpus, "hardware thread")
    if all(len(rank.cpus) >= host.cpus for rank in ranks):
        return f"{counted(len(ranks), 'rank')} not bound, free to move over {threads}"
    widths = {len(rank.cpus) for rank in ranks}
    width = counted(min(widths), "thread") if len(widths) == 1 else "parts of the host"
    return f"{counted(len(ranks), 'rank')} bound to {width} each, of {threads}"
