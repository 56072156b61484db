"""Fields keep their words when others come and go."""

from __future__ import annotations

import pytest

from cortenforge.fields import DATA_LAYOUT, MODEL_LAYOUT
from cortenforge.fields.words import ORDER_FILE, order_text, updated_order
from cortenforge.kernel import kernel
from cortenforge.kernel.language.layout import WORLDS_WORD, Entry, StructLayout, word_positions
from cortenforge.kernel.load.unit_index import unit_digest

SIZES = StructLayout("OrderSizes", [("n", "size", (), True)], constant=True)


@kernel(entry=True)
def halve(m, d, count: int):
    """Uses two of the fields."""
    for i in range(m.n):
        d.x[i] = 0.5 * d.x[i]
    d.status = 0
    return 0


def desk(*rows: tuple[str, str], order: tuple[str, ...] = ("x", "status")) -> StructLayout:
    words = word_positions([name for name, _ in rows], order)
    entries = [Entry(name, kind, (), name == "status", words[name]) for name, kind in rows]
    return StructLayout("OrderDesk", entries, constant=False)


def test_the_order_is_up_to_date() -> None:
    """`make docs` was run after fields came or went."""
    assert ORDER_FILE.read_text(encoding="utf-8") == order_text(MODEL_LAYOUT, DATA_LAYOUT)


def test_known_names_keep_their_words() -> None:
    first = WORLDS_WORD + 1
    assert word_positions(["new", "b", "a"], ["a", "gone", "b"]) == {
        "new": first + 3, "b": first + 2, "a": first,
    }  # fmt: skip


def test_new_names_take_places_of_those_that_are_gone() -> None:
    assert updated_order(["a", "new", "b", "more"], ["a", "gone", "b"]) == ["a", "new", "b", "more"]
    assert updated_order(["a"], ["gone", "a", "b"]) == ["a"]


def test_a_new_field_changes_no_digest() -> None:
    """Only a change of a field that the unit uses does, or one of its words."""
    before = unit_digest(halve, SIZES, desk(("x", "real"), ("status", "int")))
    more = desk(("new", "vec3"), ("x", "real"), ("status", "int"))
    assert unit_digest(halve, SIZES, more) == before
    other = desk(("x", "single"), ("status", "int"))
    assert unit_digest(halve, SIZES, other) != before
    moved = desk(("x", "real"), ("status", "int"), order=("status", "x"))
    assert unit_digest(halve, SIZES, moved) != before


def test_words_are_not_shared() -> None:
    rows = [Entry("a", "real", (), False, 1), Entry("b", "real", (), False, 1)]
    with pytest.raises(ValueError, match="words of their own"):
        StructLayout("Twice", rows, constant=False)
    with pytest.raises(ValueError, match="words of their own"):
        StructLayout("First", [Entry("a", "real", (), False, WORLDS_WORD)], constant=False)
