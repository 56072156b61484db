"""Seeded random MJCF models, and random states of them.

`random_model(seed)` has everything that compiles, mixed freely. `smooth_model(seed)` is the same
tree without contacts, tendons, actuators and constraints: what the engine can step;
`sensed_model(seed)` has sensors beside. The same seed gives the same text on every machine. Masses,
inertias and springs stay within two or three decades, so that a difference of 1e-10 between two
engines means a bug and not rounding.
"""

from __future__ import annotations

from xml.etree import ElementTree

from conformance import elements
from conformance.actuators import add_actuators
from conformance.asset import add_assets
from conformance.classes import add_classes
from conformance.details import add_details
from conformance.draw import Draw, text
from conformance.mesh import add_meshes
from conformance.references import add_tuples, fill_keyframes
from conformance.sections import Choices, write_sections
from conformance.sensors import add_sensors, keep_smooth_sensors
from conformance.settings import set_free
from conformance.structure import add_structure
from conformance.wiring import Wires
from cortenforge.compare import load_reference
from cortenforge.compare.states import State, random_state

__all__ = [
    "State",
    "random_model",
    "random_state",
    "sensed_model",
    "smooth_model",
    "smooth_tree",
    "written",
]

MAX_BODIES = 15
#: seeds of what is added to a smooth model, apart from those of its tree
ADDED = 10**6
Node = ElementTree.Element


def smooth_model(seed: int, integrator: str = "Euler") -> str:
    """MJCF text of a random contact-free model.

    >>> smooth_model(7).startswith("<mujoco")
    True
    """
    return written(smooth_tree(seed, integrator))


def sensed_model(seed: int, integrator: str = "Euler", *, sampled: bool = False) -> str:
    """A smooth model with sensors that need neither contacts nor constraints.

    sampled: some of them are delayed, or read from time to time.

    >>> "<sensor>" in sensed_model(7)
    True
    """
    root = smooth_tree(seed, integrator)
    add_sensors(root, Draw(seed + ADDED), most=60)
    keep_smooth_sensors(root, sampled=sampled)
    return written(root)


def random_model(seed: int) -> str:
    """MJCF text of a random model of everything; MuJoCo counts the controls for its keyframes.

    >>> "<tendon>" in random_model(3)
    True
    """
    root = smooth_tree(seed, "Euler", meshes=0.6)
    draw = Draw(seed + ADDED)
    compiler = root.find("compiler")
    assert compiler is not None
    draw.degrees = compiler.get("angle") != "radian"
    set_free(root, draw)
    add_structure(root, draw)
    Wires(draw, root).add()
    add_actuators(root, draw)
    add_sensors(root, draw, most=16)
    add_details(root, draw)
    add_classes(root, draw)
    add_tuples(root, draw)
    fill_keyframes(root, draw, load_reference(written(root)))
    return written(root)


def smooth_tree(seed: int, integrator: str, meshes: float = 0.3) -> Node:
    """A document of bodies, assets and settings; `meshes` is the share of models with some."""
    draw = Draw(seed)
    root = ElementTree.Element("mujoco", model=f"random {seed}")
    choices = Choices.random(draw)
    world = Tree(draw, choices).build()
    write_sections(root, world, draw, choices, integrator)
    add_assets(root, seed)
    add_meshes(root, seed, meshes)
    return root


def written(root: Node) -> str:
    """A document as text."""
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode")


class Tree:
    """Builds the worldbody of one model."""

    def __init__(self, draw: Draw, choices: Choices) -> None:
        self.draw, self.choices = draw, choices
        self.budget = draw.whole(1, MAX_BODIES)
        self.targets: list[str] = []  # bodies that cameras and lights can look at
        self.count = 0

    def build(self) -> Node:
        world = ElementTree.Element("worldbody")
        self.scenery(world)
        while self.budget > 0:
            self.subtree(self.holder(world), depth=0, copies=1)
        self.onlookers(world)
        return world

    # ------------------------------------------------------------------ structure

    def holder(self, parent: Node, sizes: float = 0.5) -> Node:
        """The parent itself, or a frame (or two) in it that poses what comes next."""
        draw = self.draw
        if not draw.chance(0.2):
            return parent
        frame = ElementTree.SubElement(parent, "frame", draw.pose(sizes))
        if self.choices.classes and draw.chance(0.3):
            frame.set("childclass", draw.pick(self.choices.classes))
        return self.holder(frame, sizes)

    def subtree(self, parent: Node, depth: int, copies: int) -> None:
        """One body with its children, perhaps replicated; charges the budget for every copy."""
        draw = self.draw
        if copies == 1 and self.budget >= 4 and draw.chance(0.12):
            copies = draw.whole(2, 3)
            parent = self.replicate(parent, copies)
        body = self.body(parent, copies)
        moving = self.motion(body, depth)
        if moving is None:
            self.mocap_or_static(body, depth)
        elif depth == 0 and draw.chance(0.08):
            body.set("sleep", draw.pick(("never", "allowed", "auto")))
        self.content(body, moving=moving is not None, copies=copies)
        # chains and bushes: few children near the end of the budget
        while self.budget >= copies and depth < 8 and draw.chance(0.62 if depth else 0.8):
            self.subtree(self.holder(body, 0.2), depth + 1, copies)
        if copies == 1 and "name" in body.attrib and body.get("mocap") != "true":
            self.targets.append(body.attrib["name"])

    def replicate(self, parent: Node, copies: int) -> Node:
        draw = self.draw
        node = ElementTree.SubElement(parent, "replicate", count=str(copies))
        if draw.chance(0.8):
            node.set("offset", draw.vector(0.5))
        if draw.chance(0.6):
            node.set("euler", text(*(draw.angle(-1, 1) for _ in range(3))))
        if draw.chance(0.4):
            node.set("sep", draw.pick(("-", "_", "copy")))
        return node

    def body(self, parent: Node, copies: int) -> Node:
        draw = self.draw
        self.budget -= copies
        body = ElementTree.SubElement(parent, "body")
        if draw.chance(0.85):
            body.set("name", self.name("body"))
        body.attrib |= draw.pose(0.4)
        if self.choices.classes and draw.chance(0.25):
            body.set("childclass", draw.pick(self.choices.classes))
        if draw.chance(0.2):
            body.set("gravcomp", text(draw.pick((1.0, 0.5, draw.real(-0.5, 1.5)))))
        if draw.chance(0.08):
            body.set("user", draw.vector(2, draw.whole(1, 3)))
        if draw.chance(0.05):
            body.set("simple", "false")
        return body

    def name(self, kind: str) -> str:
        # the number comes first: replicas append digits, and body1 + "0" would meet body10
        self.count += 1
        return f"{self.count}{kind}"

    # ------------------------------------------------------------------ joints

    def motion(self, body: Node, depth: int) -> str | None:
        """Joints of one body; returns how it moves, or None when it does not."""
        draw = self.draw
        kinds = ["hinge", "hinge", "hinge", "slide", "ball", "several", "none"]
        kind = draw.pick(kinds + ["free"] * 3 if depth == 0 else kinds)
        if kind == "none":
            return None
        if kind == "free":
            tag, attributes = elements.free_joint(draw)
            self.add(body, tag, attributes)
        elif kind == "several":
            self.several_joints(body)
        else:
            self.joint(body, kind, draw.axis())
        return kind

    def several_joints(self, body: Node) -> None:
        """Slides, then hinges or a ball, along orthogonal axes."""
        draw = self.draw
        slides = draw.whole(0, 3)
        for axis in draw.frame_axes(slides):
            self.joint(body, "slide", axis)
        if slides and draw.chance(0.3):
            self.joint(body, "ball", "0 0 1")
            return
        for axis in draw.frame_axes(draw.whole(1 if slides else 2, 3)):
            # three hinges can lock: the armature keeps the inertia matrix well conditioned
            self.joint(body, "hinge", axis).set("armature", text(draw.real(0.02, 0.1)))

    def joint(self, body: Node, kind: str, axis: str) -> Node:
        choices = self.choices
        attributes = elements.joint(
            self.draw, kind, axis, limits=choices.limits, autolimits=choices.autolimits
        )
        if choices.frictionloss and self.draw.chance(0.3):
            attributes["frictionloss"] = text(self.draw.real(0.01, 1))
        return self.add(body, "joint", attributes)

    def add(self, parent: Node, tag: str, attributes: dict[str, str]) -> Node:
        """An element with a name most of the time, and a class some of the time."""
        draw = self.draw
        node = ElementTree.SubElement(parent, tag, attributes)
        if draw.chance(0.7):
            node.set("name", self.name(tag))
        if tag != "freejoint" and self.choices.classes and draw.chance(0.15):
            node.set("class", draw.pick(self.choices.classes))
        return node

    def mocap_or_static(self, body: Node, depth: int) -> None:
        draw = self.draw
        if depth == 0 and draw.chance(0.4):
            body.set("mocap", "true")
        elif draw.chance(0.2):
            body.set("fuse", "false")

    # ------------------------------------------------------------------ what a body carries

    def content(self, body: Node, *, moving: bool, copies: int) -> None:
        draw, choices = self.draw, self.choices
        written = moving and choices.inertiafromgeom == "false"
        written = written or (choices.inertiafromgeom != "true" and draw.chance(0.35))
        if written:
            balance = choices.balanceinertia
            ElementTree.SubElement(body, "inertial", elements.inertial(draw, balance=balance))
        needs_mass = moving and not written
        if needs_mass and draw.chance(0.05):
            # a moving body may borrow its mass from a child that is welded to it
            self.geom(ElementTree.SubElement(body, "body", draw.pose(0.2)), massive=True)
            needs_mass = False
        for i in range(draw.pick((1, 1, 1, 2, 3) if needs_mass else (0, 1, 1, 2, 3))):
            self.geom(self.holder(body, 0.1), massive=needs_mass and i == 0)
        for _ in range(draw.pick((0, 0, 1, 2))):
            self.add(self.holder(body, 0.1), "site", elements.site(draw))
        targets = self.targets if copies == 1 else []
        if draw.chance(0.15):
            self.add(body, "camera", elements.camera(draw, targets))
        if draw.chance(0.12):
            self.add(body, "light", elements.light(draw, targets))
        if draw.chance(0.08):
            rows = ElementTree.SubElement(body, "replicate", count="3", offset="0.1 0 0.05")
            self.geom(rows, massive=False)

    def geom(self, parent: Node, *, massive: bool) -> None:
        """A geom; a massive one surely counts for the inertia of its body."""
        draw, choices = self.draw, self.choices
        kind = draw.pick(tuple(elements.SIZES))
        attributes = elements.geom(draw, kind, fluid=choices.fluid)
        if choices.grouprange is not None:
            low, high = choices.grouprange
            attributes["group"] = str(draw.whole(low, high) if massive else draw.whole(0, 5))
        if choices.nocontact == "flag" and draw.chance(0.3):
            attributes |= {"contype": str(draw.whole(0, 3)), "conaffinity": str(draw.whole(0, 3))}
        if choices.shape_class and draw.chance(0.1) and "fromto" not in attributes:
            for inherited in ("type", "size"):
                attributes.pop(inherited, None)
            ElementTree.SubElement(parent, "geom", attributes | {"class": choices.shape_class})
            return
        self.add(parent, "geom", attributes)

    # ------------------------------------------------------------------ world

    def scenery(self, world: Node) -> None:
        """Geoms and sites of the world itself, a floor among them at times."""
        draw = self.draw
        if draw.chance(0.3):
            self.add(world, "geom", {"type": "plane", "size": "2 2 0.1", "pos": "0 0 -2"})
        if draw.chance(0.15):
            self.geom(self.holder(world), massive=False)
        if draw.chance(0.2):
            self.add(self.holder(world), "site", elements.site(draw))

    def onlookers(self, world: Node) -> None:
        """Cameras and lights that watch from the world, once all targets are known."""
        draw = self.draw
        for _ in range(draw.whole(0, 2)):
            self.add(self.holder(world), "camera", elements.camera(draw, self.targets))
        for _ in range(draw.whole(0, 2)):
            self.add(self.holder(world), "light", elements.light(draw, self.targets))
