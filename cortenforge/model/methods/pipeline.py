"""Methods of Data that run parts of a step: its halves, inverse dynamics, forces between bodies."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge.enums import Enable, Integrator
from cortenforge.errors import ArgumentError
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.plain import jit_is_off
from cortenforge.kernel.load.link import Call
from cortenforge.model.calls.guard import exclusive
from cortenforge.step import run
from cortenforge.step.stages import (
    STAGES,
    interaction_forces_only,
    subtree_momentum_only,
)
from cortenforge.step.statuses import OK

if TYPE_CHECKING:
    from cortenforge.model.model import Model


class PipelineMethods:
    """Parts of a step by themselves."""

    model: Model
    status: int
    query_result: np.ndarray
    _call: Call
    _call_address: ctypes.c_int64
    _linked: tuple[dict[Any, Any], dict[Kernel, Callable[..., Any]]]
    _linked_entries: tuple[dict[Any, Any], dict[Kernel, Callable[..., int]]]

    def _evaluate(self, entry: Kernel) -> None:
        raise NotImplementedError

    def _function(self, unit: Kernel) -> Callable[..., int]:
        raise NotImplementedError

    def _answer(self, status: int, done: int) -> None:
        raise NotImplementedError

    def _warn(self, level: int) -> None:
        raise NotImplementedError

    def _run_entry(self, entry: Kernel) -> int:
        """Run an entry once; returns its status."""
        functions, entries = self._linked_entries
        # a refresh of the model, by callbacks that are set as well, replaces its functions
        if functions is not self.model._functions:
            functions, entries = self.__dict__["_linked_entries"] = self.model._functions, {}
        function = entries.get(entry)
        if function is None:
            function = self._function(entry)
            # the first linked entry of a model may have refreshed it
            if functions is self.model._functions and not jit_is_off():
                entries[entry] = function
        return function(self._call_address)

    def _run_unit(self, unit: Kernel, *numbers: int) -> None:
        """Run one unit on this world."""
        self._unit(unit)(*numbers)

    def _unit(self, unit: Kernel) -> Callable[..., Any]:
        """A unit, ready to be called for this world with its further arguments."""
        functions, linked = self._linked
        # a refresh of the model replaces its functions
        if functions is self.model._functions and unit in linked:
            return linked[unit]
        return self._linked_unit(unit)

    def _linked_unit(self, unit: Kernel) -> Callable[..., Any]:
        """A unit for this world, kept for later calls unless kernels run as plain Python."""
        call = self._call
        addresses = ctypes.c_int64(call.m), ctypes.c_int64(call.d)
        function = functools.partial(self._function(unit), *addresses)
        functions = self.model._functions
        if self._linked[0] is not functions:
            self.__dict__["_linked"] = functions, {}
        if not jit_is_off():
            self._linked[1][unit] = function
        return function

    @exclusive
    def _forward(self) -> None:
        """`forward` of a whole evaluation, without arguments."""
        self._evaluate(run.run_forward)

    def step1(self) -> None:
        """The first half of a step: all that does not depend on controls and applied forces.

        As `mj_step1`: `ctrl` may be set by what was computed here, before `step2`. A control
        callback is called at the end.
        """
        self._evaluate(run.run_to_controls)

    def step2(self) -> None:
        """The second half of a step: forces, acceleration, the next state.  As `mj_step2`.

        For RK4, which evaluates controls several times, it is a step of Euler's method.
        """
        self._evaluate(run.run_from_controls)

    def inverse(self) -> None:
        """Compute qfrc_inverse: the force that causes qacc at qpos and qvel.  As `mj_inverse`.

        Sensors are evaluated at this acceleration. With the flag `invdiscrete`, qacc is the change
        of velocity over a step of the Euler integrator, with its implicit damping.
        """
        refuse_inverse(self.model)
        self._evaluate(run.run_inverse)

    def subtree_momentum(self) -> None:
        """Compute subtree_linvel and subtree_angmom; call `forward` before."""
        self._unit(subtree_momentum_only)()

    def interaction_forces(self) -> None:
        """Compute cacc, cfrc_int and cfrc_ext; call `forward` before."""
        self._unit(interaction_forces_only)()

    def _run_stage(self, name: str, *numbers: int) -> None:
        """Run one stage of a step, by the name of MuJoCo's function (`step.stages.STAGES`).

        It computes what that function does, no more and no less.
        """
        check_stage(self.model, name)
        stage = STAGES[name]
        while True:
            status = self._run_entry(run.run_before_stage)
            if status == OK:
                self._run_unit(stage, *numbers)
                status = self.status
            if status == OK:
                break
            self._answer(status, 0)
        self._warn(4)

    def _rne(self, *, accelerated: bool) -> np.ndarray:
        """The joint force that the present motion needs, with or without qacc.  As `mj_rne`."""
        self._run_stage("mj_rne", int(accelerated))
        found: np.ndarray = self.query_result.copy()
        return found


#: stages that work with constraints or accelerations, which another metric changes
IN_METRIC = frozenset(
    {
        "mj_makeConstraint",
        "mj_projectConstraint",
        "mj_referenceConstraint",
        "mj_fwdPosition",
        "mj_fwdVelocity",
        "mj_fwdAcceleration",
        "mj_fwdConstraint",
        "mj_forwardSkip",
        "mj_inverseSkip",
    }
)


def check_stage(model: Model, name: str) -> None:
    """Raise if a stage cannot run by itself with the options of a model."""
    integrator = model.opt.integrator
    if model.opt.enableflags & Enable.SLEEP:
        reason = "sleep is enabled (flag sleep)"
    elif model.nsoft:
        reason = "the model has deformables"
    elif integrator in (Integrator.DISCRETE, Integrator.IMPLICITSPRINGDAMPER) and name in IN_METRIC:
        reason = f"the integrator is {Integrator(integrator).name.lower()}"
    elif name == "mj_implicit" and integrator not in (
        Integrator.IMPLICIT,
        Integrator.IMPLICITFAST,
    ):
        reason = "the integrator is not implicit or implicitfast"
    else:
        if name == "mj_inverseSkip":
            refuse_inverse(model)
        return
    raise ArgumentError(
        f"{name} cannot run by itself, since {reason}: use step, forward or inverse"
    )


def refuse_inverse(model: Model) -> None:
    """Raise if a model has no inverse dynamics with its options."""
    discrete = model.opt.enableflags & Enable.INVDISCRETE
    if discrete and model.opt.integrator == Integrator.RK4:
        raise ArgumentError(
            "inverse dynamics in discrete time (flag invdiscrete) is not available for RK4"
        )
