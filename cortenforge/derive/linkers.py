"""Linkers that load the kernels of derivatives: one of their own, and those of the batch."""

from __future__ import annotations

from cortenforge.batch.program import expanded_lanes, shared_lanes
from cortenforge.derive.kernels.lockstep_residuals import constraint_groups, residual_groups
from cortenforge.derive.kernels.step_equations import (
    assemble_step_equations,
    inverse_force_derivatives,
    smooth_force_derivatives,
    solve_step_equations,
)
from cortenforge.derive.layout import LINEAR_SYSTEM
from cortenforge.fields import MODEL_LAYOUT
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.link import Linker, home_of, register, registered


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


def lockstep_entries() -> list[Kernel]:
    """What derivatives run for worlds in lockstep, besides the entries of a batch."""
    return [residual_groups, constraint_groups]


for _lanes in (shared_lanes, expanded_lanes):
    register(home_of(_lanes), lockstep_entries)
