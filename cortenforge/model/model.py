"""Model: everything about a system that does not change while it moves."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge import upward
from cortenforge.errors import ArgumentError
from cortenforge.fields import (
    ENGINE,
    ENGINE_SIZES,
    MODEL_CAPACITIES,
    MODEL_FIELDS,
    MODEL_LAYOUT,
    PLACES,
    STATE_FIELDS,
)
from cortenforge.fields.data_solver import SMALL_ISLAND_DOFS
from cortenforge.grids import GRID_FIELDS, Grid
from cortenforge.model.access.compiled import CompiledModel
from cortenforge.model.access.declared import ModelFields
from cortenforge.model.access.store import (
    FieldAttributes,
    Store,
    StorePlan,
    front_word_count,
    scalar_attributes,
)
from cortenforge.model.access.views import (
    ModelObjects,
    ObjectView,
    PrefixView,
    object_id,
    object_view,
    option_value,
)
from cortenforge.model.access.visual import Visual
from cortenforge.model.callbacks import Callbacks
from cortenforge.model.calls.guard import Gate
from cortenforge.model.changes.features import missing_features
from cortenforge.model.changes.hulls import hull_arrays, hull_field_sizes
from cortenforge.model.changes.static_geoms import PLACEMENT_FIELDS, static_tree_sizes
from cortenforge.model.changes.watch import WATCHED_FIELDS, refresh_if_changed, refresh_model
from cortenforge.model.methods.notebook_tables import model_html
from cortenforge.model.states.initial import InitialWriter, initial_writers
from cortenforge.model.states.pickling import (
    PICKLED_MODEL_FIELDS,
    WATCHED_COPY,
    Picklable,
    check_field_fingerprint,
    check_picklable_callbacks,
    model_state,
    unpack_bytes,
)
from cortenforge.soft import Deformable
from cortenforge.upward import PackagePath

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.methods.lengthrange import LengthRangeOptions
    from cortenforge.model.methods.signed_distances import Distances, Heights
    from cortenforge.step.engine import Engine


class Model(ModelFields, FieldAttributes, ModelObjects, Picklable):
    """A compiled model: arrays with MuJoCo's names and shapes, ready to be simulated.

    Make one with `Model.from_mjcf` or `Model.from_urdf`. Arrays are views that can be edited in
    place (`model.body_mass[1] = 2`); `set_const` then computes what is derived from them.
    """

    _closed_because = (
        "the structure of a model cannot be changed after it is loaded; change the description and "
        "compile it again (cf.Spec)"
    )
    sizes: dict[str, int]
    names: dict[str, list[str]]
    hash: str
    nstate: int
    nwatched: int
    nnoise: int
    callbacks: Callbacks
    _gate: Gate
    _functions: dict[Any, Callable[..., int]]
    _initial_writers: tuple[InitialWriter, ...]
    _plans: dict[Engine, StorePlan]
    _differing: set[str]
    _softs: Sequence[Deformable]

    def __init__(self, compiled: CompiledModel) -> None:
        if not isinstance(compiled, CompiledModel):
            raise ArgumentError(f"a Model is made by loading it; {how_to_load(compiled)}")
        hulls = hull_arrays(compiled.arrays)
        sizes = _complete_sizes(compiled) | hull_field_sizes(hulls)
        rooms = dict.fromkeys(MODEL_CAPACITIES, 0) | {"ngrid": len(compiled.arrays["grid_data"])}
        store = new_model_store(sizes, rooms)
        for name, value in _field_values(compiled).items():
            store.assign(name, value)
        store.assign("opt_strict", compiled.opt["strict"])
        for field in ENGINE:
            if field.name in compiled.arrays:
                store.assign(field.name, compiled.arrays[field.name])
        for name, value in hulls.items():
            store.assign(name, value)
        vis = Visual(compiled.vis)
        self._take_up(store, compiled.sizes, compiled.names, vis, compiled.softs)
        self.__dict__["hash"] = _model_hash(store, compiled.names)
        store.arrays["watched_seen"][:] = self.watched_now
        refresh_model(self)

    def _take_up(
        self,
        store: Store,
        sizes: Mapping[str, int],
        names: dict[str, list[str]],
        vis: Visual,
        softs: Sequence[Deformable],
    ) -> None:
        """Initialize the object with memory that has been filled."""
        self._adopt(store)
        self.__dict__.update(
            opt=PrefixView(self, "opt_"),
            stat=PrefixView(self, "stat_"),
            vis=vis,
            sizes=dict(sizes),
            names=names,
            nstate=store.sizes["nstate"],
            nwatched=store.sizes["nwatched"],
            nnoise=store.sizes["nnoise"],
            # who reads the model, and who changes it
            _gate=Gate(),
            # what the arrays of deformables were made of
            _softs=tuple(softs),
            # compiled functions for the model as of the last refresh
            _functions={},
            # of a Data after a reset
            _initial_writers=initial_writers(store),
            # of the memory of its Data, by engine
            _plans={},
            # fields of which worlds of some batch have their own values
            _differing=set(),
            callbacks=Callbacks(self),
            **sizes,
        )

    def _assign(self, name: str, value: Any) -> None:
        super()._assign(name, option_value(name, value))

    @classmethod
    def from_mjcf(
        cls,
        source: str | os.PathLike[str],
        assets: Mapping[str, bytes] | None = None,
        *,
        sandbox: bool = False,
    ) -> Model:
        """Read and compile an MJCF file, or a string of MJCF; a file's model may be cached.

        source:  a path, or the XML itself.
        assets:  contents of files by name, looked up before the disk.
        sandbox: refuse any file outside the model's folder.
        Raises MjcfError, with the file and line, for everything wrong in it.
        """
        return upward.load_mjcf(source, assets, sandbox=sandbox)

    @classmethod
    def from_urdf(
        cls,
        source: str | os.PathLike[str],
        assets: Mapping[str, bytes] | None = None,
        *,
        sandbox: bool = False,
        package_path: str | os.PathLike[str] | PackagePath | None = None,
        mimic: bool = True,
    ) -> Model:
        """Read and compile a URDF file, or a string of URDF, as MuJoCo does.

        source:       a path, or the XML itself.
        assets:       contents of files by name, looked up before the disk.
        sandbox:      refuse any file outside the model's folder.
        package_path: folders that hold packages, or a folder for each package's name, for meshes
                      at `package://`; the folders around the file are searched last.
        mimic:        joints that mimic others follow them, by equality constraints.
        Raises UrdfError, with the file and line, for everything wrong in it; a UrdfWarning lists
        what of the file is not used.
        """
        spec = upward.read_urdf(
            source, assets=assets, sandbox=sandbox, package_path=package_path, mimic=mimic
        )
        return upward.compile_urdf(spec)

    def make_data(self) -> Data:
        """A new Data of this model, reset to its initial position."""
        from cortenforge.model.data import Data

        with self._gate.reading():
            return Data(self)

    def set_const(self) -> None:
        """Compute again what follows from masses, inertias, poses, sizes ... edited in place.

        Inverse weights, diag(M) in qpos0, bounding volumes, reference poses of cameras and lights
        and the like: what `mj_setConst` does, and nothing else. Raises ModelError, and changes
        nothing, if the edited model is invalid.
        """
        with self._gate.changing():
            refresh_model(self)
            upward.set_const(self)
            # computed fields are not changes by the user
            self._store.arrays["watched_seen"][:] = self.watched_now
            refresh_model(self)

    def set_length_range(
        self,
        actuator: str | int | None = None,
        options: LengthRangeOptions | None = None,
        *,
        everything: bool = False,
    ) -> None:
        """Compute `actuator_lengthrange` of an actuator, or of all, as the compiler does.

        options:    which actuators, and how; by default muscles without a range.
        everything: contacts, friction, gravity, springs, dampers and actuators act in the
                    simulation as the model's options say, as with `mj_setLengthRange`; the compiler
                    leaves only limits and equalities on.
        Raises ModelError with the actuator's name, and changes nothing, if a length does not
        settle.

        >>> model.set_length_range("biceps", cf.LengthRangeOptions(useexisting=False))
        """
        from cortenforge.model.methods.lengthrange import LengthRangeOptions, set_length_range

        with self._gate.changing():
            set_length_range(self, actuator, options or LengthRangeOptions(), everything=everything)

    def supported(self) -> list[str]:
        """Features of the model that `step` and `forward` do not support; empty if none."""
        refresh_if_changed(self)
        with self._gate.reading():
            return missing_features(self)

    def name_of(self, kind: str, number: int) -> str:
        """Name of an object ("" if it has none): `model.name_of("body", 3)`.

        kind:   such as "body", "joint", "geom".
        number: its number.
        """
        return self.names[kind][number]

    def id_of(self, kind: str, name: str) -> int:
        """Number of the object of a kind ("body", "joint", ...) with a name."""
        return object_id(self, kind, name)

    def integrate_pos(self, qpos: Any, qvel: Any, dt: float) -> np.ndarray:
        """Positions (nq,) after velocities for a time dt, a new array.  As `mj_integratePos`.

        qpos: `(nq,)`.  qvel: `(nv,)`.
        """
        from cortenforge.model.states.manifold import integrated_positions

        with self._gate.reading():
            return integrated_positions(self, qpos, qvel, dt)

    def differentiate_pos(self, qpos1: Any, qpos2: Any, dt: float) -> np.ndarray:
        """The velocity (nv,) from qpos1 to qpos2 in a time dt.  As `mj_differentiatePos`."""
        from cortenforge.model.states.manifold import position_difference

        with self._gate.reading():
            return position_difference(self, qpos1, qpos2, dt)

    def sdf_at(self, key: str | int, points: Any) -> Distances:
        """Signed distances of points (..., 3) from a surface, negative inside, and gradients.

        key:    a geom or a mesh, by name; a number is that of a geom.
        points: in the frame of the geom, which is that of its mesh.
        Exact for primitive shapes. A mesh has an octree if a geom of type sdf uses it. Distances
        are interpolated in octrees and grids; outside of their box the distance from the box is
        added. Beside a height field it is the distance from its edge.
        """
        from cortenforge.model.methods.signed_distances import distances_at

        with self._gate.reading():
            return distances_at(self, key, points)

    def set_sdf(self, key: str | int, grid: Grid) -> None:
        """Set the grid of signed distances of a geom of type sdf, in place of what it had.

        key: the geom, by name or number.

        Its bounds become those of the grid; mass and inertia stay. `spec.set_sdf` puts a grid
        into a description, which is saved in files.
        """
        from cortenforge.model.methods.sdf_grids import set_sdf_grid

        with self._gate.changing():
            set_sdf_grid(self, key, grid)

    def sdf_grid(self, key: str | int) -> Grid | None:
        """The grid of signed distances of a geom, or None if it has none; a copy.

        key: the geom, by name or number.
        """
        from cortenforge.model.methods.sdf_grids import sdf_grid_of

        with self._gate.reading():
            return sdf_grid_of(self, key)

    def hfield_at(self, key: str | int, points: Any) -> Heights:
        """Heights of a height field at points (..., 2) or (..., 3), and normals.

        key:    a geom of type hfield, or a height field, by name; a number is that of a geom.
        points: in the frame of the geom: the field is centred there, and its elevations start at
                z = 0. Beside the field, heights and normals are NaN.
        A point touches the field where its z is at most the height; it is then
        (height - z) normal_z deep.
        """
        from cortenforge.model.methods.signed_distances import heights_at

        with self._gate.reading():
            return heights_at(self, key, points)

    def with_deformables(self, bodies: Sequence[Deformable], *, data: Data | None = None) -> Model:
        """A new model: this one as it is now, with more deformables; nothing is shared.

        data: poses of rigid bodies to which vertices are attached; by default the reference
              position.
        Callbacks are kept. Edits in place of `soft` arrays are lost: these are computed again.
        """
        from cortenforge.model.deformables import with_deformables

        with self._gate.reading():
            return with_deformables(self, bodies, data)

    def text(self, key: str | int) -> str:
        """A custom text by name or number.

        key: its name or number.
        """
        number = object_id(self, "text", key)
        start = int(self.text_adr[number])
        characters = self.text_data[start : start + int(self.text_size[number]) - 1]
        return bytes(characters).decode()

    def _object(self, kind: str, key: str | int) -> ObjectView:
        return object_view(self, self, MODEL_FIELDS, kind, key)

    def __repr__(self) -> str:
        parts = ", ".join(f"{n}={self.sizes[n]}" for n in ("nbody", "njnt", "nq", "nv", "ngeom"))
        return f"<cortenforge.Model {parts}>"

    def _repr_html_(self) -> str:
        return model_html(self)

    def copy(self) -> Model:
        """A copy of this model as it is now; nothing is shared, callbacks are kept."""
        twin = Model.__new__(Model)
        twin.__setstate__(self._state())
        return twin

    def _state(self) -> dict[str, Any]:
        with self._gate.reading():
            return model_state(self)

    def __getstate__(self) -> dict[str, Any]:
        state = self._state()
        check_picklable_callbacks(state["callbacks"])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        check_field_fingerprint("Model", state["fields"], PICKLED_MODEL_FIELDS)
        store = new_model_store(state["all_sizes"], state["capacities"])
        unpack_bytes(store, PICKLED_MODEL_FIELDS, state["packed"])
        names = {kind: list(listed) for kind, listed in state["names"].items()}
        self._take_up(store, state["sizes"], names, Visual(state["vis"]), state["softs"])
        self.__dict__.update(hash=state["hash"], _differing=set(state["differing"]))
        self.callbacks.adopt(state["callbacks"])
        seen = self.watched_now if state[WATCHED_COPY] is None else state[WATCHED_COPY]
        self._store.arrays["watched_seen"][:] = seen


for _name, _attribute in scalar_attributes(MODEL_FIELDS).items():
    setattr(Model, _name, _attribute)


def new_model_store(
    sizes: Mapping[str, int], capacities: Mapping[str, int], arena: np.ndarray | None = None
) -> Store:
    """Memory of a model; arena: a copy of that of another one, to use."""
    plan = StorePlan(
        MODEL_FIELDS,
        MODEL_LAYOUT,
        sizes,
        in_front=lambda field: 1 if field.watched else 2 * field.placing,
        capacities=capacities,
    )
    store = Store(plan, capacities=capacities, arena=arena)
    store.hidden |= set(ENGINE_SIZES)
    return store


def how_to_load(given: Any) -> str:
    """A hint how to make a Model of what was given: a file, a name, a description."""
    if isinstance(given, (str, os.PathLike)):
        text = os.fspath(given)
        source = repr(str(text))[:200]
        is_name = str(text).isidentifier()
        return f"write cf.load_model({f'cf.models.find({source})' if is_name else source})"
    if callable(getattr(type(given), "compile", None)):
        return "write spec.compile()"
    if isinstance(getattr(given, "model", None), Model):
        return f"write {type(given).__name__.lower()}.model"
    return f'write cf.load_model("model.xml"), not {given!r}'[:300]


def checked_model(given: Any) -> Model:
    """The given Model; ArgumentError with a hint for a Data, a file or a description."""
    if not isinstance(given, Model):
        raise ArgumentError(
            f"model: expected a cortenforge.Model, got {given!r}"[:300] + f"; {how_to_load(given)}"
        )
    return given


def _complete_sizes(compiled: CompiledModel) -> dict[str, int]:
    """MuJoCo's sizes, and those that are computed from them."""
    noisy = bool(np.any(compiled.arrays["sensor_noise"] > 0))
    sizes = {**compiled.sizes, "nnoise": 2 if noisy else 0}
    padded = -(-sizes["nv"] // 4) * 4
    return {
        **sizes,
        "nmocap*3": 3 * sizes["nmocap"],
        "nmocap*4": 4 * sizes["nmocap"],
        "nstate": sum(field.count_for(sizes) for field in STATE_FIELDS),
        "nvpad": padded,
        "ntenseg": len(compiled.arrays["tenseg_pulley"]),
        "nsmallH": min(padded, SMALL_ISLAND_DOFS) ** 2,
        "nwatched": front_word_count(WATCHED_FIELDS, sizes),
        "nfront": front_word_count((*WATCHED_FIELDS, *PLACEMENT_FIELDS), sizes),
        **static_tree_sizes(compiled.arrays),
    }


def _field_values(compiled: CompiledModel) -> dict[str, Any]:
    """Values for every field of the table; a missing one is a KeyError here, not a silent zero."""
    flat = {
        **compiled.arrays,
        **{f"opt_{name}": value for name, value in compiled.opt.items()},
        **{f"stat_{name}": value for name, value in compiled.stat.items()},
    }
    own = {field.name for field in ENGINE}
    return {field.name: flat[field.name] for field in MODEL_FIELDS if field.name not in own}


def _model_hash(store: Store, names: dict[str, list[str]]) -> str:
    """Hash of a model as it was compiled, wherever its files were.

    Bounding volumes, most of the memory of a model with meshes, follow from the rest.
    """
    digest = hashlib.sha256(repr(sorted(names.items())).encode())
    own = {field.name for field in ENGINE} - set(GRID_FIELDS)
    for name, array in store.arrays.items():
        if name in PLACES or name in own or name.startswith("bvh_"):
            continue
        digest.update(f"{name}{array.shape}".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()
