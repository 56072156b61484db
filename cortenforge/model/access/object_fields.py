"""Slices of fields that belong to one object: `mass` of a body in `body_mass`, `qpos` of a joint.

A field with one number an object is an array of length 1 here, as in MuJoCo.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import JointType
from cortenforge.errors import ShapeError, UnknownAttribute
from cortenforge.fields import Field

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

#: object -> (prefix of its Model fields, its size, prefix of its Data fields)
OBJECT_PREFIXES: dict[str, tuple[str, str, str]] = {
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

#: other beginnings of fields of an object that are left out of their names
OTHER_PREFIXES = {
    "joint": "dof_",
    "tendon": "ten_",
    "soft": "soft",
    "actuator": "actuator_",
    "sensor": "sensor",
}
#: object -> size of which it has a block -> the fields that say where the block is and how long
FIELD_BLOCKS: dict[str, dict[str, tuple[str, str]]] = {
    "soft": {
        "nsoftvert": ("soft_vertadr", "soft_vertnum"),
        "nsoftpoint": ("soft_vertadr", "soft_vertnum"),
        "nsoftface": ("soft_faceadr", "soft_facenum"),
        "nsoftrod": ("soft_rodadr", "soft_rodnum"),
    },
    "actuator": {
        "nu": ("actuator_ctrladr", "actuator_ctrlnum"),
        "nout": ("actuator_outadr", "actuator_outnum"),
        "na": ("actuator_actadr", "actuator_actnum"),
    },
    "sensor": {"nsensordata": ("sensor_adr", "sensor_dim")},
    "numeric": {"nnumericdata": ("numeric_adr", "numeric_size")},
    "tuple": {"ntupledata": ("tuple_adr", "tuple_size")},
    "tendon": {"nJten": ("ten_J_rowadr", "ten_J_rownnz")},
}
#: numbers of position, and of velocity, that joints of a type have
JOINT_SIZES = {
    JointType.FREE: (7, 6),
    JointType.BALL: (4, 3),
    JointType.SLIDE: (1, 1),
    JointType.HINGE: (1, 1),
}
#: numbers of plastic state of a tendon: the least and the largest length of rest
TENDON_REST = 2
#: assets with data of their own length: the fields that are its shape
DATA_SHAPES = {"hfield": ("nrow", "ncol"), "texture": ("height", "width", "nchannel")}
#: what joints and their dofs both have is the joint's, but for this one, as in MuJoCo
DOF_ONLY_FIELD = "bodyid"


@dataclass(frozen=True)
class FieldSlice:
    """A part of a field: an index or slice, and a shape if the view has another one.

    Of fields of all worlds of a batch, the index is that of worlds and that in each of them.
    """

    field: str
    index: int | slice | tuple[slice, int | slice]
    shape: tuple[int, ...] | None = None

    def read(self, owner: Any) -> np.ndarray:
        """A view of the part."""
        found: np.ndarray = getattr(owner, self.field)[self.index]
        return found if self.shape is None else found.reshape(self.shape)

    def write(self, owner: Any, value: Any) -> None:
        """Copy a value into the part; a number goes to all of it."""
        target = self.read(owner)
        try:
            target[...] = value
        except (TypeError, ValueError):
            raise ShapeError(
                f"{self.field}: expected numbers of shape {target.shape}, got {value!r}"[:300]
            ) from None


@dataclass(frozen=True)
class MomentArms:
    """Moment arms of an actuator for all dofs, from the sparse rows of actuator_moment."""

    outputs: range

    def read(self, data: Data) -> np.ndarray:
        """`(nv,)`, or a row for each output of an actuator that has several; a copy."""
        model = data.model
        rows = np.zeros((len(self.outputs), model.nv))
        for row, output in zip(rows, self.outputs, strict=True):
            start = int(model.moment_rowadr[output])
            entries = slice(start, start + int(model.moment_rownnz[output]))
            row[model.moment_colind[entries]] = data.actuator_moment[entries]
        return rows[0] if len(rows) == 1 else rows

    def write(self, data: Data, value: Any) -> None:
        """Refused: it would write to a copy."""
        raise UnknownAttribute("moment is a copy, computed from data.actuator_moment: write there")


def object_field_table(kind: str, fields: Iterable[Field], *, of_model: bool) -> dict[str, Field]:
    """Fields of a table with a part for each object of a kind, by name without prefix."""
    found: dict[str, Field] = {}
    for field in fields:
        if field.role == "scratch" or not field.shape or not _has_part(of_model, kind, field):
            continue
        name = _short_field_name(field, kind, of_model)
        # joints come before their dofs in the table
        if kind == "joint" and name in found and name != DOF_ONLY_FIELD:
            name = field.name
        found[name] = field
    return found


def object_field_slices(
    model: Model, owner: Model | Data | None, fields: Iterable[Field], kind: str, number: int
) -> dict[str, FieldSlice | MomentArms]:
    """Slices of the fields of one object of a Model or Data, by name without prefix."""
    found: dict[str, FieldSlice | MomentArms] = {
        name: _field_slice(model, owner is model, kind, number, field)
        for name, field in object_field_table(kind, fields, of_model=owner is model).items()
    }
    if kind == "actuator" and owner is not model:
        start = int(model.actuator_outadr[number])
        found["moment"] = MomentArms(range(start, start + int(model.actuator_outnum[number])))
    return found


def _short_field_name(field: Field, kind: str, of_model: bool) -> str:
    """What a field of an object is called: `mass` for `body_mass`."""
    model_prefix, _, data_prefix = OBJECT_PREFIXES[kind]
    prefix = model_prefix if of_model else data_prefix
    if prefix and field.name.startswith(prefix):
        return field.name.removeprefix(prefix)
    return field.name.removeprefix(OTHER_PREFIXES.get(kind, ""))


def _has_row(of_model: bool, kind: str, field: Field) -> bool:
    """Whether a field has one row for each object of a kind."""
    model_prefix, size, data_prefix = OBJECT_PREFIXES[kind]
    prefix = model_prefix if of_model else data_prefix
    begins = field.name.startswith((prefix, OTHER_PREFIXES.get(kind, prefix)))
    return field.shape[0] == size and begins


def _has_data(of_model: bool, kind: str, field: Field) -> bool:
    """Whether a field holds the data of all assets of a kind, one after another."""
    return kind in DATA_SHAPES and of_model and field.name == f"{OBJECT_PREFIXES[kind][0]}data"


def _has_part(of_model: bool, kind: str, field: Field) -> bool:
    """Whether some of a field belongs to one object of a kind."""
    length = str(field.shape[0])
    return (
        _has_row(of_model, kind, field)
        or _has_data(of_model, kind, field)
        or (kind == "joint" and length in ("nq", "nv"))
        or (kind in ("joint", "tendon") and length == "nplastic")
        or length in FIELD_BLOCKS.get(kind, {})
    )


def _field_slice(model: Model, of_model: bool, kind: str, number: int, field: Field) -> FieldSlice:
    """The slice of a field that belongs to an object."""
    length = str(field.shape[0])
    if _has_row(of_model, kind, field):
        return FieldSlice(
            field.name, slice(number, number + 1) if len(field.shape) == 1 else number
        )
    if _has_data(of_model, kind, field):
        return _asset_data_slice(model, kind, number, field.name)
    if kind == "joint" and length in ("nq", "nv"):
        return FieldSlice(field.name, _joint_slice(model, number, length == "nq"))
    if length == "nplastic":
        return FieldSlice(field.name, _plastic_slice(model, kind, number))
    return _block_slice(model, kind, number, field)


def _block_slice(model: Model, kind: str, number: int, field: Field) -> FieldSlice:
    """A block of rows; rows of an actuator with a single one are that row."""
    where, count = FIELD_BLOCKS[kind][str(field.shape[0])]
    start, length = (int(getattr(model, name)[number]) for name in (where, count))
    if kind == "actuator" and length == 1 and len(field.shape) > 1:
        return FieldSlice(field.name, start)
    return FieldSlice(field.name, slice(start, start + length))


def _asset_data_slice(model: Model, kind: str, number: int, field: str) -> FieldSlice:
    """Data of an asset in its shape; empty for a texture that is only a path."""
    prefix = OBJECT_PREFIXES[kind][0]
    start = max(0, int(getattr(model, f"{prefix}adr")[number]))
    shape = tuple(int(getattr(model, prefix + name)[number]) for name in DATA_SHAPES[kind])
    return FieldSlice(field, slice(start, start + math.prod(shape)), shape)


def _joint_slice(model: Model, joint: int, position: bool) -> slice:
    start = int((model.jnt_qposadr if position else model.jnt_dofadr)[joint])
    return slice(start, start + JOINT_SIZES[JointType(model.jnt_type[joint])][0 if position else 1])


def _plastic_slice(model: Model, kind: str, number: int) -> slice:
    """The slice of the plastic state of a spring with a yield limit; empty for others."""
    start = int((model.jnt_plasticadr if kind == "joint" else model.tendon_plasticadr)[number])
    if start < 0:
        return slice(0, 0)
    if kind == "tendon":
        return slice(start, start + TENDON_REST)
    return slice(start, start + JOINT_SIZES[JointType(model.jnt_type[number])][0])
