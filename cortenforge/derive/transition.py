"""Derivatives of a step, by the method that is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from cortenforge.derive.analytic import Linearisation
from cortenforge.derive.config import DerivativeConfig, TransitionMatrices, checked_config
from cortenforge.derive.differences import StepDifferences, one_of
from cortenforge.derive.plain import why_not
from cortenforge.derive.worlds import own_of, row_of
from cortenforge.errors import ArgumentError, UnsupportedFeature
from cortenforge.model import Data, Model
from cortenforge.model.watch import catch_up


class Desk:
    """Memory in which derivatives of one world are worked out, kept from call to call."""

    def __init__(self, data: Data) -> None:
        self.model, self.own = data.model, own_of(data)
        self._engine = data._engine
        self._is_used = False
        self._parameters = data._parameters.copy() if data._parameters else None
        self._reason = (-1, "")

    @contextmanager
    def working(self) -> Iterator[None]:
        """One call at a time works here; a callback of a step that it takes is in its midst."""
        if self._is_used:
            raise ArgumentError("a callback cannot ask for derivatives that it is called for")
        try:
            self._is_used = True
            yield
        finally:
            self._is_used = False

    @cached_property
    def steps(self) -> StepDifferences:
        """Differences of steps, for all columns."""
        return StepDifferences(self.model, 1, self.own)

    @cached_property
    def position_steps(self) -> StepDifferences:
        """The same for columns of positions."""
        return StepDifferences(self.model, 1, self.own, columns=self.model.nv)

    @cached_property
    def linear(self) -> Linearisation:
        """Equations of a step."""
        world = Data(self.model, engine=self._engine, parameters=self._parameters)
        return Linearisation(world)

    def why_not(self) -> str:
        """Why the model has only differences of whole steps, as it is now."""
        if self._reason[0] != self.model.version:
            self._reason = self.model.version, why_not(self.model)
        return self._reason[1]

    def prepare(self, method: str) -> None:
        """Make the memory that a method needs."""
        parts = {"fd": ("steps",), "hybrid": ("linear", "position_steps")}
        for name in parts.get(method, ("linear",)):
            getattr(self, name)

    def differences(self, data: Data, config: DerivativeConfig) -> TransitionMatrices:
        """Columns are steps."""
        self._take(self.steps, data)
        return one_of(self.steps.transition(row_of(data)[None], config))

    def hybrid(self, data: Data, config: DerivativeConfig) -> TransitionMatrices:
        """Columns of positions are steps."""
        found = self.linear.transition(data, config, positions=False)
        self._take(self.position_steps, data)
        change = self.position_steps.change(row_of(data)[None], config)[0]
        states, nv = len(found.A), self.model.nv
        found.A[:, :nv] = change[:states]
        if found.C is not None:
            found.C[:, :nv] = change[states:]
        return found

    def analytic(self, data: Data, config: DerivativeConfig) -> TransitionMatrices:
        """No column is a step."""
        return self.linear.transition(data, config, positions=True)

    def _take(self, steps: StepDifferences, data: Data) -> None:
        """Take what a world has of its model for itself."""
        for name, values in own_of(data).items():
            for batch in steps.batches:
                batch.parameters[name] = values


def desk_of(data: Data) -> Desk:
    """The desk of a world."""
    found: Desk | None = data.__dict__.get("_derivatives")
    if found is None:
        found = data.__dict__["_derivatives"] = Desk(data)
    return found


def refuse_deformables(model: Model) -> None:
    """Raise if a model has what no derivative is worked out of."""
    if model.nsoft:
        raise UnsupportedFeature(["derivatives of models with deformables"])


def method_for(desk: Desk, config: DerivativeConfig) -> str:
    """The method by which a world's derivatives are worked out; raises for one it cannot have."""
    catch_up(desk.model)
    if desk.model.missing:
        raise UnsupportedFeature(desk.model.supported())
    refuse_deformables(desk.model)
    if config.method == "fd":
        return "fd"
    reason = desk.why_not()
    if config.method == "auto":
        return "fd" if reason else "analytic"
    if reason:
        raise ArgumentError(
            f'method "{config.method}" is not for models with {reason}: "fd" is, and "auto"'
        )
    return config.method


def transition_derivatives(
    data: Data, config: DerivativeConfig | None = None
) -> TransitionMatrices:
    """A, B, C and D of a world."""
    wanted = checked_config(config)
    desk = desk_of(data)
    with desk.working():
        return derivatives_by(method_for(desk, wanted), desk, data, wanted)


def derivatives_by(
    method: str, desk: Desk, data: Data, config: DerivativeConfig
) -> TransitionMatrices:
    """The same by a method that the model allows."""
    if method == "fd":
        return desk.differences(data, config)
    return desk.hybrid(data, config) if method == "hybrid" else desk.analytic(data, config)
