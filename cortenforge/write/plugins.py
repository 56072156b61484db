"""Actuators that MuJoCo has as plugins, in its words."""

from __future__ import annotations

from lxml import etree

from cortenforge.spec.actuators.pid_plugin import KEYS

PID = "mujoco.pid"


def name_plugins(root: etree._Element) -> None:
    """Write <pidplugin> as the plugin that it stands for, with a declaration of that."""
    found = root.findall("actuator/pidplugin")
    for element in found:
        element.tag = "plugin"
        element.set("plugin", PID)
        for key in KEYS:
            if key in element.attrib:
                etree.SubElement(element, "config", key=key, value=str(element.attrib.pop(key)))
    if found:
        extension = etree.Element("extension")
        etree.SubElement(extension, "plugin", plugin=PID)
        root.insert(0, extension)
