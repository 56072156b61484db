"""Deformables of a loaded model: new models with more of them, and views of their vertices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cortenforge.errors import ArgumentError, SoftError
from cortenforge.fields import MODEL_CAPACITIES, MODEL_FIELDS, Field
from cortenforge.model.callbacks import HOOKS
from cortenforge.model.compiled import CompiledModel
from cortenforge.model.views import object_number
from cortenforge.soft import Deformable, Rigid, soft_arrays
from cortenforge.step.forward import place

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model


def with_deformables(model: Model, bodies: Sequence[Deformable], data: Data | None) -> Model:
    """A new model with more deformables; see `Model.with_deformables`."""
    from cortenforge.model.model import Model

    for body in bodies:
        if not isinstance(body, Deformable):
            raise ArgumentError(f"expected a Cloth, SoftBody or CapsuleChain, got {body!r}"[:300])
    softs = [*model._softs, *bodies]
    names = {kind: list(listed) for kind, listed in model.names.items()}
    names["soft"] += [body.name for body in bodies]
    _check_unique(names["soft"])
    arrays, sizes = soft_arrays(softs, _rigid(model, data), model.nv)
    kept = {
        field.name: model._store.arrays[field.name].copy()
        for field in MODEL_FIELDS
        if not _worked_out(field)
    }
    compiled = CompiledModel(
        sizes=model.sizes | sizes,
        arrays=kept | arrays | _earlier(model, arrays),
        opt=_values(model, "opt_"),
        stat=_values(model, "stat_"),
        vis=model.vis.settings(),
        names=names,
        softs=softs,
    )
    made = Model(compiled)
    for hook in HOOKS:
        function = getattr(model.callbacks, hook)
        if function is not None:
            setattr(made.callbacks, hook, function)
    return made


def _worked_out(field: Field) -> bool:
    """Whether an array is rebuilt at each refresh of a model: lists of candidate pairs."""
    return bool(set(field.shape) & (set(MODEL_CAPACITIES) - {"ngrid"}))


def _check_unique(names: list[str]) -> None:
    for name in names:
        if name and names.count(name) > 1:
            raise SoftError(f"another deformable already has the name {name!r}", "name")


def _earlier(model: Model, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """softpin_pos, with the present places for pins of earlier deformables."""
    count = model.nsoftpin
    places = arrays["softpin_pos"].copy()
    places[:count] = model.softpin_pos
    return {"softpin_pos": places}


def _values(model: Model, prefix: str) -> dict[str, Any]:
    """Options or statistics as they are now."""
    fields = [field for field in MODEL_FIELDS if field.name.startswith(prefix)]
    return {
        field.name.removeprefix(prefix): model._store.arrays[field.name].copy() for field in fields
    }


def _rigid(model: Model, data: Data | None) -> Rigid:
    """Poses of the bodies to which vertices may be attached."""
    if data is None:
        data = model.make_data()
    twin = data.copy()
    twin._run_unit(place)
    return Rigid.of(model._store.arrays, model.names, twin)


def register(data: Data, body: Deformable) -> int:
    """Replace the model of a Data by one with one more deformable; returns its id.

    See `Data.register_deformable`.
    """
    if data._parameters is not None or data._borrows_memory:
        raise ArgumentError(
            "a world of a batch has the model of its batch: BatchSim(model.with_deformables([...]))"
        )
    before = dict(data._store.arrays)
    capacities = dict(data._store.capacities)
    model = with_deformables(data.model, [body], data)
    data._begin(model, data._engine)
    data.reset()
    for number, (name, room) in enumerate(capacities.items()):
        if room > data._store.capacities[name]:
            data._grow(number, room)
    for field in data._engine.fields:
        # vertices that were there before come first
        if field.role in ("state", "input", "derived"):
            array = before[field.name]
            data._store.arrays[field.name][tuple(slice(0, n) for n in array.shape)] = array
    return model.nsoft - 1


class Softness:
    """Views of one deformable of a Data: vertices and segments, as writable arrays."""

    def __init__(self, data: Data, number: int) -> None:
        model = data.model
        self.id = number
        self.name = model.names["soft"][number]
        vertices = _block(model, number, "vert")
        self.positions: np.ndarray = data.softvert_pos[vertices]
        self.velocities: np.ndarray = data.softvert_vel[vertices]
        self.forces: np.ndarray = data.softvert_applied[vertices]
        self.colliding: np.ndarray = data.softvert_colliding[vertices]
        self.quats: np.ndarray = data.softrod_quat[_block(model, number, "rod")]
        self.masses: np.ndarray = _masses(model.softvert_invmass[vertices])
        self.faces: np.ndarray = model.softface_vert[_block(model, number, "face")] - vertices.start

    def __repr__(self) -> str:
        return f"<deformable {self.id} {self.name!r}: {len(self.positions)} vertices>"


def deformable_of(data: Data, key: str | int) -> Softness:
    """A deformable of a Data by name or number."""
    return Softness(data, object_number(data.model, "soft", key))


def _block(model: Model, number: int, kind: str) -> slice:
    start = int(getattr(model, f"soft_{kind}adr")[number])
    return slice(start, start + int(getattr(model, f"soft_{kind}num")[number]))


def _masses(inverse: np.ndarray) -> np.ndarray:
    """Masses of vertices; infinite for pinned ones."""
    with np.errstate(divide="ignore"):
        found: np.ndarray = 1 / inverse
    return found


class Softened:
    """Methods of Data for deformables."""

    def register_deformable(self, body: Deformable) -> int:
        """Add a cloth, soft body or chain to this world; returns its id.

        The Data then has a new model: the old one and the deformable. Its state stays; arrays that
        were taken from the Data before are stale. Vertices attached to rigid bodies keep their
        offsets from the present poses of these.
        Other worlds, and batches, get deformables with `model.with_deformables([...])`.
        """
        return register(cast("Data", self), body)

    def deformable(self, key: str | int) -> Softness:
        """A deformable by name or number: views of positions, velocities, forces, faces."""
        return deformable_of(cast("Data", self), key)
