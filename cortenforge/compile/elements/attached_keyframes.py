"""Keyframes of attached models: values copied to the addresses of their elements here."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.elements.joints import JOINT_TYPE_WORDS
from cortenforge.compile.pack.tree import NumberedTree
from cortenforge.compile.scale.keyframes import KeyframeScale
from cortenforge.compile.wiring.actuators import control_and_activation_counts
from cortenforge.enums import JointType
from cortenforge.spec import Element, Spec
from cortenforge.spec.attribute import keyword, number_list
from cortenforge.spec.editing.keyframes import AttachedKeyframe

QPOS_WIDTHS = {JointType.FREE: 7, JointType.BALL: 4, JointType.SLIDE: 1, JointType.HINGE: 1}
QVEL_WIDTHS = {JointType.FREE: 6, JointType.BALL: 3, JointType.SLIDE: 1, JointType.HINGE: 1}

ElementSizes = list[int]


def fill_attached_keyframes(
    result: dict[str, np.ndarray],
    spec: Spec,
    tree: NumberedTree,
    arrays: dict[str, np.ndarray],
    scale: KeyframeScale,
) -> None:
    """Write the values of attached keyframes into the rows of key_* arrays."""
    attached = [key for key in spec.keys if key.origin is not None]
    if not attached:
        return
    first = len(result["key_time"]) - len(attached)
    rows = {key.name: first + i for i, key in enumerate(attached)}
    filler = _KeyframeFiller(result, rows, scale)
    for joint in tree.joints:
        filler.copy_values(joint.element, "qpos", joint.qposadr)
        filler.copy_values(joint.element, "qvel", joint.dofadr)
    mocaps = [body for body in tree.bodies if body.mocap]
    for i, body in enumerate(mocaps):
        filler.copy_values(body.element, "mpos", 3 * i)
        filler.copy_values(body.element, "mquat", 4 * i)
    for i, element in enumerate(spec.actuators):
        filler.copy_values(element, "ctrl", int(arrays["actuator_ctrladr"][i]))
        filler.copy_values(element, "act", int(arrays["actuator_actadr"][i]))


class _KeyframeFiller:
    """Copies the values of elements from attached keyframes; layouts are computed once."""

    def __init__(
        self, result: dict[str, np.ndarray], rows: dict[str, int], scale: KeyframeScale
    ) -> None:
        self.result = result
        self.rows = rows
        self.scale = scale
        self.layouts: dict[int, dict[str, ElementSizes]] = {}

    def copy_values(self, element: Element, name: str, address: int) -> None:
        """Write an element's share of one vector of each keyframe that it has a share in."""
        for label, (moment, place) in element.moments.items():
            if number_list(moment.key, "plastic"):
                raise moment.key.error("not supported yet in an attached model", "plastic")
            given = number_list(moment.key, name)
            if not given or label not in self.rows:
                continue
            sizes = self._layout(moment)[name]
            start = sum(sizes[:place])
            share = given[start : start + sizes[place]]
            if len(share) < sizes[place] and name in ("mpos", "mquat"):
                continue
            row = self.result[f"key_{name}"][self.rows[label]]
            row[address : address + len(share)] = self.scale.apply(name, share, address)

    def _layout(self, moment: AttachedKeyframe) -> dict[str, ElementSizes]:
        if id(moment) not in self.layouts:
            layout = _layout(moment)
            for name, sizes in layout.items():
                given = number_list(moment.key, name)
                if len(given) > sum(sizes):
                    raise moment.key.error(f"expected {sum(sizes)} numbers, not {len(given)}", name)
            self.layouts[id(moment)] = layout
        return self.layouts[id(moment)]


def _layout(moment: AttachedKeyframe) -> dict[str, ElementSizes]:
    """How many numbers of each vector belong to each element, in order."""
    types = [element_joint_type(joint) for joint in moment.joints]
    by_name = {
        joint.name: kind for joint, kind in zip(moment.joints, types, strict=True) if joint.name
    }
    signals = [control_and_activation_counts(actuator, by_name) for actuator in moment.actuators]
    return {
        "qpos": [QPOS_WIDTHS[kind] for kind in types],
        "qvel": [QVEL_WIDTHS[kind] for kind in types],
        "mpos": [3] * len(moment.mocaps),
        "mquat": [4] * len(moment.mocaps),
        "ctrl": [controls for controls, _ in signals],
        "act": [states for _, states in signals],
    }


def element_joint_type(element: Element) -> JointType:
    """The type of a joint that is not compiled."""
    free = element.tag == "freejoint"
    return JointType.FREE if free else JOINT_TYPE_WORDS[keyword(element, "type")]
