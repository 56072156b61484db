"""Parse the text of an attribute: numbers, keywords, booleans, by MJCF's rules.

MJCF numbers are those of C: ASCII digits, `.` as decimal point, an optional exponent, or a
hexadecimal float.  Python's float() takes more (`1_000`, other scripts' digits, `infinity`), so
every number passes a pattern first.  Non-finite numbers are refused everywhere.
"""

from __future__ import annotations

import math
import re

import numpy as np

from cortenforge.errors import Location, MjcfError
from cortenforge.grammar.rule import Attribute, Kind, Value
from cortenforge.suggest import did_you_mean

XML_SPACE = re.compile(r"[ \t\n\v\f\r]+")
INTEGER = re.compile(r"[+-]?[0-9]+", re.ASCII)
DECIMAL_REAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
HEXADECIMAL = re.compile(
    r"[+-]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][+-]?[0-9]+)?", re.ASCII
)
NOT_FINITE = re.compile(r"[+-]?(inf|infinity|nan(\([0-9a-z_]*\))?)", re.ASCII | re.IGNORECASE)
BYTE_COUNT = re.compile(r"([0-9]+)([KMGTPE]?)", re.ASCII | re.IGNORECASE)

INT32 = 2**31 - 1
SINGLE_MAX = float(np.finfo(np.float32).max)
# cubes and products of lengths and masses up to here stay far from overflow
MAX_MAGNITUDE = 1e30
# a quoted value longer than this is cut in messages
MAX_QUOTED = 60


def parse_value(attribute: Attribute, text: str, where: Location) -> Value:
    """Value of an attribute from its text; None for a list without numbers."""
    match attribute.kind:
        case Kind.TEXT:
            return text
        case Kind.BOOLEAN:
            return _keyword(attribute, text, where, ("false", "true")) == "true"
        case Kind.KEYWORD:
            return _keyword(attribute, text, where, attribute.keywords)
        case Kind.KEYWORDS:
            return _keywords(attribute, text, where)
        case Kind.BYTES:
            return _byte_count(attribute, text, where)
        case _:
            return _numbers(attribute, text, where)


def value_error(
    attribute: Attribute, text: str, where: Location, message: str, hint: str | None = None
) -> MjcfError:
    """The error for an invalid value, with the attribute and the beginning of the value."""
    quoted = text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "..."
    return MjcfError(message, where, attribute=attribute.name, got=quoted, hint=hint)


def _numbers(attribute: Attribute, text: str, where: Location) -> Value:
    """One number or an array of them, count and range checked."""
    tokens = [token for token in XML_SPACE.split(text) if token]
    # MuJoCo reads an empty attribute as one that is not there
    if not tokens and attribute.least > 0:
        return None
    _check_count(attribute, text, len(tokens), where)
    one = _integer if attribute.kind is Kind.INTEGER else _real
    values = [one(attribute, text, token, where) for token in tokens]
    if attribute.scalar:
        return values[0]
    array = np.array(values, dtype=np.int64 if attribute.kind is Kind.INTEGER else np.float64)
    array.setflags(write=False)
    return array


def _check_count(attribute: Attribute, text: str, count: int, where: Location) -> None:
    least, most = attribute.least, attribute.most
    if count >= least and (most is None or count <= most):
        return
    wanted = str(least) if least == most else f"{least} to {most}"
    plural = "number" if wanted == "1" else "numbers"
    raise value_error(attribute, text, where, f"expected {wanted} {plural}, found {count}")


def _integer(attribute: Attribute, text: str, token: str, where: Location) -> int:
    if not INTEGER.fullmatch(token):
        raise value_error(attribute, text, where, f"'{token[:MAX_QUOTED]}' is not an integer")
    # the length is looked at first: int() of a very long text is slow
    if len(token.lstrip("+-0")) > 10 or not -INT32 - 1 <= int(token) <= INT32:
        raise value_error(attribute, text, where, "the integer does not fit in 32 bits")
    value = int(token)
    _check_range(attribute, text, value, where)
    return value


def _real(attribute: Attribute, text: str, token: str, where: Location) -> float:
    if DECIMAL_REAL.fullmatch(token):
        value = float(token)
    elif HEXADECIMAL.fullmatch(token):
        value = _hexadecimal(token)
    elif NOT_FINITE.fullmatch(token):
        raise value_error(attribute, text, where, f"'{token[:MAX_QUOTED]}' is not a finite number")
    else:
        raise value_error(
            attribute, text, where, f"'{token[:MAX_QUOTED]}' is not a number", _number_hint(token)
        )
    _check_magnitude(attribute, text, value, where)
    _check_range(attribute, text, value, where)
    return value


def _hexadecimal(token: str) -> float:
    try:
        return float.fromhex(token)
    except OverflowError:
        return math.inf


def _number_hint(token: str) -> str | None:
    if "," in token:
        return "numbers are separated by spaces, and the decimal point is '.'"
    if "_" in token or not token.isascii():
        return "digits are 0 to 9, without separators"
    return None


def _check_magnitude(attribute: Attribute, text: str, value: float, where: Location) -> None:
    if math.isinf(value):
        raise value_error(attribute, text, where, "the number is too large for double precision")
    if attribute.kind is Kind.SINGLE and abs(value) > SINGLE_MAX:
        raise value_error(attribute, text, where, "the number is too large for single precision")
    if not attribute.unbounded and abs(value) > MAX_MAGNITUDE:
        raise value_error(
            attribute, text, where, f"the number is too large (limit {MAX_MAGNITUDE:g})"
        )


def _check_range(attribute: Attribute, text: str, value: float, where: Location) -> None:
    if attribute.positive and value <= 0:
        raise value_error(attribute, text, where, "must be greater than 0")
    if attribute.minimum is not None and value < attribute.minimum:
        raise value_error(attribute, text, where, f"must be at least {attribute.minimum:g}")
    if attribute.maximum is not None and value > attribute.maximum:
        limit = f"{attribute.maximum:,.0f}".replace(",", " ")
        raise value_error(attribute, text, where, f"is over the limit of {limit}")


def _keyword(attribute: Attribute, text: str, where: Location, known: tuple[str, ...]) -> str:
    if text in known:
        return text
    if text in attribute.later:
        raise value_error(attribute, text, where, "this value is not supported yet")
    raise value_error(
        attribute,
        text,
        where,
        f"must be one of {', '.join(known)}",
        did_you_mean(text, known),
    )


def _keywords(attribute: Attribute, text: str, where: Location) -> str | None:
    words = [word for word in XML_SPACE.split(text) if word]
    for position, word in enumerate(words):
        _keyword(attribute, word, where, attribute.keywords)
        if word in words[:position]:
            raise value_error(attribute, text, where, f"'{word}' is given twice")
    return " ".join(words) or None


def _byte_count(attribute: Attribute, text: str, where: Location) -> int:
    trimmed = XML_SPACE.sub(" ", text).strip(" ")
    if trimmed == "-1":
        return -1
    parts = BYTE_COUNT.fullmatch(trimmed)
    if parts is None or len(parts[1]) > 20:
        raise value_error(
            attribute,
            text,
            where,
            "expected a byte count with an optional suffix K, M, G, T, P or E",
        )
    shift = 10 * (" KMGTPE".index(parts[2].upper()) if parts[2] else 0)
    count = int(parts[1]) << shift
    if count >= 2**64:
        raise value_error(attribute, text, where, "the byte count does not fit in 64 bits")
    return count
