# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds and reads site files: by name, by path, from the places of user and machine."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from halocline.case.load import parse_model
from halocline.documents.toml import read_toml
from halocline.errors import InvalidInputError, UsageError, suggestion
from halocline.submit.site import Site

SITE_VARIABLE = "HALOCLINE_SITE"
BUILT_IN = Path(__file__).parent / "sites"
USER_FOLDER = Path("~/.config/halocline/sites")
MACHINE_FOLDER = Path("/etc/halocline/sites")
DEFAULT_NAME = "default"


@dataclass(frozen=True)
class SiteFile:
    """A site and the file it was read from."""

    site: Site
    path: Path


def find_site(asked: str | None, scheduler: str | None) -> SiteFile:
    """Return the site that is asked for, the machine's own, or the plain one of a scheduler.

    Args:
        asked: a name or a path; None: $HALOCLINE_SITE, then a site file called `default`.
        scheduler: the plain site of this scheduler when nothing else is known.
    """
    if asked is None:
        return _unasked(scheduler)
    path = Path(asked).expanduser()
    if path.suffix == ".toml" or "/" in asked:
        return read_site(path)
    known = _by_name()
    if asked not in known:
        raise UsageError(
            f"halocline submit: no site '{asked}'. {suggestion(asked, known)} "
            f"Site files are looked for in {USER_FOLDER} and {MACHINE_FOLDER}."
        )
    return read_site(known[asked])


def _unasked(scheduler: str | None) -> SiteFile:
    named = os.environ.get(SITE_VARIABLE)
    own = _by_name().get(DEFAULT_NAME)
    found = find_site(named, None) if named else read_site(own) if own else None
    if found is not None and scheduler in (None, found.site.scheduler):
        return found
    if scheduler is None:
        raise UsageError(
            "halocline submit: no scheduler is named and this machine has no site file. "
            "Add --scheduler slurm, donau, pbs, lsf or local, or --site."
        )
    return read_site(BUILT_IN / f"{scheduler}.toml")


def read_site(path: Path) -> SiteFile:
    """Read and check one site file."""
    site = parse_model(Site, read_toml(path, "site file"), str(path))
    named = site.defaults.scheduler
    if named is not None and named != site.scheduler:
        raise InvalidInputError(
            f"{path}: key 'defaults.scheduler' is '{named}', but the site's is "
            f"'{site.scheduler}'. Remove the first."
        )
    return SiteFile(site, path)


def _by_name() -> dict[str, Path]:
    """Names of site files; the user's hide the machine's, which hide ours."""
    folders = (BUILT_IN, MACHINE_FOLDER, USER_FOLDER.expanduser())
    return {path.stem: path for folder in folders for path in sorted(folder.glob("*.toml"))}
