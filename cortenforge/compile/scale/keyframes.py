"""Keyframes of scaled elements: factors and offsets of their values."""

from __future__ import annotations

import numpy as np

from cortenforge.compile.elements.orientation import element_pose
from cortenforge.compile.options import CompilerSettings
from cortenforge.compile.pack.tree import NumberedTree
from cortenforge.compile.records import Body
from cortenforge.compile.scale.actuators import control_factors
from cortenforge.compile.scale.wiring import ScaleMap
from cortenforge.compile.wiring.actuators import CompiledActuator
from cortenforge.enums import JointType
from cortenforge.spec import Element
from cortenforge.spec.rotation import IDENTITY_POSE, compose_poses

LENGTH_COUNTS = {JointType.FREE: 3, JointType.SLIDE: 1}


class KeyframeScale:
    """Factors of the vectors of a keyframe, and offsets of positions in the world."""

    def __init__(self, places: ScaleMap, tree: NumberedTree, settings: CompilerSettings) -> None:
        self.places, self.settings = places, settings
        self.factors: dict[str, np.ndarray] = {}
        self.offsets: dict[str, np.ndarray] = {}
        if not places.chains:
            return
        self._joints(tree)
        mocaps = [body for body in tree.bodies if body.mocap]
        scales = [places.scale_of(body.element).s for body in mocaps]
        self.factors["mpos"] = np.repeat(np.array(scales), 3)
        self.offsets["mpos"] = np.array([self._offset(body) for body in mocaps]).ravel()

    def _joints(self, tree: NumberedTree) -> None:
        self.factors |= {"qpos": np.ones(tree.nq), "qvel": np.ones(tree.nv)}
        self.offsets["qpos"] = np.zeros(tree.nq)
        for body in tree.bodies:
            for joint in body.joints:
                count, s = LENGTH_COUNTS.get(joint.type, 0), self.places.scale_of(joint.element).s
                self.factors["qpos"][joint.qposadr : joint.qposadr + count] = s
                self.factors["qvel"][joint.dofadr : joint.dofadr + count] = s
                if joint.type == JointType.FREE:
                    at = slice(joint.qposadr, joint.qposadr + 3)
                    self.offsets["qpos"][at] = self._offset(body)

    def _offset(self, body: Body) -> np.ndarray:
        """Where a scaled frame puts the origin of the world, seen from a body in the world."""
        frames: list[Element] = []
        parent = body.element.parent
        while parent is not None and parent.tag == "frame":
            frames.insert(0, parent)
            parent = parent.parent
        before = IDENTITY_POSE
        for frame in frames:
            pos, quat = element_pose(frame, self.settings)
            s = self.places.scale_of(frame).s
            before = compose_poses(before, ((pos[0] / s, pos[1] / s, pos[2] / s), quat))
        factor = self.places.scale_of(body.element).s
        return np.array(body.frame[0]) - factor * np.array(before[0])

    def add_plastic(
        self,
        tree: NumberedTree,
        tendons: list[Element],
        arrays: dict[str, np.ndarray],
        nplastic: int,
    ) -> None:
        """Set factors of the plastic state."""
        if not self.factors:
            return
        factors = self.factors["plastic"] = np.ones(nplastic)
        for joint in tree.joints:
            at = int(arrays["jnt_plasticadr"][joint.id])
            if at >= 0 and joint.type == JointType.SLIDE:
                factors[at] = self.places.scale_of(joint.element).s
        for tendon, at in zip(tendons, arrays["tendon_plasticadr"].tolist(), strict=True):
            if at >= 0:
                factors[at : at + 2] = self.places.tendons[id(tendon)].length

    def add_signals(self, actuators: list[CompiledActuator]) -> None:
        """Set factors of controls and activations."""
        if not self.factors:
            return
        units = self.places.actuators
        signals = [control_factors(one, units[id(one.element)]) for one in actuators]
        self.factors["ctrl"] = np.array([one for controls, _ in signals for one in controls])
        self.factors["act"] = np.array([one for _, states in signals for one in states])

    def apply(self, name: str, given: tuple[float, ...], at: int = 0) -> np.ndarray:
        """Scaled values of a vector of a keyframe, or of a part that begins at `at`."""
        values = np.array(given, float)
        part = slice(at, at + len(given))
        if name in self.factors:
            values = values * self.factors[name][part]
        return values + self.offsets[name][part] if name in self.offsets else values
