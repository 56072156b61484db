"""User callbacks of a step: one unit for each, whose kernel can be replaced.

Each unit calls a kernel that does what MuJoCo does without a callback. `model.callbacks` puts the
user's kernel in its place, or a Python function in the place of the unit; `m.called` has a bit for
each callback that is set, so that a model without callbacks neither loads nor calls these units.
The unit of the contact filter is `collision.contact_filter`.
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.status import fail
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
    """Set d.ctrl; does nothing by default.  Mirrors mjcb_control."""
    return


@kernel(lanes=True)
def passive(m, d):
    """Add to d.qfrc_passive; does nothing by default.  Mirrors mjcb_passive."""
    return


@kernel(lanes=True)
def sensor(m, d, stage: int):
    """Fill d.sensordata of user sensors; does nothing by default.  Mirrors mjcb_sensor."""
    return


@kernel(lanes=True)
def act_dyn(m, d, a: int):
    """Time derivative of an activation; 0 by default.  Mirrors mjcb_act_dyn."""
    return 0.0


@kernel(lanes=True)
def act_gain(m, d, a: int):
    """Gain of an actuator; 1 by default.  Mirrors mjcb_act_gain."""
    return 1.0


@kernel(lanes=True)
def act_bias(m, d, a: int):
    """Bias of an actuator; 0 by default.  Mirrors mjcb_act_bias."""
    return 0.0


@kernel(lanes=True, unit=True)
def call_control(m, d):
    """Call mjcb_control.  Mirrors mj_forward."""
    control(m, d)


@kernel(lanes=True, unit=True)
def call_passive(m, d):
    """Call mjcb_passive.  Mirrors mj_passive."""
    passive(m, d)


@kernel(lanes=True, unit=True)
def call_sensor(m, d, stage: int):
    """Call mjcb_sensor for a stage.  Mirrors mj_sensorPos, mj_sensorVel and mj_sensorAcc."""
    sensor(m, d, stage)


@kernel(lanes=True, unit=True)
def call_act_dyn(m, d, a: int):
    """Call mjcb_act_dyn and store its result in act_dot.  Mirrors mj_fwdActuation.

    Of an actuator with several activations, the callback writes act_dot itself.
    """
    rate = act_dyn(m, d, a)
    if m.actuator_actnum[a] == 1:
        d.act_dot[m.actuator_actadr[a]] = rate


@kernel(lanes=True, unit=True)
def call_act_gain(m, d, a: int):
    """user_gain from mjcb_act_gain.  Mirrors mj_fwdActuation."""
    d.user_gain[a] = act_gain(m, d, a)


@kernel(lanes=True, unit=True)
def call_act_bias(m, d, a: int):
    """user_bias from mjcb_act_bias.  Mirrors mj_fwdActuation."""
    d.user_bias[a] = act_bias(m, d, a)


@kernel(lanes=True)
def is_finite_real(x):
    """Whether x is finite."""
    return x - x == 0.0


@kernel(lanes=True)
def user_rates(m, d, a: int):
    """act_dot of a user actuator, from the callback; must be finite.  Mirrors mj_fwdActuation."""
    if m.called & ACT_DYN != 0:
        call_act_dyn(m, d, a)
        first = m.actuator_actadr[a]
        for j in range(first, first + m.actuator_actnum[a]):
            fail(d, not is_finite_real(d.act_dot[j]), BAD_CALLBACK, a, d.act_dot[j])


@kernel(lanes=True)
def user_gain(m, d, a: int):
    """Gain of a user actuator; 1 without a callback.  Mirrors mj_fwdActuation."""
    d.user_gain[a] = 1.0
    if m.called & ACT_GAIN != 0:
        call_act_gain(m, d, a)
        fail(d, not is_finite_real(d.user_gain[a]), BAD_CALLBACK, a, d.user_gain[a])
    return d.user_gain[a]


@kernel(lanes=True)
def user_bias(m, d, a: int):
    """Bias of a user actuator; 0 without a callback.  Mirrors mj_fwdActuation."""
    d.user_bias[a] = 0.0
    if m.called & ACT_BIAS != 0:
        call_act_bias(m, d, a)
        fail(d, not is_finite_real(d.user_bias[a]), BAD_CALLBACK, a, d.user_bias[a])
    return d.user_bias[a]
