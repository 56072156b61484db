"""What a world can say of how it would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortenforge import upward

if TYPE_CHECKING:
    import numpy as np

    from cortenforge.derive import DerivativeConfig, InverseMatrices, TransitionMatrices


class Derivatives:
    """Derivatives of a step, and of what it is made of; the world itself stays as it is."""

    def transition_derivatives(self, config: DerivativeConfig | None = None) -> TransitionMatrices:
        """How the next state and the readings of sensors follow state and controls: A, B, C, D.

        In the tangent space of positions, as `mjd_transitionFD`, and for every integrator. Python
        functions of the model are called for worlds around this one.

        >>> A = data.transition_derivatives(cf.DerivativeConfig(eps=1e-6, centered=True)).A
        """
        return upward.transition_derivatives(self, config)

    def inverse_derivatives(self, config: DerivativeConfig | None = None) -> InverseMatrices:
        """How qfrc_inverse, and readings of sensors, follow qpos, qvel and qacc.

        As `mjd_inverseFD`: forces by formulas where there are no constraints, else, as readings, by
        differences of inverse dynamics of many worlds at once.
        """
        return upward.inverse_derivatives(self, config)

    def smooth_velocity_derivative(self) -> np.ndarray:
        """How smooth forces (qfrc_smooth) follow velocities, (nv, nv), by formulas.

        `qDeriv` in full, with what its pattern has no room for, and with that of bias forces
        whatever the integrator.
        """
        return upward.smooth_velocity_derivative(self)

    def smooth_position_derivative(self) -> np.ndarray:
        """How smooth forces follow positions, in their tangent space, (nv, nv).

        By formulas, or by centred differences for the few models with forces that have none: motors
        with friction of bristles, the PID plugin, transmissions to bodies.
        """
        return upward.smooth_position_derivative(self)
