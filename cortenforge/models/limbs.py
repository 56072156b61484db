"""Limbs that tendons move: an arm with Hill muscles, a finger with a flexor and an extensor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cortenforge.models.looks import light_up
from cortenforge.muscles import PRESETS
from cortenforge.spec import Element, Spec

if TYPE_CHECKING:
    from cortenforge.model import Model

BONE = [0.9, 0.86, 0.78, 1]
LOOKS = {"rgba": BONE, "contype": 0, "conaffinity": 0}
#: lengths of upper arm and forearm, and of the bones of a finger [m]
UPPER, LOWER = 0.3, 0.28
PHALANGES = (0.045, 0.027, 0.02)


def muscle_arm(*, tendon_strain: float = 0.0) -> Model:
    """An arm that hangs from its shoulder, and bends its elbow by biceps and triceps.

    tendon_strain: of both tendons at full force; 0, the default, makes them rigid.
    Joint `elbow` is 0 when the arm is straight, and positive when it bends; the upper arm is fixed.
    Tendons and actuators are `biceps` and `triceps`, site `hand` is its end. Both muscles are at
    their best length when it is bent by 60 degrees, with moment arms of some 5 and 2 cm; ligaments,
    springs with a wide dead band, keep it between 0 and 120 degrees.
    """
    spec = _start("muscle arm")
    upper = spec.worldbody.add_body(name="upper_arm", pos=[0, 0, 1.4])
    upper.add_geom(type="capsule", fromto=[0, 0, 0, 0, 0, -UPPER], size=0.03, mass=2, **LOOKS)
    upper.add_site(name="shoulder_front", pos=[0.03, 0, 0])
    upper.add_site(name="shoulder_back", pos=[-0.03, 0, 0])
    upper.add_geom(
        name="elbow",
        type="cylinder",
        pos=[0, 0, -UPPER],
        size=[0.02, 0.03],
        euler=[90, 0, 0],
        mass=0,
        **LOOKS,
    )
    upper.add_site(name="behind_elbow", pos=[-0.05, 0, -UPPER])
    lower = upper.add_body(name="forearm", pos=[0, 0, -UPPER])
    lower.add_joint(name="elbow", axis=[0, -1, 0], damping=0.3)
    lower.add_geom(type="capsule", fromto=[0, 0, 0, 0, 0, -LOWER], size=0.025, mass=1.5, **LOOKS)
    lower.add_site(name="radius", pos=[0.02, 0, -0.05])
    lower.add_site(name="ulna", pos=[-0.02, 0, -0.03])
    lower.add_site(name="hand", pos=[0, 0, -LOWER])
    front = spec.add_tendon("spatial", name="biceps", rgba=[0.8, 0.2, 0.2, 1])
    back = spec.add_tendon("spatial", name="triceps", rgba=[0.8, 0.2, 0.2, 1])
    for site in ("shoulder_front", "radius"):
        front.add("site", site=site)
    back.add("site", site="shoulder_back")
    back.add("geom", geom="elbow", sidesite="behind_elbow")
    back.add("site", site="ulna")
    ligaments = spec.add_tendon(
        "fixed", name="ligaments", stiffness=200, damping=1, springlength=[0, 2]
    )
    ligaments.add("joint", joint="elbow", coef=1)
    # the lengths of both paths at 60 degrees, where fibres are at their best
    for name, length in (("biceps", 0.30856056), ("triceps", 0.35111045)):
        preset = PRESETS[name]
        best = preset.slack + preset.lopt * math.cos(preset.pennation)
        spec.add_actuator(
            "hillmuscle",
            name=name,
            tendon=name,
            preset=name,
            strain=tendon_strain,
            offset=best - length,
        )
    return spec.compile()


def tendon_finger() -> Model:
    """A finger of three bones that one tendon bends and another one stretches.

    Joints `knuckle`, `middle` and `tip` are 0 when it is straight, and positive when it bends; site
    `fingertip` is its end. The tendons `flexor` and `extensor` run along its sides, in front of and
    behind all joints. Motors of the same names pull them with a control from 0 to 1, up to 20 N.
    """
    spec = _start("tendon finger")
    spec.option["gravity"] = [0, 0, 0]
    bone = spec.worldbody.add_body(name="hand", pos=[0, 0, 0.2])
    bone.add_geom(type="box", size=[0.015, 0.03, 0.03], pos=[0, 0, 0.03], **LOOKS)
    sites = {"flexor": [_guide(bone, "flexor", 0, 0.01)]}
    sites["extensor"] = [_guide(bone, "extensor", 0, 0.01)]
    height = 0.0
    names = ("knuckle", "middle", "tip")
    for i, (name, length) in enumerate(zip(names, PHALANGES, strict=True), 1):
        bone = bone.add_body(name=f"bone{i}", pos=[0, 0, height])
        bone.add_joint(name=name, axis=[0, -1, 0], stiffness=0.02, damping=0.002, armature=1e-5)
        bone.add_geom(
            type="capsule", fromto=[0, 0, 0, 0, 0, -length], size=0.007, mass=0.02, **LOOKS
        )
        for tendon, guides in sites.items():
            guides += [
                _guide(bone, tendon, i, -0.2 * length),
                _guide(bone, tendon, i, -0.8 * length),
            ]
        height = -length
    bone.add_site(name="fingertip", pos=[0, 0, height])
    for tendon, guides in sites.items():
        path = spec.add_tendon("spatial", name=tendon, rgba=[0.3, 0.4, 0.8, 1], width=0.001)
        for guide in guides:
            path.add("site", site=guide)
        spec.add_actuator("motor", name=tendon, tendon=tendon, gear=-20, ctrlrange=[0, 1])
    return spec.compile()


def _start(name: str) -> Spec:
    spec = Spec(name)
    spec.option["timestep"] = 0.001
    light_up(spec)
    return spec


def _guide(bone: Element, tendon: str, number: int, height: float) -> str:
    """A site that holds a tendon to its side of a bone; returns its name."""
    name = f"{tendon}{number}{'a' if height > -0.01 else 'b'}"
    side = 0.006 if tendon == "flexor" else -0.006
    bone.add_site(name=name, pos=[side, 0, height], size=0.001)
    return name
