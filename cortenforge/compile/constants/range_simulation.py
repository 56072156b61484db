"""A model that is pushed through an actuator until its length settles.

Contacts, friction, springs, dampers, gravity and actuators are switched off; limits and equalities
of joints and tendons hold.  Smooth dynamics comes from the compiled kernels, constraints are few
and solved here, exactly: MuJoCo stops its solver at a tolerance, so that trajectories agree as far
as that goes.  Mirrors mj_setLengthRange.

Constraints and transmissions go when they are the engine's kernels; what stays is the pushing.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from cortenforge.compile.constants.range_constraints import Constraints, solve
from cortenforge.compile.constants.tendon_constants import Gradients, path_of
from cortenforge.compile.constants.tendon_path import Frames
from cortenforge.compile.constants.transmission import Poses, acting
from cortenforge.enums import Disable, Integrator, Transmission
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
        self._actuator = actuator
        self._data: Data = model.make_data()
        self._dt = float(model.opt.timestep)
        self._constraints = Constraints(compiled.arrays, self._dt)
        self._tendons = self._needed_tendons()
        self._chains: dict[int, list[int]] = {}
        rownnz = compiled.arrays["M_rownnz"]
        self._places = np.repeat(np.arange(model.nv), rownnz), compiled.arrays["M_colind"]

    def _needed_tendons(self) -> list[int]:
        """Tendons whose lengths matter: the actuator's own, and those in constraints."""
        arrays, found = self._arrays, set(self._constraints.tendons)
        if arrays["actuator_trntype"][self._actuator] == Transmission.TENDON:
            found.add(int(arrays["actuator_trnid"][self._actuator, 0]))
        return sorted(found)

    def reset(self) -> None:
        """Back to rest in the reference position, at time zero."""
        self._data.reset()
        self.time = 0.0

    def step(self, side: float, accel: float, maxforce: float, timeconst: float) -> float:
        """Push to one side for a step; returns the length from which the step started."""
        data, dt = self._data, self._dt
        data.qvel *= math.exp(-dt / max(SHORTEST_TIMECONST, timeconst))
        data.forward(smooth_only=True)
        inertia = self._inertia()
        poses = self._poses()
        lengths, dofs, moments = acting(self._arrays, poses, self._actuator)
        moment = np.zeros(len(data.qvel))
        moment[dofs] = moments[0]
        force = self._force(moment, inertia, side * accel, maxforce)
        rows = self._constraints.rows(data.qpos, data.qvel, poses.tendons, poses.tendon_length)
        free = np.linalg.solve(inertia, force - data.qfrc_bias)
        acceleration = solve(inertia, free, rows)
        self._advance(acceleration)
        return float(lengths[0])

    def _inertia(self) -> np.ndarray:
        """The inertia matrix, all of it."""
        rows, columns = self._places
        dense = np.zeros((self._data.model.nv, self._data.model.nv))
        dense[rows, columns] = dense[columns, rows] = self._data.M
        return dense

    def _poses(self) -> Poses:
        """Where things are now; only tendons that matter have lengths."""
        data, arrays = self._data, self._arrays
        centres = np.array(data.subtree_com)
        gradients = Gradients(arrays, data.cdof, centres, self._chains)
        frames = Frames(
            [tuple(row) for row in data.site_xpos.tolist()],
            [tuple(row) for row in data.geom_xpos.tolist()],
            [tuple(row) for row in data.geom_xmat.tolist()],
        )
        count = len(arrays["tendon_type"])
        lengths, rows = np.zeros(count), [(np.zeros(0, int), np.zeros(0))] * count
        for i in self._tendons:
            lengths[i], rows[i] = path_of(arrays, i, data.qpos, frames, gradients)
        quats = [tuple(row) for row in data.site_xquat.tolist()]
        return Poses(data.qpos, frames.site_xpos, quats, data.cdof, centres, rows, lengths)

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
