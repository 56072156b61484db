"""Lane groups of perturbed worlds: entries that evaluate residuals and constraint forces.

As the entries of `batch.lockstep`, but nothing moves on in time.
"""

from __future__ import annotations

from cortenforge.batch.lockstep import (
    bound_field_offset,
    load_bound_fields,
    load_group,
    mark_lane_empty,
    store_group,
)
from cortenforge.derive.kernels.residuals import constraint_forces_at_qacc, step_residuals
from cortenforge.kernel import any_lane, in_lane, kernel, world
from cortenforge.kernel.language.layout import LANES
from cortenforge.step.integrate.joint_positions import integrate_pos
from cortenforge.step.pipeline import begin_call
from cortenforge.step.statuses import FULL


@kernel(entry=True)
def residual_groups(m, d, count: int):
    """Residuals of groups of worlds at accelerations from bound fields; returns as `step_groups`.

    Positions move on by rk4_dqpos first. count: 1 if readings of sensors are wanted, too.
    """
    for g in range(d.first_group, d.last_group):
        load_group(m, d, g)
        load_bound_fields(d, g)
        integrate_pos(m, d.qpos, d.rk4_dqpos, 1.0)
        step_residuals(m, d, count)
        if any_lane(d.status == FULL):
            d.stopped_at[0] = 0
            return 1 + g
        store_group(d, g)
    return 0


@kernel(entry=True)
def constraint_groups(m, d, count: int):
    """Forces of constraints around the first world; returns as `step_groups`.

    Each world is moved on by rk4_dqpos, the first bound field, and gives the second; accelerations
    are those of the warm start.
    """
    for g in range(d.first_group, d.last_group):
        begin_call(m, d)
        load_first_world(d)
        load_position_shifts(d, g)
        integrate_pos(m, d.qpos, d.rk4_dqpos, 1.0)
        for i in range(m.nv):
            d.qacc[i] = d.qacc_warmstart[i]
        constraint_forces_at_qacc(m, d)
        if any_lane(d.status == FULL):
            d.stopped_at[0] = 0
            return 1 + g
        store_second_field(d, g)
    return 0


@kernel
def load_first_world(d):
    """Load the row of the first world into all lanes."""
    for k in range(d.row_size):
        number = d.rows[k]
        for lane in range(LANES):
            d.arena[k * LANES + lane] = number


@kernel
def load_position_shifts(d, g: int):
    """Load the first bound field (rk4_dqpos) of each world; a lane without a world is empty."""
    for lane in range(LANES):
        source = bound_field_offset(d, 0, min(g * LANES + lane, d.nworld - 1))
        for k in range(d.bind_size[0]):
            d.arena[(d.bind_from[0] + k) * LANES + lane] = d.out[source + k]
        if g * LANES + lane >= d.nworld:
            mark_lane_empty(world(d, lane))


@kernel
def store_second_field(d, g: int):
    """Store the second bound field of each world, and its status."""
    for lane in range(min(LANES, d.nworld - g * LANES)):
        number = g * LANES + lane
        target = bound_field_offset(d, 1, number)
        for k in range(d.bind_size[1]):
            d.out[target + k] = d.arena[(d.bind_from[1] + k) * LANES + lane]
        d.world_status[number] = in_lane(d.status, lane)
        d.world_index[number] = in_lane(d.status_index, lane)
        d.world_value[number] = in_lane(d.status_value, lane)
