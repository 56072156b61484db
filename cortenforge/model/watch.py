"""Changes of a loaded model: what follows from them, and what cannot be changed.

NumPy writes are invisible, so watched fields (a column of the field table) stand together in
memory beside a copy of what they were. Compiled code compares the two at the start of every call,
and a call that finds a difference comes back here first.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from cortenforge.enums import WrapType
from cortenforge.errors import ModelError, StepWarning
from cortenforge.fields import MODEL_FIELDS, Field
from cortenforge.model.constraints import look_at_constraints
from cortenforge.model.features import missing_features
from cortenforge.model.sensing import check_pictures, look_at_sensors
from cortenforge.model.sleeping import look_at_runs
from cortenforge.model.touching import asks_for_libccd, fit_bounds, look_at_contacts
from cortenforge.model.views import CHOICES

if TYPE_CHECKING:
    from cortenforge.model.model import Model

#: said once, when a model is loaded or its flags change
LIBCCD = (
    'nativeccd="disable" asks for convex pairs by libccd, which is not there: they are found as '
    "without the flag, more exactly than by libccd, and with at most four contacts a pair instead "
    "of five"
)

#: contacts have so many dimensions
CONTACT_DIMS = (1, 3, 4, 6)
#: integers that users may write, and by which things are found
INDICES: tuple[Field, ...] = tuple(field for field in MODEL_FIELDS if field.indexes)
#: bytes of more words are not copied to compare them
MANY_WORDS = 20_000

WATCHED: tuple[Field, ...] = tuple(field for field in MODEL_FIELDS if field.watched)


def look_again(model: Model) -> None:
    """Take a model as it is now; raises ModelError where no step could work with it.

    Lists of the model may move: no other thread is in it meanwhile.
    """
    with model._gate.changing():
        _look_again(model)


def _look_again(model: Model) -> None:
    changed = changed_fields(model)
    for field in changed:
        if field.fixed:
            _refuse(model, field)
    _check_options(model)
    check_integers(model)
    _check_side_sites(model)
    _check_softness(model)
    names = {field.name for field in changed}
    if "geom_size" in names:
        fit_bounds(model, _seen(model)["geom_size"])
    look_at_contacts(model, names)
    look_at_constraints(model)
    if (not model.version or "opt_disableflags" in names) and asks_for_libccd(model):
        warnings.warn(LIBCCD, StepWarning, stacklevel=5)
    model._store.assign("missing", len(missing_features(model)))
    look_at_sensors(model)
    model._store.assign("called", model.callbacks.bits)
    look_at_runs(model)
    model._store.assign("watched_seen", model.watched_now)
    # whoever holds compiled functions for the model as it was has to ask again
    model._store.assign("version", model.version + 1)
    model._functions.clear()


def changed_fields(model: Model) -> list[Field]:
    """Watched fields that are not what they were when the model was last looked at."""
    seen = _seen(model)
    return [
        field
        for field in WATCHED
        if getattr(model, field.name) is not None
        and not np.array_equal(_bytes(model._store.arrays[field.name]), _bytes(seen[field.name]))
    ]


def is_changed(model: Model) -> bool:
    """Whether a watched field has changed since the model was last looked at."""
    return _differ(model.watched_now[: model.nwatched], model.watched_seen[: model.nwatched])


def catch_up(model: Model) -> bool:
    """Look again at a model that has changed; whether it had.

    Of static geoms that are elsewhere, or of another size, only their version tells: places and
    tree of every Data are made anew in its next step.
    """
    changed = is_changed(model)
    if changed:
        look_again(model)
    elif len(model.static_geom) and _differ(model.watched_now, model.watched_seen):
        with model._gate.changing():
            model._store.assign("watched_seen", model.watched_now)
            model._store.assign("static_version", model.static_version + 1)
    return changed


def _differ(now: np.ndarray, seen: np.ndarray) -> bool:
    """Whether two arrays of words differ."""
    if len(now) > MANY_WORDS:
        return not np.array_equal(now, seen)
    # bytes of few words are compared seven times as fast, which counts for batches of few worlds
    return now.tobytes() != seen.tobytes()


def _bytes(array: np.ndarray) -> np.ndarray:
    return array.reshape(-1).view(np.uint8)


def _seen(model: Model) -> dict[str, np.ndarray]:
    """Watched fields as they were."""
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
        for field in WATCHED
        if arrays[field.name].size
    } | {field.name: arrays[field.name] for field in WATCHED if not arrays[field.name].size}


def _refuse(model: Model, field: Field) -> None:
    now, before = model._store.arrays[field.name], _seen(model)[field.name]
    place = tuple(int(i) for i in np.argwhere(now != before)[0])
    where = field.name + (f"[{', '.join(map(str, place))}]" if place else "")
    raise ModelError(
        f"{where} was {before[place]} and is {now[place]}: what a model is made of cannot be "
        "changed after it is loaded; put it back, or change the description and compile it again "
        "(cf.Spec)"
    )


def check_integers(model: Model) -> None:
    """Raise ModelError if an integer that users may write is none that can be there."""
    _check_indices(model)
    _check_contact_dims(model)
    check_pictures(model)


def _check_indices(model: Model) -> None:
    sizes, arrays = model._store.sizes, model._store.arrays
    for field in INDICES:
        count, array = sizes[str(field.indexes)], arrays[field.name]
        if array.size and (array.min() < -1 or array.max() >= count):
            place = tuple(int(i) for i in np.argwhere((array < -1) | (array >= count))[0])
            raise ModelError(
                f"{field.name}[{', '.join(map(str, place))}] is {array[place]}: it can be -1 for "
                f"none, or below {field.indexes} = {count}"
            )


def _check_contact_dims(model: Model) -> None:
    for name in ("geom_condim", "pair_dim"):
        array = model._store.arrays[name]
        wrong = np.flatnonzero(~np.isin(array, CONTACT_DIMS))
        if len(wrong):
            raise ModelError(f"{name}[{wrong[0]}] is {array[wrong[0]]}: it can be 1, 3, 4 or 6")


def _check_options(model: Model) -> None:
    for name, kinds in CHOICES.items():
        chosen = getattr(model, name)
        if chosen not in tuple(kinds):
            listed = ", ".join(f"{one.value} {one.name.lower()}" for one in kinds)
            raise ModelError(f"opt.{name.removeprefix('opt_')} is {chosen}: it can be {listed}")


def _check_softness(model: Model) -> None:
    if not 1 <= model.opt_softpasses <= 4:
        raise ModelError(f"opt.softpasses is {model.opt_softpasses}: it can be 1 to 4")
    if model.opt_softsubsteps < 0 or model.opt_softsubstepmax < 1:
        raise ModelError(
            f"opt.softsubsteps is {model.opt_softsubsteps}, opt.softsubstepmax is "
            f"{model.opt_softsubstepmax}: they can be 0 or more, and 1 or more"
        )


def _check_side_sites(model: Model) -> None:
    """Kernels know side sites by `wrap_sideid`, so their numbers in `wrap_prm` cannot change."""
    around = np.isin(model.wrap_type, (WrapType.SPHERE, WrapType.CYLINDER))
    changed = np.flatnonzero(around & (np.rint(model.wrap_prm) != model.wrap_sideid))
    if len(changed):
        raise ModelError(
            f"wrap_prm[{changed[0]}] is {model.wrap_prm[changed[0]]:g} and was "
            f"{model.wrap_sideid[changed[0]]}: the side site of a path cannot be changed after a "
            "model is loaded; put it back, or change the description and compile it again (cf.Spec)"
        )
