# SPDX-FileCopyrightText: 2026 halocline contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Parts of documents and what reading them says of wrong data."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from halocline.documents.part import Bounds, DocumentPart, key
from halocline.documents.store import parse
from halocline.errors import InvalidInputError


class Inner(DocumentPart):
    """A part of a part."""

    rows: list[tuple[int, float]] = key(min_length=1)
    word: str | None = None


class Open(DocumentPart):
    """Says nothing of keys that it does not know."""

    __open__ = True
    class_: str = key("local", name="class")


class Whole(DocumentPart):
    """A document."""

    kind: Literal["a", "b"]
    count: Annotated[int, Bounds(ge=0, le=9)]
    rate: Annotated[float, Bounds(gt=0.0)]
    yes: bool
    inner: Inner
    either: list[Open | Inner] = key(default_factory=list)
    named: dict[str, Open] = key(default_factory=dict)

    def verify_whole(self) -> None:
        if self.count == 7 and not self.yes:
            raise ValueError("7 without yes")


GOOD: dict[str, Any] = {
    "kind": "a",
    "count": 3,
    "rate": 1,
    "yes": True,
    "inner": {"rows": [[1, 2]]},
}


def test_values_come_as_declared_and_go_as_they_came() -> None:
    made = parse(Whole, GOOD, "f")
    assert made.inner.rows == [(1, 2.0)]
    assert type(made.rate) is float
    assert made.plain() == GOOD | {
        "inner": {"rows": [[1, 2.0]], "word": None},
        "either": [],
        "named": {},
    }
    assert parse(Whole, made.plain(), "f") == made


def test_a_key_may_have_a_name_that_python_keeps() -> None:
    assert parse(Open, {"class": "x", "more": 1}, "f").class_ == "x"
    assert Open().plain() == {"class": "local"}


def test_parts_cannot_be_changed_but_copied() -> None:
    made = parse(Whole, GOOD, "f")
    with pytest.raises(AttributeError):
        made.count = 4  # type: ignore[misc]
    assert made.changed(count=4).count == 4
    assert made.count == 3


def test_parts_are_made_whole_and_of_known_keys_only() -> None:
    with pytest.raises(TypeError, match="count"):
        Whole(kind="a")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="wrod"):
        Inner(rows=[], wrod="x")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"kind": "c"}, "key 'kind': input should be 'a' or 'b'."),
        ({"count": -1}, "key 'count': input should be greater than or equal to 0."),
        ({"count": 10}, "key 'count': input should be less than or equal to 9."),
        ({"count": 1.0}, "key 'count': input should be a valid integer."),
        ({"count": True}, "key 'count': input should be a valid integer."),
        ({"rate": 0}, "key 'rate': input should be greater than 0."),
        ({"rate": "1"}, "key 'rate': input should be a valid number."),
        ({"rate": float("nan")}, "key 'rate': input should be a finite number."),
        ({"yes": 1}, "key 'yes': input should be a valid boolean."),
        ({"inner": []}, "key 'inner': input should be an object."),
        ({"inner": {}}, "key 'inner.rows': field required."),
        ({"inner": {"rows": []}}, "key 'inner.rows': input should have at least 1 item, not 0."),
        ({"inner": {"rows": {}}}, "key 'inner.rows': input should be a valid array."),
        ({"inner": {"rows": [[1]]}}, "key 'inner.rows.0': array should have 2 items, not 1."),
        (
            {"inner": {"rows": [[1, 1], [1, "x"]]}},
            "key 'inner.rows.1.1': input should be a valid number.",
        ),
        ({"inner": {"rows": [[1, 1]], "word": 1}}, "key 'inner.word': input should be a valid st"),
        ({"inner": {"rows": [[1, 1]], "word": "\ud800"}}, "holds half a character."),
        (
            {"inner": {"rows": [[1, 1]], "wrod": "x"}},
            "unknown key 'inner.wrod'. Did you mean 'word'?",
        ),
        ({"either": [{}, 3]}, "key 'either.1': input should be an object."),
        ({"named": {"x": {"class": 1}}}, "key 'named.x.class': input should be a valid string."),
        ({"count": 7, "yes": False}, "key '': value error, 7 without yes."),
    ],
)
def test_the_first_problem_is_named_with_its_key(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse(Whole, GOOD | change, "file.json")
    assert str(caught.value).startswith("file.json: ")
    assert sentence in str(caught.value)
