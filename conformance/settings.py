"""Settings of a random model that need not step: contacts, flags, integrators, sizes, looks."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from conformance.draw import Draw, text
from cortenforge.grammar.rule import Attribute, Kind
from cortenforge.grammar.tables.option import DISABLE_FLAGS, ENABLE_FLAGS
from cortenforge.grammar.tables.visual import GROUPS

__all__ = ["set_free"]

Node = ElementTree.Element
Makers = dict[str, Callable[[], str]]
INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast", "discrete")


def set_free(root: Node, draw: Draw) -> None:
    """Let the bodies of a smooth model touch, and draw every setting anew."""
    _touch(root, draw)
    _option(_section(root, "option"), draw)
    _compiler(_section(root, "compiler"), draw)
    if draw.chance(0.5):
        _size(_section(root, "size"), draw)
    if draw.chance(0.4):
        _visual(_section(root, "visual"), draw)


def _section(root: Node, tag: str) -> Node:
    found = root.find(tag)
    return ElementTree.SubElement(root, tag) if found is None else found


def _some(node: Node, draw: Draw, makers: Makers, chance: float) -> None:
    for name, make in makers.items():
        if draw.chance(chance):
            node.set(name, make())


def _touch(root: Node, draw: Draw) -> None:
    """Masks by which some geoms meet, in the main class where the smooth model had none."""
    for geom in root.iterfind("default/geom"):
        if draw.chance(0.6):
            geom.attrib |= {"contype": str(draw.whole(0, 3)), "conaffinity": str(draw.whole(0, 3))}


def _option(option: Node, draw: Draw) -> None:
    makers: Makers = {
        "integrator": lambda: draw.pick(INTEGRATORS),
        "noslip_tolerance": lambda: text(draw.real(1e-8, 1e-4)),
        "ccd_tolerance": lambda: text(draw.real(1e-8, 1e-4)),
        "sleep_tolerance": lambda: text(draw.real(1e-5, 1e-2)),
        "o_solimp": lambda: text(0.8, 0.9, 0.002, 0.4, 3),
        "ccd_iterations": lambda: str(draw.whole(10, 60)),
        "sdf_iterations": lambda: str(draw.whole(5, 20)),
        "sdf_initpoints": lambda: str(draw.whole(10, 60)),
        "solver": lambda: draw.pick(("PGS", "CG", "Newton")),
        "cone": lambda: draw.pick(("pyramidal", "elliptic")),
        "actuatorgroupdisable": lambda: draw.pick(("1", "0 3", "30")),
    }
    _some(option, draw, makers, 0.2)
    flag = _section(option, "flag")
    # a smooth model switches its constraints and sensors off; here they may stay on
    for name in ("constraint", "contact", "limit", "frictionloss", "sensor"):
        if draw.chance(0.8):
            flag.attrib.pop(name, None)
    _some(flag, draw, dict.fromkeys((*DISABLE_FLAGS, *ENABLE_FLAGS), lambda: "disable"), 0.05)
    # sleep wants trees that nothing joins, ipc an integrator of its own
    discrete = option.get("integrator") == "discrete"
    enabled = [name for name in ENABLE_FLAGS if name != "sleep" and (discrete or name != "ipc")]
    _some(flag, draw, dict.fromkeys(enabled, lambda: "enable"), 0.1)


def _compiler(compiler: Node, draw: Draw) -> None:
    makers: Makers = {
        "fitaabb": draw.flag,
        "savecompiled": draw.flag,
        "savecanonical": draw.flag,
        "strippath": draw.flag,
        "conflict": lambda: draw.pick(("warning", "merge", "error")),
    }
    _some(compiler, draw, makers, 0.15)
    if draw.chance(0.3):
        ranges: Makers = {
            "mode": lambda: draw.pick(("none", "muscle", "muscleuser", "all")),
            "uselimit": draw.flag,
            "useexisting": draw.flag,
            "accel": lambda: text(draw.real(5, 30)),
            "timeconst": lambda: text(draw.real(0.5, 2)),
        }
        _some(ElementTree.SubElement(compiler, "lengthrange"), draw, ranges, 0.3)
        # every actuator has its range beside it: where a simulated one diverges, MuJoCo starts
        # again without end (tests/compile/test_random_ranges.py has models that settle)
        compiler[-1].attrib |= {"mode": draw.pick(("none", "muscle")), "useexisting": "true"}


def _size(size: Node, draw: Draw) -> None:
    kinds = ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")
    makers: Makers = {f"nuser_{kind}": lambda: str(draw.whole(3, 5)) for kind in kinds}
    makers |= {"nuserdata": lambda: str(draw.whole(0, 5)), "nkey": lambda: str(draw.whole(0, 6))}
    _some(size, draw, makers, 0.3)
    memory: Makers = {
        "memory": lambda: draw.pick(("10M", "900K", "-1")),
        "njmax": lambda: str(draw.whole(10, 5000)),
        "nconmax": lambda: str(draw.whole(10, 1000)),
    }
    if draw.chance(0.3):
        name = draw.pick(tuple(memory))
        size.set(name, memory[name]())


def _visual(visual: Node, draw: Draw) -> None:
    """Every attribute that the reader's tables list; MuJoCo is the judge of them."""
    for tag, rule in GROUPS.items():
        if draw.chance(0.6):
            given = [a for a in rule.attributes.values() if draw.chance(0.3)]
            node = _section(visual, tag)
            node.attrib |= {attribute.name: _value(attribute, draw) for attribute in given}


def _value(attribute: Attribute, draw: Draw) -> str:
    if attribute.kind is Kind.BOOLEAN:
        return draw.flag()
    if attribute.kind is Kind.INTEGER:
        return str(draw.whole(1, 64))
    if attribute.kind is Kind.KEYWORD:
        return draw.pick(attribute.keywords)
    return draw.positive(0.05, 1, attribute.most or 1)
