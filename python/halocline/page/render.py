# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fills page templates: the house style from here, the content from the package that reports."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Template


def render_page(package: str, template: str, values: Mapping[str, Any]) -> str:
    """Return the HTML of `template` from the `templates` folder of `package`.

    Templates extend `base.html.j2`. Text is escaped; drawings are passed with `markup`.
    """
    return load_template(package, template).render(**values)


@cache
def load_template(package: str, template: str) -> Template:
    """Return a template, compiled once; who knows early that a page will come may call it early."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    from halocline.page.compiled import CompiledTemplates

    environment = Environment(
        loader=ChoiceLoader([PackageLoader(package), PackageLoader("halocline.page")]),
        bytecode_cache=CompiledTemplates(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template)


def markup(html: str) -> Any:
    """Mark `html`, made by this program, as not to be escaped."""
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - drawings escape their own words
