"""Sleep states of trees, and of bodies, tendons, actuators and sensors by their trees."""

from __future__ import annotations

from cortenforge.kernel import kernel
from cortenforge.step.constants import ON_BODY, ON_CRANK, ON_SITE, ON_TENDON, ON_TURN
from cortenforge.step.sleeping.numbers import (
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
def is_asleep(d, tree: int):
    """Whether a tree is asleep."""
    return d.tree_asleep[tree] >= 0.0


@kernel
def body_state(m, d, body: int):
    """Sleep state of a body: STATIC, ASLEEP or AWAKE.

    Mocap bodies are awake; other bodies without a tree are static.
    """
    tree = m.body_treeid[body]
    if tree >= 0:
        return ASLEEP if is_asleep(d, tree) else AWAKE
    return AWAKE if m.body_mocapid[m.body_rootid[body]] >= 0 else STATIC


@kernel
def tendon_state(m, d, tendon: int):
    """Sleep state of a tendon: asleep if the one or two trees that it joins are."""
    count = m.tendon_treenum[tendon]
    if count == 0:
        return STATIC
    asleep = is_asleep(d, m.tendon_treeid[tendon, 0])
    if count == 2:
        asleep = asleep and is_asleep(d, m.tendon_treeid[tendon, 1])
    return ASLEEP if asleep and count <= 2 else AWAKE


@kernel
def actuator_sleeps(m, d, actuator: int):
    """Whether an actuator is asleep: if what it acts on is."""
    kind = m.actuator_trntype[actuator]
    target = m.actuator_trnid[actuator, 0]
    second = m.actuator_trnid[actuator, 1]
    if kind == ON_TENDON:
        return tendon_state(m, d, target) == ASLEEP
    if kind == ON_BODY:
        return body_state(m, d, target) == ASLEEP
    if kind == ON_SITE:
        return body_state(m, d, m.site_bodyid[target]) == ASLEEP
    if kind == ON_CRANK or (kind == ON_TURN and second >= 0):
        one = body_state(m, d, m.site_bodyid[target])
        other = body_state(m, d, m.site_bodyid[second])
        return one != AWAKE and other != AWAKE
    return body_state(m, d, m.jnt_bodyid[target]) == ASLEEP


@kernel
def object_state(m, d, kind: int, number: int):
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
        return tendon_state(m, d, number)
    elif kind == ACTUATOR:
        return ASLEEP if actuator_sleeps(m, d, number) else AWAKE
    return body_state(m, d, body) if body >= 0 else AWAKE


@kernel
def sensor_sleeps(m, d, i: int):
    """Whether a sensor is asleep: its object is, and its reference is not awake."""
    kind = m.sensor_type[i]
    of, against = m.sensor_objtype[i], m.sensor_reftype[i]
    if kind == USER:
        return False
    if kind == RANGEFINDER:
        return False
    if kind == CONTACT and (of == SITE or against == SITE):
        return False
    one = object_state(m, d, of, m.sensor_objid[i])
    other = object_state(m, d, against, m.sensor_refid[i])
    if of == UNKNOWN:
        return other == ASLEEP
    if against == UNKNOWN:
        return one == ASLEEP
    return one != AWAKE and other != AWAKE
