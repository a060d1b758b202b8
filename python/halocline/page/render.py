# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fills page templates: the house style from here, the content from the package that reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def render_page(package: str, template: str, values: Mapping[str, Any]) -> str:
    """Return the HTML of `template` from the `templates` folder of `package`.

    Templates extend `base.html.j2`. Text is escaped; drawings are passed with `markup`.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    loaders = [PackageLoader(package), PackageLoader("halocline.page")]
    environment = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(**values)


def markup(html: str) -> Any:
    """Mark `html`, made by this program, as not to be escaped."""
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - drawings escape their own words
