"""Compiled models as bytes: a line with the format, one of JSON, and the bytes of all arrays.

Reading runs no code, unlike a pickle.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from cortenforge.model import Model
from cortenforge.model.internals import plain_model_state, refresh_if_changed
from cortenforge.mujoco.errors import raise_absent

FORMAT = b"CortenForge model 1\n"
#: what files of MuJoCo begin with
MUJOCO_FORMAT = (54321).to_bytes(4, "little")
#: what of a model's state is written as JSON
WORDS = ("fields", "all_sizes", "capacities", "sizes", "names", "hash")


def model_bytes(native: Model, modelname: str) -> bytes:
    """A model as it is now."""
    if native.nsoft:
        raise_absent("files of models with deformables", "save the description: spec.save(...)")
    # what follows from edits is not in the file
    refresh_if_changed(native)
    state = plain_model_state(native)
    vis = {
        group: {name: np.asarray(value).tolist() for name, value in rows.items()}
        for group, rows in state["vis"].items()
    }
    words = {name: state[name] for name in WORDS} | {"vis": vis, "modelname": modelname}
    return b"".join([FORMAT, json.dumps(words).encode(), b"\n", state["packed"]])


def model_from_bytes(content: bytes, name: str) -> tuple[dict[str, Any], str]:
    """The state of a model and its name; ValueError for anything but a file of this engine."""
    if content.startswith(MUJOCO_FORMAT):
        raise ValueError(
            f"{name} is a binary model of MuJoCo, which this engine does not read: load its MJCF"
        )
    if not content.startswith(FORMAT):
        raise ValueError(f"{name} is not a model that mj_saveModel of this engine wrote")
    line, _, packed = content[len(FORMAT) :].partition(b"\n")
    try:
        words = json.loads(line)
        vis = {
            group: {key: _setting(value) for key, value in rows.items()}
            for group, rows in words.pop("vis").items()
        }
        modelname = words.pop("modelname")
    except (ValueError, KeyError, AttributeError) as error:
        raise ValueError(f"{name} is damaged: {error}") from error
    state = words | {"vis": vis, "packed": packed, "softs": (), "differing": (), "callbacks": {}}
    return state | {"watched_seen": None}, modelname


def _setting(value: Any) -> Any:
    """A visual setting: several numbers are an array."""
    return np.array(value, np.float32) if isinstance(value, list) else value
