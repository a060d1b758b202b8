# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is asked for, from several places: options, case, site; the strongest word wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from halocline.case.model import ParallelSection
from halocline.case.submit_section import SubmitSection
from halocline.errors import InvalidInputError
from halocline.wording import counted


@dataclass(frozen=True)
class Layer:
    """One place that says something, and how messages call its keys."""

    section: SubmitSection
    words_of: Callable[[str], str]


def option_layer(section: SubmitSection) -> Layer:
    """Return the layer of the command line."""
    return Layer(section, lambda key: f"option --{key.replace('_', '-')}")


def file_layer(section: SubmitSection, file: str, table: str) -> Layer:
    """Return the layer of a table of a file."""
    return Layer(section, lambda key: f"{file}: key '{table}.{key}'")


def parallel_layer(parallel: ParallelSection, file: str, nodes: int) -> Layer:
    """Return what the section [parallel] of a case says about ranks and threads."""
    threads, ranks = parallel.threads, parallel.ranks
    if isinstance(ranks, int) and ranks % nodes:
        raise InvalidInputError(
            f"{file}: key 'parallel.ranks' is {ranks}, which {counted(nodes, 'node')} cannot share "
            "evenly. Change one, or say ranks_per_node."
        )
    section = SubmitSection(
        threads=threads if isinstance(threads, int) else None,
        ranks_per_node=ranks // nodes if isinstance(ranks, int) else None,
        launcher=parallel.launcher if parallel.launcher != "auto" else None,
        launcher_args=parallel.launcher_args,
    )
    return Layer(section, lambda key: f"{file}: key 'parallel.{key.removesuffix('_per_node')}'")


@dataclass(frozen=True)
class Request:
    """All layers, strongest first."""

    layers: Sequence[Layer]

    def value(self, key: str) -> Any:
        """Return what the strongest layer says about a key, or None."""
        layer = self._deciding(key)
        return None if layer is None else getattr(layer.section, key)

    def origin(self, key: str) -> str:
        """Return who said it, for messages."""
        layer = self._deciding(key)
        return "default" if layer is None else layer.words_of(key)

    def given(self, key: str) -> bool:
        """Whether any layer says something about a key."""
        return self._deciding(key) is not None

    def joined(self, key: str) -> tuple[str, ...]:
        """Return a list of all layers, the weakest (the site) first."""
        return tuple(
            item for layer in reversed(self.layers) for item in getattr(layer.section, key)
        )

    def environment(self) -> dict[str, str]:
        """Return the variables of all layers; the strongest wins name by name."""
        merged: dict[str, str] = {}
        for layer in reversed(self.layers):
            merged |= layer.section.environment
        return merged

    def _deciding(self, key: str) -> Layer | None:
        for layer in self.layers:
            if getattr(layer.section, key) not in (None, [], {}):
                return layer
        return None
