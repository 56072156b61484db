"""Keyframes after a deletion: values of deleted elements are removed."""

from __future__ import annotations

import numpy as np

from cortenforge.errors import MjcfError
from cortenforge.spec.element import Element
from cortenforge.spec.spec import Spec

#: what a joint takes of qpos and qvel, by its type
QPOS_SIZES = {"free": 7, "ball": 4}
QVEL_SIZES = {"free": 6, "ball": 3}


class KeyframeLayout:
    """Which element each number of a keyframe belongs to."""

    def __init__(self, spec: Spec) -> None:
        bodies = [one for one in spec.worldbody.walk() if one.tag == "body"]
        joints = [joint for body in bodies for joint in _body_joints(body)]
        mocap = [body for body in bodies if body["mocap"] is True]
        self._owners: dict[str, list[tuple[Element, int]]] = {
            "qpos": [(joint, QPOS_SIZES.get(_joint_type_word(joint), 1)) for joint in joints],
            "qvel": [(joint, QVEL_SIZES.get(_joint_type_word(joint), 1)) for joint in joints],
            "mpos": [(body, 3) for body in mocap],
            "mquat": [(body, 4) for body in mocap],
        }
        if any(key.given("ctrl") or key.given("act") for key in spec.keys):
            self._owners |= _actuator_sizes(spec)

    def keep(self, spec: Spec) -> None:
        """Drop from all keyframes the numbers of elements that are no longer in a description."""
        for name, owners in self._owners.items():
            kept = np.concatenate(
                [np.zeros(0, bool), *(np.full(n, one.spec is spec) for one, n in owners)]
            )
            for key in spec.keys:
                values = key.attributes.get(name)
                # numbers that do not fit are left for the compiler to complain about
                if isinstance(values, np.ndarray) and len(values) == len(kept):
                    key.attributes[name] = values[kept]


def _body_joints(body: Element) -> list[Element]:
    """Joints of a body and of the frames in it, in document order."""
    found: list[Element] = []
    for child in body.children:
        if child.tag in ("joint", "freejoint"):
            found.append(child)
        elif child.tag == "frame":
            found += _body_joints(child)
    return found


def _joint_type_word(joint: Element) -> str:
    return "free" if joint.tag == "freejoint" else str(joint["type"])


def _actuator_sizes(spec: Spec) -> dict[str, list[tuple[Element, int]]]:
    """Controls and activations of each actuator, which only the compiler can count."""
    try:
        model = spec.compile()
    except MjcfError:
        return {}
    counts = {"ctrl": model.actuator_ctrlnum, "act": model.actuator_actnum}
    return {
        name: list(zip(spec.actuators, numbers.tolist(), strict=True))
        for name, numbers in counts.items()
    }
