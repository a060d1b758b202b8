# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a case file; every mistake becomes a sentence that names file and key."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from halocline.case.model import Case
from halocline.case.overrides import apply_overrides
from halocline.case.pictures import check_pictures
from halocline.case.section import PATTERN_WORDS
from halocline.case.solvers import SOLVERS, solver_name
from halocline.documents.toml import read_toml
from halocline.errors import InvalidInputError, suggestion

Model = TypeVar("Model", bound=BaseModel)

COUNT_WORDS = 'a whole number from 1, or "auto"'
WHEN_WORDS = 'a number of steps from 1, seconds as "30s", or a list of steps; [] is never'


def load_case(path: Path, settings: Sequence[str] = ()) -> Case:
    """Read and validate `path` after applying `--set` settings."""
    return parse_case(apply_overrides(read_toml(path), settings), str(path))


def parse_case(raw: dict[str, Any], source: str) -> Case:
    """Validate raw TOML data; `source` is the name that messages give the file."""
    case = parse_model(Case, raw, source)
    check_pictures(case, source)
    return case


def parse_model(model: type[Model], raw: dict[str, Any], source: str) -> Model:
    """Validate raw TOML data of any kind of file whose sections are pydantic models."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        problems = error.errors()
        counts = {dotted_key(problem["loc"]) for problem in problems if _may_be_auto(problem)}
        sentences = [_sentence(problem, model, counts) for problem in problems]
        raise InvalidInputError(f"{source}: {' '.join(dict.fromkeys(sentences))}") from None


def _may_be_auto(problem: ErrorDetails) -> bool:
    """Whether the value might have been "auto": of the choices that failed one is that word."""
    return "literal['auto']" in problem["loc"]


def _sentence(problem: ErrorDetails, model: type[BaseModel], counts: Collection[str]) -> str:
    """One sentence about one mistake; `counts` are keys of counts or "auto"."""
    location = _without_solver(problem["loc"])
    key = dotted_key(location)
    given = problem.get("input")
    if any(_is_branch(part) for part in location):
        choices = COUNT_WORDS if key in counts else WHEN_WORDS
        return f"key '{key}' is {given!r} (must be {choices}). Correct it."
    match problem["type"]:
        case "extra_forbidden":
            known = _keys_beside(problem["loc"], model)
            return f"unknown key '{key}'. {suggestion(str(location[-1]), known)}"
        case "missing":
            return f"key '{key}' is missing. Add it."
        case "model_type":
            return f"'{key}' is a section, not a value. Write [{key}] and its keys below."
        case "union_tag_invalid":
            name, known = solver_name(given), list(SOLVERS)
            listed = " or ".join(repr(word) for word in known)
            return f"key '{key}.name' is {name!r}, not {listed}. {suggestion(str(name), known)}"
        case _:
            return f"key '{key}' {_value_problem(problem)}"


def _value_problem(problem: ErrorDetails) -> str:
    """What is wrong with the value of a key that there is, and what to do."""
    given, context = problem.get("input"), problem.get("ctx", {})
    match problem["type"]:
        case "literal_error":
            return f"is {given!r}, not {context['expected']}.{_closest(given, context)}"
        case "greater_than_equal" | "greater_than" | "less_than_equal":
            return f"is {given}: {_lowered(problem['msg'])}. Correct it."
        case "string_pattern_mismatch":
            return f"is {given!r} ({_pattern_words(context)}). Correct it."
        case "too_short" | "too_long":
            return _length_problem(context)
        case _:
            return f"is {given!r}: {_lowered(problem['msg'])}. Correct it."


def _length_problem(context: dict[str, Any]) -> str:
    """A vector has three components; where the least is two, a plane needs no more."""
    needed = "x, y and z are" if context.get("min_length", 3) == 3 else "x and y, in space z, are"
    return f"has {context['actual_length']} components ({needed} needed). Correct it."


def _without_solver(location: Sequence[int | str]) -> tuple[int | str, ...]:
    """Leave out the solver's name, which pydantic puts behind the section it chose by it."""
    if len(location) > 1 and location[0] == "solver" and location[1] in SOLVERS:
        return ("solver", *location[2:])
    return tuple(location)


def dotted_key(location: Sequence[int | str]) -> str:
    """Return `section.key` for a pydantic location, without the names of union branches."""
    known = [part for part in location if not (_is_branch(part) or _is_key_mark(part))]
    return ".".join(str(part) for part in known)


def _is_branch(part: int | str) -> bool:
    if not isinstance(part, str):
        return False
    return part == "int" or part.startswith(("constrained-", "literal[", "list["))


def _is_key_mark(part: int | str) -> bool:
    """Pydantic marks a mistake in the name of a free key this way."""
    return part == "[key]"


def _closest(given: object, context: dict[str, Any]) -> str:
    choices = [choice.strip("' ") for choice in context["expected"].replace(" or ", ",").split(",")]
    return f" {suggestion(given, choices)}" if isinstance(given, str) else ""


def _lowered(message: str) -> str:
    return message.removeprefix("Input ").removeprefix("Value error, ").rstrip(".")


def _pattern_words(context: dict[str, Any]) -> str:
    return PATTERN_WORDS.get(context.get("pattern", ""), "letters, digits and a few signs only")


def _keys_beside(location: Sequence[int | str], model: type[BaseModel]) -> list[str]:
    """Known keys of the section of `model` that holds `location`."""
    section: type[BaseModel] = model
    for part in location[:-1]:
        field = section.model_fields.get(str(part))
        found = SOLVERS.get(str(part)) if location[0] == "solver" else None
        section = found or _section_of(field.annotation if field else None) or section
    return [field.alias or name for name, field in section.model_fields.items()]


def _section_of(annotation: Any) -> type[BaseModel] | None:
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None
