"""MjModel: a compiled model with the attributes of `mujoco.MjModel`."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cortenforge.errors import CortenForgeError, MjcfWarning
from cortenforge.model import Model
from cortenforge.model.internals import (
    model_digest,
    model_from_state,
    plain_model_state,
    store_of,
)
from cortenforge.mujoco.absent import field_absence
from cortenforge.mujoco.errors import raise_absent
from cortenforge.mujoco.fields.attributes import AbsentField, Slot
from cortenforge.mujoco.fields.names import (
    NAMED,
    PLACES_PER_NAME,
    hash_map,
    name_text,
    numbers_by_name,
)
from cortenforge.mujoco.fields.views import ModelViews
from cortenforge.mujoco.model_files import model_from_bytes
from cortenforge.mujoco.registry import struct
from cortenforge.mujoco.structs import MjOption, MjStatistic, MjVisual
from cortenforge.mujoco.tables import STRUCTS, dtype_of, extents_of, is_size
from cortenforge.read import is_urdf
from cortenforge.spec import Spec

FIELDS: dict[str, Any] = STRUCTS["MjModel"]
#: fields that are structs of their own
PARTS = ("opt", "vis", "stat")
#: texts that Python reads as bytes
TEXTS = ("paths", "text_data")
#: fields that MuJoCo 4.0 dropped and older programs read: their shapes, all empty
OLD_FIELDS: dict[str, tuple[int, ...]] = {
    "flex_vertedge": (0, 2),
    "flex_vertedgeadr": (0,),
    "flex_vertedgenum": (0,),
    "flex_vertmetric": (0, 4),
    "flexvert_J_colind": (0, 2),
    "flexvert_J_rowadr": (0,),
    "flexvert_J_rownnz": (0,),
}
#: callbacks of a model for which none were set
NO_CALLBACKS: dict[str, Any] = {}
#: columns of eq_data before MuJoCo 4.0
OLD_EQ_DATA = 11


class EqualityData(np.ndarray):
    """eq_data, to which rows of eleven numbers may be assigned, as before MuJoCo 4.0."""

    def __setitem__(self, key: Any, value: Any) -> None:
        given = np.asarray(value)
        if given.ndim and given.shape[-1] == OLD_EQ_DATA < self.shape[-1]:
            super().__getitem__(key)[..., :OLD_EQ_DATA] = given
        else:
            super().__setitem__(key, value)


@struct
class MjModel(ModelViews):  # type: ignore[misc]
    """A compiled model."""

    _native: Model
    #: the description that it was compiled from; None for a copy
    _spec: Spec | None
    _numbers: dict[str, dict[str, int]]
    _modelname: str
    #: sizes of states by signature, as far as they were asked for
    _state_sizes: dict[int, int]
    #: the callbacks that the model calls
    _callbacks: dict[str, Any]
    #: the number of the integrator, as an array
    _integrator: np.ndarray

    def __init__(self, *given: Any) -> None:
        raise TypeError("MjModel: No constructor defined! Use MjModel.from_xml_path and the like")

    @classmethod
    def _over(cls, native: Model, modelname: str, spec: Spec | None = None) -> MjModel:
        """The model of this engine with MuJoCo's attributes."""
        made = object.__new__(cls)
        names = native.names
        text, addresses = name_text(modelname, names)
        made.__dict__.update(
            _native=native,
            _spec=spec,
            _modelname=modelname,
            _numbers=numbers_by_name(names),
            _views={},
            _callbacks=NO_CALLBACKS,
            _state_sizes={},
            _integrator=store_of(native).arrays["opt_integrator"],
            names=text,
            signature=int(native.hash[:16], 16),
            **_sizes(native, text),
            **addresses,
            **_arrays(native),
        )
        made.__dict__.update(
            names_map=hash_map(names),
            opt=MjOption.over(_with_prefix(native, "opt_")),
            stat=MjStatistic.over(_with_prefix(native, "stat_")),
            vis=MjVisual.over(native.vis),
        )
        return made

    @staticmethod
    def from_xml_path(
        filename: str, assets: Mapping[str, bytes] | None = None, vfs: Any = None
    ) -> MjModel:
        """Load an MJCF or URDF file; assets: contents of files by name."""
        if not isinstance(filename, str):
            raise TypeError(
                "from_xml_path(): incompatible function arguments: filename must be a string, got "
                f"{filename!r}"[:300]
            )
        given = _checked_assets(assets, vfs)
        if filename in given:
            return _load(given[filename].decode(), given)
        return _load(Path(filename), given)

    @staticmethod
    def from_xml_string(
        xml: str, assets: Mapping[str, bytes] | None = None, vfs: Any = None
    ) -> MjModel:
        """Load a text of MJCF or URDF; assets: contents of files by name."""
        if not isinstance(xml, (str, bytes)):
            raise TypeError(
                "from_xml_string(): incompatible function arguments: xml must be a string, got "
                f"{xml!r}"[:300]
            )
        return _load(xml if isinstance(xml, str) else xml.decode(), _checked_assets(assets, vfs))

    @staticmethod
    def from_binary_path(
        filename: str, assets: Mapping[str, bytes] | None = None, vfs: Any = None
    ) -> MjModel:
        """Load a model that mj_saveModel wrote."""
        content = _checked_assets(assets, vfs).get(filename)
        if content is None:
            try:
                content = Path(filename).read_bytes()
            except OSError as error:
                raise ValueError(f"cannot open {filename!r}: {error}") from error
        return _restored(*model_from_bytes(content, filename))

    @property
    def _address(self) -> int:
        """Where the engine has the model."""
        return store_of(self._native).address

    def _is_edited(self) -> bool:
        """Whether the model differs from its description."""
        spec = self._spec
        return spec is None or model_digest(spec.compile()) != model_digest(self._native)

    def __setattr__(self, name: str, value: Any) -> None:
        now = self.__dict__.get(name)
        if isinstance(now, np.ndarray):
            now[...] = value
        elif now is not None and name in PARTS:
            if type(value) is not type(now):
                raise TypeError(f"MjModel.{name} must be a {type(now).__name__}")
            now.assign(value)
        elif name in FIELDS:
            raise AttributeError(f"property {name!r} of 'MjModel' object has no setter")
        else:
            raise AttributeError(f"'MjModel' object has no attribute {name!r}")

    def __copy__(self) -> MjModel:
        return _restored(plain_model_state(self._native), self._modelname)

    def __deepcopy__(self, memo: Any) -> MjModel:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return _restored, (plain_model_state(self._native), self._modelname)


def _restored(state: dict[str, Any], modelname: str) -> MjModel:
    """A model from its pickled state."""
    return MjModel._over(model_from_state(state), modelname)


def _checked_assets(assets: Any, vfs: Any) -> dict[str, bytes]:
    """Contents of files by name; TypeError for anything else."""
    if vfs is not None:
        raise_absent("MjVfs", "give contents of files as assets={'name': content}")
    if assets is None:
        return {}
    if not isinstance(assets, Mapping):
        raise TypeError(f"assets must be a dictionary of bytes by name, got {assets!r}"[:300])
    return {
        name: content.encode() if isinstance(content, str) else content
        for name, content in assets.items()
    }


def _load(source: Path | str, assets: dict[str, bytes]) -> MjModel:
    """Read and compile a file or a text; errors are ValueErrors, as in `mujoco`."""
    if isinstance(source, Path) and not source.is_file():
        raise ValueError(f"ParseXML: Error opening file '{source}'")
    try:
        read = Spec.from_urdf if is_urdf(source) else Spec.from_mjcf
        spec = read(source, assets=assets)
        with warnings.catch_warnings():
            warnings.simplefilter("default", MjcfWarning)
            native = spec.compile()
    except CortenForgeError as error:
        raise ValueError(f"XML Error: {error}") from error
    return MjModel._over(native, spec.modelname, spec)


def _sizes(native: Model, text: bytes) -> dict[str, int]:
    """Sizes and flags by MuJoCo's names; those of things that this engine lacks are zero."""
    own = dict(store_of(native).sizes)
    count = sum(len(native.names.get(kind, ())) for kind, _ in NAMED)
    vertices = store_of(native).arrays["mesh_polyvertnum"]
    own |= {
        "nnames": len(text),
        "nnames_map": PLACES_PER_NAME * count,
        "npolygonmax": int(vertices.max(initial=0)),
    }
    sizes: dict[str, int] = {}
    for name, entry in FIELDS.items():
        if is_size(entry) and field_absence("MjModel", name) is None:
            sizes[name] = int(own.get(name, 0))
        elif entry == ["mjtBool"]:
            sizes[name] = bool(own.get(name, 0))
    return sizes


def _arrays(native: Model) -> dict[str, Any]:
    """Arrays by MuJoCo's names, with its types; those of things that are missing are empty."""
    store = store_of(native)
    sizes = store.sizes
    found: dict[str, Any] = {}
    for name, entry in FIELDS.items():
        if name in TEXTS:
            found[name] = store.arrays[name].tobytes()
        elif name in store.arrays:
            array = store.arrays[name]
            found[name] = array.view(np.bool_) if entry[0] == "mjtBool" else array
        elif isinstance(entry, list) and extents_of(entry) and not name.startswith("name"):
            shape = [size if isinstance(size, int) else sizes.get(size, 0) for size in entry[1]]
            found[name] = np.zeros(shape, dtype_of(entry[0]))
    found["eq_data"] = found["eq_data"].view(EqualityData)
    return found | {name: np.zeros(shape) for name, shape in OLD_FIELDS.items()}


def _with_prefix(native: Model, prefix: str) -> dict[str, np.ndarray]:
    """Arrays of a model whose names have a prefix, without it."""
    arrays = store_of(native).arrays
    return {n.removeprefix(prefix): a for n, a in arrays.items() if n.startswith(prefix)}


def _field_attribute(name: str) -> Slot | AbsentField:
    reason = field_absence("MjModel", name)
    return Slot(name) if reason is None else AbsentField(name, reason)


for _name in (*FIELDS, *OLD_FIELDS):
    setattr(MjModel, _name, _field_attribute(_name))
