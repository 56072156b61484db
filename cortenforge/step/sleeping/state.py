"""Who sleeps: trees, and what belongs to them."""

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
    """Whether a tree sleeps."""
    return d.tree_asleep[tree] >= 0.0


@kernel
def body_state(m, d, body: int):
    """Does a body sleep?  Mirrors body_awake: mocap bodies are awake, the ground is neither."""
    tree = m.body_treeid[body]
    if tree >= 0:
        return ASLEEP if is_asleep(d, tree) else AWAKE
    return AWAKE if m.body_mocapid[m.body_rootid[body]] >= 0 else STATIC


@kernel
def tendon_state(m, d, tendon: int):
    """Does a tendon sleep?  It does if the one or two trees that it joins do."""
    count = m.tendon_treenum[tendon]
    if count == 0:
        return STATIC
    asleep = is_asleep(d, m.tendon_treeid[tendon, 0])
    if count == 2:
        asleep = asleep and is_asleep(d, m.tendon_treeid[tendon, 1])
    return ASLEEP if asleep and count <= 2 else AWAKE


@kernel
def actuator_sleeps(m, d, actuator: int):
    """Does an actuator sleep?  It does with what it acts on."""
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
    """Does an object sleep?  Mirrors mj_sleepState; what has no object is awake."""
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
    """Does a sensor sleep?  It does if what it reads does, and nothing awake is its reference."""
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
