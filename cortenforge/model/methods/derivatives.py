"""Methods of Data for derivatives of a step and of the forces in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortenforge import upward

if TYPE_CHECKING:
    import numpy as np

    from cortenforge.derive import DerivativeConfig, InverseMatrices, TransitionMatrices


class DerivativeMethods:
    """Derivatives of a step and of its parts; the world itself is not changed."""

    def transition_derivatives(self, config: DerivativeConfig | None = None) -> TransitionMatrices:
        """Jacobians of the next state and of sensors by state and controls: A, B, C, D.

        config: method, eps and what is computed; by default `DerivativeConfig()`.

        In the tangent space of positions, as `mjd_transitionFD`, for every integrator. Python
        callbacks are called for the perturbed worlds.

        >>> A = data.transition_derivatives(cf.DerivativeConfig(eps=1e-6, centered=True)).A
        """
        return upward.transition_derivatives(self, config)

    def inverse_derivatives(self, config: DerivativeConfig | None = None) -> InverseMatrices:
        """Jacobians of qfrc_inverse and of sensors by qpos, qvel and qacc.

        config: method, eps and what is computed; by default `DerivativeConfig()`.

        As `mjd_inverseFD`: of forces analytically where there are no constraints; else, and of
        sensors, by finite differences of inverse dynamics, many worlds at once.
        """
        return upward.inverse_derivatives(self, config)

    def smooth_velocity_derivative(self) -> np.ndarray:
        """d qfrc_smooth / d qvel, (nv, nv), analytically.

        All of `qDeriv`, with entries outside its sparsity pattern, and with bias forces whatever
        the integrator.
        """
        return upward.smooth_velocity_derivative(self)

    def smooth_position_derivative(self) -> np.ndarray:
        """d qfrc_smooth / d qpos in the tangent space of positions, (nv, nv).

        Analytically; by centred differences for models with forces that have no formula: motors
        with bristle friction, the PID plugin, transmissions to bodies.
        """
        return upward.smooth_position_derivative(self)
