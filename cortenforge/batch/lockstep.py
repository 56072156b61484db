"""Lane groups: entries that step eight worlds together, one in each lane.

A group's rows are loaded into lane memory, stepped and stored again. A world that fails is frozen
without disturbing the others. When a world needs more room (`need`: a list such as that of contacts
is longer than its capacity), the whole group goes back to the state from which its step started and
the call ends: Python makes room and calls again, with `resumed` set.
"""

from __future__ import annotations

import math

from cortenforge.batch.counts import NCOUNTED
from cortenforge.batch.facts import world_fact
from cortenforge.batch.hooks import AFTER, BEFORE, HOOKS, OBSERVE, RESET, SUBSTEP
from cortenforge.kernel import Table, any_lane, in_lane, kernel, select, world
from cortenforge.kernel.language.layout import LANES
from cortenforge.math.random import feistel_cipher, normal_number, uniform_number
from cortenforge.step.body_forces.momentum import subtree_momentum
from cortenforge.step.body_forces.rne_post_constraint import interaction_forces
from cortenforge.step.pipeline import (
    begin_call,
    evaluate_forward,
    evaluate_inverse,
    step,
    step_in_place,
    step_to_controls,
)
from cortenforge.step.sleeping.body_runs import clear_unchanged_trees
from cortenforge.step.status import is_ok
from cortenforge.step.statuses import ABSENT_LANE, FULL, NWARNING, OK

#: what no step computes, and a batch on request; no model asks for it, so none is `needed`
ON_REQUEST = Table((interaction_forces, subtree_momentum), lambda model: ())
NREQUEST = len(ON_REQUEST.kernels)


@kernel(entry=True)
def step_groups(m, d, count: int):
    """Take groups of worlds through `count` steps; 0, or 1 + the group that needs more room."""
    for g in range(d.first_group, d.last_group):
        first = 0
        if d.resumed != 0 and g == d.first_group:
            first = d.first_step
        else:
            load_group(m, d, g)
            if d.hooks >> BEFORE & 1 != 0:
                draw_numbers(d, d.step_uniforms, d.step_normals)
                HOOKS(BEFORE, m, d)
        for k in range(first, count):
            step(m, d)
            if any_lane(d.status == FULL):
                restore_group(m, d)
                d.stopped_at[0] = k
                return 1 + g
            if d.hooks >> SUBSTEP & 1 != 0:
                HOOKS(SUBSTEP, m, d)
        run_requests(m, d)
        compute_facts(m, d)
        if d.hooks >> AFTER & 1 != 0:
            HOOKS(AFTER, m, d)
        if d.hooks >> OBSERVE & 1 != 0:
            HOOKS(OBSERVE, m, d)
        store_group(d, g)
    return 0


@kernel(entry=True)
def step_groups_in_place(m, d, count: int):
    """A step of worlds that all have the same positions, which are placed in the first group only.

    Returns as `step_groups`; a group that was taken up again is placed again.
    """
    for g in range(d.first_group, d.last_group):
        if d.resumed == 0 or g != d.first_group:
            load_group(m, d, g)
        if g == d.first_group:
            step(m, d)
        else:
            step_in_place(m, d)
        if any_lane(d.status == FULL):
            restore_group(m, d)
            d.stopped_at[0] = 0
            return 1 + g
        store_group(d, g)
    return 0


@kernel(entry=True)
def forward_groups(m, d, count: int):
    """Forward dynamics of groups of worlds, without moving them; returns as `step_groups`.

    Worlds that begin are first taken to where their program lets them.
    """
    for g in range(d.first_group, d.last_group):
        load_group(m, d, g)
        if d.hooks >> RESET & 1 != 0:
            draw_numbers(d, d.uniforms, d.normals)
            HOOKS(RESET, m, d)
        evaluate_forward(m, d)
        if any_lane(d.status == FULL):
            d.stopped_at[0] = 0
            return 1 + g
        run_requests(m, d)
        compute_facts(m, d)
        if d.hooks >> OBSERVE & 1 != 0:
            HOOKS(OBSERVE, m, d)
        store_group(d, g)
    return 0


@kernel(entry=True)
def forward_to_controls_groups(m, d, count: int):
    """Positions and velocities of groups of worlds, and what depends on these alone; returns as
    `step_groups`. Other bound fields keep their values."""
    for g in range(d.first_group, d.last_group):
        load_group(m, d, g)
        load_bound_fields(d, g)
        step_to_controls(m, d)
        if any_lane(d.status == FULL):
            d.stopped_at[0] = 0
            return 1 + g
        compute_facts(m, d)
        store_group(d, g)
    return 0


@kernel(entry=True)
def inverse_groups(m, d, count: int):
    """Inverse dynamics of groups of worlds, with accelerations from bound fields; returns as
    `step_groups`."""
    for g in range(d.first_group, d.last_group):
        load_group(m, d, g)
        load_bound_fields(d, g)
        evaluate_inverse(m, d)
        if any_lane(d.status == FULL):
            d.stopped_at[0] = 0
            return 1 + g
        run_requests(m, d)
        compute_facts(m, d)
        store_group(d, g)
    return 0


@kernel
def run_requests(m, d):
    """Compute what was requested beyond a step, as bits of `requested`."""
    for k in range(NREQUEST):
        if d.requested >> k & 1 != 0:
            ON_REQUEST(k, m, d)


@kernel
def compute_facts(m, d):
    """Compute what was requested of counts and contacts, for worlds that have not failed."""
    for f in range(d.fact_count):
        kind, first, second = d.fact_of[3 * f], d.fact_of[3 * f + 1], d.fact_of[3 * f + 2]
        for lane in range(LANES):
            at = (d.fact_start + f) * LANES + lane
            d.arena[at] = 0.0
            if in_lane(d.status, lane) == OK:
                d.arena[at] = world_fact(world(m, lane), world(d, lane), kind, first, second)


@kernel
def draw_numbers(d, uniforms: int, normals: int):
    """Draw the random numbers of a program: functions of seed, world, episode and draw."""
    for lane in range(LANES):
        at = d.draw_start * LANES + lane
        seed, number = math.floor(d.arena[at]), math.floor(d.arena[at + LANES])
        episode, draw = math.floor(d.arena[at + 2 * LANES]), math.floor(d.arena[at + 3 * LANES])
        high, low = feistel_cipher(seed, number, episode)
        for k in range(uniforms):
            left, _right = feistel_cipher(high, low, draw + k)
            d.arena[(d.uniform_start + k) * LANES + lane] = uniform_number(left)
        draw += uniforms
        for k in range(normals):
            left, right = feistel_cipher(high, low, draw + k)
            d.arena[(d.normal_start + k) * LANES + lane] = normal_number(left, right)
        d.arena[at + 3 * LANES] = draw + normals


@kernel
def world_number(d, g: int, lane: int):
    """Number of the world in a lane of a group; past the last world, the last one."""
    return d.order[min(g * LANES + lane, d.nworld - 1)]


@kernel
def bound_field_offset(d, b: int, number: int):
    """Offset from `out` of a bound field's numbers of one world (see `memory.Places`)."""
    return d.bind_to[3 * b] * d.out_size + d.bind_to[3 * b + 1] + number * d.bind_to[3 * b + 2]


@kernel
def own_parameter_offset(d, b: int, number: int):
    """Offset from `own` of a world's own values of a model field (see `memory.Places`)."""
    return d.own_from[3 * b] * d.own_size + d.own_from[3 * b + 1] + number * d.own_from[3 * b + 2]


@kernel
def load_bound_fields(d, g: int):
    """Load bound fields into lane memory: some are inputs of the call, others keep their values."""
    for lane in range(LANES):
        number = world_number(d, g, lane)
        for b in range(d.bind_kept, d.bind_loaded):
            source = bound_field_offset(d, b, number)
            for k in range(d.bind_size[b]):
                d.arena[(d.bind_from[b] + k) * LANES + lane] = d.out[source + k]


@kernel(lanes=True)
def restore_group(m, d):
    """Restore the state before this step in all lanes: the step is taken again with more room."""
    for k in range(m.nstate):
        d.state[k] = d.kept_state[k]
    d.steps_done -= select(is_ok(d), 1, 0)


@kernel
def load_group(m, d, g: int):
    """Load eight worlds into lane memory; a group that is not full repeats the last world."""
    begin_call(m, d)
    clear_unchanged_trees(m, d)
    for lane in range(LANES):
        number = world_number(d, g, lane)
        for k in range(d.row_size):
            d.arena[k * LANES + lane] = d.rows[number * d.row_size + k]
        for b in range(d.own_count):
            source = own_parameter_offset(d, b, number)
            for k in range(d.own_length[b]):
                d.model_arena[(d.own_to[b] + k) * LANES + lane] = d.own[source + k]
        for b in range(d.bind_kept):
            start = bound_field_offset(d, b, number)
            for k in range(d.bind_size[b]):
                d.arena[(d.bind_from[b] + k) * LANES + lane] = d.out[start + k]
        if g * LANES + lane >= d.nworld:
            mark_lane_empty(world(d, lane))


@kernel
def mark_lane_empty(d):
    """Mark a lane that has no world of its own: it is not stepped."""
    d.status = ABSENT_LANE


@kernel
def store_group(d, g: int):
    """Store states, bound fields and reports of eight worlds.

    A world that failed keeps what its program had before.
    """
    for lane in range(LANES):
        if g * LANES + lane < d.nworld:
            number = world_number(d, g, lane)
            for k in range(d.row_size):
                d.rows[number * d.row_size + k] = d.arena[k * LANES + lane]
            first = 0 if in_lane(d.status, lane) == OK else d.bind_kept
            for b in range(first, d.bind_count):
                source = d.bind_from[b]
                target = bound_field_offset(d, b, number)
                for k in range(d.bind_size[b]):
                    d.out[target + k] = d.arena[(source + k) * LANES + lane]
            store_counts(d, number, lane)
            d.world_status[number] = in_lane(d.status, lane)
            d.world_index[number] = in_lane(d.status_index, lane)
            d.world_value[number] = in_lane(d.status_value, lane)
            d.world_steps[number] = in_lane(d.steps_done, lane)
            for k in range(NWARNING):
                at = number * NWARNING + k
                d.warned_count[at] = in_lane(d.warning_count[k], lane)
                d.warned_index[at] = in_lane(d.warning_index[k], lane)
                d.warned_value[at] = in_lane(d.warning_value[k], lane)


@kernel
def store_counts(d, number: int, lane: int):
    """Store the counts of a world, in the order of `counts.COUNTED`."""
    at = number * NCOUNTED
    d.world_rows[at] = in_lane(d.nefc, lane)
    d.world_rows[at + 1] = in_lane(d.ne, lane)
    d.world_rows[at + 2] = in_lane(d.nf, lane)
    d.world_rows[at + 3] = in_lane(d.nl, lane)
    d.world_rows[at + 4] = in_lane(d.nJ, lane)
    d.world_rows[at + 5] = in_lane(d.ncon, lane)
    d.world_rows[at + 6] = in_lane(d.nisland, lane)
    d.world_rows[at + 7] = in_lane(d.nsoftcon, lane)
