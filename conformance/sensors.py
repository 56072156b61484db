"""Random sensors of whatever a random model has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from xml.etree import ElementTree

from conformance.draw import Draw, text
from cortenforge.sensors import (
    CONTACT_DATA,
    FRAMES,
    RAY_DATA,
    SENSOR_BY_TAG,
    DataType,
    SensorGroup,
    SensorType,
)

__all__ = ["add_sensors", "keep_smooth_sensors"]

Node = ElementTree.Element
Attributes = dict[str, str]
Names = dict[str, list[str]]

#: types of objects with a frame, with the list of their names
FRAME_NAMES = {kind: kind.removeprefix("x") for kind in FRAMES}
#: data types that a cutoff does not apply to, but for normals
UNIT_DATA = (DataType.AXIS, DataType.QUATERNION)
#: what reads contacts, constraints, rays, distances or user code
NOT_SMOOTH = (
    SensorGroup.TOUCH
    | SensorGroup.RANGE
    | SensorGroup.GEOM_DISTANCE
    | SensorGroup.CONTACT
    | SensorGroup.LIMIT
    | SensorGroup.TACTILE
    | SensorGroup.GRID
)
# replicas copy sensors without an object, and the copies too: only where that stays small
MOST_COPIES = 4


def _tags(attached: str) -> tuple[str, ...]:
    """Sensors that are attached in one way; plugins have no tags in MuJoCo."""
    return tuple(
        kind.tag
        for kind in SensorType
        if kind.attached == attached and kind is not SensorType.PLUGIN
    )


AT_SITES = _tags("site")
RELATIVE = _tags("frame (frame?)")
OF_FRAMES = (*RELATIVE, *_tags("frame"))
BETWEEN = _tags("geom1/body1 (geom2/body2)")
# in the order of their kernels: seeds stand for models, so orders stay
WITHOUT_OBJECT = tuple(sorted(_tags(""), key=lambda tag: SENSOR_BY_TAG[tag].group))


def add_sensors(root: Node, draw: Draw, most: int = 8) -> None:
    """A section of up to so many sensors."""
    world, compiler = root.find("worldbody"), root.find("compiler")
    assert world is not None and compiler is not None
    autolimits = compiler.get("autolimits") != "false"
    names, single = _names(world, autolimits), _names(_unreplicated(world), autolimits)
    makers = _makers(draw, names, single) + _wired_makers(draw, root, single, autolimits)
    copies = sum(int(node.get("count", "1")) for node in world.iter("replicate"))
    if copies <= MOST_COPIES:
        makers.append(lambda: (draw.pick(WITHOUT_OBJECT), {}))
    if not makers:
        return
    nested = len(list(world.iter("replicate"))) > 1
    first = len(root.findall("sensor/*"))
    section = ElementTree.SubElement(root, "sensor")
    for number in range(first, first + draw.whole(1, most)):
        tag, attributes = draw.pick(makers)()
        attributes |= _settings(draw, tag)
        # what several replicas copy would have one name twice
        if draw.chance(0.6) and not (nested and tag in WITHOUT_OBJECT):
            attributes["name"] = f"{number}sensor"
        ElementTree.SubElement(section, tag, attributes)


def keep_smooth_sensors(root: Node, *, sampled: bool = False) -> None:
    """Leave out sensors of what a smooth model has not; and delays, if samples are not wanted."""
    for section in root.iterfind("sensor"):
        for sensor in list(section):
            kind = SENSOR_BY_TAG[sensor.tag]
            rough = kind.group & NOT_SMOOTH or kind is SensorType.USER
            if rough or sensor.get("enclosed"):
                section.remove(sensor)
            for name in () if sampled else ("nsample", "interp", "delay", "interval"):
                sensor.attrib.pop(name, None)


def _unreplicated(node: Node) -> Node:
    """The tree without what is replicated."""
    copy = ElementTree.Element(node.tag, node.attrib)
    copy.extend([_unreplicated(child) for child in node if child.tag != "replicate"])
    return copy


def _names(world: Node, autolimits: bool) -> Names:
    """Names of objects by type; joints by what they can be asked for."""
    found: Names = {kind: [] for kind in ("body", "geom", "site", "camera", "axis", "ball", "stop")}
    for node in world.iter():
        name = node.get("name")
        if not name:
            continue
        if node.tag in found:
            found[node.tag].append(name)
        if node.tag == "joint":
            kind = node.get("type", "hinge")
            found["ball" if kind == "ball" else "axis"] += [name] if kind != "free" else []
            limited = node.get("limited", "true" if autolimits and node.get("range") else "false")
            if limited == "true" and kind != "free":
                found["stop"].append(name)
    return found


def _makers(draw: Draw, names: Names, single: Names) -> list[Callable[[], tuple[str, Attributes]]]:
    """Ways to draw a sensor of this model; two objects are taken from those without replicas."""
    makers: list[Callable[[], tuple[str, Attributes]]] = []
    if names["site"]:
        makers.append(lambda: (draw.pick(AT_SITES), {"site": draw.pick(names["site"])}))
        makers.append(lambda: ("rangefinder", _ray(draw, names)))
    if single["site"]:
        makers.append(lambda: ("insidesite", _inside(draw, single)))
        if single["camera"]:
            makers.append(lambda: ("camprojection", _projection(draw, single)))
    joints = {"axis": "joint:scalar", "ball": "joint:ball", "stop": "joint:limited"}
    makers += [
        _of_joint(draw, names[kind], _tags(attached))
        for kind, attached in joints.items()
        if names[kind]
    ]
    if names["body"]:
        subtree = _tags("body")
        makers.append(lambda: (draw.pick(subtree), {"body": draw.pick(names["body"])}))
        makers.append(lambda: _frame(draw, names))
        makers.append(lambda: ("user", _user(draw, names)))
    if single["body"]:
        makers.append(lambda: _relative(draw, single))
        makers.append(lambda: ("contact", _contact(draw, single)))
    if len(single["geom"]) > 1:
        makers.append(lambda: (draw.pick(BETWEEN), _pair(draw, single)))
    return makers


def _of_joint(
    draw: Draw, joints: list[str], tags: tuple[str, ...]
) -> Callable[[], tuple[str, Attributes]]:
    return lambda: (draw.pick(tags), {"joint": draw.pick(joints)})


def _wired_makers(
    draw: Draw, root: Node, single: Names, autolimits: bool
) -> list[Callable[[], tuple[str, Attributes]]]:
    """Ways to draw a sensor of a tendon, of an actuator, or of a mesh that feels."""
    makers: list[Callable[[], tuple[str, Attributes]]] = []
    tendons = [node for node in root.iterfind("tendon/*") if "name" in node.attrib]
    if tendons:
        tags = _tags("tendon")
        names = [node.attrib["name"] for node in tendons]
        makers.append(lambda: (draw.pick(tags), {"tendon": draw.pick(names)}))
    limited = [
        node.attrib["name"]
        for node in tendons
        if node.get("limited", "true" if autolimits and node.get("range") else "false") == "true"
    ]
    if limited:
        limits = _tags("tendon:limited")
        makers.append(lambda: (draw.pick(limits), {"tendon": draw.pick(limited)}))
    driven = [node.attrib["name"] for node in root.iterfind("actuator/*") if "name" in node.attrib]
    if driven:
        kinds = _tags("actuator")
        makers.append(lambda: (draw.pick(kinds), {"actuator": draw.pick(driven)}))
    meshes = [node.attrib["name"] for node in root.iterfind("asset/mesh")]
    if meshes and single["geom"]:
        makers.append(lambda: ("tactile", _skin(draw, root, single["geom"], meshes)))
    return makers


def _skin(draw: Draw, root: Node, geoms: list[str], meshes: list[str]) -> Attributes:
    """A geom that feels; it has to be one that can be touched."""
    name = draw.pick(geoms)
    for geom in root.iterfind(f"worldbody//geom[@name='{name}']"):
        geom.set("contype", "1")
    return {"geom": name, "mesh": draw.pick(meshes)}


def _settings(draw: Draw, tag: str) -> Attributes:
    """What sensors have in common."""
    attributes: Attributes = {}
    unit = SENSOR_BY_TAG[tag].data in UNIT_DATA and tag != "normal"
    if draw.chance(0.3) and not unit:
        attributes["cutoff"] = text(draw.real(0.1, 10))
    if draw.chance(0.2) and tag != "tactile":
        attributes["noise"] = text(draw.real(0, 0.1))
    if draw.chance(0.15):
        attributes["user"] = draw.vector(2, draw.whole(1, 3))
    if tag != "user" and draw.chance(0.3):
        attributes["nsample"] = str(draw.whole(1, 5))
        attributes["interp"] = draw.pick(("zoh", "linear", "cubic"))
        attributes["delay"] = draw.pick(("0", "0.004", "0.01"))
        attributes["interval"] = draw.pick(("0", "0.01", "0.02 -0.005"))
    return attributes


def _data(draw: Draw, fields: Sequence[str]) -> str:
    """Some fields, in their order."""
    kept = [field for field in fields if draw.chance(0.4)]
    return " ".join(kept or [draw.pick(fields)])


def _ray(draw: Draw, names: Names) -> Attributes:
    kind = "camera" if names["camera"] and draw.chance(0.4) else "site"
    attributes = {kind: draw.pick(names[kind])}
    if draw.chance(0.6):
        attributes["data"] = _data(draw, tuple(RAY_DATA))
    return attributes


def _projection(draw: Draw, names: Names) -> Attributes:
    return {"site": draw.pick(names["site"]), "camera": draw.pick(names["camera"])}


def _object(draw: Draw, names: Names, kinds: dict[str, str] = FRAME_NAMES) -> tuple[str, str]:
    """Type and name of something with a frame."""
    kind = draw.pick([kind for kind, listed in kinds.items() if names[listed]])
    return kind, draw.pick(names[kinds[kind]])


def _frame(draw: Draw, names: Names) -> tuple[str, Attributes]:
    kind, name = _object(draw, names)
    return draw.pick(OF_FRAMES), {"objtype": kind, "objname": name}


def _relative(draw: Draw, names: Names) -> tuple[str, Attributes]:
    """A frame as another frame sees it; accelerations are always those in the world."""
    _, attributes = _frame(draw, names)
    attributes["reftype"], attributes["refname"] = _object(draw, names)
    return draw.pick(RELATIVE), attributes


def _inside(draw: Draw, names: Names) -> Attributes:
    enclosed = draw.chance(0.3)
    kinds = {"site": "site"} if enclosed else FRAME_NAMES
    kind, name = _object(draw, names, kinds)
    attributes = {"site": draw.pick(names["site"]), "objtype": kind, "objname": name}
    return attributes | ({"enclosed": "true"} if enclosed else {})


def _contact(draw: Draw, names: Names) -> Attributes:
    first = {"geom1": "geom", "body1": "body", "subtree1": "body", "site": "site"}
    second = {"geom2": "geom", "body2": "body", "subtree2": "body"}
    attributes = dict([_object(draw, names, first)])
    if draw.chance(0.5):
        attributes |= dict([_object(draw, names, second)])
    if draw.chance(0.5):
        attributes["num"] = str(draw.whole(1, 4))
    netforce = draw.chance(0.2)
    if draw.chance(0.7):
        attributes["data"] = _data(draw, tuple(CONTACT_DATA)[: 7 if netforce else None])
    reduce = "netforce" if netforce else draw.pick(("none", "mindist", "maxforce"))
    return attributes | {"reduce": reduce}


def _pair(draw: Draw, names: Names) -> Attributes:
    """Two different geoms, or a geom and a body."""
    geoms = names["geom"]
    first = draw.whole(0, len(geoms) - 2)
    attributes = {"geom1": geoms[first]}
    if names["body"] and draw.chance(0.4):
        return attributes | {"body2": draw.pick(names["body"])}
    return attributes | {"geom2": geoms[draw.whole(first + 1, len(geoms) - 1)]}


def _user(draw: Draw, names: Names) -> Attributes:
    attributes = {"dim": str(draw.whole(0, 4)), "needstage": draw.pick(("pos", "vel", "acc"))}
    attributes["datatype"] = draw.pick(("real", "positive"))
    attributes["objtype"], attributes["objname"] = _object(draw, names)
    return attributes
