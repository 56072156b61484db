"""Named access: `model.body("torso").mass`, `data.joint("knee").qpos`, `model.opt.timestep`."""

from __future__ import annotations

import difflib
import math
import operator
from enum import IntEnum
from typing import Any

from cortenforge.enums import Cone, Integrator, Jacobian, Solver
from cortenforge.errors import ArgumentError, OutOfRange, UnknownName
from cortenforge.fields import Field

#: object -> (prefix of its Model fields, its size, prefix of its Data fields)
OBJECTS: dict[str, tuple[str, str, str]] = {
    "body": ("body_", "nbody", ""),
    "joint": ("jnt_", "njnt", ""),
    "geom": ("geom_", "ngeom", "geom_"),
    "site": ("site_", "nsite", "site_"),
    "camera": ("cam_", "ncam", "cam_"),
    "light": ("light_", "nlight", "light_"),
    "hfield": ("hfield_", "nhfield", ""),
    "texture": ("tex_", "ntex", ""),
    "material": ("mat_", "nmat", ""),
    "pair": ("pair_", "npair", ""),
    "exclude": ("exclude_", "nexclude", ""),
    "equality": ("eq_", "neq", "eq_"),
    "tendon": ("tendon_", "ntendon", "ten_"),
    "actuator": ("actuator_", "nactuator", ""),
    "numeric": ("numeric_", "nnumeric", ""),
    "text": ("text_", "ntext", ""),
    "tuple": ("tuple_", "ntuple", ""),
    "key": ("key_", "nkey", ""),
    "sensor": ("sensor_", "nsensor", "sensor_"),
    "mesh": ("mesh_", "nmesh", ""),
    "skin": ("skin_", "nskin", ""),
    "soft": ("soft_", "nsoft", "soft_"),
}

#: assets with data of their own length: the fields that multiply to it
DATA_COUNTS = {"hfield": ("nrow", "ncol"), "texture": ("height", "width", "nchannel")}
#: fields of options that name one of several choices
CHOICES: dict[str, type[IntEnum]] = {
    "opt_integrator": Integrator,
    "opt_cone": Cone,
    "opt_jacobian": Jacobian,
    "opt_solver": Solver,
}
#: sizes of which a deformable has a block, and what the block is made of
SOFT_BLOCKS = {"nsoftvert": "vert", "nsoftpoint": "vert", "nsoftface": "face", "nsoftrod": "rod"}
#: sizes of which an actuator has a block, and what the block is called
ACTUATOR_BLOCKS = {"nu": "ctrl", "nout": "out", "na": "act"}


def check_option(field: str, value: Any) -> None:
    """Raise if a field of options is set to a number that names no choice."""
    choices = CHOICES.get(field)
    # what is no integer is refused by its type
    if choices is None or not _is_index(value) or operator.index(value) in tuple(choices):
        return
    listed = ", ".join(f"{choice.value} ({choice.name})" for choice in choices)
    name = field.replace("_", ".", 1)
    raise ArgumentError(f"{name}: expected one of {listed}, got {value!r}")


class PrefixView:
    """The fields of an owner that share a prefix, without it: `model.opt.timestep`."""

    def __init__(self, owner: Any, prefix: str) -> None:
        self.__dict__.update(_owner=owner, _prefix=prefix)

    def _names(self) -> list[str]:
        prefix = self._prefix
        return [
            name[len(prefix) :] for name in self._owner._store.arrays if name.startswith(prefix)
        ]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not self._has(name):
            raise AttributeError(_unknown("option", name, self._names()))
        return getattr(self._owner, self._prefix + name)

    def __setattr__(self, name: str, value: Any) -> None:
        if not self._has(name):
            raise AttributeError(_unknown("option", name, self._names()))
        setattr(self._owner, self._prefix + name, value)

    def _has(self, name: str) -> bool:
        return self._prefix + name in self._owner._store.arrays

    def __dir__(self) -> list[str]:
        return self._names()

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {getattr(self, name)}" for name in self._names())


class ObjectView:
    """One named object of a Model or a Data; its fields are views into the arrays."""

    def __init__(self, owner: Any, kind: str, number: int, name: str, fields: dict[str, Any]):
        self.__dict__.update(_owner=owner, _kind=kind, _fields=fields, id=number, name=name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self._fields:
            raise AttributeError(_unknown(f"{self._kind} field", name, list(self._fields)))
        field, index = self._fields[name]
        return getattr(self._owner, field)[index]

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            raise AttributeError(_unknown(f"{self._kind} field", name, list(self._fields)))
        field, index = self._fields[name]
        getattr(self._owner, field)[index] = value

    def __dir__(self) -> list[str]:
        return ["id", "name", *self._fields]

    def __repr__(self) -> str:
        rows = "\n".join(f"  {name}: {getattr(self, name)}" for name in self._fields)
        return f"{self._kind} {self.id} {self.name!r}\n{rows}"


class NamedObjects:
    """Access to objects by name or number; an unknown name is an error with a suggestion."""

    def _object(self, kind: str, key: str | int) -> ObjectView:
        raise NotImplementedError

    def body(self, key: str | int) -> ObjectView:
        """A body by name or number."""
        return self._object("body", key)

    def joint(self, key: str | int) -> ObjectView:
        """A joint by name or number; what belongs to its dofs comes as slices."""
        return self._object("joint", key)

    def geom(self, key: str | int) -> ObjectView:
        """A geom by name or number."""
        return self._object("geom", key)

    def site(self, key: str | int) -> ObjectView:
        """A site by name or number."""
        return self._object("site", key)

    def camera(self, key: str | int) -> ObjectView:
        """A camera by name or number."""
        return self._object("camera", key)

    def light(self, key: str | int) -> ObjectView:
        """A light by name or number."""
        return self._object("light", key)

    def tendon(self, key: str | int) -> ObjectView:
        """A tendon by name or number."""
        return self._object("tendon", key)

    def actuator(self, key: str | int) -> ObjectView:
        """An actuator by name or number; what belongs to its inputs and outputs as slices."""
        return self._object("actuator", key)

    def soft(self, key: str | int) -> ObjectView:
        """A deformable by name or number; what belongs to its vertices comes as slices."""
        return self._object("soft", key)

    def sensor(self, key: str | int) -> ObjectView:
        """A sensor by name or number; its readings are `data.sensor(...).data`."""
        return self._object("sensor", key)


def object_view(
    model: Any, owner: Any, fields: tuple[Field, ...], kind: str, key: str | int
) -> ObjectView:
    """The object of a kind with a name or number; KeyError or IndexError names the alternatives."""
    number = object_number(model, kind, key)
    model_prefix, size, data_prefix = OBJECTS[kind]
    prefix = model_prefix if owner is model else data_prefix
    found: dict[str, tuple[str, Any]] = {}
    for field in fields:
        if field.role == "scratch" or not field.shape:
            continue
        if field.shape[0] == size and field.name.startswith(prefix):
            found[field.name[len(prefix) :]] = (field.name, number)
        elif kind in DATA_COUNTS and field.name == f"{prefix}data":
            found["data"] = (field.name, _data_slice(model, kind, number))
        elif kind == "joint" and field.shape[0] in ("nq", "nv"):
            found[field.name.removeprefix("dof_")] = (
                field.name,
                _joint_slice(model, number, field.shape[0] == "nq"),
            )
        elif kind == "soft" and field.shape[0] in SOFT_BLOCKS:
            found[field.name.removeprefix("soft")] = (field.name, _soft_block(model, number, field))
        elif kind == "sensor" and field.shape[0] == "nsensordata":
            start = int(model.sensor_adr[number])
            found["data"] = (field.name, slice(start, start + int(model.sensor_dim[number])))
        elif kind == "actuator" and field.shape[0] in ACTUATOR_BLOCKS:
            block = _actuator_block(model, number, str(field.shape[0]))
            found[field.name.removeprefix("actuator_")] = (field.name, block)
    return ObjectView(owner, kind, number, model.name_of(kind, number), found)


def _data_slice(model: Any, kind: str, number: int) -> slice:
    """Where the data of an asset is; empty for a texture that is only a path."""
    prefix = OBJECTS[kind][0]
    start = int(getattr(model, f"{prefix}adr")[number])
    counts = (int(getattr(model, prefix + name)[number]) for name in DATA_COUNTS[kind])
    return slice(max(0, start), max(0, start) + math.prod(counts))


def _actuator_block(model: Any, actuator: int, size: str) -> int | slice:
    """Where an actuator's numbers of a size are: one number as itself, several as a slice."""
    kind = ACTUATOR_BLOCKS[size]
    start = int(getattr(model, f"actuator_{kind}adr")[actuator])
    count = int(getattr(model, f"actuator_{kind}num")[actuator])
    return start if count == 1 and kind != "act" else slice(start, start + count)


def _soft_block(model: Any, soft: int, field: Field) -> slice:
    """Where a deformable's vertices, triangles or segments are."""
    kind = SOFT_BLOCKS[str(field.shape[0])]
    start = int(getattr(model, f"soft_{kind}adr")[soft])
    return slice(start, start + int(getattr(model, f"soft_{kind}num")[soft]))


def _joint_slice(model: Any, joint: int, position: bool) -> slice:
    counts = ((7, 6), (4, 3), (1, 1), (1, 1))[model.jnt_type[joint]]
    start = int((model.jnt_qposadr if position else model.jnt_dofadr)[joint])
    return slice(start, start + counts[0 if position else 1])


def object_number(model: Any, kind: str, key: str | int) -> int:
    """Number of the object with a name (or number)."""
    names = model.names[kind]
    if isinstance(key, str):
        if not key or key not in names:
            raise UnknownName(_unknown(kind, key, [name for name in names if name]))
        return int(names.index(key))
    if not _is_index(key):
        raise ArgumentError(f"{kind}: expected a name or a number, got {key!r}")
    number = operator.index(key)
    if not 0 <= number < len(names):
        raise OutOfRange(f"{kind} {number}: the model has {len(names)}")
    return number


def _is_index(value: Any) -> bool:
    """Whether Python would take a value for a position in a list."""
    try:
        operator.index(value)
    except TypeError:
        return False
    return True


def _unknown(what: str, name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    listed = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
    return f"no {what} {name!r}{hint} (there are: {listed or 'none'})"
