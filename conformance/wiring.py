"""Random contact pairs, excludes, equalities and tendons on top of a random model.

Objects inside a replicate are joined with each other or with objects outside of all replicates;
MuJoCo wants the latter to stand before the replicate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree import ElementTree

from conformance.draw import Draw, text

__all__ = ["Wires"]

Node = ElementTree.Element
SOLVER = {"solref": "0.03 0.8", "solimp": "0.8 0.9 0.01"}


@dataclass
class Pool:
    """Names of objects that can be joined: those outside of replicates, or inside of one.

    `common` is what stands outside of replicates before this one.
    """

    names: dict[str, list[str]] = field(default_factory=dict)
    common: dict[str, list[str]] = field(default_factory=dict)

    def of(self, kind: str) -> list[str]:
        return self.names.get(kind, [])

    def add(self, kind: str, name: str) -> None:
        self.names.setdefault(kind, []).append(name)


class Wires:
    """Adds sections to one document."""

    def __init__(self, draw: Draw, root: Node) -> None:
        self.draw, self.root, self.count = draw, root, 0
        compiler = root.find("compiler")
        self.autolimits = compiler is None or compiler.get("autolimits") != "false"
        world = root.find("worldbody")
        assert world is not None
        self.outside = Pool()
        self.inside: list[Pool] = []
        self.collect(world, self.outside)

    def add(self) -> None:
        """All sections, and classes for their elements."""
        main = self.root.find("default")
        assert main is not None
        draw = self.draw
        if draw.chance(0.4):
            ElementTree.SubElement(main, "pair", condim="4", friction=draw.positive(0.1, 1, 2))
        if draw.chance(0.4):
            ElementTree.SubElement(main, "equality", solref="0.05", active=draw.flag())
        if draw.chance(0.4):
            length = draw.positive(0.1, 0.2, 1)
            ElementTree.SubElement(main, "tendon", springlength=length, width="0.01")
        self.contacts()
        tendons = self.tendons()
        self.equalities(tendons)

    # ------------------------------------------------------------------ what can be joined

    def collect(self, node: Node, pool: Pool) -> None:
        """Names below a node; sites are added so that there are enough of them."""
        for child in list(node):
            if child.tag == "replicate":
                self.replica(child)
                continue
            name = child.get("name")
            if child.tag == "body":
                # trees that tendons join may not ask for sleep
                child.attrib.pop("sleep", None)
                name = name or child.attrib.setdefault("name", self.name("held"))
                site = ElementTree.SubElement(child, "site", self.draw.pose(0.3))
                site.set("name", self.name("via"))
            if name:
                for kind in self.kinds(child):
                    pool.add(kind, name)
            self.collect(child, pool)

    def replica(self, node: Node) -> None:
        if node.find(".//replicate") is None:
            before = {kind: list(names) for kind, names in self.outside.names.items()}
            pool = Pool(common=before)
            self.collect(node, pool)
            self.inside.append(pool)

    def kinds(self, node: Node) -> Iterator[str]:
        """What a node can be used as."""
        if node.tag in ("body", "site", "geom"):
            yield node.tag
        if node.tag == "geom" and node.get("type") in ("sphere", "cylinder"):
            yield "round"
        if node.tag == "joint" and node.get("type", "hinge") in ("hinge", "slide"):
            yield "scalar"

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{self.count}{kind}"

    def pools(self, kind: str, least: int = 1) -> list[list[str]]:
        """Lists of names that can stand together: outside, and one replicate with the outside."""
        found = [self.outside.of(kind)]
        found += [[*pool.common.get(kind, []), *pool.of(kind)] for pool in self.inside]
        return [names for names in found if len(names) >= least]

    def some(self, names: list[str], count: int) -> list[str]:
        order = self.draw.rng.permutation(len(names))[:count]
        return [names[int(i)] for i in order]

    def element(self, parent: Node, tag: str, attributes: dict[str, str]) -> Node:
        """An element with a name most of the time."""
        if self.draw.chance(0.7):
            attributes = {**attributes, "name": self.name(tag)}
        return ElementTree.SubElement(parent, tag, attributes)

    def maybe(self, options: dict[str, str], chance: float = 0.2) -> dict[str, str]:
        return {name: value for name, value in options.items() if self.draw.chance(chance)}

    # ------------------------------------------------------------------ sections

    def contacts(self) -> None:
        draw = self.draw
        section = ElementTree.SubElement(self.root, "contact")
        for names in self.pools("geom", 2):
            for _ in range(draw.whole(0, 3)):
                one, other = self.some(names, 2)
                options = {
                    "condim": draw.pick(("1", "3", "4", "6")),
                    "friction": draw.positive(0.1, 1, draw.whole(1, 5)),
                    "solreffriction": "0.01 1",
                    "margin": text(draw.real(0, 0.1)),
                    "gap": text(draw.real(0, 0.1)),
                    "adhesion": text(draw.real(0, 3)),
                    **SOLVER,
                }
                self.element(section, "pair", {"geom1": one, "geom2": other} | self.maybe(options))
        for names in self.pools("body", 2):
            for _ in range(draw.whole(0, 2)):
                one, other = self.some(names, 2)
                self.element(section, "exclude", {"body1": one, "body2": other})

    def tendons(self) -> list[str]:
        """Spatial and fixed tendons; returns the names of those outside of replicates."""
        section = ElementTree.SubElement(self.root, "tendon")
        names = []
        for sites in self.pools("site", 2):
            for _ in range(self.draw.whole(0, 3)):
                tendon = self.element(section, "spatial", self.tendon_numbers())
                self.path(tendon, sites)
                names += self.name_outside(tendon, sites, "site")
        for joints in self.pools("scalar"):
            for _ in range(self.draw.whole(0, 2)):
                attributes = self.tendon_numbers()
                attributes |= self.maybe({"armature": text(self.draw.real(0.005, 0.03))})
                tendon = self.element(section, "fixed", attributes)
                for joint in self.some(joints, self.draw.whole(1, 3)):
                    coef = text(self.draw.real(-2, 2))
                    ElementTree.SubElement(tendon, "joint", joint=joint, coef=coef)
                names += self.name_outside(tendon, joints, "scalar")
        return names

    def name_outside(self, tendon: Node, used: list[str], kind: str) -> list[str]:
        """The tendon's name, if it has one and cannot have touched a replicate."""
        outside = set(used) <= set(self.outside.of(kind))
        return [tendon.attrib["name"]] if outside and "name" in tendon.attrib else []

    def tendon_numbers(self) -> dict[str, str]:
        draw = self.draw
        options = {
            "group": str(draw.whole(0, 5)),
            "frictionloss": text(draw.real(0, 1)),
            "springlength": draw.pick(("0.3", "0.1 0.4", "-1", "0 0.5")),
            "margin": text(draw.real(0, 0.1)),
            "stiffness": draw.positive(0, 10, draw.whole(1, 3)),
            "damping": draw.positive(0, 1, draw.whole(1, 3)),
            "solreflimit": "0.01",
            "solimpfriction": "0.7 0.8",
            "user": draw.vector(2, draw.whole(1, 3)),
        }
        chosen = self.maybe(options)
        for name, switch in (("range", "limited"), ("actuatorfrcrange", "actuatorfrclimited")):
            if draw.chance(0.3):
                chosen[name] = f"-{text(draw.real(0.1, 1))} {text(draw.real(1, 2))}"
                if not self.autolimits or draw.chance(0.3):
                    chosen[switch] = draw.flag()
        return chosen

    def path(self, tendon: Node, sites: list[str]) -> None:
        """Branches of two to four sites, with geoms and side sites between them."""
        draw = self.draw
        # a path through a replicate wraps around nothing
        rounds = self.outside.of("round") if set(sites) <= set(self.outside.of("site")) else []
        branches = draw.pick((1, 1, 1, 2, 3))
        for branch in range(branches):
            if branch or draw.chance(0.1):
                ElementTree.SubElement(tendon, "pulley", divisor=text(draw.real(0.5, 3)))
            via = self.some(sites, draw.whole(2, 4))
            for i, site in enumerate(via):
                if i and rounds and draw.chance(0.5):
                    geom = ElementTree.SubElement(tendon, "geom", geom=draw.pick(rounds))
                    if draw.chance(0.6):
                        geom.set("sidesite", draw.pick(self.outside.of("site")))
                ElementTree.SubElement(tendon, "site", site=site)
        if tendon.find("geom") is None and draw.chance(0.25):
            tendon.set("armature", text(draw.real(0.005, 0.03)))
        tendon.attrib |= self.maybe({"width": "0.02", "rgba": draw.rgba()})

    def equalities(self, tendons: list[str]) -> None:
        draw = self.draw
        section = ElementTree.SubElement(self.root, "equality")
        for pool in (self.outside, *self.inside):
            for kind in ("body", "site", "scalar"):
                names = pool.of(kind)
                if len(names) >= 2 and draw.chance(0.6):
                    self.hold(section, kind, self.some(names, 2))
        if len(tendons) >= 2:
            self.hold(section, "tendon", self.some(tendons, 2))

    def hold(self, section: Node, kind: str, names: list[str]) -> None:
        """One equality between two objects, or between one and the world."""
        draw = self.draw
        common = self.maybe({"active": draw.flag(), **SOLVER})
        word = "joint" if kind == "scalar" else kind
        ends = {f"{word}1": names[0], f"{word}2": names[1]}
        if word != "site" and draw.chance(0.3):
            ends.pop(f"{word}2")
        if word in ("joint", "tendon"):
            options = self.maybe({"polycoef": draw.vector(1, draw.whole(1, 5))}, 0.6)
            self.element(section, word, ends | options | common)
        elif draw.chance(0.5):
            anchor = {"anchor": draw.vector(1)} if word == "body" else {}
            self.element(section, "connect", ends | anchor | common)
        else:
            options = {"torquescale": text(draw.real(0, 2))}
            if word == "body":
                pose = f"{draw.vector(1)} {text(*draw.rng.normal(size=4))}"
                options |= {"anchor": draw.vector(1), "relpose": pose}
            self.element(section, "weld", ends | self.maybe(options, 0.4) | common)
