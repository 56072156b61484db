"""Default classes in a description that is written, when models were attached to it.

An attached model brings classes of its own, which inherit nothing from those of the model it is
attached to.  In a file every class is inside `main`.  So `main` is written empty, what it said goes
into a class beside the others, and elements that took it from `main` name that class.
"""

from __future__ import annotations

from collections.abc import Iterator

from cortenforge.spec.element import CLASS, MAIN, Element
from cortenforge.spec.from_nodes.single import element_rule
from cortenforge.spec.references import element_name, named_references
from cortenforge.spec.spec import SPEC_LISTS, Spec
from cortenforge.write.file_names import AttributeChanges

#: elements around others, which name the class of what is in them
CLASS_HOLDERS = ("body", "frame")


def class_sections(spec: Spec) -> list[Element]:
    """Default sections to write."""
    own, others = _own_and_others(spec)
    if not others:
        return own
    nested = Element(CLASS, spec.worldbody.where)
    if not _has_values(own):
        nested.children = others
        return [*own, nested]
    # a later section goes on where an earlier one ended, so it becomes a class inside it
    outer, last = nested, _main_class_name(spec)
    for number, section in enumerate(own, start=1):
        name = last if number == len(own) else f"{last}{number}"
        inner = Element(CLASS, section.where, {"class": name}, children=list(section.children))
        outer.children.append(inner)
        outer = inner
    nested.children += others
    return [nested]


def class_changes(spec: Spec) -> AttributeChanges:
    """Elements of `main` name the class that stands in for it."""
    own, others = _own_and_others(spec)
    if not others or not _has_values(own):
        return {}
    name = _main_class_name(spec)
    changes: AttributeChanges = {}
    for element in _outermost_main_elements(spec):
        attribute = "childclass" if element.tag in CLASS_HOLDERS else "class"
        changes[id(element)] = {attribute: str(element.attributes.get(attribute, name))}
    for section in spec.sections():
        for element in section.walk():
            for attribute, kind in named_references(element):
                if kind == CLASS and element.attributes[attribute] == MAIN:
                    changes.setdefault(id(element), {})[attribute] = name
    return changes


def _own_and_others(spec: Spec) -> tuple[list[Element], list[Element]]:
    """The model's own default sections, and those of attached models."""
    own = [section for section in spec.defaults if element_name(section) == MAIN]
    return own, [section for section in spec.defaults if element_name(section) != MAIN]


def _has_values(sections: list[Element]) -> bool:
    """True if `main` has any values."""
    return any(one.tag != CLASS for section in sections for one in section.children)


def _main_class_name(spec: Spec) -> str:
    """A name for the class of `main`'s values, with which no other name begins."""
    name = "own"
    while any(one.startswith(name) for one in spec.classes):
        name += "_"
    return name


def _outermost_main_elements(spec: Spec) -> Iterator[Element]:
    """Elements that take from `main` unless they name a class, or hold such elements."""
    listed = [one for name in SPEC_LISTS for one in getattr(spec, name)]
    for element in (*spec.worldbody.children, *listed):
        if element.tag in CLASS_HOLDERS or "class" in element_rule(element).attributes:
            yield element
