"""What MuJoCo has as plugins, in its words: actuators, and shapes of signed distance fields."""

from __future__ import annotations

from lxml import etree

from cortenforge.grammar.distance_shapes import PREFIX, SHAPES
from cortenforge.spec.actuators.pid_plugin import KEYS

PID = "mujoco.pid"


def name_plugins(root: etree._Element) -> None:
    """Write what stands for a plugin as that plugin, with a declaration."""
    used: dict[str, None] = {}
    for element in root.findall("actuator/pidplugin"):
        element.tag = "plugin"
        element.set("plugin", PID)
        _configure(element, {k: str(element.attrib.pop(k)) for k in KEYS if k in element.attrib})
        used[PID] = None
    for element in root.iter("mesh", "geom"):
        if element.get("sdf") in SHAPES:
            used[_name_field(element)] = None
    if used:
        extension = etree.Element("extension")
        for plugin in used:
            etree.SubElement(extension, "plugin", plugin=plugin)
        root.insert(0, extension)


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
