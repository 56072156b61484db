"""Sleep states of trees, and of bodies, tendons, actuators and sensors by their trees.

Source: MuJoCo: Computation, "Sleeping islands".
"""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import TRN_BODY, TRN_SITE, TRN_SLIDERCRANK, TRN_SO3, TRN_TENDON
from cortenforge.step.sleeping.sleep_constants import (
    ACTUATOR,
    ASLEEP,
    AWAKE,
    BODY,
    CAMERA,
    CONTACT,
    GEOM,
    JOINT,
    RANGEFINDER,
    SITE,
    STATIC,
    TENDON,
    UNKNOWN,
    USER,
    XBODY,
)


@kernel
def is_tree_asleep(d, tree: int):
    """Whether a tree is asleep."""
    return d.tree_asleep[tree] >= 0.0


@kernel
def body_sleep_state(m, d, body: int):
    """Sleep state of a body: STATIC, ASLEEP or AWAKE.

    Mocap bodies are awake; other bodies without a tree are static.
    """
    tree = m.body_treeid[body]
    if tree >= 0:
        return ASLEEP if is_tree_asleep(d, tree) else AWAKE
    return AWAKE if m.body_mocapid[m.body_rootid[body]] >= 0 else STATIC


@kernel
def tendon_sleep_state(m, d, tendon: int):
    """Sleep state of a tendon: asleep if the one or two trees that it joins are."""
    count = m.tendon_treenum[tendon]
    if count == 0:
        return STATIC
    asleep = is_tree_asleep(d, m.tendon_treeid[tendon, 0])
    if count == 2:
        asleep = asleep and is_tree_asleep(d, m.tendon_treeid[tendon, 1])
    return ASLEEP if asleep and count <= 2 else AWAKE


@kernel
def is_actuator_asleep(m, d, actuator: int):
    """Whether an actuator is asleep: if what it acts on is."""
    kind = m.actuator_trntype[actuator]
    target = m.actuator_trnid[actuator, 0]
    second = m.actuator_trnid[actuator, 1]
    if kind == TRN_TENDON:
        return tendon_sleep_state(m, d, target) == ASLEEP
    if kind == TRN_BODY:
        return body_sleep_state(m, d, target) == ASLEEP
    if kind == TRN_SITE:
        return body_sleep_state(m, d, m.site_bodyid[target]) == ASLEEP
    if kind == TRN_SLIDERCRANK or (kind == TRN_SO3 and second >= 0):
        one = body_sleep_state(m, d, m.site_bodyid[target])
        other = body_sleep_state(m, d, m.site_bodyid[second])
        return one != AWAKE and other != AWAKE
    return body_sleep_state(m, d, m.jnt_bodyid[target]) == ASLEEP


@kernel
def object_sleep_state(m, d, kind: int, number: int):
    """Sleep state of an object of any type; awake if there is none.  Mirrors mj_sleepState."""
    body = -1
    # bodies are meant by their inertial frame or by their own
    if kind >= BODY and kind <= XBODY:
        body = number
    elif kind == JOINT:
        body = m.jnt_bodyid[number]
    elif kind == GEOM:
        body = m.geom_bodyid[number]
    elif kind == SITE:
        body = m.site_bodyid[number]
    elif kind == CAMERA:
        body = m.cam_bodyid[number]
    elif kind == TENDON:
        return tendon_sleep_state(m, d, number)
    elif kind == ACTUATOR:
        return ASLEEP if is_actuator_asleep(m, d, number) else AWAKE
    return body_sleep_state(m, d, body) if body >= 0 else AWAKE


@kernel
def is_sensor_asleep(m, d, i: int):
    """Whether a sensor is asleep: its object is, and its reference is not awake."""
    kind = m.sensor_type[i]
    of, against = m.sensor_objtype[i], m.sensor_reftype[i]
    if kind == USER:
        return False
    if kind == RANGEFINDER:
        return False
    if kind == CONTACT and (of == SITE or against == SITE):
        return False
    one = object_sleep_state(m, d, of, m.sensor_objid[i])
    other = object_sleep_state(m, d, against, m.sensor_refid[i])
    if of == UNKNOWN:
        return other == ASLEEP
    if against == UNKNOWN:
        return one == ASLEEP
    return one != AWAKE and other != AWAKE
