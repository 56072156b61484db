"""Global callbacks: functions that steps of all models call."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from cortenforge.mujoco import warning_handler
from cortenforge.mujoco.data import DATA_OF
from cortenforge.mujoco.errors import raise_absent
from cortenforge.mujoco.fields.clock import clock
from cortenforge.mujoco.model import NO_CALLBACKS, MjModel
from cortenforge.mujoco.registry import function

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
        made = None
        if callback is not None:
            made = functools.partial(_call, _called(name, callback))
        setattr(m._native.callbacks, name, made)
    m.__dict__["_callbacks"] = installed.current


def _call(callback: Callback, native_model: Any, native: Any, *numbers: Any) -> Any:
    """Call a callback with the model and data of this module."""
    d = DATA_OF[id(native)]
    return callback(d._other or d.model, d, *numbers)


def _called(name: str, callback: Callback) -> Callback:
    """A callback as this engine calls it, with what it expects in return."""
    if name in ("control", "passive", "sensor"):
        return functools.partial(_call_and_return_nothing, callback)
    if name == "contactfilter":
        return functools.partial(_filter_pairs, callback)
    return functools.partial(_call_for_number, name, callback)


def _call_and_return_nothing(callback: Callback, *arguments: Any) -> None:
    callback(*arguments)


def _filter_pairs(callback: Callback, m: Any, d: Any, geom1: Any, geom2: Any) -> np.ndarray:
    """A mask of pairs of geoms that must not touch: MuJoCo asks for one pair at a time."""
    found = []
    for pair in zip(geom1.tolist(), geom2.tolist(), strict=True):
        answer = callback(m, d, *pair)
        if not isinstance(answer, (int, np.integer, np.bool_)):
            raise TypeError("mjcb_contactfilter callback did not return an integer")
        found.append(bool(answer))
    return np.array(found)


def _call_for_number(name: str, callback: Callback, *arguments: Any) -> float:
    try:
        return float(callback(*arguments))
    except TypeError as error:
        raise TypeError(f"mjcb_{name} callback did not return a number") from error


def check_callable(callback: Any) -> None:
    """Raise TypeError for what is neither a function nor None."""
    if callback is not None and not callable(callback):
        raise TypeError("callback is not an Optional[Callable]")


def _register(name: str) -> None:
    """Register the functions that set and get a callback."""

    def set_callback(arg0: Any) -> None:
        if isinstance(arg0, ctypes._CFuncPtr):  # type: ignore[attr-defined]
            raise_absent(f"mjcb_{name} in C", "give a Python function, or a kernel of cortenforge")
        check_callable(arg0)
        installed.set(name, arg0)

    def get_callback() -> Any:
        return installed.current.get(name)

    for verb, made in (("set", set_callback), ("get", get_callback)):
        made.__name__ = made.__qualname__ = f"{verb}_mjcb_{name}"
        made.__doc__ = f"{verb.capitalize()} the callback {name!r} of all models."
        function(made)


for _name in NAMES:
    _register(_name)


@function
def set_mju_user_warning(arg0: Any) -> None:
    """Set the function that is called with each warning; None for Python's warnings."""
    check_callable(arg0)
    warning_handler.set_handler(arg0)


@function
def get_mju_user_warning() -> Any:
    """The function that is called with each warning, or None."""
    return warning_handler.handler()


@function
def set_mjcb_time(arg0: Any) -> None:
    """Set the clock that durations in `d.timer` are measured by; None for the computer's."""
    check_callable(arg0)
    clock.use(arg0)


@function
def get_mjcb_time() -> Any:
    """The clock that was set, or None."""
    return clock.custom
