"""User callbacks of a step: kernels are compiled into it, other functions are called from it."""

from __future__ import annotations

import ctypes
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from cortenforge.errors import ArgumentError, UnknownAttribute
from cortenforge.fields import DATA_LAYOUT, MODEL_LAYOUT
from cortenforge.kernel.language.decorator import Kernel, body_of
from cortenforge.kernel.language.source import parameters
from cortenforge.kernel.language.subset import check
from cortenforge.kernel.load.link import Linker
from cortenforge.model.calls.python_callbacks import Caller
from cortenforge.model.changes.watch import refresh_model
from cortenforge.step import callbacks as step
from cortenforge.step.collision.contact_filter import call_contactfilter, contactfilter
from cortenforge.suggest import no_such

if TYPE_CHECKING:
    from cortenforge.model.data import Data
    from cortenforge.model.model import Model

Callback = Callable[..., Any]


@dataclass(frozen=True)
class CallbackHook:
    """A place in a step where a callback is called.

    bit:    in the field `called` of the model.
    unit:   the unit that the step calls there.
    kernel: the kernel that the unit calls, which the user's replaces.
    """

    bit: int
    unit: Kernel
    kernel: Kernel


HOOKS: dict[str, CallbackHook] = {
    "control": CallbackHook(step.CONTROL, step.call_control, step.control),
    "passive": CallbackHook(step.PASSIVE, step.call_passive, step.passive),
    "sensor": CallbackHook(step.SENSOR, step.call_sensor, step.sensor),
    "act_dyn": CallbackHook(step.ACT_DYN, step.call_act_dyn, step.act_dyn),
    "act_gain": CallbackHook(step.ACT_GAIN, step.call_act_gain, step.act_gain),
    "act_bias": CallbackHook(step.ACT_BIAS, step.call_act_bias, step.act_bias),
    "contactfilter": CallbackHook(step.CONTACTFILTER, call_contactfilter, contactfilter),
}


class Callbacks:
    """The callbacks of one model, each a function or None, under MuJoCo's names.

    control(model, data)          sets data.ctrl, before actuators look at it.
    passive(model, data)          adds to data.qfrc_passive.
    sensor(model, data, stage)    fills data.sensordata of user sensors of a stage (enums.Stage).
    act_dyn(model, data, i)       gives the rate of actuator i's activation; of several, writes
                                  them into data.act_dot.
    act_gain(model, data, i)      gives its gain.
    act_bias(model, data, i)      gives its bias.
    contactfilter(model, data, geom1, geom2)
                                  gives a mask of those near pairs of geoms that must not touch;
                                  a kernel is asked for each pair and gives a condition.

    They are called where MuJoCo calls its own, in all stages of Runge-Kutta. A kernel becomes part
    of the step; if it is lane-safe, a batch runs it for eight worlds at once. Any other function
    is called from the step, and a batch then takes its worlds one by one. What a function raises
    comes out of the call as it was raised, with state and inputs as they were before the step.

    >>> model.callbacks.control = lambda model, data: np.copyto(data.ctrl, -data.qvel)
    """

    control: Callback | None
    passive: Callback | None
    sensor: Callback | None
    act_dyn: Callback | None
    act_gain: Callback | None
    act_bias: Callback | None
    contactfilter: Callback | None
    _model: Model
    installed: Installed

    def __init__(self, model: Model) -> None:
        self.__dict__.update(_model=model, installed=Installed({}), **dict.fromkeys(HOOKS))

    def __setattr__(self, name: str, value: Callback | None) -> None:
        if name not in HOOKS:
            raise UnknownAttribute(no_such("callback", name, HOOKS))
        if value is not None:
            _check_callback(name, value)
        self._install({**self._functions(), name: value})

    def adopt(self, functions: Mapping[str, Callback]) -> None:
        """Take over the callbacks of the model that this one is a copy of, without a refresh."""
        self.__dict__.update(functions, installed=Installed(functions))

    def clear(self) -> None:
        """Remove all of them."""
        self._install(dict.fromkeys(HOOKS))

    def _functions(self) -> dict[str, Callback | None]:
        return {name: self.__dict__[name] for name in HOOKS}

    def _install(self, functions: Mapping[str, Callback | None]) -> None:
        there = {name: function for name, function in functions.items() if function is not None}
        with self._model._gate.changing():
            self.__dict__.update(installed=Installed(there), **functions)
            refresh_model(self._model)

    @property
    def bits(self) -> int:
        """The callbacks that are set, as bits."""
        return sum(hook.bit for name, hook in HOOKS.items() if self.__dict__[name] is not None)

    @property
    def in_lanes(self) -> bool:
        """Whether all callbacks are lane-safe kernels."""
        found = self.installed
        return not found.plain and all(function.lanes for function in found.kernels.values())

    def __repr__(self) -> str:
        found = {name: f for name, f in self._functions().items() if f is not None}
        return f"<callbacks {found or 'none'}>"


#: callers of Python functions, by the address of the block of their world
_callers: WeakValueDictionary[int, Caller] = WeakValueDictionary()


class Installed:
    """The callbacks of a model at one time: kernels, and functions that are called back."""

    def __init__(self, functions: Mapping[str, Callback]) -> None:
        found = functions.items()
        self.kernels = {name: f for name, f in found if isinstance(f, Kernel)}
        self.plain = {name: f for name, f in found if not isinstance(f, Kernel)}

    def linked(self, base: Linker) -> Linker:
        """A variant of a linker of the same structs in which units call the callbacks.

        Models with the same kernels share it, as long as constants of the kernels' modules are the
        same. It does not depend on which Python functions are called.
        """
        if not self.kernels and not self.plain:
            return base
        return base.variant(
            (
                frozenset(self.kernels.items()),
                _kernel_constants(self.kernels),
                frozenset(self.plain),
            ),
            self._stand_ins(),
            {HOOKS[name].unit.name: _c_callback(name) for name in self.plain},
        )

    def _stand_ins(self) -> dict[str, Kernel]:
        """Units that call the user's kernels, by the names of the units that they replace."""
        return {
            HOOKS[name].unit.name: replaced_unit(HOOKS[name], f) for name, f in self.kernels.items()
        }

    def around(self, function: Callable[..., int], data: Data) -> Callable[..., int]:
        """An entry that registers the world's Python functions before it runs."""
        if not self.plain:
            return function
        caller = data._caller
        _callers[data._store.address] = caller

        def call(address: ctypes.c_int64) -> int:
            caller.begin(self.plain)
            return function(address)

        return call

    def stand_ins(self, data: Data) -> dict[str, Callable[..., Any]]:
        """Functions that replace units while kernels run as plain Python."""
        found: dict[str, Callable[..., Any]] = {
            name: made.function for name, made in self._stand_ins().items()
        }
        for name in self.plain:
            found[HOOKS[name].unit.name] = functools.partial(_call_python, data._caller, name)
        return found


def _kernel_constants(kernels: Mapping[str, Kernel]) -> frozenset[tuple[str, str, float]]:
    """(kernel, name, value) of module constants that kernels use, with their current values."""
    return frozenset(
        (part.name, name, value)
        for user in kernels.values()
        for part in body_of(user)
        for name, value in part.names()
        if isinstance(value, (int, float))
    )


@functools.cache
def _c_callback(name: str) -> Any:
    """The C function that compiled code calls: it finds the caller of the world by its address."""

    def called(m: int, d: int, *numbers: int) -> None:
        _callers[d].call(name, numbers)

    words = [ctypes.c_int64] * len(parameters(HOOKS[name].unit))
    return ctypes.CFUNCTYPE(None, *words)(called)


def _call_python(caller: Caller, name: str, m: Any, d: Any, *numbers: int) -> None:
    caller.call(name, numbers)


def replaced_unit(hook: CallbackHook, user: Kernel) -> Kernel:
    """The unit of a hook, with the user's kernel in place of the one that it calls."""
    text = hook.unit.function
    scope = {**text.__globals__, hook.kernel.function.__name__: user}
    made = FunctionType(text.__code__, scope, text.__name__)
    return Kernel(made, lanes=user.lanes, unit=True, entry=False)


def _check_callback(name: str, function: Callback) -> None:
    """Raise if a function cannot be called as a callback of that name is."""
    hook = HOOKS[name]
    wanted = parameters(hook.kernel)
    if isinstance(function, Kernel):
        given = parameters(function)
        if function.entry or given[:2] != wanted[:2] or len(given) != len(wanted):
            raise ArgumentError(
                f"callbacks.{name}: expected a kernel of ({', '.join(wanted)}), got "
                f"{function.name} of ({', '.join(given)})"
            )
        for part in body_of(replaced_unit(hook, function)):
            check(part, {"m": MODEL_LAYOUT, "d": DATA_LAYOUT})
    elif not callable(function) or not _accepts_arguments(function, len(wanted)):
        shown = ("model", "data", *wanted[2:])
        raise ArgumentError(
            f"callbacks.{name}: expected a function of ({', '.join(shown)}), got {function!r}"
        )


def _accepts_arguments(function: Callback, count: int) -> bool:
    """Whether a function accepts so many arguments; true if it has no signature."""
    try:
        shape = inspect.signature(function)
    except (TypeError, ValueError):
        return True
    try:
        shape.bind(*range(count))
    except TypeError:
        return False
    return True
