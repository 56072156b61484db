"""Actuators and sensors that MuJoCo has as plugins, in its words."""

from __future__ import annotations

from lxml import etree

from cortenforge.spec.actuators.pid_plugin import KEYS

PID = "mujoco.pid"
GRID = "mujoco.sensor.touch_grid"
GRID_KEYS = ("size", "fov", "gamma", "nchannel")


def name_plugins(root: etree._Element) -> None:
    """Write elements of our own as the plugins that they stand for, with declarations of those."""
    used = [
        name
        for place, name, keys in (
            ("actuator/pidplugin", PID, KEYS),
            ("sensor/touchgrid", GRID, GRID_KEYS),
        )
        if _renamed(root.findall(place), name, keys)
    ]
    if used:
        extension = etree.Element("extension")
        for name in used:
            etree.SubElement(extension, "plugin", plugin=name)
        root.insert(0, extension)


def _renamed(found: list[etree._Element], name: str, keys: tuple[str, ...]) -> bool:
    """Make plugins of some elements; whether there are any."""
    for element in found:
        element.tag = "plugin"
        element.set("plugin", name)
        if "site" in element.attrib and name == GRID:
            element.set("objtype", "site")
            element.set("objname", str(element.attrib.pop("site")))
        for key in keys:
            if key in element.attrib:
                etree.SubElement(element, "config", key=key, value=str(element.attrib.pop(key)))
    return bool(found)
