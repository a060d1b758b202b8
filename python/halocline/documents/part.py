# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Parts of documents: frozen plain data, declared as a dataclass is.

A tool that starts with every program must load quickly. Declaring a part therefore generates no
code and compiles no validator; `documents.check` makes one where a document is read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Self, dataclass_transform

REQUIRED: Any = object()


@dataclass(frozen=True)
class Bounds:
    """Bounds of a number (inclusive but for `gt`); stands in `Annotated`."""

    ge: float | None = None
    gt: float | None = None
    le: float | None = None


@dataclass(frozen=True)
class Key:
    """What a part says of one of its keys beside the type."""

    default: Any = REQUIRED
    factory: Callable[[], Any] | None = None
    #: Name in the file, where Python has another use for it.
    name: str | None = None
    description: str = ""
    min_length: int = 0
    #: Whether only older files lack it: every program writes it today.
    newer: bool = False

    @property
    def is_required(self) -> bool:
        """Whether a document must have it."""
        return self.default is REQUIRED and self.factory is None


def key(
    default: Any = REQUIRED,
    *,
    default_factory: Callable[[], Any] | None = None,
    name: str | None = None,
    description: str = "",
    min_length: int = 0,
    newer: bool = False,
) -> Any:
    """Declare a key of a part with more than its type."""
    return Key(default, default_factory, name, description, min_length, newer)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(key,))
class DocumentPart:
    """A JSON object; unknown keys are errors, so that no misspelt one passes for "not measured"."""

    #: Whether other keys are left out without a word: newer programs may say more.
    __open__: ClassVar[bool] = False
    __keys__: ClassVar[dict[str, Key]] = {}

    def __init_subclass__(cls) -> None:
        own = inspect.get_annotations(cls)
        names = [name for name in own if not name.startswith("__")]
        cls.__keys__ = cls.__keys__ | {name: _declared(cls, name) for name in names}

    def __init__(self, **values: Any) -> None:
        keys = type(self).__keys__
        for name, declared in keys.items():
            if name not in values and not declared.is_required:
                make = declared.factory
                values[name] = declared.default if make is None else make()
        if values.keys() != keys.keys():
            wrong = ", ".join(sorted(values.keys() ^ keys.keys()))
            raise TypeError(f"{type(self).__name__} misses or does not know: {wrong}")
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment] # parts hold lists

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({values})"

    def changed(self, **values: Any) -> Self:
        """Return the same part with other values of some keys."""
        return type(self)(**{**self.__dict__, **values})

    def verify_whole(self) -> None:
        """Raise ValueError where values that are well each by itself contradict each other."""

    def plain(self) -> dict[str, Any]:
        """Return what the part holds as JSON data, in the order of its keys."""
        return {
            declared.name or name: _plain(self.__dict__[name])
            for name, declared in type(self).__keys__.items()
        }


def _declared(part: type, name: str) -> Key:
    value = part.__dict__.get(name, REQUIRED)
    return value if isinstance(value, Key) else Key(value)


def _plain(value: Any) -> Any:
    if isinstance(value, DocumentPart):
        return value.plain()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value
