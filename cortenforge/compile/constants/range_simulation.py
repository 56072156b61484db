"""A model that is pushed through an actuator until its length settles.

Contacts, friction, springs, dampers, gravity and actuators are switched off; limits and equalities
of joints and tendons hold.  Smooth dynamics comes from the compiled kernels, constraints are few
and solved here, exactly: MuJoCo stops its solver at a tolerance, so that trajectories agree as far
as that goes.  Mirrors mj_setLengthRange.

Constraints go when they are the engine's kernels; what stays is the pushing.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from cortenforge.compile.constants.range_constraints import Constraints, solve
from cortenforge.compile.constants.tendon_constants import tendon_rows
from cortenforge.enums import Disable, Integrator
from cortenforge.model import Data, Model
from cortenforge.model.compiled import CompiledModel
from cortenforge.step.integrate.manifold import move

MINVAL = 1e-15
# larger numbers mean that the simulation has left the world (MuJoCo's mjMAXVAL)
MAXVAL = 1e10
SHORTEST_TIMECONST = 0.01
OFF = (
    Disable.FRICTIONLOSS
    | Disable.CONTACT
    | Disable.SPRING
    | Disable.DAMPER
    | Disable.GRAVITY
    | Disable.ACTUATION
)


class UnstableError(ArithmeticError):
    """The simulation diverged."""


class Pushed:
    """One model at rest in the reference position, to be pushed through one actuator."""

    def __init__(self, compiled: CompiledModel, actuator: int, timestep: float) -> None:
        options = {
            "disableflags": int(OFF),
            "enableflags": 0,
            "integrator": int(Integrator.EULER),
        }
        step = {"timestep": timestep} if timestep > 0 else {}
        model = Model(replace(compiled, opt=compiled.opt | options | step))
        self._arrays = compiled.arrays
        self._out = int(compiled.arrays["actuator_outadr"][actuator])
        self._data: Data = model.make_data()
        self._dt = float(model.opt.timestep)
        self._constraints = Constraints(compiled.arrays, self._dt)
        rownnz = compiled.arrays["M_rownnz"]
        self._places = np.repeat(np.arange(model.nv), rownnz), compiled.arrays["M_colind"]

    def reset(self) -> None:
        """Back to rest in the reference position, at time zero."""
        self._data.reset()
        self.time = 0.0

    def step(self, side: float, accel: float, maxforce: float, timeconst: float) -> float:
        """Push to one side for a step; returns the length from which the step started."""
        data, dt = self._data, self._dt
        data.qvel *= math.exp(-dt / max(SHORTEST_TIMECONST, timeconst))
        data.forward(smooth_only=True)
        inertia, length = self._inertia(), float(data.actuator_length[self._out])
        force = self._force(self._moment(), inertia, side * accel, maxforce)
        pulls = tendon_rows(self._arrays, data.ten_J)
        rows = self._constraints.rows(data.qpos, data.qvel, pulls, data.ten_length)
        free = np.linalg.solve(inertia, force - data.qfrc_bias)
        acceleration = solve(inertia, free, rows)
        self._advance(acceleration)
        return length

    def _inertia(self) -> np.ndarray:
        """The inertia matrix, all of it."""
        rows, columns = self._places
        dense = np.zeros((self._data.model.nv, self._data.model.nv))
        dense[rows, columns] = dense[columns, rows] = self._data.M
        return dense

    def _moment(self) -> np.ndarray:
        """Moment arms of the actuator, of all dofs."""
        arrays, moment = self._arrays, np.zeros(self._data.model.nv)
        start = int(arrays["moment_rowadr"][self._out])
        row = slice(start, start + int(arrays["moment_rownnz"][self._out]))
        moment[arrays["moment_colind"][row]] = self._data.actuator_moment[row]
        return moment

    @staticmethod
    def _force(moment: np.ndarray, inertia: np.ndarray, accel: float, most: float) -> np.ndarray:
        """A force along the moment arms that gives an acceleration of this norm."""
        norm = float(np.linalg.norm(np.linalg.solve(inertia, moment)))
        force = moment * (accel / max(MINVAL, norm))
        norm = float(np.linalg.norm(force))
        return force * (most / max(MINVAL, norm)) if 0 < most < norm else force

    def _advance(self, acceleration: np.ndarray) -> None:
        """Semi-implicit Euler."""
        data = self._data
        data.qvel += self._dt * acceleration
        data.time = self._dt
        data._run_unit(move)
        self.time += self._dt
        for values in (acceleration, data.qvel, data.qpos):
            # false for nan, too
            if not np.all(np.abs(values) <= MAXVAL):
                raise UnstableError
