"""Keyframes: states that a model holds, loaded by a reset of a Data and stored from one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cortenforge.model.access.views import object_id

if TYPE_CHECKING:
    from cortenforge.model.data import Data

#: fields of a keyframe by their names in MJCF, with the field of Data
KEYFRAME_FIELDS = {
    "time": "time",
    "qpos": "qpos",
    "qvel": "qvel",
    "act": "act",
    "plastic": "plastic",
    "ctrl": "ctrl",
    "mpos": "mocap_pos",
    "mquat": "mocap_quat",
}


def load_keyframe(data: Data, key: str | int) -> None:
    """Copy a keyframe into a Data, which was reset before.  Mirrors mj_resetDataKeyframe."""
    number = object_id(data.model, "key", key)
    for name, field in KEYFRAME_FIELDS.items():
        array = data._store.arrays[field]
        array[...] = data.model._store.arrays[f"key_{name}"][number].reshape(array.shape)


def store_keyframe(data: Data, key: str | int) -> None:
    """Copy the state of a Data into a keyframe of its model.  Mirrors mj_setKeyframe."""
    number = object_id(data.model, "key", key)
    for name, field in KEYFRAME_FIELDS.items():
        kept = data.model._store.arrays[f"key_{name}"]
        kept[number] = data._store.arrays[field].reshape(kept.shape[1:])


def keyframe_attributes(data: Data) -> dict[str, Any]:
    """The state of a Data as attributes of a `<key>`; empty ones are left out."""
    arrays = {
        name: data._store.arrays[field].reshape(-1) for name, field in KEYFRAME_FIELDS.items()
    }
    found: dict[str, Any] = {name: array.tolist() for name, array in arrays.items() if array.size}
    return found | {"time": data.time}
