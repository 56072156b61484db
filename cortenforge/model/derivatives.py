"""What a world can say of how it would change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortenforge import upward

if TYPE_CHECKING:
    from cortenforge.derive import DerivativeConfig, TransitionMatrices


class Derivatives:
    """Derivatives of a step, and of what it is made of; the world itself stays as it is."""

    def transition_derivatives(self, config: DerivativeConfig | None = None) -> TransitionMatrices:
        """How the next state and the readings of sensors follow state and controls: A, B, C, D.

        In the tangent space of positions, as `mjd_transitionFD`, and for every integrator. Python
        functions of the model are called for worlds around this one.

        >>> A = data.transition_derivatives(cf.DerivativeConfig(eps=1e-6, centered=True)).A
        """
        return upward.transition_derivatives(self, config)
