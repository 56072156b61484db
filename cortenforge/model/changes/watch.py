"""Changes of a loaded model: derived fields are updated, forbidden changes refused.

NumPy writes cannot be observed, so watched fields (a mark of the field table) stand together in
memory beside a copy of their values at the last refresh. Compiled code compares the two at the
start of every call, and a call that finds a difference returns to be refreshed here first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import WrapType
from cortenforge.errors import ModelError, StepWarning
from cortenforge.fields import MODEL_FIELDS, Field
from cortenforge.model.access.views import OPTION_ENUMS
from cortenforge.model.changes.candidates import (
    update_bounding_radii,
    update_candidates,
    uses_libccd_flag,
)
from cortenforge.model.changes.constraints import update_constraint_kinds
from cortenforge.model.changes.features import missing_features
from cortenforge.model.changes.sensing import check_camera_resolutions, update_sensor_groups
from cortenforge.model.changes.sleeping import update_body_runs
from cortenforge.problems import give_warning

if TYPE_CHECKING:
    from cortenforge.model.model import Model

#: warning when a model is loaded or its flags change
LIBCCD_WARNING = (
    'nativeccd="disable" selects libccd in MuJoCo, which is not available here: convex pairs are '
    "collided as without the flag, more exactly than by libccd, and with at most four contacts a "
    "pair instead of five"
)

#: valid numbers of dimensions of a contact
CONTACT_DIMS = (1, 3, 4, 6)
#: integers that users may write, and that kernels use as indices
INDEX_FIELDS: tuple[Field, ...] = tuple(field for field in MODEL_FIELDS if field.indexes)
#: arrays of more words are compared without copies
MAX_COPIED_WORDS = 20_000

WATCHED_FIELDS: tuple[Field, ...] = tuple(field for field in MODEL_FIELDS if field.watched)


def refresh_model(model: Model) -> None:
    """Update all derived fields of a model; ModelError if its values are invalid.

    Lists of the model may be reallocated: no other thread reads it meanwhile.
    """
    with model._gate.changing():
        _refresh(model)


def _refresh(model: Model) -> None:
    changed = changed_watched_fields(model)
    for field in changed:
        if field.fixed:
            _refuse_change(model, field)
    _check_options(model)
    check_integers(model)
    _check_side_sites(model)
    _check_soft_options(model)
    names = {field.name for field in changed}
    if "geom_size" in names:
        update_bounding_radii(model, _recorded_fields(model)["geom_size"])
    update_candidates(model, names)
    update_constraint_kinds(model)
    if (not model.version or "opt_disableflags" in names) and uses_libccd_flag(model):
        give_warning(LIBCCD_WARNING, StepWarning, stacklevel=5)
    model._store.assign("missing", len(missing_features(model)))
    update_sensor_groups(model)
    model._store.assign("called", model.callbacks.bits)
    update_body_runs(model)
    model._store.assign("watched_seen", model.watched_now)
    # compiled functions for the earlier version are looked up again
    model._store.assign("version", model.version + 1)
    model.__dict__["_functions"] = {}


def changed_watched_fields(model: Model) -> list[Field]:
    """Watched fields that changed since the last refresh."""
    seen = _recorded_fields(model)
    return [
        field
        for field in WATCHED_FIELDS
        if getattr(model, field.name) is not None
        and not np.array_equal(
            _byte_view(model._store.arrays[field.name]), _byte_view(seen[field.name])
        )
    ]


def watched_fields_changed(model: Model) -> bool:
    """Whether a watched field changed since the last refresh."""
    return _words_differ(model.watched_now[: model.nwatched], model.watched_seen[: model.nwatched])


def refresh_if_changed(model: Model) -> bool:
    """Refresh a model if it changed; returns whether it did.

    If only poses or sizes of static geoms changed, their version is raised: every Data computes
    their places and tree again in its next step.
    """
    changed = watched_fields_changed(model)
    if changed:
        refresh_model(model)
    elif len(model.static_geom) and _words_differ(model.watched_now, model.watched_seen):
        with model._gate.changing():
            model._store.assign("watched_seen", model.watched_now)
            model._store.assign("static_version", model.static_version + 1)
    return changed


def _words_differ(now: np.ndarray, seen: np.ndarray) -> bool:
    """Whether two arrays of words differ."""
    if len(now) > MAX_COPIED_WORDS:
        return not np.array_equal(now, seen)
    # bytes of few words compare seven times as fast, which counts for batches of few worlds
    return now.tobytes() != seen.tobytes()


def _byte_view(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1).view(np.uint8)


def _recorded_fields(model: Model) -> dict[str, np.ndarray]:
    """Watched fields as of the last refresh, by name."""
    start = model.watched_now.ctypes.data
    memory = model.watched_seen.view(np.uint8)
    arrays = model._store.arrays
    return {
        field.name: np.ndarray(
            arrays[field.name].shape,
            field.dtype,
            memory.data,
            arrays[field.name].ctypes.data - start,
        )
        for field in WATCHED_FIELDS
        if arrays[field.name].size
    } | {field.name: arrays[field.name] for field in WATCHED_FIELDS if not arrays[field.name].size}


def _refuse_change(model: Model, field: Field) -> None:
    now, before = model._store.arrays[field.name], _recorded_fields(model)[field.name]
    place = tuple(int(i) for i in np.argwhere(now != before)[0])
    where = field.name + (f"[{', '.join(map(str, place))}]" if place else "")
    raise ModelError(
        f"{where} was {before[place]} and is {now[place]}: the structure of a model cannot be "
        "changed after it is loaded; restore it, or change the description and compile it again "
        "(cf.Spec)"
    )


def check_integers(model: Model) -> None:
    """Raise ModelError if an integer that users may write is out of range."""
    _check_indices(model)
    _check_contact_dims(model)
    check_camera_resolutions(model)


def _check_indices(model: Model) -> None:
    sizes, arrays = model._store.sizes, model._store.arrays
    for field in INDEX_FIELDS:
        count, array = sizes[str(field.indexes)], arrays[field.name]
        if array.size and (array.min() < -1 or array.max() >= count):
            place = tuple(int(i) for i in np.argwhere((array < -1) | (array >= count))[0])
            raise ModelError(
                f"{field.name}[{', '.join(map(str, place))}] is {array[place]}: expected -1 for "
                f"none, or an index below {field.indexes} = {count}"
            )


def _check_contact_dims(model: Model) -> None:
    for name in ("geom_condim", "pair_dim"):
        array = model._store.arrays[name]
        wrong = np.flatnonzero(~np.isin(array, CONTACT_DIMS))
        if len(wrong):
            raise ModelError(f"{name}[{wrong[0]}] is {array[wrong[0]]}: expected 1, 3, 4 or 6")


def _check_options(model: Model) -> None:
    for name, kinds in OPTION_ENUMS.items():
        chosen = getattr(model, name)
        if chosen not in tuple(kinds):
            listed = ", ".join(f"{one.value} {one.name.lower()}" for one in kinds)
            raise ModelError(f"opt.{name.removeprefix('opt_')} is {chosen}: expected {listed}")


def _check_soft_options(model: Model) -> None:
    if not 1 <= model.opt_softpasses <= 4:
        raise ModelError(f"opt.softpasses is {model.opt_softpasses}: expected 1 to 4")
    if model.opt_softsubsteps < 0 or model.opt_softsubstepmax < 1:
        raise ModelError(
            f"opt.softsubsteps is {model.opt_softsubsteps}, opt.softsubstepmax is "
            f"{model.opt_softsubstepmax}: expected at least 0, and at least 1"
        )


def _check_side_sites(model: Model) -> None:
    """Refuse changes of side sites in `wrap_prm`: kernels read them from `wrap_sideid`."""
    around = np.isin(model.wrap_type, (WrapType.SPHERE, WrapType.CYLINDER))
    changed = np.flatnonzero(around & (np.rint(model.wrap_prm) != model.wrap_sideid))
    if len(changed):
        raise ModelError(
            f"wrap_prm[{changed[0]}] is {model.wrap_prm[changed[0]]:g} and was "
            f"{model.wrap_sideid[changed[0]]}: the side site of a path cannot be changed after a "
            "model is loaded; restore it, or change the description and compile it again (cf.Spec)"
        )
