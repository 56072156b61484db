"""Named access: `m.body("torso").mass`, `d.joint("knee").qpos`.

A view has the fields that belong to one object; each is a view into the array of all objects. What
is one number is an array of length one, as in `mujoco`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from cortenforge.mujoco.arguments import UnfitError, as_integer
from cortenforge.mujoco.tables import STRUCTS, TABLES, extents_of


@dataclass(frozen=True)
class Kind:
    """Objects of one kind.

    kind:   its name in this engine, `size` the field that counts them.
    model:  beginnings of names of fields of a model, which views leave out; the first has priority.
    data:   the same for data.
    blocks: size of an array -> fields with the first entry of an object, and their number.
    """

    kind: str
    size: str
    model: tuple[str, ...]
    data: tuple[str, ...] = ()
    blocks: tuple[tuple[str, str, str], ...] = ()


#: kinds of objects by their names in the tables
KINDS: dict[str, Kind] = {
    "body": Kind("body", "nbody", ("body_",), ("",)),
    "joint": Kind("joint", "njnt", ("jnt_", "dof_", ""), ("", "dof_")),
    "geom": Kind("geom", "ngeom", ("geom_",), ("geom_",)),
    "site": Kind("site", "nsite", ("site_",), ("site_",)),
    "camera": Kind("camera", "ncam", ("cam_",), ("cam_",)),
    "light": Kind("light", "nlight", ("light_",), ("light_",)),
    "mesh": Kind("mesh", "nmesh", ("mesh_",)),
    "skin": Kind("skin", "nskin", ("skin_",)),
    "hfield": Kind("hfield", "nhfield", ("hfield_",)),
    "texture": Kind("texture", "ntex", ("tex_",)),
    "material": Kind("material", "nmat", ("mat_",)),
    "pair": Kind("pair", "npair", ("pair_",)),
    "exclude": Kind("exclude", "nexclude", ("exclude_",)),
    "equality": Kind("equality", "neq", ("eq_",)),
    # MuJoCo leaves `ten_` out of all names: fields `tendon_range` are `_range` there
    "tendon": Kind(
        "tendon",
        "ntendon",
        ("tendon_", "ten_", "tendon"),
        ("ten_", ""),
        (("nJten", "ten_J_rowadr", "ten_J_rownnz"),),
    ),
    "actuator": Kind(
        "actuator",
        "nactuator",
        ("actuator_",),
        ("actuator_", ""),
        (
            ("nu", "actuator_ctrladr", "actuator_ctrlnum"),
            ("nout", "actuator_outadr", "actuator_outnum"),
            ("na", "actuator_actadr", "actuator_actnum"),
        ),
    ),
    "sensor": Kind(
        "sensor",
        "nsensor",
        ("sensor_",),
        ("sensor",),
        (("nsensordata", "sensor_adr", "sensor_dim"),),
    ),
    "numeric": Kind(
        "numeric",
        "nnumeric",
        ("numeric_",),
        (),
        (("nnumericdata", "numeric_adr", "numeric_size"),),
    ),
    "tuple": Kind("tuple", "ntuple", ("tuple_",), (), (("ntupledata", "tuple_adr", "tuple_size"),)),
    "keyframe": Kind("key", "nkey", ("key_",)),
}
#: methods that give views of a kind
METHODS: dict[str, str] = {
    **{kind: kind for kind in KINDS},
    "jnt": "joint",
    "cam": "camera",
    "ten": "tendon",
    "tex": "texture",
    "mat": "material",
    "eq": "equality",
    "key": "keyframe",
}
#: numbers of positions and velocities of joints, by type
JOINT_SIZES = ((7, 6), (4, 3), (1, 1), (1, 1))
#: entries of the state of a plastic spring: of a tendon, and of joints by type
TENDON_PLASTIC = 2
JOINT_PLASTIC = (0, 4, 1, 1)


class ObjectView:
    """One object of a model or of data; fields are found when they are first asked for."""

    id: int
    name: str
    _owner: Any
    _kind: Kind
    _shown: list[str]

    def __init__(self, owner: Any, kind: Kind, shown: list[str], number: int, name: str) -> None:
        self.__dict__.update(_owner=owner, _kind=kind, _shown=shown, id=number, name=name)

    def __getattr__(self, field: str) -> Any:
        found = None if field.startswith("__") else self._found(field)
        if found is None:
            raise AttributeError(f"{self._kind.kind} has no attribute {field!r}")
        # arrays that never move are kept
        if found.base is not None and found.flags.writeable:
            self.__dict__[field] = found
        return found

    def __setattr__(self, field: str, value: Any) -> None:
        target = getattr(self, field)
        if not isinstance(target, np.ndarray):
            raise AttributeError(f"{field} of a {self._kind.kind} cannot be set")
        target[...] = value

    def _found(self, field: str) -> np.ndarray | None:
        """The part of an array that belongs to the object; None if there is none."""
        of_model = self._owner is self._model()
        table = STRUCTS["MjModel" if of_model else "MjData"]
        if field == "moment" and self._kind.kind == "actuator":
            return moment_arms(self._owner, self.id)
        prefixes = self._kind.model if of_model else self._kind.data
        # what joints and their dofs both have is the joint's, but for this
        if self._kind.kind == "joint" and field == "bodyid":
            prefixes = ("dof_",)
        for prefix in prefixes:
            entry = table.get(prefix + field)
            if entry is not None and extents_of(entry):
                part = self._part(prefix + field, str(extents_of(entry)[0]))
                if part is not None:
                    return part
        return None

    def _part(self, name: str, length: str) -> np.ndarray | None:
        """The part of an array with a length of so many."""
        if name in ("hfield_data", "tex_data"):
            return self._asset_data(name)
        array: np.ndarray = getattr(self._owner, name)
        number, model = self.id, self._model()
        if length == self._kind.size:
            return array[number] if array.ndim > 1 else array[number : number + 1]
        if self._kind.kind == "joint" and length in ("nq", "nv"):
            is_position = length == "nq"
            start = (model.jnt_qposadr if is_position else model.jnt_dofadr)[number]
            count = JOINT_SIZES[model.jnt_type[number]][0 if is_position else 1]
            return array[start : start + count]
        if length == "nplastic":
            return self._plastic(array)
        for size, first, count_field in self._kind.blocks:
            if length == size:
                start, count = getattr(model, first)[number], getattr(model, count_field)[number]
                block = array[max(start, 0) : max(start, 0) + count]
                # a single input or output is the object's own row
                single = self._kind.kind == "actuator" and len(block) == 1 and array.ndim > 1
                return block[0] if single else block
        return None

    def _plastic(self, array: np.ndarray) -> np.ndarray:
        """The state of a plastic spring; empty for others."""
        model, number = self._model(), self.id
        of_joint = self._kind.kind == "joint"
        start = (model.jnt_plasticadr if of_joint else model.tendon_plasticadr)[number]
        count = JOINT_PLASTIC[model.jnt_type[number]] if of_joint else TENDON_PLASTIC
        return array[start : start + count] if start >= 0 else array[:0]

    def _asset_data(self, name: str) -> np.ndarray:
        """Data of a height field or a texture, in its shape."""
        model, number = self._model(), self.id
        if name == "hfield_data":
            shape = model.hfield_nrow[number], model.hfield_ncol[number]
            start = model.hfield_adr[number]
        else:
            shape = tuple(
                getattr(model, f"tex_{side}")[number] for side in ("height", "width", "nchannel")
            )
            start = max(0, model.tex_adr[number])
        count = int(np.prod(shape))
        found: np.ndarray = getattr(model, name)[start : start + count].reshape(shape)
        return found

    def _model(self) -> Any:
        return getattr(self._owner, "model", self._owner)

    def __dir__(self) -> list[str]:
        return self._shown

    def __repr__(self) -> str:
        lines = "".join(f"\n  {name}: {getattr(self, name)!r}" for name in sorted(self._shown))
        return f"<{type(self).__name__}{lines}\n>"


def moment_arms(data: Any, actuator: int) -> np.ndarray:
    """Moment arms of an actuator for all dofs, a row for each output; read-only."""
    model = data.model
    first, count = int(model.actuator_outadr[actuator]), int(model.actuator_outnum[actuator])
    rows = np.zeros((count, model.nv))
    for row, output in zip(rows, range(first, first + count), strict=True):
        start = data.moment_rowadr[output]
        entries = slice(start, start + data.moment_rownnz[output])
        row[data.moment_colind[entries]] = data.actuator_moment[entries]
    found = rows[0] if count == 1 else rows
    found.flags.writeable = False
    return found


def _number_of(model: Any, kind: Kind, key: Any) -> int:
    """The number of an object by name or number; errors as in `mujoco`."""
    if isinstance(key, (str, bytes)):
        name = key if isinstance(key, str) else key.decode()
        numbers: dict[str, int] = model._numbers.get(kind.kind, {})
        if name not in numbers:
            raise KeyError(f"Invalid name '{name}'. Valid names: {sorted(numbers)}")
        return numbers[name]
    try:
        number = as_integer(key)
    except UnfitError:
        raise TypeError(
            f"{kind.kind}(): incompatible function arguments: expected a name or a number, got "
            f"{key!r}"[:300]
        ) from None
    count = getattr(model, kind.size)
    if not 0 <= number < count:
        raise IndexError(f"Invalid index {number}. Valid indices from 0 to {count - 1}")
    return number


def _view_method(struct: str, method: str) -> Callable[..., ObjectView]:
    """A method that gives the view of an object; the same one every time."""
    listed = METHODS[method]
    kind = KINDS[listed]
    shown = TABLES["views"][struct][listed]
    view = type(f"_{struct}{listed.capitalize()}Views", (ObjectView,), {"__module__": __name__})

    def find(self: Any, key: Any = "", /, *, name: Any = None) -> ObjectView:
        if name is not None:
            key = name
        # arrays cannot be keys of a dictionary
        place = (listed, key) if isinstance(key, Hashable) else (listed, None)
        found: ObjectView | None = self._views.get(place)
        if found is None:
            model = getattr(self, "model", self)
            number = _number_of(model, kind, key)
            made = view(self, kind, shown, number, model._native.names[kind.kind][number])
            found = self._views.setdefault((listed, number), made)
            if place[1] is not None:
                self._views[place] = found
        return found

    find.__name__ = method
    find.__qualname__ = f"{struct}.{method}"
    find.__doc__ = f"A {kind.kind} by name or number."
    return find


def views_of(struct: str) -> type:
    """A base class with the methods that give views."""
    there = TABLES["views"][struct]
    methods = {
        method: _view_method(struct, method) for method, kind in METHODS.items() if kind in there
    }
    return type(f"{struct}Views", (), methods | {"__module__": __name__})


ModelViews: Any = views_of("MjModel")
DataViews: Any = views_of("MjData")
