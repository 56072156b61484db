"""Write cortenforge/mujoco/tables.json: what the `mujoco` package has, read from that package.

Structs with their extents, enumerations, constants, functions with their parameters, and fields of
named views. These are facts of MuJoCo's interface; the module is made from them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from mujoco.introspect import structs
from mujoco.introspect.ast_nodes import AnonymousStructDecl, ArrayType, PointerType

FILE = Path(__file__).parents[1] / "cortenforge" / "mujoco" / "tables.json"
#: structs that Python code of MuJoCo sees, by their names in C
STRUCTS = {
    "mjModel": "MjModel",
    "mjData": "MjData",
    "mjOption": "MjOption",
    "mjStatistic": "MjStatistic",
    "mjVisual": "MjVisual",
    "mjLROpt": "MjLROpt",
    "mjContact": "MjContact",
    "mjWarningStat": "MjWarningStat",
    "mjTimerStat": "MjTimerStat",
    "mjSolverStat": "MjSolverStat",
    "mjvPerturb": "MjvPerturb",
    "mjvCamera": "MjvCamera",
    "mjvGLCamera": "MjvGLCamera",
    "mjvGeom": "MjvGeom",
    "mjvLight": "MjvLight",
    "mjvOption": "MjvOption",
    "mjvScene": "MjvScene",
    "mjvFigure": "MjvFigure",
    "mjrRect": "MjrRect",
    "mjrContext": "MjrContext",
}
FUNCTION = re.compile(r"(mj[a-z]*_|mju_|mjd_|[gs]et_mj)")
#: `name: type = default` of a parameter, up to the next one
PARAMETER = re.compile(r"(\w+): (.*?)(?= = |, \w+: |$)(?: = (.*?))?(?=, \w+: |$)")
ARRAY = re.compile(r"typing\.Annotated\[numpy\.typing\.NDArray\[numpy\.(\w+)\], (.*)\]$")
ANY_ARRAY = re.compile(r"typing\.Annotated\[numpy\.typing\.ArrayLike, numpy\.(\w+)\]$")
KINDS = {
    "typing.SupportsInt | typing.SupportsIndex": "int",
    "typing.SupportsFloat | typing.SupportsIndex": "float",
    "typing_extensions.CapsuleType": "capsule",
}


def extent(size: Any) -> int | str:
    """A size of an array: a number, or the name of a size of the model."""
    text = str(size)
    if text.isdigit():
        return int(text)
    if text.startswith("mjN"):
        known = getattr(mujoco, text, None)
        return int(mujoco.mjtTextureRole.mjNTEXROLE if known is None else known)
    return text


def struct_fields(declared: Any) -> dict[str, Any]:
    """Fields of a struct: name -> type in C, and extents of an array; a dictionary of a struct."""
    found: dict[str, Any] = {}
    for field in declared:
        kind = getattr(field, "type", field)
        name = getattr(field, "name", None)
        if isinstance(kind, AnonymousStructDecl):
            found[f"{name}_" if name == "global" else name] = struct_fields(kind.fields)
        elif isinstance(kind, ArrayType):
            found[name] = [str(kind.inner_type), [extent(size) for size in kind.extents]]
        elif isinstance(kind, PointerType):
            extents = [extent(size) for size in field.array_extent or ()]
            found[name] = [str(kind.inner_type), extents] if extents else [str(kind)]
        elif name is not None:
            found[name] = [str(kind)]
    return found


def seen_in_python(name: str) -> dict[str, Any]:
    """Fields of a struct that its Python class has."""
    kind = getattr(mujoco, STRUCTS[name])
    fields = struct_fields(structs.STRUCTS[name].fields)
    return {field: entry for field, entry in fields.items() if hasattr(kind, field)}


def parameter_type(text: str) -> str:
    """A type, shortly: `MjModel`, `int`, `float64[m,n]w?` (writeable, may be None)."""
    optional = text.endswith(" | None")
    text = text.removesuffix(" | None")
    array = ARRAY.match(text)
    if array:
        dims, *flags = re.findall(r'"(.*?)"', array[2])
        kind = array[1] + dims.replace(" ", "")
        kind += "w" if "flags.writeable" in flags else ""
    elif ANY_ARRAY.match(text):
        kind = ANY_ARRAY.sub(r"\1[any]", text)
    else:
        kind = KINDS.get(text, text.rpartition(".")[2])
    return kind + ("?" if optional else "")


def signature(function: Any) -> list[Any]:
    """Parameters of a function as its documentation lists them: name, type, default if any."""
    line = (function.__doc__ or "").split("\n")[0]
    inside = line[line.index("(") + 1 : line.rindex(") ->")]
    rows = []
    for name, kind, default in PARAMETER.findall(inside):
        rows.append([name, parameter_type(kind), *([default] if default else [])])
    return rows


def functions() -> dict[str, Any]:
    """Every function of the package: its parameters."""
    names = [name for name in dir(mujoco) if FUNCTION.match(name)]
    return {name: signature(getattr(mujoco, name)) for name in names}


def enumerations() -> dict[str, dict[str, int]]:
    """Members of every enumeration, in their order."""
    kinds = {name: getattr(mujoco, name) for name in dir(mujoco) if name.startswith("mjt")}
    return {
        name: {member: int(value) for member, value in kind.__members__.items()}
        for name, kind in kinds.items()
    }


def constants() -> dict[str, Any]:
    """Numbers and tuples of strings."""
    names = [name for name in dir(mujoco) if name.startswith("mj")]
    return {
        name: getattr(mujoco, name)
        for name in [*names, "MJTNUM_BYTES"]
        if isinstance(getattr(mujoco, name), (int, float, str, tuple))
    }


def view_fields() -> dict[str, dict[str, list[str]]]:
    """Fields of named views of a model and of data, by kind of object."""
    found: dict[str, dict[str, list[str]]] = {"MjModel": {}, "MjData": {}}
    for name in dir(mujoco._structs):
        match = re.fullmatch(r"_(MjModel|MjData)(\w+)Views", name)
        if match:
            kind = getattr(mujoco._structs, name)
            shown = [field for field in dir(kind) if not field.startswith("_")]
            found[match[1]][match[2].lower()] = shown
    return found


def default_values() -> dict[str, dict[str, Any]]:
    """Numbers of new structs that are not zero, for those that Python can make."""
    found = {}
    for name in STRUCTS.values():
        try:
            made = getattr(mujoco, name)()
        except TypeError:
            continue
        values = {
            field: np.asarray(value).tolist()
            for field in dir(made)
            if not field.startswith("_")
            and isinstance(value := getattr(made, field), (int, float, np.ndarray))
            and np.any(value)
        }
        found[name] = values
    return found


def classes() -> list[str]:
    """Classes of the package, beside enumerations."""
    return [
        name
        for name in dir(mujoco)
        if isinstance(getattr(mujoco, name), type) and name.startswith("Mj")
    ]


def tables() -> dict[str, Any]:
    """Everything."""
    return {
        "version": mujoco.__version__,
        "structs": {python: seen_in_python(name) for name, python in STRUCTS.items()},
        "defaults": default_values(),
        "enums": enumerations(),
        "constants": constants(),
        "functions": functions(),
        "views": view_fields(),
        "classes": classes(),
    }


def text() -> str:
    """The tables as JSON, with a line for every entry of each table."""
    parts = []
    for name, table in tables().items():
        if isinstance(table, dict):
            rows = ",\n".join(f"  {json.dumps(k)}: {entry(v)}" for k, v in table.items())
            parts.append(f'"{name}": {{\n{rows}\n}}')
        else:
            parts.append(f'"{name}": {json.dumps(table)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def entry(value: Any) -> str:
    """An entry of a table; fields of structs have lines of their own."""
    if isinstance(value, dict):
        rows = ",\n".join(f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items())
        return f"{{\n{rows}\n  }}"
    return json.dumps(value)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
