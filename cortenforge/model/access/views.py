"""Named access: `model.body("torso").mass`, `data.joint("knee").qpos`, `model.opt.timestep`."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Cone, Integrator, Jacobian, Solver
from cortenforge.errors import ArgumentError, OutOfRange, UnknownAttribute, UnknownName
from cortenforge.fields import Field
from cortenforge.model.access.object_fields import FieldSlice, MomentArms, object_field_slices
from cortenforge.suggest import no_such

#: fields of options that are enumerations
OPTION_ENUMS: dict[str, type[IntEnum]] = {
    "opt_integrator": Integrator,
    "opt_cone": Cone,
    "opt_jacobian": Jacobian,
    "opt_solver": Solver,
}


def option_value(field: str, value: Any) -> Any:
    """The value for an option field; enumerations take a number or a name."""
    choices = OPTION_ENUMS.get(field)
    if choices is None:
        return value
    if isinstance(value, str):
        named = {choice.name: choice for choice in choices}
        if value.upper() in named:
            return int(named[value.upper()])
    # what is no integer is refused by its type
    elif not _is_index(value) or operator.index(value) in tuple(choices):
        return value
    listed = ", ".join(f"{choice.value} ({choice.name})" for choice in choices)
    name = field.replace("_", ".", 1)
    raise ArgumentError(f"{name}: expected one of {listed}, got {value!r}"[:300])


#: what fields with a prefix are called in messages
PREFIX_WORDS = {"opt_": "option", "stat_": "statistic"}


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
        field = self._field(name)
        return getattr(self._owner, field)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._owner, self._field(name), value)

    def _field(self, name: str) -> str:
        # names with an underscore are looked up by copy and pickle before there is an owner
        if name.startswith("_"):
            raise UnknownAttribute(f"no attribute {name!r}")
        field: str = self._prefix + name
        if field not in self._owner._store.arrays:
            raise UnknownAttribute(no_such(PREFIX_WORDS[self._prefix], name, self._names()))
        return field

    def __dir__(self) -> list[str]:
        return self._names()

    def __repr__(self) -> str:
        return "\n".join(f"{name}: {getattr(self, name)}" for name in self._names())


class ObjectView:
    """One named object of a Model or a Data; its fields are views into the arrays.

    As in MuJoCo, what is one number is an array of length 1: `model.body("torso").mass[0]`.
    """

    id: int
    name: str
    _owner: Any
    _kind: str
    _places: Mapping[str, FieldSlice | MomentArms]

    def __init__(
        self,
        owner: Any,
        kind: str,
        number: int,
        name: str,
        places: Mapping[str, FieldSlice | MomentArms],
    ) -> None:
        self.__dict__.update(_owner=owner, _kind=kind, _places=places, id=number, name=name)

    # type checkers know the fields of each kind of object from `declared.pyi`
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> np.ndarray:
            return self._place(name).read(self._owner)

        def __setattr__(self, name: str, value: Any) -> None:
            self._place(name).write(self._owner, value)

    def _place(self, name: str) -> FieldSlice | MomentArms:
        # names with an underscore are looked up by copy and pickle before there are places
        if name.startswith("_"):
            raise UnknownAttribute(f"no attribute {name!r}")
        if name not in self._places:
            raise UnknownAttribute(no_such(f"{self._kind} field", name, self._places))
        return self._places[name]

    def __dir__(self) -> list[str]:
        return ["id", "name", *self._places]

    def __repr__(self) -> str:
        rows = "\n".join(f"  {name}: {getattr(self, name)}" for name in self._places)
        return f"{self._kind} {self.id} {self.name!r}\n{rows}"


class NamedObjects:
    """Access to objects by its name or number `key`; an unknown name is an error with a suggestion.

    MuJoCo's short names (`jnt`, `cam`, `ten`) do the same.
    """

    def _object(self, kind: str, key: str | int) -> ObjectView:
        raise NotImplementedError

    def body(self, key: str | int) -> ObjectView:
        """A body by its name or number `key`."""
        return self._object("body", key)

    def joint(self, key: str | int) -> ObjectView:
        """A joint by its name or number `key`; what belongs to its dofs comes as slices."""
        return self._object("joint", key)

    def geom(self, key: str | int) -> ObjectView:
        """A geom by its name or number `key`."""
        return self._object("geom", key)

    def site(self, key: str | int) -> ObjectView:
        """A site by its name or number `key`."""
        return self._object("site", key)

    def camera(self, key: str | int) -> ObjectView:
        """A camera by its name or number `key`."""
        return self._object("camera", key)

    def light(self, key: str | int) -> ObjectView:
        """A light by its name or number `key`."""
        return self._object("light", key)

    def tendon(self, key: str | int) -> ObjectView:
        """A tendon by its name or number `key`."""
        return self._object("tendon", key)

    def actuator(self, key: str | int) -> ObjectView:
        """An actuator by name or number `key`; what belongs to its inputs and outputs as slices."""
        return self._object("actuator", key)

    def soft(self, key: str | int) -> ObjectView:
        """A deformable by name or number `key`; what belongs to its vertices comes as slices."""
        return self._object("soft", key)

    def sensor(self, key: str | int) -> ObjectView:
        """A sensor by its name or number `key`; its readings are `data.sensor(...).data`."""
        return self._object("sensor", key)

    jnt, cam, ten = joint, camera, tendon


class ModelObjects(NamedObjects):
    """The same for objects that only a Model has; `eq`, `tex`, `mat` and `keyframe` are short."""

    def pair(self, key: str | int) -> ObjectView:
        """A contact pair by its name or number `key`."""
        return self._object("pair", key)

    def exclude(self, key: str | int) -> ObjectView:
        """An excluded pair of bodies by its name or number `key`."""
        return self._object("exclude", key)

    def equality(self, key: str | int) -> ObjectView:
        """An equality constraint by its name or number `key`."""
        return self._object("equality", key)

    def key(self, key: str | int) -> ObjectView:
        """A keyframe by its name or number `key`."""
        return self._object("key", key)

    def hfield(self, key: str | int) -> ObjectView:
        """A height field by its name or number `key`."""
        return self._object("hfield", key)

    def texture(self, key: str | int) -> ObjectView:
        """A texture by its name or number `key`."""
        return self._object("texture", key)

    def material(self, key: str | int) -> ObjectView:
        """A material by its name or number `key`."""
        return self._object("material", key)

    def mesh(self, key: str | int) -> ObjectView:
        """A mesh by its name or number `key`."""
        return self._object("mesh", key)

    def skin(self, key: str | int) -> ObjectView:
        """A skin by its name or number `key`."""
        return self._object("skin", key)

    def numeric(self, key: str | int) -> ObjectView:
        """A custom numeric by name or number `key`; its numbers are `model.numeric(...).data`."""
        return self._object("numeric", key)

    def tuple(self, key: str | int) -> ObjectView:
        """A custom tuple by its name or number `key`."""
        return self._object("tuple", key)

    eq, tex, mat, keyframe = equality, texture, material, key


#: MuJoCo's short names of kinds of objects
SHORT_KINDS = {
    "jnt": "joint",
    "cam": "camera",
    "ten": "tendon",
    "eq": "equality",
    "tex": "texture",
    "mat": "material",
    "keyframe": "key",
}


def object_view(
    model: Any, owner: Any, fields: tuple[Field, ...], kind: str, key: str | int
) -> ObjectView:
    """View of an object by name or id; KeyError or IndexError lists the alternatives."""
    number = object_id(model, kind, key)
    places = object_field_slices(model, owner, fields, kind, number)
    return ObjectView(owner, kind, number, model.name_of(kind, number), places)


def object_id(model: Any, kind: str, key: str | int) -> int:
    """Id of the object with a name, or a checked id."""
    names = model.names[kind]
    # most keys, and a third of the time
    if key.__class__ is int and 0 <= key < len(names):
        return key
    if isinstance(key, str):
        if not key or key not in names:
            raise UnknownName(no_such(kind, key, (name for name in names if name)))
        return int(names.index(key))
    if not _is_index(key):
        raise ArgumentError(f"{kind}: expected a name or a number, got {key!r}")
    number = operator.index(key)
    if not 0 <= number < len(names):
        raise OutOfRange(f"{kind} {number}: the model has {len(names)}")
    return number


def _is_index(value: Any) -> bool:
    """Whether a value can be used as an index."""
    try:
        operator.index(value)
    except TypeError:
        return False
    return True
