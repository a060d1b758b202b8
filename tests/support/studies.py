# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Results of studies, made up."""

from __future__ import annotations

from halocline.snapshot.model import Bin
from halocline.study.result import (
    Estimate,
    Host,
    MpiTimes,
    Noise,
    PointResult,
    Ratio,
    StudyResult,
    Winner,
)

FUNCTIONS = ("MPI_Allreduce", "MPI_Waitall", "MPI_Alltoallv", "MPI_Barrier", "MPI_Send")


def many_points(count: int) -> StudyResult:
    """A study of so many points at one scale, each with MPI times and message sizes."""
    points = [_point(place) for place in range(count)]
    winner = Winner(scale="", point="p001", sentence="setting = 1 saves 1 %")
    return StudyResult(
        schema_name="halocline.study",
        schema_version=1,
        made_by="halocline",
        title="many",
        study_file="many.toml",
        study_text="",
        host=Host(name="here", cores=4, system="Linux"),
        started="2026-11-26T00:00:00+00:00",
        ended="2026-11-26T01:00:00+00:00",
        ending="medians are known as well as asked for",
        seed=1,
        by="wall",
        unit="s",
        units={"wall": "s", "cpu": "s", "io_s": "s"},
        better="smaller",
        confidence=0.95,
        scaling="none",
        runs=count * 12,
        run_s=1200.0,
        core_hours=1.5,
        noise=[Noise(scale="", pairs=12, floor=0.01, verdict="no difference can be told")],
        points=points,
        winners=[winner],
        cautions=["The machine was busy."],
    )


def _point(place: int) -> PointResult:
    ratio = 0.98 + 0.001 * place
    verdict = (
        "faster" if ratio < 0.99 else "slower" if ratio > 1.01 else "no difference can be told"
    )
    compared = Ratio(
        ratio=ratio,
        low=ratio - 0.005,
        high=ratio + 0.005,
        error=0.001,
        level=0.01,
        pairs=12,
        verdict=verdict,  # type: ignore[arg-type] # one of three
    )
    return PointResult(
        name=f"p{place:03d}",
        label="base" if place == 0 else f"setting = {place}",
        scale="",
        is_base=place == 0,
        values={"setting": place, "ranks": 4},
        cores=4,
        launch_line=f"mpirun -n 4 ./program --setting {place}",
        state="ok",
        why="",
        failures=0,
        median=Estimate(value=ratio, low=0.99 * ratio, high=1.01 * ratio, runs=12),
        comparison=None if place == 0 else compared,
        medians={"wall": ratio, "cpu": 4 * ratio, "io_s": 0.01, "memory_bytes": 1e8},
        memory_bytes=1e8,
        mpi=MpiTimes(
            elapsed_s=ratio,
            mpi_s=0.4,
            mpi_percent=40.0,
            imbalance_percent=10.0,
            function_s={name: 0.1 / (1 + at) for at, name in enumerate(FUNCTIONS)},
            sizes=[
                Bin(min_bytes=2**k, max_bytes=2 ** (k + 1) - 1, messages=100 + k, bytes=2**k * 100)
                for k in range(3, 20)
            ],
        ),
    )
