"""Methods of Data that run parts of a step: its halves, inverse dynamics, forces between bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortenforge.enums import Enable, Integrator
from cortenforge.errors import ArgumentError
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.step import run
from cortenforge.step.body_forces.momentum import subtree_momentum
from cortenforge.step.body_forces.rne_post_constraint import interaction_forces

if TYPE_CHECKING:
    from cortenforge.model.model import Model


class PipelineMethods:
    """Parts of a step by themselves."""

    model: Model

    def _evaluate(self, entry: Kernel) -> None:
        raise NotImplementedError

    def _run_unit(self, unit: Kernel, *numbers: int) -> None:
        raise NotImplementedError

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
        self._run_unit(subtree_momentum)

    def interaction_forces(self) -> None:
        """Compute cacc, cfrc_int and cfrc_ext; call `forward` before."""
        self._run_unit(interaction_forces)


def refuse_inverse(model: Model) -> None:
    """Raise if a model has no inverse dynamics with its options."""
    discrete = model.opt.enableflags & Enable.INVDISCRETE
    if discrete and model.opt.integrator == Integrator.RK4:
        raise ArgumentError(
            "inverse dynamics in discrete time (flag invdiscrete) is not available for RK4"
        )
