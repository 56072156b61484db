"""Attribute text to values, under MJCF's rules and not Python's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortenforge.errors import Location, MjcfError
from cortenforge.grammar.attribute_values import parse_value
from cortenforge.grammar.rule import (
    Attribute,
    Kind,
    any_reals,
    boolean,
    integer,
    integers,
    keyword,
    real,
    reals,
    reals_up_to,
)
from cortenforge.suggest import did_you_mean

HERE = Location("arm.xml", 7, "geom", "wrist")


def read(attribute: Attribute, text: str):
    return parse_value(attribute, text, HERE)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1.0),
        ("-1.5", -1.5),
        (".5", 0.5),
        ("1.", 1.0),
        ("+2", 2.0),
        ("1e3", 1000.0),
        ("1E-3", 0.001),
        (" 1 ", 1.0),
        ("\t1\n", 1.0),
        ("0x10", 16.0),
        ("0x1p3", 8.0),
        ("1e-400", 0.0),
        ("00012", 12.0),
    ],
)
def test_reals_that_c_reads(text, value) -> None:
    assert read(real("x"), text) == value


@pytest.mark.parametrize(
    "text",
    [
        "1_000",
        "٣",
        "０",
        "0,1",
        "infinity",
        "-inf",
        "nan",
        "NaN(1)",
        "1e",
        "e5",
        "--1",
        "1d5",
        "1f",
        "0x",
        "1e400",
        "0x1p99999",
        "1e31",
        "½",
        "1;2",
        "1\u00a0",
        "1\u2003",
        "true",
        "None",
    ],
)
def test_reals_that_mjcf_refuses(text) -> None:
    with pytest.raises(MjcfError) as refused:
        read(real("x"), text)
    assert refused.value.where == HERE
    assert refused.value.attribute == "x"
    assert refused.value.got == text


@pytest.mark.parametrize(
    "text", ["1.0", "0x1", "1e3", "2147483648", "-2147483649", "٣", "1_0", "9" * 99]
)
def test_integers_that_mjcf_refuses(text) -> None:
    with pytest.raises(MjcfError):
        read(integer("n"), text)


def test_integers() -> None:
    assert read(integer("n"), "-2147483648") == -2147483648
    assert read(integer("n"), "+007") == 7
    pair = read(integers("n", 2), "640 480")
    assert isinstance(pair, np.ndarray) and pair.dtype == np.int64 and pair.tolist() == [640, 480]


def test_lists_keep_their_length_and_cannot_be_changed() -> None:
    assert read(reals_up_to("x", (0, 0, 0)), "1 2").tolist() == [1, 2]
    value = read(reals("x", 3), " 1  2\t3 ")
    assert value.dtype == np.float64
    with pytest.raises(ValueError, match="read-only"):
        value[0] = 5


def test_empty_attribute_is_as_good_as_none() -> None:
    assert read(reals("x", 3), " ") is None
    assert read(any_reals("x"), "").tolist() == []


@pytest.mark.parametrize(
    ("attribute", "text", "says"),
    [
        (reals("x", 3), "1 2", "expected 3 numbers, found 2"),
        (real("x"), "1 2", "expected 1 number, found 2"),
        (reals_up_to("x", (0, 0)), "1 2 3", "expected 1 to 2 numbers, found 3"),
        (integer("x", minimum=-1), "-2", "at least -1"),
        (integer("x", maximum=100000), "100001", "limit of 100 000"),
        (real("x", positive=True), "0", "greater than 0"),
        (boolean("x"), "1", "false, true"),
        (keyword("x", "free ball", later="screw"), "screw", "not supported yet"),
        (keyword("x", "Euler RK4"), "rk4", "did you mean 'RK4'"),
    ],
)
def test_messages(attribute, text, says) -> None:
    with pytest.raises(MjcfError, match=says):
        read(attribute, text)


def test_message_names_place_attribute_and_value() -> None:
    with pytest.raises(MjcfError) as refused:
        read(reals("pos", 3), "0 1")
    assert str(refused.value) == (
        'arm.xml:7: <geom> "wrist": pos="0 1": expected 3 numbers, found 2'
    )


def test_long_values_are_cut_in_messages() -> None:
    with pytest.raises(MjcfError) as refused:
        read(real("x"), "y" * 10_000)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("text", "count"),
    [("-1", -1), ("100", 100), ("1K", 1024), ("2m", 2 << 20), ("1G", 1 << 30), ("15E", 15 << 60)],
)
def test_byte_counts(text, count) -> None:
    assert read(Attribute("memory", Kind.BYTES), text) == count


@pytest.mark.parametrize("text", ["-2", "1.5M", "1 K", "1KB", "K", "", "16E", "9" * 30])
def test_byte_counts_refused(text) -> None:
    with pytest.raises(MjcfError):
        read(Attribute("memory", Kind.BYTES), text)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e30, max_value=1e30))
def test_every_double_survives(value) -> None:
    assert read(real("x"), repr(value)) == value


@given(st.text(max_size=20))
def test_any_text_gives_a_finite_number_or_an_error(text) -> None:
    try:
        value = read(real("x"), text)
    except MjcfError:
        return
    assert value is None or np.isfinite(value)


def test_did_you_mean() -> None:
    assert did_you_mean("sise", ["size", "pos"]) == "did you mean 'size'?"
    assert did_you_mean("zzz", ["size", "pos"]) is None
