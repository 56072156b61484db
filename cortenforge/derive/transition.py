"""Jacobians of a step (A, B, C, D), by the requested method."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from cortenforge.derive.analytic import Linearisation
from cortenforge.derive.config import DerivativeConfig, TransitionMatrices, checked_config
from cortenforge.derive.finite_differences import StepDifferences, of_single_world
from cortenforge.derive.formulas import why_finite_differences
from cortenforge.derive.perturbed_worlds import own_parameters, state_row
from cortenforge.errors import ArgumentError, UnsupportedFeature
from cortenforge.model import Data, Model
from cortenforge.model.changes.watch import refresh_if_changed
from cortenforge.model.internals import engine_of, kept_with, parameters_of


class Workspace:
    """Memory in which derivatives of one world are computed, kept from call to call."""

    def __init__(self, data: Data) -> None:
        self.model, self.own = data.model, own_parameters(data)
        self._engine = engine_of(data)
        self._is_used = False
        parameters = parameters_of(data)
        self._parameters = parameters.copy() if parameters else None
        self._reason = (-1, "")

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Mark as in use; raises if a callback of a perturbed step requests derivatives again."""
        if self._is_used:
            raise ArgumentError("a callback cannot request derivatives that are being computed")
        try:
            self._is_used = True
            yield
        finally:
            self._is_used = False

    @cached_property
    def step_differences(self) -> StepDifferences:
        """Finite differences of steps, for all columns."""
        return StepDifferences(self.model, 1, self.own)

    @cached_property
    def position_differences(self) -> StepDifferences:
        """Finite differences of steps, for columns of positions."""
        return StepDifferences(self.model, 1, self.own, columns=self.model.nv)

    @cached_property
    def linearisation(self) -> Linearisation:
        """Linearised equations of a step."""
        world = Data(self.model, engine=self._engine, parameters=self._parameters)
        return Linearisation(world)

    def why_finite_differences(self) -> str:
        """Why the model needs finite differences of whole steps, as it is now."""
        if self._reason[0] != self.model.version:
            self._reason = self.model.version, why_finite_differences(self.model)
        return self._reason[1]

    def allocate(self, method: str) -> None:
        """Allocate the memory that a method needs."""
        parts = {"fd": ("step_differences",), "hybrid": ("linearisation", "position_differences")}
        for name in parts.get(method, ("linearisation",)):
            getattr(self, name)

    def by_differences(self, data: Data, config: DerivativeConfig) -> TransitionMatrices:
        """Method "fd": all columns by finite differences."""
        self._copy_parameters(self.step_differences, data)
        return of_single_world(self.step_differences.transition(state_row(data)[None], config))

    def by_both(self, data: Data, config: DerivativeConfig) -> TransitionMatrices:
        """Method "hybrid": columns of positions by finite differences."""
        found = self.linearisation.transition(data, config, positions=False)
        self._copy_parameters(self.position_differences, data)
        change = self.position_differences.differentiate(state_row(data)[None], config)[0]
        states, nv = len(found.A), self.model.nv
        found.A[:, :nv] = change[:states]
        if found.C is not None:
            found.C[:, :nv] = change[states:]
        return found

    def by_linearisation(self, data: Data, config: DerivativeConfig) -> TransitionMatrices:
        """Method "analytic": no column by finite differences of steps."""
        return self.linearisation.transition(data, config, positions=True)

    def _copy_parameters(self, steps: StepDifferences, data: Data) -> None:
        """Copy a world's own model parameters to all batches."""
        for name, values in own_parameters(data).items():
            for batch in steps.batches:
                batch.parameters[name] = values


def workspace_of(data: Data) -> Workspace:
    """The workspace of a world."""
    return kept_with(data, "derivatives", lambda: Workspace(data))


def refuse_deformables(model: Model) -> None:
    """Raise if a model has deformables, for which there are no derivatives."""
    if model.nsoft:
        raise UnsupportedFeature(["derivatives of models with deformables"])


def method_for(workspace: Workspace, config: DerivativeConfig) -> str:
    """The method for a world's derivatives; raises for one that the model does not allow."""
    refresh_if_changed(workspace.model)
    if workspace.model.missing:
        raise UnsupportedFeature(workspace.model.supported())
    refuse_deformables(workspace.model)
    if config.method == "fd":
        return "fd"
    reason = workspace.why_finite_differences()
    if config.method == "auto":
        return "fd" if reason else "analytic"
    if reason:
        raise ArgumentError(
            f'method "{config.method}" does not support models with {reason}: use "fd" or "auto"'
        )
    return config.method


def transition_derivatives(
    data: Data, config: DerivativeConfig | None = None
) -> TransitionMatrices:
    """A, B, C and D of a world.  Mirrors mjd_transitionFD.

    config: method, eps and what is computed; by default `DerivativeConfig()`.
    """
    wanted = checked_config(config)
    workspace = workspace_of(data)
    with workspace.in_use():
        return derivatives_by(method_for(workspace, wanted), workspace, data, wanted)


def derivatives_by(
    method: str, workspace: Workspace, data: Data, config: DerivativeConfig
) -> TransitionMatrices:
    """A, B, C and D by a method that the model allows."""
    if method == "fd":
        return workspace.by_differences(data, config)
    return (
        workspace.by_both(data, config)
        if method == "hybrid"
        else workspace.by_linearisation(data, config)
    )
