"""What MuJoCo has as plugins, in its words: actuators, sensors, and shapes of distance fields."""

from __future__ import annotations

from lxml import etree

from cortenforge.grammar.sdf_shapes import SDF_PLUGIN_PREFIX, SDF_SHAPES
from cortenforge.spec.actuators.pid_plugin import PID_KEYS

PID_PLUGIN = "mujoco.pid"
TOUCH_GRID_PLUGIN = "mujoco.sensor.touch_grid"
TOUCH_GRID_KEYS = ("size", "fov", "gamma", "nchannel")


def restore_plugins(root: etree._Element) -> None:
    """Write what stands for a plugin as that plugin, with a declaration."""
    used: dict[str, None] = {}
    for place, name, keys in (
        ("actuator/pidplugin", PID_PLUGIN, PID_KEYS),
        ("sensor/touchgrid", TOUCH_GRID_PLUGIN, TOUCH_GRID_KEYS),
    ):
        for element in root.findall(place):
            _make_plugin(element, name, keys)
            used[name] = None
    for element in root.iter("mesh", "geom"):
        if element.get("sdf") in SDF_SHAPES:
            used[_make_sdf_plugin(element)] = None
    if used:
        extension = etree.Element("extension")
        for plugin in used:
            etree.SubElement(extension, "plugin", plugin=plugin)
        root.insert(0, extension)


def _make_plugin(element: etree._Element, name: str, keys: tuple[str, ...]) -> None:
    """Make a plugin of an element."""
    element.tag = "plugin"
    element.set("plugin", name)
    if "site" in element.attrib and name == TOUCH_GRID_PLUGIN:
        element.set("objtype", "site")
        element.set("objname", str(element.attrib.pop("site")))
    _add_config(element, {k: str(element.attrib.pop(k)) for k in keys if k in element.attrib})


def _add_config(element: etree._Element, settings: dict[str, str]) -> None:
    for key, value in settings.items():
        etree.SubElement(element, "config", key=key, value=value)


def _make_sdf_plugin(element: etree._Element) -> str:
    """Attributes of a shape as a plugin in the element; returns its name."""
    shape = str(element.attrib.pop("sdf"))
    values = str(element.attrib.pop("sdfparams", "")).split()
    plugin = etree.SubElement(element, "plugin", plugin=SDF_PLUGIN_PREFIX + shape)
    # parameters that are not given are the plugin's defaults
    _add_config(plugin, dict(zip(SDF_SHAPES[shape], values, strict=False)))
    return SDF_PLUGIN_PREFIX + shape
