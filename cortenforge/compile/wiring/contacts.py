"""Contact pairs and excludes: who is checked in any case, and who never."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.pack.tree import column
from cortenforge.compile.records import SOLIMP, SOLREF
from cortenforge.compile.references import Lookup
from cortenforge.problems import attempt, each
from cortenforge.spec import Element
from cortenforge.spec.attribute import integer, number, numbers

CONDIMS = (1, 3, 4, 6)
FRICTION = (1.0, 1.0, 0.005, 0.0001, 0.0001)

Arrays = dict[str, np.ndarray]
Names = dict[str, list[str]]


def contact_arrays(elements: list[Element], lookup: Lookup) -> tuple[Arrays, Names]:
    """Arrays and names of pairs and excludes, both in the order of their signatures."""
    pairs = each(_pair, [one for one in elements if one.tag == "pair"], lookup)
    excludes = each(_exclude, [one for one in elements if one.tag == "exclude"], lookup)
    pairs.sort(key=lambda pair: pair[0])
    excludes.sort(key=lambda exclude: exclude[0])
    rows = [pair[-1] for pair in pairs]
    int32 = np.int32
    arrays = {
        "pair_dim": column(rows, lambda e: attempt(_condim, e) or 3, dtype=int32),
        "pair_geom1": column(pairs, lambda pair: pair[1], dtype=int32),
        "pair_geom2": column(pairs, lambda pair: pair[2], dtype=int32),
        "pair_signature": column(pairs, lambda pair: pair[0], dtype=int32),
        "pair_solref": column(rows, lambda e: numbers(e, "solref", SOLREF), 2),
        "pair_solreffriction": column(rows, lambda e: numbers(e, "solreffriction", (0.0, 0.0)), 2),
        "pair_solimp": column(rows, lambda e: numbers(e, "solimp", SOLIMP), 5),
        "pair_margin": column(rows, lambda e: number(e, "margin")),
        "pair_gap": column(rows, lambda e: number(e, "gap")),
        "pair_friction": column(rows, lambda e: numbers(e, "friction", FRICTION), 5),
        "pair_adhesion": column(rows, lambda e: number(e, "adhesion")),
        "exclude_signature": column(excludes, lambda exclude: exclude[0], dtype=int32),
    }
    names = {
        "pair": [element.name for element in rows],
        "exclude": [element.name for _, element in excludes],
    }
    return arrays, names


def _condim(element: Element) -> int:
    condim = integer(element, "condim", 3)
    if condim not in CONDIMS:
        raise element.error("expected 1, 3, 4 or 6", "condim")
    return condim


def _pair(element: Element, lookup: Lookup) -> tuple[int, int, int, Element]:
    """Signature and geoms of a pair; the geom of the lower body comes first."""
    first = lookup.find(element, "geom1", "geom")
    second = lookup.find(element, "geom2", "geom")
    bodies = lookup.bodyid("geom", first), lookup.bodyid("geom", second)
    if bodies[0] > bodies[1]:
        first, second = second, first
    return signature(*bodies), first, second, element


def _exclude(element: Element, lookup: Lookup) -> tuple[int, Element]:
    first = lookup.find(element, "body1", "body")
    second = lookup.find(element, "body2", "body")
    return signature(first, second), element


def signature(one: int, other: int) -> int:
    """The number that MuJoCo gives a pair of bodies, as a signed 32-bit integer."""
    value = (min(one, other) << 16) + max(one, other)
    return value - (1 << 32) if value >= 1 << 31 else value


def names_in_contacts(elements: list[Element], kind: str) -> set[str]:
    """Names of the geoms in pairs, or of the bodies in excludes."""
    tag = {"geom": "pair", "body": "exclude"}[kind]
    return {str(one[f"{kind}{n}"]) for one in elements if one.tag == tag for n in (1, 2)}
