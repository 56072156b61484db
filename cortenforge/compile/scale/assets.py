"""Meshes and height fields in scaling frames: one asset for each scale."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cortenforge.compile.scale.units import multiply_attributes
from cortenforge.spec import Element, Spec
from cortenforge.spec.references import element_name


def scaled_assets(spec: Spec, sizes: dict[int, float]) -> Spec:
    """The description with an asset for each size at which its tree uses it.

    `sizes` has the factors of elements in frames that scale.  The first use of an asset decides
    what happens to the asset itself; other sizes become assets of their own.
    """
    users = [
        one for body in _bodies_by_id(spec.worldbody) for one in _elements_of_body(body, "geom")
    ]
    users += [
        one for body in _bodies_by_id(spec.worldbody) for one in _elements_of_body(body, "site")
    ]
    meshes = _asset_instances(spec.meshes, "mesh", "scale", users, sizes)
    hfields = _asset_instances(spec.hfields, "hfield", "size", users, sizes)
    return replace(spec, meshes=meshes, hfields=hfields)


def _bodies_by_id(world: Element) -> list[Element]:
    """Bodies in the order of ids."""
    return [one for one in world.walk() if one.tag in ("worldbody", "body")]


def _elements_of_body(body: Element, tag: str) -> list[Element]:
    """Elements of a body, through its frames."""
    found: list[Element] = []
    pending = list(reversed(body.children))
    while pending:
        element = pending.pop()
        if element.tag == tag:
            found.append(element)
        elif element.tag == "frame":
            pending.extend(reversed(element.children))
    return found


def _asset_instances(
    assets: list[Element], kind: str, attribute: str, users: list[Element], sizes: dict[int, float]
) -> list[Element]:
    """Assets of a kind, resized; users get the name of theirs."""
    place = {element_name(one): i for i, one in enumerate(assets)}
    result, made = list(assets), dict[str, list[float]]()
    for user in users:
        name = user[kind]
        if not isinstance(name, str) or name not in place:
            continue
        size, known = sizes.get(id(user), 1.0), made.setdefault(name, [])
        if size not in known:
            known.append(size)
            scaled = _resized_asset(assets[place[name]], attribute, size)
            if len(known) == 1:
                result[place[name]] = scaled
            else:
                scaled.attributes["name"] = f"{name}@{len(known) - 1}"
                result.append(scaled)
        if known.index(size):
            user.attributes[kind] = f"{name}@{known.index(size)}"
    return result


def _resized_asset(asset: Element, attribute: str, factor: float) -> Element:
    scaled = asset.copy()
    scaled.home = asset.home
    if factor != 1.0:
        if scaled[attribute] is None:
            scaled.attributes[attribute] = np.ones(3)
        multiply_attributes(scaled, [(attribute, factor)])
    return scaled
