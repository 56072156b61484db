"""Where a step calls functions of the user's: one unit for each, whose kernel can be exchanged.

Each unit calls a kernel that does what MuJoCo does without a callback. `model.callbacks` puts the
user's kernel in its place, or a Python function in the place of the unit; `m.called` has a bit for
each that is there, so that a model without callbacks neither loads nor calls these units.
"""

from __future__ import annotations

from cortenforge.kernel import bit, kernel, lane_bits, lowest_bit, without_lowest, world
from cortenforge.step.collision.candidates import first_geom, pair_of, second_geom
from cortenforge.step.collision.marks import own_marks, unmark
from cortenforge.step.status import fail, well
from cortenforge.step.statuses import BAD_CALLBACK

#: bits of `m.called`
CONTROL = 1
PASSIVE = 2
SENSOR = 4
ACT_DYN = 8
ACT_GAIN = 16
ACT_BIAS = 32
CONTACTFILTER = 64


@kernel(lanes=True)
def control(m, d):
    """Set d.ctrl: nothing, unless a user does.  Mirrors mjcb_control."""
    return


@kernel(lanes=True)
def passive(m, d):
    """Add to d.qfrc_passive: nothing, unless a user does.  Mirrors mjcb_passive."""
    return


@kernel(lanes=True)
def sensor(m, d, stage: int):
    """Fill d.sensordata of user sensors: nothing, unless a user does.  Mirrors mjcb_sensor."""
    return


@kernel(lanes=True)
def act_dyn(m, d, a: int):
    """Rate of an activation: none, unless a user says so.  Mirrors mjcb_act_dyn."""
    return 0.0


@kernel(lanes=True)
def act_gain(m, d, a: int):
    """Gain of an actuator: one, unless a user says so.  Mirrors mjcb_act_gain."""
    return 1.0


@kernel(lanes=True)
def act_bias(m, d, a: int):
    """Bias of an actuator: none, unless a user says so.  Mirrors mjcb_act_bias."""
    return 0.0


@kernel(lanes=True)
def contactfilter(m, d, g1: int, g2: int):
    """Whether two geoms must not touch: no, unless a user says so.  Mirrors mjcb_contactfilter."""
    return False


@kernel(lanes=True, unit=True)
def call_control(m, d):
    """What should the controls be?  Mirrors the call of mjcb_control in mj_forward."""
    control(m, d)


@kernel(lanes=True, unit=True)
def call_passive(m, d):
    """Which passive forces are there besides?  Mirrors the call of mjcb_passive in mj_passive."""
    passive(m, d)


@kernel(lanes=True, unit=True)
def call_sensor(m, d, stage: int):
    """What do user sensors read?  Mirrors the call of mjcb_sensor in mj_sensorPos and others."""
    sensor(m, d, stage)


@kernel(lanes=True, unit=True)
def call_act_dyn(m, d, a: int):
    """How do activations change?  Several are written by the callback.  Mirrors mj_fwdActuation."""
    rate = act_dyn(m, d, a)
    if m.actuator_actnum[a] == 1:
        d.act_dot[m.actuator_actadr[a]] = rate


@kernel(lanes=True, unit=True)
def call_act_gain(m, d, a: int):
    """What is an actuator's gain?  Mirrors the call of mjcb_act_gain in mj_fwdActuation."""
    d.user_gain[a] = act_gain(m, d, a)


@kernel(lanes=True, unit=True)
def call_act_bias(m, d, a: int):
    """What is an actuator's bias?  Mirrors the call of mjcb_act_bias in mj_fwdActuation."""
    d.user_bias[a] = act_bias(m, d, a)


@kernel(lanes=True, unit=True)
def call_contactfilter(m, d):
    """Which near pairs must not touch?  Their marks go.  Mirrors the call in mj_collision."""
    for w in range(m.nnearword):
        marked = bit(0) ^ bit(0)
        waiting = lane_bits(well(d))
        while waiting != 0:
            lane = lowest_bit(waiting)
            waiting = without_lowest(waiting)
            marked = marked | own_marks(world(d, lane), w)
        while marked != 0:
            p = 64 * w + lowest_bit(marked)
            marked = without_lowest(marked)
            # pairs of the description pass all filters
            if pair_of(m, p) < 0:
                out = contactfilter(m, d, first_geom(m, p), second_geom(m, p))
                unmark(d, p, out)


@kernel(lanes=True)
def finite(x):
    """Whether a real is a number, and not infinite."""
    return x - x == 0.0


@kernel(lanes=True)
def user_rates(m, d, a: int):
    """Rates of a user actuator, zero before the callback.  Mirrors mj_fwdActuation."""
    if m.called & ACT_DYN != 0:
        call_act_dyn(m, d, a)
        first = m.actuator_actadr[a]
        for j in range(first, first + m.actuator_actnum[a]):
            fail(d, not finite(d.act_dot[j]), BAD_CALLBACK, a, d.act_dot[j])


@kernel(lanes=True)
def user_gain(m, d, a: int):
    """Gain of a user actuator; one without a callback.  Mirrors mj_fwdActuation."""
    d.user_gain[a] = 1.0
    if m.called & ACT_GAIN != 0:
        call_act_gain(m, d, a)
        fail(d, not finite(d.user_gain[a]), BAD_CALLBACK, a, d.user_gain[a])
    return d.user_gain[a]


@kernel(lanes=True)
def user_bias(m, d, a: int):
    """Bias of a user actuator; zero without a callback.  Mirrors mj_fwdActuation."""
    d.user_bias[a] = 0.0
    if m.called & ACT_BIAS != 0:
        call_act_bias(m, d, a)
        fail(d, not finite(d.user_bias[a]), BAD_CALLBACK, a, d.user_bias[a])
    return d.user_bias[a]
