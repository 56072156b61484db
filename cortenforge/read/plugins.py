"""Plugins of MuJoCo that are features here: nodes as people write them, and what they stand for.

`mujoco.pid`, configured by an instance or in place, becomes the actuator <pidplugin>. All other
plugins stay where they are and are refused there.
"""

from __future__ import annotations

from cortenforge.errors import MjcfError
from cortenforge.grammar.node import Node
from cortenforge.grammar.numbers import did_you_mean
from cortenforge.problems import each

PID = "mujoco.pid"
PID_KEYS = ("kp", "ki", "kd", "imax", "slewmax")

Instances = dict[str, dict[str, str]]


def replace_plugins(root: Node) -> None:
    """Put actuators of our own where a document has plugins that do the same."""
    instances: Instances = {}
    for section in root.children:
        if section.tag == "extension":
            ours = [node for node in section.children if _is_pid(node)]
            each(_declare, ours, instances)
            section.children = [node for node in section.children if node not in ours]
    for section in root.children:
        if section.tag == "actuator":
            section.children = each(_replaced, section.children, instances)


def _is_pid(node: Node) -> bool:
    return node.tag == "plugin" and node.attributes.get("plugin") == PID


def _declare(node: Node, instances: Instances) -> None:
    """Take down the instances that a plugin is declared with."""
    for child in node.children:
        if child.tag != "instance":
            raise MjcfError(f"<plugin> has no element <{child.tag}> here", child.where)
        name = child.attributes.get("name", "")
        if not name or name in instances:
            problem = "there is another instance of this name" if name else "an instance has a name"
            raise MjcfError(problem, child.where, attribute="name", got=name or None)
        instances[name] = _settings(child)


def _settings(node: Node) -> dict[str, str]:
    """What a node's <config> children say."""
    found: dict[str, str] = {}
    for child in node.children:
        if child.tag != "config":
            raise MjcfError(f"<{node.tag}> has no element <{child.tag}>", child.where)
        key = child.attributes.get("key", "")
        if key not in PID_KEYS:
            raise MjcfError(
                f"plugin '{PID}' has no such key",
                child.where,
                attribute="key",
                got=key,
                hint=did_you_mean(key, list(PID_KEYS)),
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


def _replaced(node: Node, instances: Instances) -> Node:
    """The actuator that a node stands for; others as they are."""
    name = node.attributes.get("instance", "")
    if node.tag != "plugin" or not (_is_pid(node) or name in instances):
        return node
    if name and name not in instances:
        raise MjcfError(
            f"plugin '{PID}' has no instance of this name",
            node.where,
            attribute="instance",
            got=name,
            hint=did_you_mean(name, list(instances)),
        )
    if node.attributes.get("plugin", PID) != PID:
        raise MjcfError(
            f"this instance is one of plugin '{PID}'", node.where, attribute="instance", got=name
        )
    if name and node.children:
        raise MjcfError("an instance is configured where it is declared", node.children[0].where)
    settings = instances[name] if name else _settings(node)
    for key in PID_KEYS:
        if key in node.attributes:
            raise MjcfError(
                f"<plugin> has no attribute '{key}'",
                node.where,
                attribute=key,
                got=node.attributes[key],
                hint=f'write <config key="{key}" value="..."/> in it',
            )
    own = {k: v for k, v in node.attributes.items() if k not in ("plugin", "instance")}
    return Node("pidplugin", node.where, own | settings, folder=node.folder)
