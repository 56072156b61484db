"""Global callbacks: functions that steps of all models call."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from cortenforge.mujoco.data import DATA_OF
from cortenforge.mujoco.model import NO_CALLBACKS, MjModel

#: callbacks of this engine by the names of MuJoCo's
NAMES = ("control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter")
Callback = Callable[..., Any]


class Installed:
    """The callbacks that are set; each change makes a new dictionary."""

    def __init__(self) -> None:
        self.current: dict[str, Callback] = NO_CALLBACKS

    def set(self, name: str, callback: Callback | None) -> None:
        """Set a callback, or remove it."""
        others = {kept: found for kept, found in self.current.items() if kept != name}
        found = others if callback is None else {**others, name: callback}
        self.current = found or NO_CALLBACKS


installed = Installed()


def follow_callbacks(m: MjModel) -> None:
    """Give a model the callbacks that are set now."""
    for name in NAMES:
        callback = installed.current.get(name)
        made = None if callback is None else functools.partial(_call, m, callback)
        setattr(m._native.callbacks, name, made)
    m.__dict__["_callbacks"] = installed.current


def _call(m: MjModel, callback: Callback, native_model: Any, native: Any, *numbers: Any) -> Any:
    """Call a callback with the model and data of this module."""
    return callback(m, DATA_OF[id(native)], *numbers)
