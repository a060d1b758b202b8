# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures of the halo exchange: what overlap saves on a slow network, schemes on a real pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from suite.figures import Figure, Section, per_cycle_ms
from suite.measure import Sample
from suite.variants import OVERLAP, WAITING

# Names of the runs, and what a person calls them.
NETWORKS = {OVERLAP: "with overlap", WAITING: "without"}


def section(samples: Mapping[str, Sequence[Sample]]) -> list[Section]:
    """One section; none where the runs were left out for want of cores."""
    if OVERLAP not in samples:
        return []
    hidden, waited = samples[OVERLAP], samples[WAITING]
    share = [
        above.record.halo.exposed_s / below.record.halo.exposed_s
        for above, below in zip(hidden, waited, strict=True)
    ]
    figures = [
        Figure(
            "halo_exposed_share",
            "exposed communication, with overlap ÷ without",
            "",
            share,
            0.3,
            at_most=True,
        )
    ]
    for name, words in NETWORKS.items():
        runs = samples[name]
        exposed = per_cycle_ms(runs, lambda record: record.halo.exposed_s)
        cycle = per_cycle_ms(runs, lambda record: record.results.compute_s)
        key = name.replace(" ", "_").replace(",", "")
        figures += [
            Figure(f"exposed_{key}", f"exposed communication, {words}", "ms a cycle", exposed),
            Figure(f"cycle_{key}", f"one cycle, {words}", "ms", cycle),
        ]
    return [
        Section("Halo exchange, 2 ranks, modelled Gigabit Ethernet", figures),
        Section("Halo schemes on this partition, exchanges of one cycle", _schemes(hidden)),
    ]


def _schemes(runs: Sequence[Sample]) -> list[Figure]:
    times: dict[str, list[float]] = {}
    for run in runs:
        for trial in run.record.halo.trials:
            if trial.seconds is not None:
                times.setdefault(trial.scheme, []).append(1e6 * trial.seconds)
    return [Figure(f"scheme_{name}", name, "us", values) for name, values in times.items()]
