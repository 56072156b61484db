"""Deformables of a loaded model: new models with more of them, and views of their vertices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from cortenforge.errors import ArgumentError, SoftError
from cortenforge.fields import MODEL_CAPACITIES, MODEL_FIELDS, Field
from cortenforge.model.access.compiled import CompiledModel
from cortenforge.model.access.views import object_id
from cortenforge.model.callbacks import HOOKS
from cortenforge.soft import Deformable, Rigid, soft_arrays
from cortenforge.step.forward import forward_kinematics

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
    _check_unique_deformables(names["soft"])
    arrays, sizes = soft_arrays(softs, _rigid_poses(model, data), model.nv)
    kept = {
        field.name: model._store.arrays[field.name].copy()
        for field in MODEL_FIELDS
        if not _is_rebuilt(field)
    }
    compiled = CompiledModel(
        sizes=model.sizes | sizes,
        arrays=kept | arrays | _kept_pin_positions(model, arrays),
        opt=_prefixed_values(model, "opt_"),
        stat=_prefixed_values(model, "stat_"),
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


def _is_rebuilt(field: Field) -> bool:
    """Whether an array is rebuilt at each refresh of a model: lists of candidate pairs."""
    return bool(set(field.shape) & (set(MODEL_CAPACITIES) - {"ngrid"}))


def _check_unique_deformables(names: list[str]) -> None:
    for name in names:
        if name and names.count(name) > 1:
            raise SoftError(f"another deformable already has the name {name!r}", "name")


def _kept_pin_positions(model: Model, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """softpin_pos, with the present places for pins of earlier deformables."""
    count = model.nsoftpin
    places = arrays["softpin_pos"].copy()
    places[:count] = model.softpin_pos
    return {"softpin_pos": places}


def _prefixed_values(model: Model, prefix: str) -> dict[str, Any]:
    """Options or statistics as they are now."""
    fields = [field for field in MODEL_FIELDS if field.name.startswith(prefix)]
    return {
        field.name.removeprefix(prefix): model._store.arrays[field.name].copy() for field in fields
    }


def _rigid_poses(model: Model, data: Data | None) -> Rigid:
    """Poses of the bodies to which vertices may be attached."""
    if data is None:
        data = model.make_data()
    twin = data.copy()
    twin._run_unit(forward_kinematics)
    return Rigid.of(model._store.arrays, model.names, twin)


def register_in_data(data: Data, body: Deformable) -> int:
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


class DeformableView:
    """Views of one deformable of a Data: vertices and segments, as writable arrays."""

    def __init__(self, data: Data, number: int) -> None:
        model = data.model
        self.id = number
        self.name = model.names["soft"][number]
        vertices = _deformable_slice(model, number, "vert")
        self.positions: np.ndarray = data.softvert_pos[vertices]
        self.velocities: np.ndarray = data.softvert_vel[vertices]
        self.forces: np.ndarray = data.softvert_applied[vertices]
        self.colliding: np.ndarray = data.softvert_colliding[vertices]
        self.quats: np.ndarray = data.softrod_quat[_deformable_slice(model, number, "rod")]
        self.masses: np.ndarray = _vertex_masses(model.softvert_invmass[vertices])
        self.faces: np.ndarray = (
            model.softface_vert[_deformable_slice(model, number, "face")] - vertices.start
        )

    def __repr__(self) -> str:
        return f"<deformable {self.id} {self.name!r}: {len(self.positions)} vertices>"


def deformable_view(data: Data, key: str | int) -> DeformableView:
    """A deformable of a Data by name or number."""
    return DeformableView(data, object_id(data.model, "soft", key))


def _deformable_slice(model: Model, number: int, kind: str) -> slice:
    start = int(getattr(model, f"soft_{kind}adr")[number])
    return slice(start, start + int(getattr(model, f"soft_{kind}num")[number]))


def _vertex_masses(inverse: np.ndarray) -> np.ndarray:
    """Masses of vertices; infinite for pinned ones."""
    with np.errstate(divide="ignore"):
        found: np.ndarray = 1 / inverse
    return found


class DeformableMethods:
    """Methods of Data for deformables."""

    def register_deformable(self, body: Deformable) -> int:
        """Add a cloth, soft body or chain to this world; returns its id.

        The Data then has a new model: the old one and the deformable. Its state stays; arrays that
        were taken from the Data before are stale. Vertices attached to rigid bodies keep their
        offsets from the present poses of these.
        Other worlds, and batches, get deformables with `model.with_deformables([...])`.
        """
        return register_in_data(cast("Data", self), body)

    def deformable(self, key: str | int) -> DeformableView:
        """A deformable by name or number: views of positions, velocities, forces, faces.

        key: its name or number.
        """
        return deformable_view(cast("Data", self), key)
