"""Names of objects as `mujoco` stores them: one text, addresses in it, and a hash map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

#: kinds of objects in the order of the text: kind in this engine, short name in MuJoCo's fields
NAMED: tuple[tuple[str, str], ...] = (
    ("body", "body"),
    ("joint", "jnt"),
    ("geom", "geom"),
    ("site", "site"),
    ("camera", "cam"),
    ("light", "light"),
    ("flex", "flex"),
    ("mesh", "mesh"),
    ("skin", "skin"),
    ("hfield", "hfield"),
    ("texture", "tex"),
    ("material", "mat"),
    ("pair", "pair"),
    ("exclude", "exclude"),
    ("equality", "eq"),
    ("tendon", "tendon"),
    ("actuator", "actuator"),
    ("sensor", "sensor"),
    ("numeric", "numeric"),
    ("text", "text"),
    ("tuple", "tuple"),
    ("key", "key"),
    ("plugin", "plugin"),
)
#: places of the hash map for each object
PLACES_PER_NAME = 2
HASH_START = 5381
HASH_BITS = 2**64 - 1


def name_text(
    modelname: str, names: Mapping[str, Sequence[str]]
) -> tuple[bytes, dict[str, np.ndarray]]:
    """All names, each followed by a zero byte, and the address of each by field."""
    text = bytearray(modelname.encode() + b"\0")
    addresses = {}
    for kind, short in NAMED:
        listed = names.get(kind, ())
        address = np.zeros(len(listed), np.int32)
        for number, name in enumerate(listed):
            address[number] = len(text)
            text += name.encode() + b"\0"
        addresses[f"name_{short}adr"] = address
    return bytes(text), addresses


def hash_map(names: Mapping[str, Sequence[str]]) -> np.ndarray:
    """Hash maps of all kinds, one after another: numbers of objects, -1 for empty places."""
    maps = [_hash_map_of(names.get(kind, ())) for kind, _ in NAMED]
    return np.concatenate(maps).astype(np.int32)


def _hash_map_of(names: Sequence[str]) -> np.ndarray:
    """The hash map of one kind, with linear probing."""
    size = PLACES_PER_NAME * len(names)
    places = np.full(size, -1)
    for number, name in enumerate(names):
        if name:
            at = _hash(name) % size
            while places[at] >= 0:
                at = (at + 1) % size
            places[at] = number
    return places


def _hash(name: str) -> int:
    """The hash of a name (djb2 with exclusive or)."""
    value = HASH_START
    for byte in name.encode():
        value = ((value << 5) + value ^ byte) & HASH_BITS
    return value


def numbers_by_name(names: Mapping[str, Sequence[str]]) -> dict[str, dict[str, int]]:
    """Numbers of named objects, by kind and name."""
    return {
        kind: {name: number for number, name in enumerate(listed) if name}
        for kind, listed in names.items()
    }
