# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""From a case, measured runs and links to a forecast."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halocline import __version__
from halocline.errors import InvalidInputError
from halocline.forecast.busy_host import BusyHost, Load
from halocline.forecast.costs import Costs, has_exchanges
from halocline.forecast.dividing import Divide
from halocline.forecast.doubts import doubts
from halocline.forecast.explain import efficiencies, where_it_stops
from halocline.forecast.machine import Machine
from halocline.forecast.measured import Run
from halocline.forecast.model import Prediction, predict
from halocline.forecast.network import Link
from halocline.forecast.report import (
    BusyCoresPart,
    BusyHostPart,
    CheckPart,
    Components,
    Forecast,
    LinkPart,
    MachinePart,
    MeasuredPoint,
    Row,
    Way,
)
from halocline.forecast.solvers import Collectives
from halocline.forecast.validation import Check, Setting, known_costs, predicted_s, validate


@dataclass(frozen=True)
class Question:
    """What is asked."""

    case: str
    mesh: Path
    ranks: tuple[int, ...]
    partitioners: tuple[tuple[str, str], ...]
    together: Collectives
    #: The first level that every rank has whole; None: none.
    whole_from: int | None = None


def forecast(
    question: Question,
    runs: Sequence[Run],
    machine: Machine,
    divide: Divide,
    host: BusyHost | None = None,
) -> Forecast:
    """Return the forecast; divides the mesh once for each number of ranks and partitioner."""
    setting = Setting(
        divide, machine.inside, machine.device, question.together, question.partitioners[0], host
    )
    costs = known_costs(runs, setting)
    _require_patterns(question, costs)
    checks = validate(runs, setting)
    base = predict(costs, divide(1, "", ""), machine, question.together)
    ways = [_way(question, way, base, (costs, machine, divide)) for way in question.partitioners]
    levels = runs[0].levels
    return Forecast(
        schema_name="halocline.forecast",
        schema_version=1,
        code_version=__version__,
        case=question.case,
        mesh=str(question.mesh),
        nodes=levels[0].nodes,
        levels=len(levels),
        base_ranks=1,
        on_devices=costs.on_devices,
        machine=_machine_part(machine),
        busy_cores=costs.busy_cores,
        busy_host=_busy_host_part(costs),
        reductions=question.together.reductions,
        exact_sums=question.together.exact_sums,
        iterations=runs[0].iterations,
        whole_from=question.whole_from,
        measured=[
            _point(run, predicted_s(run, runs, setting))
            for run in sorted(runs, key=lambda run: run.ranks)
        ],
        checks=[_check_part(check) for check in checks],
        ways=ways,
        doubts=doubts(runs, costs, machine, checks, question.ranks),
    )


def require_one_mesh(runs: Sequence[Run]) -> None:
    """Costs of other levels would be taken for those of this mesh."""
    sizes = [[level.nodes for level in run.levels] for run in runs]
    for run, size in zip(runs, sizes, strict=True):
        if size != sizes[0]:
            raise InvalidInputError(
                f"{run.source}: its mesh has levels of {size} nodes, that of {runs[0].source} of "
                f"{sizes[0]} (measured points must be of one mesh). Leave one out."
            )


def _require_patterns(question: Question, costs: Costs) -> None:
    if max(question.ranks) > 1 and not has_exchanges(costs):
        raise InvalidInputError(
            "no measured run has two ranks or more (how often which values travel is not known). "
            "Add a record of two ranks, or measure: --measure 1,2."
        )


def _way(
    question: Question,
    way: tuple[str, str],
    base: Prediction,
    known: tuple[Costs, Machine, Divide],
) -> Way:
    costs, machine, divide = known
    rows = [
        predict(costs, divide(ranks, *way), machine, question.together) for ranks in question.ranks
    ]
    last = rows[-1].division
    return Way(
        partitioner=way[0],
        method=last.method if last.parts > 1 else way[1],
        rows=[
            _row(row, efficiency)
            for row, efficiency in zip(rows, efficiencies(rows, base), strict=True)
        ],
        stops=where_it_stops(rows, base),
    )


def _row(row: Prediction, efficiency: float) -> Row:
    return Row(
        ranks=row.division.parts,
        cycle_s=row.seconds,
        efficiency=efficiency,
        components=Components(**row.components),
        levels_s=list(row.by_level),
        memory_bytes=row.memory_bytes,
        setup_s=row.setup_s,
        imbalance=row.imbalance,
        neighbours_mean=row.neighbours[0],
        neighbours_max=row.neighbours[1],
        halo_share=row.halo_share,
    )


def _point(run: Run, model_s: float) -> MeasuredPoint:
    return MeasuredPoint(
        ranks=run.ranks,
        cycle_s=run.cycle_s,
        model_s=model_s,
        crowding=run.crowding,
        peak_bytes=int(run.record.memory.peak_rss_bytes.max),
        source=run.source,
    )


def _check_part(check: Check) -> CheckPart:
    return CheckPart(
        ranks=check.ranks,
        known=list(check.known),
        measured_s=check.measured_s,
        predicted_s=check.predicted_s,
        error=check.error,
        crowding=check.crowding,
    )


def _machine_part(machine: Machine) -> MachinePart:
    return MachinePart(
        network=_link_part(machine.network),
        inside=_link_part(machine.inside),
        ranks_per_host=machine.ranks_per_host,
        cores_per_host=machine.cores_per_host,
        threads=machine.threads,
        device=_link_part(machine.device) if machine.device else None,
    )


def _busy_host_part(costs: Costs) -> BusyHostPart | None:
    host = costs.host
    if host is None:
        return None
    return BusyHostPart(
        origin=host.origin,
        cpu=host.cpu,
        memory_share=costs.memory_share or 0.0,
        working_bytes=costs.working_bytes,
        points=[
            BusyCoresPart(
                cores=point.cores,
                computing=host.points[0].computing_s / point.computing_s,
                memory_bytes_per_s=1.0 / point.moving_s[-1][1],
                share_bytes=costs.working_bytes / point.cores,
                share_bytes_per_s=1.0 / point.seconds_of_byte(costs.working_bytes / point.cores),
                slower=host.slower(
                    point.cores,
                    host.points[0].cores,
                    Load(costs.memory_share or 0.0, costs.working_bytes / point.cores),
                ),
            )
            for point in host.points
        ],
    )


def _link_part(link: Link) -> LinkPart:
    return LinkPart(latency_s=link.latency_s, bytes_per_s=link.bytes_per_s, origin=link.origin)
