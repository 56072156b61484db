"""Elements of MJCF that are refused: not supported, or removed from MJCF; with hints."""

from __future__ import annotations

from cortenforge.errors import MjcfError
from cortenforge.grammar.node import Node

FLEX_ELEMENTS = ("flex", "flexcomp")
REMOVED = {
    "composite": "copies of rigid bodies are written with <replicate>; cloth, ropes and soft "
    "bodies were moved to <flexcomp>",
}
# what to use instead of a plugin
PLUGIN_HINTS = {
    "mujoco.pid": 'it is an actuator: <actuator><plugin plugin="mujoco.pid"/></actuator>',
    "mujoco.elasticity.cable": "a chain of bodies with ball joints and stiffness comes close",
}


def unsupported_element_error(node: Node, parent: str) -> MjcfError:
    """The error for an element that is not supported."""
    if node.tag == "plugin":
        return _plugin_error(node, parent)
    if node.tag in FLEX_ELEMENTS:
        return MjcfError(
            f"{parent}/{node.tag} is not supported yet: there are no flexible bodies", node.where
        )
    return MjcfError(f"{parent}/{node.tag} is not supported yet", node.where)


def removed_element_error(node: Node) -> MjcfError:
    """The error for an element that was removed from MJCF."""
    return MjcfError(
        f"<{node.tag}> was removed from MJCF in MuJoCo 4.0", node.where, hint=REMOVED.get(node.tag)
    )


def _plugin_error(node: Node, parent: str) -> MjcfError:
    """The error for a plugin, by its name or that of its instance."""
    for attribute, what in (("plugin", "plugin"), ("instance", "plugin instance")):
        name = node.attributes.get(attribute)
        if name:
            return MjcfError(
                f"{what} '{name}' is not supported yet: plugins of MuJoCo cannot be loaded",
                node.where,
                attribute=attribute,
                got=name,
                hint=PLUGIN_HINTS.get(name),
            )
    return MjcfError(f"{parent}/plugin is not supported yet", node.where)
