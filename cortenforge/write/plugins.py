"""What MuJoCo has as plugins, in its words: actuators, sensors, and shapes of distance fields."""

from __future__ import annotations

from lxml import etree

from cortenforge.grammar.distance_shapes import PREFIX, SHAPES
from cortenforge.spec.actuators.pid_plugin import KEYS

PID = "mujoco.pid"
GRID = "mujoco.sensor.touch_grid"
GRID_KEYS = ("size", "fov", "gamma", "nchannel")


def name_plugins(root: etree._Element) -> None:
    """Write what stands for a plugin as that plugin, with a declaration."""
    used: dict[str, None] = {}
    for place, name, keys in (
        ("actuator/pidplugin", PID, KEYS),
        ("sensor/touchgrid", GRID, GRID_KEYS),
    ):
        for element in root.findall(place):
            _rename(element, name, keys)
            used[name] = None
    for element in root.iter("mesh", "geom"):
        if element.get("sdf") in SHAPES:
            used[_name_field(element)] = None
    if used:
        extension = etree.Element("extension")
        for plugin in used:
            etree.SubElement(extension, "plugin", plugin=plugin)
        root.insert(0, extension)


def _rename(element: etree._Element, name: str, keys: tuple[str, ...]) -> None:
    """Make a plugin of an element."""
    element.tag = "plugin"
    element.set("plugin", name)
    if "site" in element.attrib and name == GRID:
        element.set("objtype", "site")
        element.set("objname", str(element.attrib.pop("site")))
    _configure(element, {k: str(element.attrib.pop(k)) for k in keys if k in element.attrib})


def _configure(element: etree._Element, settings: dict[str, str]) -> None:
    for key, value in settings.items():
        etree.SubElement(element, "config", key=key, value=value)


def _name_field(element: etree._Element) -> str:
    """Attributes of a shape as a plugin in the element; returns its name."""
    shape = str(element.attrib.pop("sdf"))
    values = str(element.attrib.pop("sdfparams", "")).split()
    plugin = etree.SubElement(element, "plugin", plugin=PREFIX + shape)
    # parameters that are not given are the plugin's defaults
    _configure(plugin, dict(zip(SHAPES[shape], values, strict=False)))
    return PREFIX + shape
