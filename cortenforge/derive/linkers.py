"""The linker that loads kernels of the linearised equations."""

from __future__ import annotations

from cortenforge.derive.kernels.step_equations import (
    assemble_step_equations,
    inverse_force_derivatives,
    smooth_force_derivatives,
    solve_step_equations,
)
from cortenforge.derive.layout import LINEAR_SYSTEM
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel.load.link import Linker, registered


@registered(
    lambda: [
        assemble_step_equations,
        solve_step_equations,
        smooth_force_derivatives,
        inverse_force_derivatives,
    ]
)
def linear_system_linker() -> Linker:
    """Loads and compiles the kernels that assemble and solve the equations of a step."""
    return Linker(MODEL_LAYOUT, LINEAR_SYSTEM)
