"""Custom numbers, texts and tuples."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.pack.field_arrays import block_addresses, concatenated_field, field_array
from cortenforge.problems import attempt
from cortenforge.spec import Element
from cortenforge.spec.attribute import integer, number, number_list, unknown_reference

MAX_CUSTOM_NUMBERS = 10_000_000
TUPLE_OBJECT_TYPES = {
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
        data, size = number_list(element, "data"), integer(element, "size")
        if element.given("size") and not 0 < size <= MAX_CUSTOM_NUMBERS:
            raise element.error(f"expected a size between 1 and {MAX_CUSTOM_NUMBERS}", "size")
        if size and size < len(data):
            raise element.error(f"smaller than the {len(data)} numbers given", "size")
        if not size and not data:
            raise element.error("needs data or a size", "data")
        total += max(size, len(data))
        if total > MAX_CUSTOM_NUMBERS:
            raise element.error(
                f"more than {MAX_CUSTOM_NUMBERS} custom numbers in the model", "size"
            )
        rows.append(np.append(data, np.zeros(max(0, size - len(data)))))
    return _packed_rows("numeric", rows)


def text_arrays(elements: list[Element]) -> dict[str, np.ndarray]:
    """Custom texts as bytes, each with a zero at its end."""
    rows = []
    for element in elements:
        text = element["data"]
        if not text:
            raise element.error("a text cannot be empty", "data")
        rows.append(np.frombuffer(str(text).encode() + b"\0", np.uint8))
    return _packed_rows("text", rows)


def _packed_rows(kind: str, rows: list[np.ndarray]) -> dict[str, np.ndarray]:
    """Rows of different lengths, one after the other."""
    size = [len(row) for row in rows]
    return {
        f"{kind}_adr": block_addresses(size),
        f"{kind}_size": field_array(f"{kind}_size", size),
        f"{kind}_data": concatenated_field(f"{kind}_data", rows),
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
            code, objid = attempt(_tuple_object, member, ids) or (0, -1)
            types.append(code)
            objects.append(objid)
            numbers.append(number(member, "prm"))
    return {
        "tuple_adr": block_addresses(size),
        "tuple_size": field_array("tuple_size", size),
        "tuple_objtype": field_array("tuple_objtype", types),
        "tuple_objid": field_array("tuple_objid", objects),
        "tuple_objprm": field_array("tuple_objprm", numbers),
    }


def _tuple_object(member: Element, ids: dict[str, dict[str, int]]) -> tuple[int, int]:
    """Type and id of the object that a tuple's member names."""
    word, name = str(member["objtype"]), str(member["objname"])
    if word not in TUPLE_OBJECT_TYPES:
        raise member.error(f"expected one of {', '.join(TUPLE_OBJECT_TYPES)}", "objtype")
    code, kind = TUPLE_OBJECT_TYPES[word]
    if name not in ids[kind]:
        raise unknown_reference(member, "objname", kind, ids[kind])
    return code, ids[kind][name]


def names_in_tuples(elements: list[Element], *types: str) -> set[str]:
    """Names of objects of some types that tuples refer to."""
    return {
        str(member["objname"])
        for element in elements
        for member in element.children
        if member["objtype"] in types
    }
