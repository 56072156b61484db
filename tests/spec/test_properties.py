"""What holds for every model: rebuilt, edited to what it was, copied, it compiles to the same."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import cortenforge as cf
from conformance.cases import Case, handmade_cases, random_cases
from conformance.roundtrip import changed_fields
from cortenforge import models
from cortenforge.compile import compile_spec
from cortenforge.model.access.compiled import CompiledModel
from cortenforge.spec import Element
from cortenforge.spec.spec import SPEC_LISTS

CASES = [
    *handmade_cases(),
    *random_cases(100, 4),
    Case("humanoid", models.find("humanoid_floating"), 0),
]
SETTINGS = ("compiler", "option", "flag", "size", "statistic")


@pytest.fixture(params=CASES, ids=lambda case: case.name)
def spec(request: pytest.FixtureRequest) -> cf.Spec:
    return cf.Spec.from_mjcf(request.param.source)


def compiled(spec: cf.Spec) -> CompiledModel:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.MjcfWarning)
        return compile_spec(spec)


def rebuilt(spec: cf.Spec) -> cf.Spec:
    """A description with the same elements, added one by one from Python."""
    twin = cf.Spec(spec.modelname)
    for name in SETTINGS:
        getattr(twin, name).set(**getattr(spec, name).own())
    for name, group in spec.visual.items():
        twin.visual[name].set(**group.own())
    add_children(spec.compiler, twin.compiler)
    for section in spec.defaults:
        twin.default().set(**section.own())
        add_children(section, twin.default())
    for name in SPEC_LISTS:
        for element in getattr(spec, name):
            add_copy(element, twin.section_for(name), twin)
    add_children(spec.worldbody, twin.worldbody)
    return twin


def add_children(source: Element, target: Element) -> None:
    for child in source.children:
        add_children(child, target.add(child.tag, **child.own()))


def add_copy(element: Element, section: Element, twin: cf.Spec) -> None:
    if element.tag == "tuple":
        twin.add_tuple(element.name, [list(entry.own().values()) for entry in element.children])
    else:
        add_children(element, section.add(element.tag, **element.own()))


def test_rebuilt_in_python(spec: cf.Spec) -> None:
    """Adding every element by itself gives the same model, and the same text."""
    if len(spec.defaults) > 1:
        pytest.skip("a second default section has no counterpart in Python")
    twin = rebuilt(spec)
    assert changed_fields(compiled(spec), compiled(twin)) == []
    assert twin.to_xml() == spec.to_xml()


def test_set_to_what_it_is(spec: cf.Spec) -> None:
    """Giving every element the values that it has changes nothing."""
    before, text = compiled(spec), spec.to_xml()
    for section in spec.sections():
        for element in list(section.walk()):
            if element.home is not spec or element.own():
                element.set(**element.own())
    assert spec.to_xml() == text
    assert changed_fields(before, compiled(spec)) == []


def test_classes_laid_over_again(spec: cf.Spec) -> None:
    """A new class, which nothing uses, leaves every element as it was."""
    before = compiled(spec)
    unused = spec.add_default("of no use")
    unused.add_geom(friction=[1, 2, 3])
    assert changed_fields(before, compiled(spec)) == []
    spec.delete(unused)
    assert changed_fields(before, compiled(spec)) == []


def test_copied(spec: cf.Spec, tmp_path: Path) -> None:
    """A copy is the same model."""
    twin = spec.copy()
    assert twin.to_xml() == spec.to_xml()
    assert changed_fields(compiled(spec), compiled(twin)) == []
