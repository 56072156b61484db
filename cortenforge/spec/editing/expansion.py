"""Expand `replicate` and `attach` in document order, as MuJoCo does while it reads a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cortenforge.grammar.rules import RULES
from cortenforge.spec.editing.attach import MAX_ELEMENTS, attach_copy, attachment_namespace
from cortenforge.spec.element import Element
from cortenforge.spec.replicate.replicas import referring_element_count, replica_count, replicas
from cortenforge.spec.spec import Spec

# each attachment looks at the whole model, which takes some 3 us an element
MAX_ATTACHED_ELEMENTS = 1_500_000
# replicas of these alone take less time and memory than those of bodies: a fifth of it, about
LIGHTWEIGHT_TAGS = {"replicate", "frame", "geom", "site"}
LIGHTWEIGHT = 0.22


@dataclass
class ExpansionBounds:
    """What all expansions of a model share.

    `most` bounds the elements of all lists that refer to the tree.
    """

    most: int
    looked_at: int = 0


def expand_replicates_and_attaches(spec: Spec, models: Mapping[str, Spec]) -> None:
    """Replace every replicate and attach in the tree; `models` can be attached, by name."""
    most = MAX_ELEMENTS - _checked_size(spec.worldbody) + referring_element_count(spec)
    _expand_below(spec.worldbody, spec, models, ExpansionBounds(most))
    spec.link()


def _checked_size(world: Element) -> int:
    """Elements that expanding the tree makes, from counts alone; refused if they are too many.

    What is written out is not counted: a file that is long may well be large.
    """
    elements = list(world.walk())
    weights = _weights(elements)
    totals: dict[int, int] = {}
    loads: dict[int, tuple[float, float]] = {}
    for element in reversed(elements):
        key, count = id(element), replica_count(element)
        totals[key] = (1 + sum(totals[id(child)] for child in element.children)) * count
        inside = [loads[id(child)] for child in element.children]
        written = weights[key] + sum(one for one, _ in inside)
        expanded = (weights[key] + sum(one for _, one in inside)) * count
        loads[key] = written, expanded
        _check_total(element, totals[key], expanded - written)
    written, expanded = loads[id(world)]
    return int(expanded - written)


def _weights(elements: list[Element]) -> dict[int, float]:
    """What each element counts for: less in a replicate of nothing but geoms and the like."""
    light: dict[int, bool] = {}
    for element in reversed(elements):
        inside = all(light[id(child)] for child in element.children)
        light[id(element)] = inside and element.tag in LIGHTWEIGHT_TAGS
    weights = {id(elements[0]): 1.0}
    for element in elements:
        key = id(element)
        if element.tag == "replicate" and light[key]:
            weights[key] = LIGHTWEIGHT
        # parents come before their children
        weights |= {id(child): weights[key] for child in element.children}
    return weights


def _check_total(element: Element, total: int, made: float) -> None:
    """Refuse a model of so many elements, of which so many, by weight, are made of others."""
    if made > MAX_ELEMENTS:
        limit = f"{MAX_ELEMENTS:,}".replace(",", " ")
        attribute = "count" if element.tag == "replicate" else None
        raise element.error(
            f"the model would grow to {total} elements; the limit is {limit}", attribute
        )


def _expand_below(
    parent: Element, spec: Spec, models: Mapping[str, Spec], bounds: ExpansionBounds
) -> None:
    """Expand below an element, innermost first; later elements are not there yet."""
    waiting, parent.children = parent.children, []
    for one in waiting:
        if one.tag == "attach":
            _check_effort(one, spec, bounds)
            _carry_out_attach(one, parent, spec, models)
            continue
        parent.children.append(one)
        _expand_below(one, spec, models, bounds)
        if one.tag == "replicate":
            inside = list(one.walk())
            weight, count = sum(_weights(inside).values()), replica_count(one)
            _check_total(one, len(inside) * count, weight * (count - 1))
            copies = replicas(one, spec, bounds.most)
            parent.children[-1:] = copies


def _check_effort(element: Element, spec: Spec, bounds: ExpansionBounds) -> None:
    """Refuse a file that attaches so often to so large a model that it takes too long."""
    bounds.looked_at += sum(1 for _ in spec.worldbody.walk()) + referring_element_count(spec)
    if bounds.looked_at > MAX_ATTACHED_ELEMENTS:
        raise element.error(
            "too many attachments for a model of this size",
            hint="attach first and replicate then, or build the model with cf.Spec",
        )


def _carry_out_attach(
    element: Element, place: Element, spec: Spec, models: Mapping[str, Spec]
) -> None:
    """Carry out an `attach` element."""
    name = element.attributes.get("model")
    if name is None:
        child = spec
    elif name in models:
        child = models[str(name)]
    else:
        known = ", ".join(models) or "none"
        raise element.error(
            "there is no model of this name", "model", f"models in <asset>: {known}"
        )
    source = _attached_source(element, child)
    prefix = str(element["prefix"])
    if source.name and any(
        one.tag == source.tag and one.name == prefix + source.name for one in spec.worldbody.walk()
    ):
        raise element.error(
            f"there is a {source.tag} '{prefix}{source.name}' already",
            "prefix",
            "each attachment needs a prefix of its own",
        )
    attach_copy(source, attachment_namespace(spec, child, prefix), spec, child, place, element)


def _attached_source(element: Element, child: Spec) -> Element:
    """The body or frame to attach, or the whole world."""
    kind = next((kind for kind in ("body", "frame") if kind in element.attributes), None)
    if kind is None:
        if "model" not in element.attributes:
            raise element.error(
                "a model can be attached to itself only in part",
                hint="name a body or a frame, or a model to attach",
            )
        return child.worldbody
    name = str(element[kind])
    if kind == "body" and name == "world":
        return _world_as_body(child.worldbody)
    for one in child.worldbody.walk():
        if one.tag == kind and one.name == name:
            return one
    where = "in that model" if "model" in element.attributes else "above this element"
    raise element.error(f"there is no {kind} of this name {where}", kind)


def _world_as_body(world: Element) -> Element:
    """The world as a body that can be attached; it shares the world's contents."""
    body = Element("body", world.where, {"name": "world"}, fallback=RULES["body"].fallback)
    body.children = list(world.children)
    return body
