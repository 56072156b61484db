"""Derivatives of a step by its linearised equations (method "analytic"): no step per column.

At the accelerations that a step finds, two equations hold: forces balance, and the integrator's
matrix times the acceleration of the step equals the total force. Their partials are formulas, or
finite differences of residuals in perturbed worlds; one solve with the factors of both matrices
gives all columns. Equations: `kernels.step_equations`; docs/derivatives.md.
Theory: docs/theory/derivatives.md.
"""

from __future__ import annotations

import numpy as np

from cortenforge.derive.config import DerivativeConfig, TransitionMatrices
from cortenforge.derive.formulas import Formulas
from cortenforge.derive.frozen_rows import FrozenRowCalls
from cortenforge.derive.kernels.lockstep_residuals import constraint_groups, residual_groups
from cortenforge.derive.kernels.step_equations import assemble_step_equations, solve_step_equations
from cortenforge.derive.linear_system import LinearSystem
from cortenforge.derive.perturbed_worlds import (
    ColumnShifts,
    OwnParameters,
    make_batch,
    own_parameters,
    state_row,
)
from cortenforge.model import Data
from cortenforge.model.internals import error_of, parameters_of, store_of

#: fields that a lockstep run of residuals reads, and that it writes
RESIDUAL_INPUTS = ("rk4_dqpos", "qacc", "step_qacc")
RESIDUAL_OUTPUTS = ("qfrc_inverse", "inverse_qacc", "qfrc_constraint", "sensordata")


class Linearisation:
    """The linearised equations of a step of one world, and perturbed worlds around it."""

    def __init__(self, world: Data) -> None:
        """world: the Data to compute in; it is overwritten."""
        self.world, model = world, world.model
        self.model = model
        own: OwnParameters = own_parameters(world)
        few = make_batch(model, max(1, 2 * model.nv), own)
        self.constraint_calls = FrozenRowCalls(few, ("rk4_dqpos", "qfrc_constraint"))
        self.columns = 2 * model.nv + model.na + model.nu
        many = make_batch(model, 2 * self.columns + 1, own)
        self.residual_calls = FrozenRowCalls(many, (*RESIDUAL_INPUTS, *RESIDUAL_OUTPUTS))
        self.derivation = LinearSystem(self.world, self.constraint_calls.out)
        self._formulas: tuple[int, Formulas] = (-1, Formulas(False, False, False, False))
        self._rows = [(name, store_of(world).arrays[name]) for name in self.constraint_calls.views]

    def copy_world(self, data: Data) -> None:
        """Copy the state of a world, and its own model parameters."""
        source = store_of(data).arrays
        for name, own in self._rows:
            if own.size:
                own[...] = source[name]
        given, taken = parameters_of(data), parameters_of(self.world)
        if given and taken:
            for name, array in given.arrays.items():
                taken.arrays[name][...] = array
                for calls in (self.constraint_calls, self.residual_calls):
                    calls.batch.parameters[name] = array

    def formulas(self) -> Formulas:
        """Which parts have formulas, for the model as it is now."""
        if self._formulas[0] != self.model.version:
            self._formulas = self.model.version, Formulas.of(self.model)
        return self._formulas[1]

    def transition(
        self, data: Data, config: DerivativeConfig, *, positions: bool
    ) -> TransitionMatrices:
        """A, B, C and D; without positions, columns of positions are left to the caller."""
        self.copy_world(data)
        formulas, made = self.formulas(), self.derivation
        self.world.forward()
        position_formulas = positions and formulas.by_position
        sides = (2 if config.centered else 1) if position_formulas else 0
        made.count(sides=sides, by_position=int(position_formulas), by_input=int(formulas.by_input))
        made.arrays["eps"][0] = config.eps
        listed = made.run(assemble_step_equations, sides)
        if listed < 0:
            raise error_of(self.world)
        if listed:
            self._perturb_constraint_forces(sides * listed)
        self._fill_by_differences(config, formulas, positions=positions)
        made.run(solve_step_equations, listed)
        found = [made.arrays["A"].copy(), made.arrays["B"].copy()]
        if config.sensors:
            found += self._readings(config)
        return TransitionMatrices(*found)

    def _perturb_constraint_forces(self, worlds: int) -> None:
        """Constraint forces in worlds in which one dof is perturbed."""
        views, arrays = self.constraint_calls.views, store_of(self.world).arrays
        for name in ("qpos", "qvel", "eq_active", "mocap_pos", "mocap_quat"):
            if views[name].size:
                views[name][0] = arrays[name]
        views["qacc_warmstart"][0] = arrays["qacc"]
        self.constraint_calls.run_frozen(constraint_groups, 0, self.world, worlds)

    def _fill_by_differences(
        self, config: DerivativeConfig, formulas: Formulas, *, positions: bool
    ) -> None:
        """Replace what has no formula by finite differences of residuals."""
        nv, arrays = self.model.nv, self.derivation.arrays
        first, last = 0, self.columns
        wanted = np.zeros(last, bool)
        wanted[:nv] = positions and not formulas.by_position
        wanted[nv : 2 * nv] = not (formulas.by_velocity and formulas.step_by_velocity)
        wanted[2 * nv :] = not formulas.by_input
        if not wanted.any():
            return
        first, last = int(np.argmax(wanted)), int(last - np.argmax(wanted[::-1]))
        found = self._residual_differences(config, first, last, arrays["moving"])
        columns = np.flatnonzero(wanted)
        some = found["qfrc_inverse"][columns - first].T, found["inverse_qacc"][columns - first].T
        known = np.zeros(len(wanted), bool)
        known[nv : 2 * nv] = formulas.by_velocity
        arrays["R"][:, columns] = np.where(known[columns], arrays["R"][:, columns], some[0])
        arrays["P"][:, columns] = some[1]
        if not formulas.by_input:
            arrays["act_slope"][:] = 0.0
            arrays["act_slope"][:, first:last] = found["act"].T
            if first > 0:
                # columns that were not requested do not change activations
                assert formulas.by_position or not positions

    def _residual_differences(
        self,
        config: DerivativeConfig,
        first: int,
        last: int,
        moving: np.ndarray,
        change: np.ndarray | None = None,
    ) -> dict[str, np.ndarray]:
        """Differences of residuals, activations and readings by some columns, (columns, ...).

        change: derivative of qacc by all columns; then qacc is perturbed along, and sensors are
        read.
        """
        model, world, calls = self.model, self.world, self.residual_calls
        nv, na = model.nv, model.na
        moved = ColumnShifts(model, world.ctrl[None], own_parameters(world), config)
        ahead, back = moved.ahead[0], moved.back[0]
        count = last - first
        n = 1 + count * (1 if moved.one_sided else 2)
        shifts = np.zeros((n, len(ahead)))
        column = np.arange(count)
        shifts[1 + column, first + column] = ahead[first:last]
        if not moved.one_sided:
            shifts[1 + count + column, first + column] = back[first:last]
        fields, views = calls.fields, calls.views

        def fill() -> None:
            calls.table[:n] = state_row(world)
            fields["rk4_dqpos"][:n] = shifts[:, :nv]
            views["qvel"][:n] += shifts[:, nv : 2 * nv]
            views["act"][:n] += shifts[:, 2 * nv : 2 * nv + na]
            views["ctrl"][:n] += shifts[:, 2 * nv + na :]
            fields["qacc"][:n] = world.qacc
            if change is not None:
                fields["qacc"][:n] += shifts @ change.T
            fields["step_qacc"][:n] = moving

        observed = 0 if change is None else 1
        calls.run_frozen(residual_groups, observed, world, n, fill=fill)
        found = {
            name: array[:n]
            for name, array in (*fields.items(), ("act", views["act"]))
            if name not in RESIDUAL_INPUTS
        }
        length = moved.length[0, first:last, None]
        result = {}
        for name, array in found.items():
            other = array[:1] if moved.one_sided else array[1 + count :]
            result[name] = (array[1 : 1 + count] - other) / length
        return result

    def smooth_differences(self, data: Data, config: DerivativeConfig) -> np.ndarray:
        """d qfrc_smooth / d position by finite differences, (nv, nv)."""
        self.copy_world(data)
        nv = self.model.nv
        self.world.qacc[:] = 0.0
        found = self._residual_differences(config, 0, nv, np.zeros(nv))
        force: np.ndarray = found["qfrc_inverse"] + found["qfrc_constraint"]
        return -force.T

    def _readings(self, config: DerivativeConfig) -> list[np.ndarray]:
        """C and D: finite differences of sensor readings, with qacc perturbed along."""
        model, arrays = self.model, self.derivation.arrays
        states = 2 * model.nv + model.na
        if not model.nsensordata:
            return [np.zeros((0, states)), np.zeros((0, model.nu))]
        found = self._residual_differences(
            config, 0, self.columns, arrays["moving"], -arrays["R"][:, : self.columns]
        )
        change = found["sensordata"].T
        return [change[:, :states].copy(), change[:, states:].copy()]
