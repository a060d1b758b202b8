# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Links: what one message costs, from words, from measurements of `halocline p2p`, from records.

A message of b bytes takes latency + b / bandwidth (R. W. Hockney, Parallel Computing 20, 1994,
doi:10.1016/S0167-8191(06)80021-9).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from halocline.errors import InvalidInputError, UsageError, suggestion
from halocline.p2p.result import Result, read_result
from halocline.record.model import Record

TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
RATES = {
    "B/s": 1.0,
    "kB/s": 1e3,
    "MB/s": 1e6,
    "GB/s": 1e9,
    "Mbit/s": 1e6 / 8,
    "Gbit/s": 1e9 / 8,
}
QUANTITY = re.compile(r"([0-9.]+(?:[eE][-+]?[0-9]+)?)\s*(\S*)")
EXAMPLE = "latency=1.5us,bandwidth=12.5GB/s"


@dataclass(frozen=True)
class Link:
    """Seconds of a message, bytes a second of what follows; of a network, of one host's card."""

    latency_s: float
    bytes_per_s: float
    origin: str


def read_link(text: str, option: str = "--network") -> Link:
    """Return a link from words as `latency=1.5us,bandwidth=12.5GB/s`, or of a p2p result file."""
    if "=" not in text:
        if Path(text).suffix != ".json" and not Path(text).exists():
            raise UsageError(
                f"{option} {text} is neither a link in words nor a result of halocline p2p (there "
                f"is no such file). Write {EXAMPLE}, or name the file."
            )
        return link_of_p2p(Path(text))
    values: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = part.strip().partition("=")
        if name not in ("latency", "bandwidth") or not equals:
            hint = suggestion(name, ["latency", "bandwidth"])
            raise UsageError(f"{option} {text}: no quantity '{name}'. {hint} Write {EXAMPLE}.")
        if name in values:
            raise UsageError(f"{option} {text}: {name} is given twice. Leave one out.")
        values[name] = value
    if values.keys() != {"latency", "bandwidth"}:
        raise UsageError(f"{option} {text}: both latency and bandwidth are needed ({EXAMPLE}).")
    latency = _number(values["latency"], TIMES, f"{option} {text}: latency")
    bandwidth = _number(values["bandwidth"], RATES, f"{option} {text}: bandwidth")
    if not 0.0 < bandwidth < math.inf or latency == math.inf:
        raise UsageError(
            f"{option} {text}: no link is so slow or so fast (no byte would move, or nothing would "
            f"take time). Write {EXAMPLE}."
        )
    return Link(latency, bandwidth, "given")


def _number(text: str, units: dict[str, float], where: str) -> float:
    found = QUANTITY.fullmatch(text.strip())
    if found is None or found[2] not in units:
        known = ", ".join(units)
        raise UsageError(f"{where} '{text}' has no unit that is known ({known}). Write {EXAMPLE}.")
    try:
        return float(found[1]) * units[found[2]]
    except ValueError:
        raise UsageError(f"{where} '{text}' is not a number. Write {EXAMPLE}.") from None


def link_of_p2p(file: Path) -> Link:
    """Return the link between hosts' memories that `halocline p2p` measured."""
    result = read_result(file)
    latency = [row for row in _rows(result, "latency") if row["median_s"] > 0.0]
    if not latency:
        raise InvalidInputError(
            f"{file}: has no rows of path 'host', pattern 'latency' (they tell what a message "
            "costs). Measure again: halocline p2p --path host."
        )
    shortest = min(latency, key=lambda row: int(row["bytes"]))
    longest = max(latency, key=lambda row: int(row["bytes"]))
    streams = [row["bytes_per_s"] for row in _rows(result, "bandwidth")]
    extra_s = longest["median_s"] - shortest["median_s"]
    extra_bytes = longest["bytes"] - shortest["bytes"]
    rate = max(streams) if streams else extra_bytes / extra_s if extra_s > 0.0 else 0.0
    if rate <= 0.0:
        raise InvalidInputError(
            f"{file}: its sizes do not tell a bandwidth (one size, or none longer than the "
            "latency). Measure again with sizes up to 1M."
        )
    return Link(float(shortest["median_s"]), float(rate), str(file))


def _rows(result: Result, pattern: str) -> list[dict[str, float]]:
    return [row for row in result.rows if row["path"] == "host" and row["pattern"] == pattern]


def link_of_record(record: Record) -> Link | None:
    """Return the link that a run measured between two of its ranks; None of one rank."""
    model = record.halo.network_model
    if model is not None:
        return Link(1e-6 * model.latency_us, 1e9 * model.gb_per_s, "modelled network of a run")
    prediction = record.partition.prediction if record.partition is not None else None
    if prediction is None or prediction.bytes_per_s <= 0.0:
        return None
    return Link(prediction.latency_s, prediction.bytes_per_s, prediction.origin)
