"""Plugins of MuJoCo that are features here: nodes as people write them, and what they stand for.

`mujoco.pid`, configured by an instance or in place, becomes the actuator <pidplugin>, and
`mujoco.sensor.touch_grid` the sensor <touchgrid>. All other plugins stay where they are and are
refused there.
"""

from __future__ import annotations

from dataclasses import dataclass

from cortenforge.errors import MjcfError
from cortenforge.grammar.node import Node
from cortenforge.grammar.numbers import did_you_mean
from cortenforge.problems import each


@dataclass(frozen=True)
class Plugin:
    """A plugin of MuJoCo: where it stands, what it becomes, what it is configured with."""

    name: str
    section: str
    tag: str
    keys: tuple[str, ...]


PLUGINS = {
    plugin.name: plugin
    for plugin in (
        Plugin("mujoco.pid", "actuator", "pidplugin", ("kp", "ki", "kd", "imax", "slewmax")),
        Plugin(
            "mujoco.sensor.touch_grid",
            "sensor",
            "touchgrid",
            ("size", "fov", "gamma", "nchannel"),
        ),
    )
}
Instances = dict[str, tuple[Plugin, dict[str, str]]]


def replace_plugins(root: Node) -> None:
    """Put actuators and sensors of our own where a document has plugins that do the same."""
    instances: Instances = {}
    for section in root.children:
        if section.tag == "extension":
            ours = [node for node in section.children if _plugin_of(node)]
            each(_declare, ours, instances)
            section.children = [node for node in section.children if node not in ours]
    for section in root.children:
        if section.tag in ("actuator", "sensor"):
            section.children = each(_replaced, section.children, section.tag, instances)


def _plugin_of(node: Node) -> Plugin | None:
    """The plugin that a node names, if it is one of ours."""
    return PLUGINS.get(node.attributes.get("plugin", "")) if node.tag == "plugin" else None


def _declare(node: Node, instances: Instances) -> None:
    """Take down the instances that a plugin is declared with."""
    plugin = PLUGINS[node.attributes["plugin"]]
    for child in node.children:
        if child.tag != "instance":
            raise MjcfError(f"<plugin> has no element <{child.tag}> here", child.where)
        name = child.attributes.get("name", "")
        if not name or name in instances:
            problem = "there is another instance of this name" if name else "an instance has a name"
            raise MjcfError(problem, child.where, attribute="name", got=name or None)
        instances[name] = plugin, _settings(child, plugin)


def _settings(node: Node, plugin: Plugin) -> dict[str, str]:
    """What a node's <config> children say."""
    found: dict[str, str] = {}
    for child in node.children:
        if child.tag != "config":
            raise MjcfError(f"<{node.tag}> has no element <{child.tag}>", child.where)
        key = child.attributes.get("key", "")
        if key not in plugin.keys:
            raise MjcfError(
                f"plugin '{plugin.name}' has no such key",
                child.where,
                attribute="key",
                got=key,
                hint=did_you_mean(key, list(plugin.keys)),
            )
        value = child.attributes.get("value", "").strip()
        try:
            [float(word) for word in value.split() if plugin.section == "sensor"]
            float(value if value and plugin.section == "actuator" else "0")
        except ValueError:
            raise MjcfError(
                "expected a number", child.where, attribute="value", got=value
            ) from None
        if value:
            found[key] = value
    return found


def _replaced(node: Node, section: str, instances: Instances) -> Node:
    """The actuator or sensor that a node stands for; others as they are."""
    name = node.attributes.get("instance", "")
    named = _plugin_of(node)
    if node.tag != "plugin" or not (named or name in instances):
        return node
    if name and name not in instances:
        assert named is not None
        raise MjcfError(
            f"plugin '{named.name}' has no instance of this name",
            node.where,
            attribute="instance",
            got=name,
            hint=did_you_mean(name, list(instances)),
        )
    plugin = instances[name][0] if name else named
    assert plugin is not None
    if node.attributes.get("plugin", plugin.name) != plugin.name:
        raise MjcfError(
            f"this instance is one of plugin '{plugin.name}'",
            node.where,
            attribute="instance",
            got=name,
        )
    if plugin.section != section:
        # refused where it stands, by its name
        return node
    if name and node.children:
        raise MjcfError("an instance is configured where it is declared", node.children[0].where)
    settings = instances[name][1] if name else _settings(node, plugin)
    for key in plugin.keys:
        if key in node.attributes:
            raise MjcfError(
                f"<plugin> has no attribute '{key}'",
                node.where,
                attribute=key,
                got=node.attributes[key],
                hint=f'write <config key="{key}" value="..."/> in it',
            )
    own = {k: v for k, v in node.attributes.items() if k not in ("plugin", "instance")}
    if section == "sensor":
        own = _at_site(node, own)
    return Node(plugin.tag, node.where, own | settings, folder=node.folder)


def _at_site(node: Node, attributes: dict[str, str]) -> dict[str, str]:
    """Attributes of a grid, which stands at a site."""
    if attributes.get("objtype") != "site":
        raise MjcfError(
            "a touch grid stands at a site",
            node.where,
            attribute="objtype",
            got=attributes.get("objtype"),
        )
    rest = {k: v for k, v in attributes.items() if k not in ("objtype", "objname")}
    return rest | ({"site": attributes["objname"]} if "objname" in attributes else {})
