"""Which names of `mujoco` are live, honestly empty, or absent: each is exactly one of the three.

live:   it has the value, or does the work, of MuJoCo's.
empty:  an array or a size of things that this engine does not have, such as flexes: of size zero.
absent: reading or calling it raises NotImplementedError, which says why and what to use.
"""

from __future__ import annotations

from cortenforge.fields import MODEL_FIELDS
from cortenforge.mujoco import data, model
from cortenforge.mujoco.absent import absence, field_absence
from cortenforge.mujoco.fields.computed import COMPUTED
from cortenforge.mujoco.fields.names import NAMED
from cortenforge.mujoco.registry import REGISTERED, all_functions
from cortenforge.mujoco.tables import STRUCTS, is_size

LIVE, EMPTY, ABSENT = "live", "empty", "absent"
OWN_MODEL_FIELDS = frozenset(field.name for field in MODEL_FIELDS)
#: sizes of things that this engine does not have
EMPTY_SIZE = ("nflex", "nplugin", "nefm", "nJfe", "nbvhdynamic")
#: fields of a model that are made from its names
NAME_FIELDS = frozenset({"names", "names_map", *(f"name_{short}adr" for _, short in NAMED)})


def _is_empty_size(name: str) -> bool:
    return name.startswith(EMPTY_SIZE)


def model_field_class(name: str) -> str:
    """The class of a field of MjModel."""
    entry = STRUCTS["MjModel"][name]
    if field_absence("MjModel", name) is not None:
        return ABSENT
    if is_size(entry):
        return EMPTY if _is_empty_size(name) else LIVE
    if name in OWN_MODEL_FIELDS or name in model.PARTS or name == "signature":
        return LIVE
    if name in NAME_FIELDS:
        return EMPTY if name in ("name_flexadr", "name_pluginadr") else LIVE
    return LIVE if entry == ["mjtBool"] else EMPTY


def data_field_class(name: str) -> str:
    """The class of a field of MjData."""
    if field_absence("MjData", name) is not None:
        return ABSENT
    if name == "nplugin":
        return EMPTY
    is_own = name in data.OWN_FIELDS or name in COMPUTED or name in data.LISTS
    return LIVE if is_own else EMPTY


def function_class(name: str) -> str:
    """The class of a function."""
    return LIVE if name in REGISTERED else ABSENT


def field_classes(struct: str) -> dict[str, str]:
    """The class of every field of MjModel or MjData."""
    classify = model_field_class if struct == "MjModel" else data_field_class
    return {name: classify(name) for name in STRUCTS[struct]}


def function_classes() -> dict[str, str]:
    """The class of every function."""
    return {name: function_class(name) for name in all_functions()}


def reason(name: str, struct: str = "") -> str:
    """Why a name is absent."""
    return (field_absence(struct, name) if struct else absence(name)) or ""
