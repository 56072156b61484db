"""Names and numbers of objects, and of types of objects."""

from __future__ import annotations

from typing import Any

from cortenforge.mujoco import arguments
from cortenforge.mujoco.enums import ENUMS
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import function, unchecked
from cortenforge.mujoco.tables import TABLES

OBJECTS = ENUMS["mjtObj"]
#: kinds in this engine, by the number of the type of object
KINDS: dict[int, str] = {
    int(OBJECTS[f"mjOBJ_{kind.upper()}"]): kind
    for kind in (
        *("body", "joint", "geom", "site", "camera", "light", "mesh", "skin", "hfield", "texture"),
        *("material", "pair", "exclude", "equality", "tendon", "actuator", "sensor", "numeric"),
        *("text", "tuple", "key"),
    )
} | {int(OBJECTS["mjOBJ_XBODY"]): "body"}
#: types that have a word in MJCF
TYPE_WORDS: dict[str, int] = {
    name.removeprefix("mjOBJ_").lower(): int(value)
    for name, value in OBJECTS.__members__.items()
    if name.startswith("mjOBJ_") and name != "mjOBJ_UNKNOWN"
}
WORDS_OF_TYPES = {number: word for word, number in TYPE_WORDS.items()}


@unchecked
def mj_name2id(m: MjModel, type: Any, name: str) -> int:
    """The number of the object of a type with a name, -1 if there is none."""
    if not isinstance(m, MjModel):
        raise arguments.mismatch("mj_name2id", "m must be an MjModel")
    try:
        kind = KINDS.get(arguments.as_integer(type))
        text = name if name.__class__ is str else arguments.as_text(name)
    except arguments.UnfitError as unfit:
        raise arguments.mismatch("mj_name2id", f"expected {unfit}") from None
    return m._numbers[kind].get(text, -1) if kind else -1


@function
def mj_id2name(m: MjModel, type: int, id: int) -> str | None:
    """The name of an object, None if it has none."""
    names = m._native.names.get(KINDS.get(type, ""), [])
    return (names[id] or None) if 0 <= id < len(names) else None


@function
def mju_str2Type(str: str) -> int:
    """The number of a type of object by its word, 0 if there is none."""
    return TYPE_WORDS.get(str, 0)


@function
def mju_type2Str(type: int) -> str | None:
    """The word for a type of object, None if there is none."""
    return WORDS_OF_TYPES.get(type)


@function
def mj_version() -> int:
    """The version of MuJoCo whose interface this is, as a number."""
    return int(TABLES["constants"]["mjVERSION_HEADER"])


@function
def mj_versionString() -> str:
    """The version of MuJoCo whose interface this is."""
    return str(TABLES["version"])
