# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Point distributions have the end spacings asked for."""

from __future__ import annotations

import numpy as np
import pytest
from halocline.mesh.stretch import stretch


@pytest.mark.parametrize(
    ("first", "last"), [(0.1, 0.1), (0.05, 1.7), (1.0, 0.15), (1.5, 1.5), (1.0, 1.0), (2.0, 0.5)]
)
def test_stretch_end_spacings_match_request(first: float, last: float) -> None:
    n = 20_000
    points = stretch(np.arange(n + 1) / n, first, last)
    spacing = np.diff(points) * n
    assert points[0] == 0.0
    assert points[-1] == 1.0
    assert (spacing > 0.0).all()
    # The spacing is the derivative to first order in 1/n; strengths here vary by below 20 a unit.
    assert spacing[0] == pytest.approx(first, rel=20.0 / n * 2.0)
    assert spacing[-1] == pytest.approx(last, rel=20.0 / n * 2.0)


def test_stretch_without_clustering_is_uniform() -> None:
    u = np.linspace(0.0, 1.0, 11)
    np.testing.assert_array_equal(stretch(u, 1.0, 1.0), u)
