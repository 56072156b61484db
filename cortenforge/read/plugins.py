"""Plugins of MuJoCo that are features here: nodes as people write them, and what they stand for.

`mujoco.pid`, configured by an instance or in place, becomes the actuator <pidplugin>; a plugin of a
signed distance field becomes the attributes `sdf` and `sdfparams` of its mesh or geom. All other
plugins stay where they are and are refused there.
"""

from __future__ import annotations

from dataclasses import dataclass

from cortenforge.errors import MjcfError
from cortenforge.grammar.distance_shapes import PREFIX, SHAPES
from cortenforge.grammar.node import Node
from cortenforge.grammar.numbers import did_you_mean
from cortenforge.problems import each

PID = "mujoco.pid"
#: keys by the name of a plugin
KEYS: dict[str, tuple[str, ...]] = {
    PID: ("kp", "ki", "kd", "imax", "slewmax"),
    **{PREFIX + name: tuple(keys) for name, keys in SHAPES.items()},
}
#: elements that can be a signed distance field
FIELDS = ("mesh", "geom")


@dataclass(frozen=True)
class Instance:
    """What one plugin is configured with."""

    plugin: str
    settings: dict[str, str]


Instances = dict[str, Instance]


def replace_plugins(root: Node) -> None:
    """Put features of our own where a document has plugins that do the same."""
    instances: Instances = {}
    for section in root.children:
        if section.tag == "extension":
            ours = [node for node in section.children if _is_known(node)]
            each(_declare, ours, instances)
            section.children = [node for node in section.children if node not in ours]
    for section in root.children:
        if section.tag == "actuator":
            section.children = each(_replaced, section.children, instances)
        elif section.tag in ("asset", "worldbody"):
            each(_take_field, _fields_in(section), instances)


def _is_known(node: Node) -> bool:
    return node.tag == "plugin" and node.attributes.get("plugin") in KEYS


def _fields_in(section: Node) -> list[Node]:
    """Meshes and geoms with a plugin."""
    found, waiting = [], [section]
    while waiting:
        node = waiting.pop()
        if node.tag in FIELDS and any(child.tag == "plugin" for child in node.children):
            found.append(node)
        waiting += node.children
    return found


def _take_field(node: Node, instances: Instances) -> None:
    """Attributes in place of the plugin of a signed distance field."""
    plugin = next(child for child in node.children if child.tag == "plugin")
    known = _known(plugin, instances)
    if known is None or not known.plugin.startswith(PREFIX):
        return
    for name in ("sdf", "sdfparams"):
        if name in node.attributes:
            problem = "the plugin in this element says that already"
            raise MjcfError(problem, node.where, attribute=name, got=node.attributes[name])
    name = known.plugin.removeprefix(PREFIX)
    values = [known.settings.get(key, repr(default)) for key, default in SHAPES[name].items()]
    node.attributes |= {"sdf": name, "sdfparams": " ".join(values)}
    node.children.remove(plugin)


def _declare(node: Node, instances: Instances) -> None:
    """Take down the instances that a plugin is declared with."""
    plugin = node.attributes["plugin"]
    for child in node.children:
        if child.tag != "instance":
            raise MjcfError(f"<plugin> has no element <{child.tag}> here", child.where)
        name = child.attributes.get("name", "")
        if not name or name in instances:
            problem = "there is another instance of this name" if name else "an instance has a name"
            raise MjcfError(problem, child.where, attribute="name", got=name or None)
        instances[name] = Instance(plugin, _settings(child, plugin))


def _settings(node: Node, plugin: str) -> dict[str, str]:
    """What a node's <config> children say."""
    found: dict[str, str] = {}
    for child in node.children:
        if child.tag != "config":
            raise MjcfError(f"<{node.tag}> has no element <{child.tag}>", child.where)
        key = child.attributes.get("key", "")
        if key not in KEYS[plugin]:
            raise MjcfError(
                f"plugin '{plugin}' has no such key",
                child.where,
                attribute="key",
                got=key,
                hint=did_you_mean(key, list(KEYS[plugin])),
            )
        value = child.attributes.get("value", "").strip()
        try:
            float(value or "0")
        except ValueError:
            raise MjcfError(
                "expected a number", child.where, attribute="value", got=value
            ) from None
        if value:
            found[key] = value
    return found


def _known(node: Node, instances: Instances) -> Instance | None:
    """What a <plugin> refers to or is configured with; None if it is not one of ours."""
    name = node.attributes.get("instance", "")
    plugin = node.attributes.get("plugin", "")
    if plugin not in KEYS and name not in instances:
        return None
    if name and name not in instances:
        raise MjcfError(
            f"plugin '{plugin}' has no instance of this name",
            node.where,
            attribute="instance",
            got=name,
            hint=did_you_mean(name, list(instances)),
        )
    if name and plugin and plugin != instances[name].plugin:
        raise MjcfError(
            f"this instance is one of plugin '{instances[name].plugin}'",
            node.where,
            attribute="instance",
            got=name,
        )
    if name and node.children:
        raise MjcfError("an instance is configured where it is declared", node.children[0].where)
    return instances[name] if name else Instance(plugin, _settings(node, plugin))


def _replaced(node: Node, instances: Instances) -> Node:
    """The actuator that a node stands for; others as they are."""
    known = _known(node, instances) if node.tag == "plugin" else None
    if known is None:
        return node
    if known.plugin != PID:
        raise MjcfError(f"plugin '{known.plugin}' is no actuator", node.where)
    for key in KEYS[PID]:
        if key in node.attributes:
            raise MjcfError(
                f"<plugin> has no attribute '{key}'",
                node.where,
                attribute=key,
                got=node.attributes[key],
                hint=f'write <config key="{key}" value="..."/> in it',
            )
    own = {k: v for k, v in node.attributes.items() if k not in ("plugin", "instance")}
    return Node("pidplugin", node.where, own | known.settings, folder=node.folder)
