"""Joints: type, limits, axis and anchor in the body, springs, reference positions.

`springdamper` = (timeconst, dampratio) becomes stiffness k and damping b by the inertia m that the
joint has in the reference position:

    m = nv / sum(dof_invweight0),   k = m / (timeconst dampratio)^2,   b = 2 m / timeconst

See MuJoCo: XML reference, "joint/springdamper".
"""

from __future__ import annotations

import numpy as np

from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.records import Body, Joint
from cortenforge.enums import JointType
from cortenforge.problems import each_valid
from cortenforge.spec import Element
from cortenforge.spec.attribute import flag, integer, keyword, number, numbers, vector3
from cortenforge.spec.rotation import (
    UNIT_QUAT,
    ZERO_VECTOR,
    compose_poses,
    normalized,
    rotate,
    vector_norm,
)

JOINT_TYPE_WORDS = {
    "free": JointType.FREE,
    "ball": JointType.BALL,
    "slide": JointType.SLIDE,
    "hinge": JointType.HINGE,
}
ROTATIONAL_JOINTS = (JointType.BALL, JointType.HINGE)


def compile_joints(body: Body, settings: CompilerSettings) -> None:
    """Read the body's joints, and check that they can stand together on one body."""
    each_valid(compile_joint, body.joints, settings)
    _check_joint_combination(body)


def compile_joint(joint: Joint, settings: CompilerSettings) -> None:
    """Read one joint."""
    element = joint.element
    settings = settings.of(element)
    joint.group = integer(element, "group")
    if element.tag == "freejoint":
        joint.type = JointType.FREE
        joint.align = keyword(element, "align")
        return
    joint.type = JOINT_TYPE_WORDS[keyword(element, "type")]
    _read_joint_numbers(joint, element)
    _set_limits(joint, settings)
    _set_axis_and_anchor(joint)
    if joint.type == JointType.HINGE and settings.degree:
        joint.ref = settings.radians(joint.ref)
        joint.springref = settings.radians(joint.springref)
    if joint.type in ROTATIONAL_JOINTS and settings.degree:
        joint.springyield = settings.radians(joint.springyield)
    if joint.type == JointType.FREE and joint.springyield:
        raise element.error("not for free joints: their spring has no plastic state", "springyield")


def _read_joint_numbers(joint: Joint, element: Element) -> None:
    joint.axis = vector3(element, "axis")
    joint.range = numbers(element, "range")
    joint.actfrcrange = numbers(element, "actuatorfrcrange")
    joint.actgravcomp = flag(element, "actuatorgravcomp")
    joint.solref_limit = numbers(element, "solreflimit")
    joint.solimp_limit = numbers(element, "solimplimit")
    joint.solref_friction = numbers(element, "solreffriction")
    joint.solimp_friction = numbers(element, "solimpfriction")
    joint.stiffness = numbers(element, "stiffness")
    joint.damping = numbers(element, "damping")
    joint.springdamper = numbers(element, "springdamper")
    for name in ("margin", "ref", "springref", "springyield", "armature", "frictionloss"):
        setattr(joint, name, number(element, name))
    if any(joint.springdamper) and min(joint.springdamper) <= 0:
        raise element.error(
            "expected two positive numbers (time constant, damping ratio)", "springdamper"
        )


def _set_limits(joint: Joint, settings: CompilerSettings) -> None:
    """Decide whether position and actuator force are limited, and put ranges in radians."""
    kind = joint.type
    # a free joint has no limits, whatever its attributes say
    if kind != JointType.FREE:
        joint.limited = _joint_is_limited(joint, "limited", "range", joint.range, settings)
    if kind in (JointType.SLIDE, JointType.HINGE):
        joint.actfrclimited = _joint_is_limited(
            joint, "actuatorfrclimited", "actuatorfrcrange", joint.actfrcrange, settings
        )
    if not joint.limited:
        return
    low, high = joint.range
    if kind == JointType.BALL and low:
        raise joint.element.error("the range of a ball joint must start at 0", "range")
    if settings.degree and kind in ROTATIONAL_JOINTS:
        joint.range = (settings.radians(low), settings.radians(high))


def _joint_is_limited(
    joint: Joint, switch: str, name: str, limits: tuple[float, ...], settings: CompilerSettings
) -> bool:
    """True when a range counts: it is given, and its switch does not say no."""
    element = joint.element
    word = keyword(element, switch)
    if word == "auto" and any(limits) and not settings.autolimits:
        raise element.error(
            f"a range without {switch}, while the compiler's autolimits is false",
            name,
            hint=f'write {switch}="true" or "false", or use <compiler autolimits="true"/>',
        )
    limited = word == "true" or (word == "auto" and any(limits))
    # MuJoCo takes a reversed range without `limited` for none; it is more likely a mistake
    if limited and limits[0] >= limits[1] and (word == "auto" or joint.type != JointType.BALL):
        raise element.error("the lower limit must be below the upper one", name)
    return limited


def _set_axis_and_anchor(joint: Joint) -> None:
    """Axis and anchor in the body's frame; free and ball joints have a fixed axis."""
    if joint.type in (JointType.FREE, JointType.BALL):
        joint.axis = (0.0, 0.0, 1.0)
    else:
        axis = rotate(joint.frame[1], joint.axis)
        if vector_norm(axis) == 0.0:
            raise joint.element.error("this axis is too short to have a direction", "axis")
        joint.axis = normalized(axis)
    if joint.type == JointType.FREE:
        joint.pos = ZERO_VECTOR
    else:
        anchor = vector3(joint.element, "pos")
        joint.pos = compose_poses(joint.frame, (anchor, UNIT_QUAT))[0]


def _check_joint_combination(body: Body) -> None:
    """A free joint stands alone; after a ball come only slides; at most 6 dofs."""
    kinds = [joint.type for joint in body.joints]
    if JointType.FREE in kinds:
        free = body.joints[kinds.index(JointType.FREE)].element
        if len(kinds) > 1:
            raise free.error("a free joint must be the only joint of its body")
    ball = False
    for joint in body.joints:
        if ball and joint.type in ROTATIONAL_JOINTS:
            raise joint.element.error("no rotation can follow a ball joint on the same body")
        ball = ball or joint.type == JointType.BALL
    if body.dofnum > 6:
        raise body.element.error(f"a body has at most 6 degrees of freedom, not {body.dofnum}")
    if body.mocap and body.joints:
        raise body.element.error("a mocap body has no joints", "mocap")


def check_free_joint(body: Body) -> None:
    """A free joint needs the world as parent; fusing static bodies can make it so."""
    for joint in body.joints:
        if joint.type == JointType.FREE and body.holder.parent is not None:
            raise joint.element.error("a free joint is only possible on a child of the world")


def resolve_spring_dampers(joints: list[Joint], arrays: dict[str, np.ndarray]) -> None:
    """Set jnt_stiffness and dof_damping of joints with a `springdamper`."""
    for joint in joints:
        timeconst, dampratio = joint.springdamper
        if timeconst <= 0 or dampratio <= 0:
            continue
        dofs = slice(joint.dofadr, joint.dofadr + joint.nv)
        inertia = joint.nv / max(1e-15, arrays["dof_invweight0"][dofs].sum())
        arrays["jnt_stiffness"][joint.id] = inertia / max(1e-15, (timeconst * dampratio) ** 2)
        arrays["dof_damping"][dofs] = 2 * inertia / max(1e-15, timeconst)
