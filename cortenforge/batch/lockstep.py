"""Eight worlds step together; those that fail are set aside without disturbing the others."""

from __future__ import annotations

from cortenforge.kernel import any_lane, kernel, select
from cortenforge.kernel.language.layout import LANES
from cortenforge.math.ldl import CLAMPED
from cortenforge.step.constants import RK4
from cortenforge.step.forward import forward
from cortenforge.step.integrate.rk4 import rk4
from cortenforge.step.pipeline import check_supported, euler_step
from cortenforge.step.status import BAD_TIMESTEP, MAXVAL, OK


@kernel(entry=True)
def step_groups(m, d, count: int):
    """Take groups of worlds through `count` steps, one group after another."""
    status = check_supported(m)
    h = m.opt_timestep
    # false for nan, too
    if not (h > 0.0 and h < MAXVAL):
        status = BAD_TIMESTEP
    if status == OK:
        for g in range(d.first_group, d.last_group):
            load_group(d, g)
            begin(d)
            for _k in range(count):
                step_together(m, d)
            settle(m, d)
            store_group(d, g)
    return status


@kernel(entry=True)
def forward_groups(m, d, count: int):
    """Forward dynamics of groups of worlds, without moving them."""
    status = check_supported(m)
    if status == OK:
        for g in range(d.first_group, d.last_group):
            load_group(d, g)
            begin(d)
            forward(m, d)
            store_group(d, g)
    return status


@kernel
def load_group(d, g: int):
    """Take eight worlds into lane memory; a group that is not full repeats the last world."""
    for lane in range(LANES):
        row = min(g * LANES + lane, d.nworld - 1) * d.row_size
        for k in range(d.row_size):
            d.arena[k * LANES + lane] = d.rows[row + k]


@kernel
def store_group(d, g: int):
    """Put states, asked-for fields and failures of eight worlds back."""
    for lane in range(LANES):
        world = g * LANES + lane
        if world < d.nworld:
            row = world * d.row_size
            for k in range(d.row_size):
                d.rows[row + k] = d.arena[k * LANES + lane]
            for b in range(d.bind_count):
                source = d.bind_from[b]
                target = world * d.out_size + d.bind_to[b]
                for k in range(d.bind_size[b]):
                    d.out[target + k] = d.arena[(source + k) * LANES + lane]
    store_faults(d, g)


@kernel
def store_faults(d, g: int):
    """Which worlds failed, and how far each came."""
    for lane in range(LANES):
        world = g * LANES + lane
        if world < d.nworld:
            d.faults[world] = d.arena[d.fault_at * LANES + lane]
            d.steps[world] = d.arena[d.taken_at * LANES + lane]


@kernel(lanes=True)
def begin(d):
    """No world has failed yet."""
    d.fault = 0.0
    d.taken = 0.0


@kernel(lanes=True, unit=True)
def step_together(m, d):
    """One step of eight worlds: check, forward, integrate.  Mirrors mj_step."""
    bad = d.fault * 0.0
    for i in range(m.nq):
        bad = select(abs(d.qpos[i]) <= MAXVAL, bad, 1.0)
    for i in range(m.nv):
        bad = select(abs(d.qvel[i]) <= MAXVAL, bad, 1.0)
    forward(m, d)
    for i in range(m.nv):
        bad = select(abs(d.qacc[i]) <= MAXVAL, bad, 1.0)
        bad = select(d.qLDiagInv[i] < CLAMPED, bad, 1.0)
    fresh = select(d.fault > 0.5, 0.0, bad)
    if any_lane(fresh > 0.5):
        set_aside(m, d, fresh)
    if m.opt_integrator == RK4:
        rk4(m, d)
    else:
        euler_step(m, d)
    d.taken += select(d.fault > 0.5, 0.0, 1.0)


@kernel(lanes=True)
def set_aside(m, d, fresh):
    """Worlds that fail now keep the state from which this step started."""
    d.fault = select(fresh > 0.5, 1.0, d.fault)
    d.safe_time = select(fresh > 0.5, d.time, d.safe_time)
    for i in range(m.nq):
        d.safe_qpos[i] = select(fresh > 0.5, d.qpos[i], d.safe_qpos[i])
    for i in range(m.nv):
        d.safe_qvel[i] = select(fresh > 0.5, d.qvel[i], d.safe_qvel[i])
        d.safe_qacc[i] = select(fresh > 0.5, d.qacc_warmstart[i], d.safe_qacc[i])


@kernel(lanes=True)
def settle(m, d):
    """Worlds that failed go back to the state from which their failing step started."""
    if any_lane(d.fault > 0.5):
        d.time = select(d.fault > 0.5, d.safe_time, d.time)
        for i in range(m.nq):
            d.qpos[i] = select(d.fault > 0.5, d.safe_qpos[i], d.qpos[i])
        for i in range(m.nv):
            d.qvel[i] = select(d.fault > 0.5, d.safe_qvel[i], d.qvel[i])
            d.qacc_warmstart[i] = select(d.fault > 0.5, d.safe_qacc[i], d.qacc_warmstart[i])
