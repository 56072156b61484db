"""Data: the state of one world, and everything a step works out from it."""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from cortenforge.errors import StepWarning, UnsupportedFeature
from cortenforge.fields import DATA_FIELDS, DATA_LAYOUT
from cortenforge.kernel.load.link import Call
from cortenforge.model.counts import MOST_STEPS, wrong_count
from cortenforge.model.declared import DataFields
from cortenforge.model.failure import step_error
from cortenforge.model.initial import initial_controls, initial_history, initial_plastic
from cortenforge.model.model import Model
from cortenforge.model.state import State, digest, restore, take
from cortenforge.model.store import Fields, Store, scalar_attributes
from cortenforge.model.views import NamedObjects, ObjectView, object_number, object_view
from cortenforge.step.runner import Runner, runner


class Data(Fields, NamedObjects, DataFields):
    """One world of a model. Fields are NumPy views with MuJoCo's names and shapes.

    Make one with `model.make_data()`.

    >>> data.qvel[0] = 1.0
    >>> data.step(100)
    >>> data.body("torso").xpos
    """

    model: Model
    _run: Runner
    _call: Call
    _call_address: ctypes.c_int64
    _step: Callable[[ctypes.c_int64], int]

    def __init__(self, model: Model, given: Mapping[str, np.ndarray] | None = None) -> None:
        """A Data of a model; `given` arrays are used, as they are, in place of own memory."""
        self._adopt(Store(DATA_FIELDS, DATA_LAYOUT, model.sizes, given))
        run: Runner = runner(model, self)
        call = Call(model._store.address, self._store.address, 1)
        self.__dict__.update(
            model=model,
            _run=run,
            # bound to the compiled step at the first call, so that no call looks anything up
            _step=self._first_step,
            _call=call,
            _call_address=ctypes.c_int64(ctypes.addressof(call)),
        )
        if given is None:
            self.reset()

    def step(self, nstep: int = 1) -> None:
        """Advance by some steps.

        Raises a StepError at the first step that fails; the state is then the one from which
        that step started, and `steps_done` tells how many were completed.
        """
        if not 0 <= nstep <= MOST_STEPS:
            raise wrong_count(nstep)
        self._call.count = nstep
        if self._step(self._call_address):
            self._raise()

    def _first_step(self, call: ctypes.c_int64) -> int:
        self.__dict__["_step"] = self._run.step
        return self._step(call)

    def forward(self, *, smooth_only: bool = False) -> None:
        """Work out everything that follows from the state, without moving.

        smooth_only: stop before constraints, and leave out tendons, actuators and sensors, so
        that models whose physics is not all there yet can still be evaluated.
        An inertia matrix that is not positive is factored as MuJoCo does it, with a StepWarning.
        """
        self._call.count = 0 if smooth_only else 1
        if self._run.forward(self._call_address):
            if self.status != self._run.NOT_POSITIVE:
                self._raise()
            warnings.warn(str(step_error(self.model, self)), StepWarning, stacklevel=2)

    def subtree_momentum(self) -> None:
        """Work out subtree_linvel and subtree_angmom; `forward` comes first."""
        self._run_unit("step.momentum:subtree_momentum")

    def reset(self) -> None:
        """Back to the initial position, at rest, at time zero; inputs are cleared, too."""
        for array in self._store.arrays.values():
            array[...] = 0
        model = self.model
        self.qpos[:] = model.qpos0
        self.eq_active[:] = model.eq_active0
        arrays = model._store.arrays
        if model.nhistory:
            self.history[:] = initial_history(arrays, model.nhistory, model.opt.timestep)
        if model.nplastic:
            self.plastic[:] = initial_plastic(arrays, model.nplastic)
        mocap = np.flatnonzero(model.body_mocapid >= 0)
        order = model.body_mocapid[mocap]
        self.mocap_pos[order] = model.body_pos[mocap]
        self.mocap_quat[order] = model.body_quat[mocap]
        self.xquat[0, 0] = 1.0
        self.ctrl[:] = initial_controls(arrays)

    def reset_to_keyframe(self, key: str | int) -> None:
        """Reset, then take the state, controls and mocap poses of a keyframe."""
        number = object_number(self.model, "key", key)
        self.reset()
        model = self.model
        self.time = model.key_time[number]
        self.qpos[:] = model.key_qpos[number]
        self.qvel[:] = model.key_qvel[number]
        self.act[:] = model.key_act[number]
        self.plastic[:] = model.key_plastic[number]
        self.ctrl[:] = model.key_ctrl[number]
        self.mocap_pos[:] = model.key_mpos[number].reshape(-1, 3)
        self.mocap_quat[:] = model.key_mquat[number].reshape(-1, 4)

    def copy(self) -> Data:
        """Another world in the same state, with the same derived fields."""
        twin = Data(self.model)
        for name, array in self._store.arrays.items():
            twin._store.arrays[name][...] = array
        return twin

    def get_state(self) -> State:
        """State and inputs as one vector that knows its model."""
        return take(self)

    def set_state(self, state: State | np.ndarray) -> None:
        """Restore what `get_state` gave, bit for bit; refuses another model's state."""
        restore(self, state)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the state to a plain npz file."""
        self.get_state().save(path)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Restore a state from a file that `save` wrote; refuses another model's."""
        self.set_state(State.load(path))

    def digest(self) -> str:
        """A hash of the state and inputs: equal bits, equal digest."""
        return digest(self)

    def _object(self, kind: str, key: str | int) -> ObjectView:
        return object_view(self.model, self, DATA_FIELDS, kind, key)

    def _run_unit(self, unit: str) -> None:
        """Run one unit on this world."""
        self._run.unit(unit)(self._call.m, self._call.d)
        self._run.check()

    def _raise(self) -> None:
        self._run.check()
        missing = self.model.supported()
        if self.status == self._run.UNSUPPORTED and missing:
            raise UnsupportedFeature(missing)
        raise step_error(self.model, self)

    def __repr__(self) -> str:
        return f"<cortenforge.Data t={self.time:.6g} nq={self.model.nq} nv={self.model.nv}>"

    def __reduce__(self) -> Any:
        raise TypeError("a Data is not pickled: use data.save and data.load")


for _name, _attribute in scalar_attributes(DATA_FIELDS).items():
    setattr(Data, _name, _attribute)
