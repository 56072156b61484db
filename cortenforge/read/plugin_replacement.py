"""Plugins of MuJoCo that are built-in features here: plugin nodes and their replacements.

`mujoco.pid`, configured by an instance or in place, becomes the actuator <pidplugin>, and
`mujoco.sensor.touch_grid` the sensor <touchgrid>; a plugin of a signed distance field becomes the
attributes `sdf` and `sdfparams` of its mesh or geom. All other plugins stay where they are and are
refused there.
"""

from __future__ import annotations

from dataclasses import dataclass

from cortenforge.errors import MjcfError
from cortenforge.grammar.node import Node
from cortenforge.grammar.sdf_shapes import SDF_PLUGIN_PREFIX, SDF_SHAPES
from cortenforge.problems import each_valid
from cortenforge.suggest import did_you_mean


@dataclass(frozen=True)
class Plugin:
    """A plugin of MuJoCo: where it stands, what it becomes, what it is configured with."""

    name: str
    section: str
    tag: str
    keys: tuple[str, ...]


#: the section of plugins that stand in elements: meshes and geoms that are distance fields
SDF_SECTION = "field"
SDF_TAGS = ("mesh", "geom")
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
        *(
            Plugin(SDF_PLUGIN_PREFIX + name, SDF_SECTION, name, tuple(keys))
            for name, keys in SDF_SHAPES.items()
        ),
    )
}


@dataclass(frozen=True)
class PluginInstance:
    """What one plugin is configured with."""

    plugin: Plugin
    settings: dict[str, str]


PluginInstances = dict[str, PluginInstance]


def replace_plugins(root: Node) -> None:
    """Put features of our own where a document has plugins that do the same."""
    instances: PluginInstances = {}
    for section in root.children:
        if section.tag == "extension":
            ours = [node for node in section.children if _supported_plugin(node)]
            each_valid(_declare_instances, ours, instances)
            section.children = [node for node in section.children if node not in ours]
    for section in root.children:
        if section.tag in ("actuator", "sensor"):
            section.children = each_valid(
                _replaced_plugin_node, section.children, section.tag, instances
            )
        elif section.tag in ("asset", "worldbody"):
            each_valid(_replace_sdf_plugin, _elements_with_plugin(section), instances)


def _supported_plugin(node: Node) -> Plugin | None:
    """The plugin that a node names, if it is one of ours."""
    return PLUGINS.get(node.attributes.get("plugin", "")) if node.tag == "plugin" else None


def _elements_with_plugin(section: Node) -> list[Node]:
    """Meshes and geoms with a plugin."""
    found, waiting = [], [section]
    while waiting:
        node = waiting.pop()
        if node.tag in SDF_TAGS and any(child.tag == "plugin" for child in node.children):
            found.append(node)
        waiting += node.children
    return found


def _replace_sdf_plugin(node: Node, instances: PluginInstances) -> None:
    """Attributes in place of the plugin of a signed distance field."""
    plugin = next(child for child in node.children if child.tag == "plugin")
    known = _plugin_instance(plugin, SDF_SECTION, instances)
    if known is None:
        return
    for name in ("sdf", "sdfparams"):
        if name in node.attributes:
            problem = "the plugin in this element says that already"
            raise MjcfError(problem, node.where, attribute=name, got=node.attributes[name])
    shape = known.plugin.tag
    values = [known.settings.get(key, repr(default)) for key, default in SDF_SHAPES[shape].items()]
    node.attributes |= {"sdf": shape, "sdfparams": " ".join(values)}
    node.children.remove(plugin)


def _declare_instances(node: Node, instances: PluginInstances) -> None:
    """Take down the instances that a plugin is declared with."""
    plugin = PLUGINS[node.attributes["plugin"]]
    for child in node.children:
        if child.tag != "instance":
            raise MjcfError(f"<plugin> has no element <{child.tag}> here", child.where)
        name = child.attributes.get("name", "")
        if not name or name in instances:
            problem = "there is another instance of this name" if name else "an instance has a name"
            raise MjcfError(problem, child.where, attribute="name", got=name or None)
        instances[name] = PluginInstance(plugin, _plugin_settings(child, plugin))


def _plugin_settings(node: Node, plugin: Plugin) -> dict[str, str]:
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
            # sensors have lists of numbers, others one
            for word in value.split() if plugin.section == "sensor" else [value or "0"]:
                float(word)
        except ValueError:
            raise MjcfError(
                "expected a number", child.where, attribute="value", got=value
            ) from None
        if value:
            found[key] = value
    return found


def _plugin_instance(node: Node, section: str, instances: PluginInstances) -> PluginInstance | None:
    """What a <plugin> refers to or is configured with; None if it is none of ours, or not here."""
    name, named = node.attributes.get("instance", ""), _supported_plugin(node)
    if not (named or name in instances):
        return None
    if name and name not in instances:
        assert named is not None
        raise MjcfError(
            f"plugin '{named.name}' has no instance of this name",
            node.where,
            attribute="instance",
            got=name,
            hint=did_you_mean(name, list(instances)),
        )
    plugin = instances[name].plugin if name else named
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
        return None
    if name and node.children:
        raise MjcfError("an instance is configured where it is declared", node.children[0].where)
    return instances[name] if name else PluginInstance(plugin, _plugin_settings(node, plugin))


def _replaced_plugin_node(node: Node, section: str, instances: PluginInstances) -> Node:
    """The actuator or sensor that a node stands for; others as they are."""
    known = _plugin_instance(node, section, instances) if node.tag == "plugin" else None
    if known is None:
        return node
    for key in known.plugin.keys:
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
        own = _touch_grid_attributes(node, own)
    return Node(known.plugin.tag, node.where, own | known.settings, folder=node.folder)


def _touch_grid_attributes(node: Node, attributes: dict[str, str]) -> dict[str, str]:
    """Attributes of a grid, which stands at a site."""
    if attributes.get("objtype") != "site":
        raise MjcfError(
            "a touch grid is attached to a site",
            node.where,
            attribute="objtype",
            got=attributes.get("objtype"),
        )
    rest = {k: v for k, v in attributes.items() if k not in ("objtype", "objname")}
    return rest | ({"site": attributes["objname"]} if "objname" in attributes else {})
