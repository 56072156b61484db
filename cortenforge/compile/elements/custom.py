"""Custom numbers, texts and tuples."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.pack.columns import joined, packed, starts
from cortenforge.problems import attempt
from cortenforge.spec import Element
from cortenforge.spec.attribute import integer, listed, no_such, number

MAX_NUMBERS = 10_000_000
OBJECTS = {
    "body": (1, "body"),
    "xbody": (2, "body"),
    "joint": (3, "joint"),
    "geom": (5, "geom"),
    "site": (6, "site"),
    "camera": (7, "camera"),
    "light": (8, "light"),
    "mesh": (10, "mesh"),
    "skin": (11, "skin"),
    "hfield": (12, "hfield"),
    "texture": (13, "texture"),
    "material": (14, "material"),
    "sensor": (20, "sensor"),
    "pair": (15, "pair"),
    "exclude": (16, "exclude"),
    "equality": (17, "equality"),
    "tendon": (18, "tendon"),
    "actuator": (19, "actuator"),
    "numeric": (21, "numeric"),
    "text": (22, "text"),
    "tuple": (23, "tuple"),
    "key": (24, "key"),
}


def numeric_arrays(elements: list[Element]) -> dict[str, np.ndarray]:
    """Custom numbers, padded with zeros to their given size."""
    rows: list[np.ndarray] = []
    total = 0
    for element in elements:
        data, size = listed(element, "data"), integer(element, "size")
        if element.given("size") and not 0 < size <= MAX_NUMBERS:
            raise element.error(f"expected a size between 1 and {MAX_NUMBERS}", "size")
        if size and size < len(data):
            raise element.error(f"smaller than the {len(data)} numbers given", "size")
        if not size and not data:
            raise element.error("needs data or a size", "data")
        total += max(size, len(data))
        if total > MAX_NUMBERS:
            raise element.error(f"more than {MAX_NUMBERS} custom numbers in the model", "size")
        rows.append(np.append(data, np.zeros(max(0, size - len(data)))))
    return _packed("numeric", rows)


def text_arrays(elements: list[Element]) -> dict[str, np.ndarray]:
    """Custom texts as bytes, each with a zero at its end."""
    rows = []
    for element in elements:
        text = element["data"]
        if not text:
            raise element.error("a text cannot be empty", "data")
        rows.append(np.frombuffer(str(text).encode() + b"\0", np.uint8))
    return _packed("text", rows)


def _packed(kind: str, rows: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Rows of different lengths, one after the other."""
    size = [len(row) for row in rows]
    return {
        f"{kind}_adr": starts(size),
        f"{kind}_size": packed(f"{kind}_size", size),
        f"{kind}_data": joined(f"{kind}_data", rows),
    }


def tuple_arrays(elements: list[Element], names: dict[str, list[str]]) -> dict[str, np.ndarray]:
    """Tuples: lists of objects, each with a number."""
    ids = {
        kind: {name: i for i, name in enumerate(listed_names) if name}
        for kind, listed_names in names.items()
    }
    types, objects, numbers, size = [], [], [], []
    for element in elements:
        members = list(element.children)
        if not members:
            raise element.error("a tuple cannot be empty")
        size.append(len(members))
        for member in members:
            code, objid = attempt(_find, member, ids) or (0, -1)
            types.append(code)
            objects.append(objid)
            numbers.append(number(member, "prm"))
    return {
        "tuple_adr": starts(size),
        "tuple_size": packed("tuple_size", size),
        "tuple_objtype": packed("tuple_objtype", types),
        "tuple_objid": packed("tuple_objid", objects),
        "tuple_objprm": packed("tuple_objprm", numbers),
    }


def _find(member: Element, ids: dict[str, dict[str, int]]) -> tuple[int, int]:
    """Type and id of the object that a tuple's member names."""
    word, name = str(member["objtype"]), str(member["objname"])
    if word not in OBJECTS:
        raise member.error(f"expected one of {', '.join(OBJECTS)}", "objtype")
    code, kind = OBJECTS[word]
    if name not in ids[kind]:
        raise no_such(member, "objname", kind, ids[kind])
    return code, ids[kind][name]


def names_in_tuples(elements: list[Element], *types: str) -> set[str]:
    """Names of objects of some types that tuples refer to."""
    return {
        str(member["objname"])
        for element in elements
        for member in element.children
        if member["objtype"] in types
    }
