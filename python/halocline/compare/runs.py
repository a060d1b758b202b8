# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares two runs: pairs their data sets by key and measures each pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from halocline.compare.catalogue import Catalogue, catalogue, plain_catalogue
from halocline.compare.difference import Difference, measure
from halocline.errors import InvalidInputError


@dataclass(frozen=True)
class Pairing:
    """Data sets that both sides have, and those that only one has."""

    a: Catalogue
    b: Catalogue

    @property
    def common(self) -> list[str]:
        """Keys on both sides, in natural order."""
        return sorted(self.a.keys() & self.b.keys(), key=_natural)

    @property
    def only_a(self) -> list[str]:
        """Keys on the first side alone."""
        return sorted(self.a.keys() - self.b.keys(), key=_natural)

    @property
    def only_b(self) -> list[str]:
        """Keys on the second side alone."""
        return sorted(self.b.keys() - self.a.keys(), key=_natural)

    def differences(self) -> Iterator[Difference]:
        """Measure pair after pair."""
        for key in self.common:
            yield measure(key, self.a[key], self.b[key])


def pair(path_a: Path, path_b: Path) -> Pairing:
    """Find what can be compared; two single files may also pair by plain data set names."""
    pairing = Pairing(catalogue(path_a), catalogue(path_b))
    if not pairing.common and path_a.is_file() and path_b.is_file():
        pairing = Pairing(plain_catalogue(path_a), plain_catalogue(path_b))
    if not pairing.common:
        raise InvalidInputError(
            f"{path_a} and {path_b} share no data set ({_some(pairing.a)}; {_some(pairing.b)}). "
            "Compare results of the same cycle and kind."
        )
    return pairing


def _some(found: Catalogue) -> str:
    names = sorted(found, key=_natural)
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return (", ".join(names[:2]) + more) if names else "nothing numeric"


def _natural(key: str) -> list[tuple[int, str]]:
    """Sort key that puts cycles=5 before cycles=25."""
    parts: list[tuple[int, str]] = []
    digits = ""
    for character in key + "/":
        if character.isdigit():
            digits += character
            continue
        if digits:
            parts.append((int(digits), ""))
            digits = ""
        parts.append((-1, character))
    return parts
