"""Structs of drawing: cameras, options, geoms, lights, scenes and rectangles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.mujoco.fields.attributes import AbsentField, Slot
from cortenforge.mujoco.model import MjModel
from cortenforge.mujoco.registry import struct
from cortenforge.mujoco.structs import (
    RowField,
    RowList,
    RowStruct,
    Struct,
    StructField,
    new_arrays,
    row_class,
    struct_class,
)
from cortenforge.mujoco.tables import DEFAULTS, STRUCTS, dtype_of, extents_of

if TYPE_CHECKING:
    from cortenforge.mujoco.drawing.attached import Attached

#: geoms of a scene without a number of its own
USUAL_MAXGEOM = 1000
#: lights of a scene, at most
MAX_LIGHTS = 100

MjvCamera: Any = struct_class("MjvCamera", "A camera: free, tracking a body, or of the model.")
MjvOption: Any = struct_class("MjvOption", "What of a model is drawn.")
MjvPerturb: Any = struct_class("MjvPerturb", "Selection and perturbation of a body.")
MjvFigure: Any = struct_class("MjvFigure", "A figure with lines; this engine does not draw it.")
MjvGLCamera: Any = row_class("MjvGLCamera", "Pose and frustum of one eye of a scene's camera.")
MjvLight: Any = row_class("MjvLight", "A light of a scene.")


def geom_columns(count: int) -> dict[str, np.ndarray]:
    """Columns of so many geoms, with MuJoCo's defaults."""
    columns: dict[str, np.ndarray] = {}
    for name, entry in STRUCTS["MjvGeom"].items():
        shape = (3, 3) if name == "mat" else tuple(int(size) for size in extents_of(entry))
        columns[name] = np.zeros((count, *shape), dtype_of(entry[0]))
        columns[name][...] = DEFAULTS["MjvGeom"].get(name, 0)
    return columns


class LabelField(RowField):
    """A text that is stored as bytes."""

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        if owner is None:
            return self
        return bytes(owner._columns[self.name][owner._row]).split(b"\0")[0].decode()

    def __set__(self, owner: Any, value: Any) -> None:
        row = owner._columns[self.name][owner._row]
        text = (value if isinstance(value, bytes) else str(value).encode())[: len(row) - 1]
        row[:] = 0
        row[: len(text)] = np.frombuffer(text, np.uint8)


@struct
class MjvGeom(RowStruct):
    """A geom of a scene."""

    __slots__ = ()
    _struct = "MjvGeom"
    _fields = tuple(STRUCTS["MjvGeom"])

    def __init__(self) -> None:
        self._columns = geom_columns(1)
        self._row = 0


for _name in MjvGeom._fields:
    setattr(MjvGeom, _name, LabelField(_name) if _name == "label" else RowField(_name))


@struct
class MjrRect(Struct):
    """A rectangle of pixels."""

    __slots__ = ("__dict__",)
    _struct = "MjrRect"
    _fields = tuple(STRUCTS["MjrRect"])

    left: int
    bottom: int
    width: int
    height: int

    def __init__(self, left: int, bottom: int, width: int, height: int) -> None:
        super().__init__()
        self.left, self.bottom, self.width, self.height = left, bottom, width, height


for _name in MjrRect._fields:
    setattr(MjrRect, _name, StructField(_name))

#: fields of a scene that are lists of structs, and those about what does not exist here
LISTS = ("geoms", "lights", "camera")
#: there are no flexes, so these are empty
FLEX_ARRAYS = {
    name: dtype_of(entry[0].rstrip(" *"))
    for name, entry in STRUCTS["MjvScene"].items()
    if name.startswith("flex") and entry[0].endswith("*")
}
SKIN_REASON = "skins are drawn from the model's own fields and the poses of their bones"
ORDER_REASON = "a picture sorts geoms itself; read geoms"


def is_plain(name: str, entry: Any) -> bool:
    """Whether a field of a scene is a number or an array of numbers."""
    return name not in LISTS and not entry[0].endswith("*")


@struct
class MjvScene(Struct):
    """Geoms, lights and a camera, from which a picture is drawn."""

    __slots__ = ("__dict__",)
    _struct = "MjvScene"
    _fields = tuple(name for name, entry in STRUCTS["MjvScene"].items() if is_plain(name, entry))

    ngeom: int
    maxgeom: int
    nlight: int
    nskin: int
    status: int
    flags: np.ndarray
    enabletransform: int
    stereo: int
    geoms: RowList
    lights: RowList
    camera: RowList
    #: the lists; programs may replace the attributes without an underscore in classes of their own
    _geoms: RowList
    _lights: RowList
    _camera: RowList
    #: the model of the last update, the categories that it added (mjtCatBit), and what is drawn
    #: beside geoms
    _model: MjModel | None
    _categories: int
    _attached: Attached | None

    def __init__(self, model: MjModel | None = None, maxgeom: int = USUAL_MAXGEOM) -> None:
        if model is not None and not isinstance(model, MjModel):
            raise TypeError(f"MjvScene(): model must be an MjModel, got {model!r}"[:300])
        self._arrays = {
            name: array for name, array in new_arrays("MjvScene").items() if name not in LISTS
        }
        count = int(maxgeom) if model is not None else 0
        self._arrays["maxgeom"][...] = count
        lights, eyes = new_arrays("MjvLight", (MAX_LIGHTS,)), new_arrays("MjvGLCamera", (2,))
        self.__dict__.update(
            _geoms=RowList(MjvGeom, geom_columns(count)),
            _lights=RowList(MjvLight, lights),
            _camera=RowList(MjvGLCamera, eyes),
            _model=model,
            _categories=0,
            _attached=None,
            **{name: np.zeros(0, dtype) for name, dtype in FLEX_ARRAYS.items()},
        )

    def __copy__(self) -> Any:
        raise TypeError("a scene cannot be copied: make one and update it")

    def __reduce__(self) -> Any:
        raise TypeError("a scene cannot be pickled: make one and update it")


class ListField:
    """A list of structs of a scene."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else owner.__dict__[f"_{self.name}"]

    def __set__(self, owner: Any, value: Any) -> None:
        raise AttributeError(f"MjvScene.{self.name} cannot be set: set fields of its entries")


def _scene_field(name: str, entry: Any) -> Any:
    """The attribute of a scene for a field."""
    if name in LISTS:
        return ListField(name)
    if name == "geomorder":
        return AbsentField(name, ORDER_REASON)
    if name.startswith("skin"):
        return AbsentField(name, SKIN_REASON)
    return StructField(name) if is_plain(name, entry) else Slot(name)


for _name, _entry in STRUCTS["MjvScene"].items():
    setattr(MjvScene, _name, _scene_field(_name, _entry))
