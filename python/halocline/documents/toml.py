# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads TOML files with errors a stranger understands."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from halocline.errors import InvalidInputError


def read_toml(path: Path, kind: str = "case file") -> dict[str, Any]:
    """Read a TOML file; `kind` says in messages what it should be."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except IsADirectoryError:
        raise InvalidInputError(f"{path} is a folder. Name the {kind} in it.") from None
    except OSError as error:
        raise InvalidInputError(f"Cannot read {path} ({error.strerror}). Check the path.") from None
    except UnicodeDecodeError:
        raise InvalidInputError(f"{path} is not UTF-8 text. Is it a {kind}?") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidInputError(f"{path} is not TOML ({error}). Correct that line.") from None
