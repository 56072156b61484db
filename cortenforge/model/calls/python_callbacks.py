"""Python callbacks, called from inside a compiled step of one world."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from threading import get_ident
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.errors import ArgumentError
from cortenforge.fields import INPUT_FIELDS
from cortenforge.model.calls.contact_filter import apply_contact_filter
from cortenforge.model.calls.guard import CALLBACK_WORLDS, register_fork_handler
from cortenforge.step.statuses import OK, RAISED

if TYPE_CHECKING:
    from cortenforge.model.data import Data

#: fields that are restored when a callback raises
RESTORED_FIELDS = ("state", *(field.name for field in INPUT_FIELDS))


class Caller:
    """Calls Python functions for one world, and keeps their exceptions until the step ends.

    A step that finds too little memory is repeated. What control callbacks have written in it is
    then written again, in place of further calls, so that they are called as often as in MuJoCo.
    """

    def __init__(self, data: Data) -> None:
        self._data = weakref.ref(data)
        self._functions: Mapping[str, Callable[..., Any]] = {}
        #: the thread in which one is being called
        self._inside: int | None = None
        self._raised: BaseException | None = None
        #: the step for which fields were saved
        self._step = -1
        self._kept: dict[str, np.ndarray] = {}
        #: what each control callback of the step has left in these fields
        self._written: list[dict[str, np.ndarray]] = []
        #: control callbacks so far, in this attempt of the step
        self._count = 0
        #: whether the next call repeats the step that was not completed
        self._repeats = False
        register_fork_handler(self)

    def after_fork(self) -> None:
        """Forget callbacks of threads that do not exist in the forked process."""
        if self._inside != get_ident():
            self._inside = None

    def begin(self, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Set the functions that the entry about to run may call."""
        self.refuse("step or evaluate")
        self._functions, self._count = functions, 0
        if self._repeats:
            # a call counts its steps from zero
            self._step, self._repeats = 0, False
        else:
            self._step = -1

    def repeat(self) -> None:
        """Prepare the repetition of the step that needs more memory: from where it started."""
        data = self._data()
        if data is not None and self._step == data.steps_done:
            self._write(self._kept)
            self._repeats = True

    def refuse(self, what: str) -> None:
        """Raise if a callback of this world is running: its step is not complete."""
        if self._inside == get_ident():
            raise ArgumentError(
                f"a callback cannot {what} the world that it is called for: copy the Data before "
                "the step, and use the copy"
            )

    def call(self, name: str, numbers: tuple[int, ...]) -> None:
        """Call a function, unless the step has failed before."""
        data = self._data()
        if data is None or data.status != OK:
            return
        if self._step != data.steps_done:
            # nothing has moved before the first callback of a step
            self._step = data.steps_done
            self._kept = self._read()
            self._written, self._count = [], 0
        if name == "control":
            self._count += 1
            if self._count <= len(self._written):
                self._write(self._written[self._count - 1])
                return
        me, gate = get_ident(), data.model._gate
        self._inside = me
        nested = me in gate.calling
        gate.calling.add(me)
        before = CALLBACK_WORLDS.set((*CALLBACK_WORLDS.get(), data))
        try:
            if name == "contactfilter":
                apply_contact_filter(data, self._functions[name])
            else:
                result = self._functions[name](data.model, data, *numbers)
                _store_result(data, name, result, *numbers)
            if name == "control":
                self._written.append(self._read())
        except BaseException as error:  # whatever it is, it comes out of the call
            self._raised = error
            data._store.assign("status", RAISED)
        finally:
            CALLBACK_WORLDS.reset(before)
            if not nested:
                gate.calling.discard(me)
            self._inside = None

    def raised(self) -> BaseException:
        """The exception of a callback; state and inputs are restored to the start of the step."""
        data, error = self._data(), self._raised
        assert data is not None and error is not None
        self._raised = None
        self._write(self._kept)
        return error

    def _read(self) -> dict[str, np.ndarray]:
        """Copies of state and inputs."""
        data = self._data()
        assert data is not None
        return {name: data._store.arrays[name].copy() for name in RESTORED_FIELDS}

    def _write(self, kept: Mapping[str, np.ndarray]) -> None:
        """Write state and inputs back."""
        data = self._data()
        assert data is not None
        for name, values in kept.items():
            data._store.arrays[name][...] = values


def _store_result(data: Data, name: str, result: Any, *numbers: int) -> None:
    """Check the result of a callback, and write it into the field that the step reads."""
    if name in ("control", "passive", "sensor"):
        if result is not None:
            raise ArgumentError(
                f"callbacks.{name} returned {result!r}: it must write into data and return None"[
                    :300
                ]
            )
        return
    value = _checked_number(name, result)
    actuator = numbers[0]
    if name == "act_gain":
        data.user_gain[actuator] = value
    elif name == "act_bias":
        data.user_bias[actuator] = value
    elif data.model.actuator_actnum[actuator] == 1:
        data.act_dot[data.model.actuator_actadr[actuator]] = value


def _checked_number(name: str, result: Any) -> float:
    array = np.asarray(result)
    if array.shape != () or array.dtype.kind not in "biuf":
        raise ArgumentError(f"callbacks.{name} returned {result!r}: expected a number"[:300])
    return float(array)
