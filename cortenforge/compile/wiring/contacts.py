"""Contact pairs and excludes, in the order of their signatures.

signature = (min(body1, body2) << 16) + max(body1, body2), as a signed 32-bit integer
"""

from __future__ import annotations

import numpy as np

from cortenforge.compile.lookup import Lookup
from cortenforge.compile.pack.field_arrays import arrays_of_objects
from cortenforge.problems import attempt, each_valid
from cortenforge.spec import Element
from cortenforge.spec.attribute import integer, number, numbers

CONTACT_CONDIMS = (1, 3, 4, 6)
DEFAULT_PAIR_FRICTION = (1.0, 1.0, 0.005, 0.0001, 0.0001)

Arrays = dict[str, np.ndarray]
Names = dict[str, list[str]]


def contact_arrays(elements: list[Element], lookup: Lookup) -> tuple[Arrays, Names]:
    """Arrays and names of pairs and excludes, both in the order of their signatures."""
    pairs = each_valid(_compile_pair, [one for one in elements if one.tag == "pair"], lookup)
    excludes = each_valid(
        _compile_exclude, [one for one in elements if one.tag == "exclude"], lookup
    )
    pairs.sort(key=lambda pair: pair[0])
    excludes.sort(key=lambda exclude: exclude[0])
    rows = [pair[-1] for pair in pairs]
    arrays = {
        **arrays_of_objects(
            rows,
            {
                "pair_dim": lambda e: attempt(_pair_condim, e) or 3,
                "pair_solref": lambda e: numbers(e, "solref"),
                "pair_solreffriction": lambda e: numbers(e, "solreffriction"),
                "pair_solimp": lambda e: numbers(e, "solimp"),
                "pair_margin": lambda e: number(e, "margin"),
                "pair_gap": lambda e: number(e, "gap"),
                "pair_friction": lambda e: numbers(e, "friction"),
                "pair_adhesion": lambda e: number(e, "adhesion"),
            },
        ),
        **arrays_of_objects(
            pairs,
            {
                "pair_geom1": lambda pair: pair[1],
                "pair_geom2": lambda pair: pair[2],
                "pair_signature": lambda pair: pair[0],
            },
        ),
        **arrays_of_objects(
            excludes,
            {
                "exclude_signature": lambda exclude: exclude[0],
            },
        ),
    }
    names = {
        "pair": [element.name for element in rows],
        "exclude": [element.name for _, element in excludes],
    }
    return arrays, names


def _pair_condim(element: Element) -> int:
    condim = integer(element, "condim")
    if condim not in CONTACT_CONDIMS:
        raise element.error("expected 1, 3, 4 or 6", "condim")
    return condim


def _compile_pair(element: Element, lookup: Lookup) -> tuple[int, int, int, Element]:
    """Signature and geoms of a pair; the geom of the lower body comes first."""
    first = lookup.find(element, "geom1", "geom")
    second = lookup.find(element, "geom2", "geom")
    bodies = lookup.bodyid("geom", first), lookup.bodyid("geom", second)
    if bodies[0] > bodies[1]:
        first, second = second, first
    return body_pair_signature(*bodies), first, second, element


def _compile_exclude(element: Element, lookup: Lookup) -> tuple[int, Element]:
    first = lookup.find(element, "body1", "body")
    second = lookup.find(element, "body2", "body")
    return body_pair_signature(first, second), element


def body_pair_signature(one: int, other: int) -> int:
    """The number that MuJoCo gives a pair of bodies, as a signed 32-bit integer."""
    value = (min(one, other) << 16) + max(one, other)
    return value - (1 << 32) if value >= 1 << 31 else value


def names_in_contacts(elements: list[Element], kind: str) -> set[str]:
    """Names of the geoms in pairs, or of the bodies in excludes."""
    tag = {"geom": "pair", "body": "exclude"}[kind]
    return {str(one[f"{kind}{n}"]) for one in elements if one.tag == tag for n in (1, 2)}
