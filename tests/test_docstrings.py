"""Every public name says what it is, and what each of its arguments means."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cortenforge as cf

ROOT = Path(__file__).parents[1]


def members(owner: type) -> Iterator[tuple[str, Any]]:
    """Methods and properties of a class that the package defines, without wrappers."""
    for name in dir(owner):
        home = next((one for one in owner.__mro__ if name in one.__dict__), None)
        if name[0] != "_" and home is not None and home.__module__.startswith("cortenforge"):
            member = home.__dict__[name]
            yield name, inspect.unwrap(getattr(member, "__func__", member))


def public() -> dict[str, Any]:
    """Classes, functions, methods and properties that users call, by name."""
    found: dict[str, Any] = {}
    for name in cf.__all__:
        owner = getattr(cf, name)
        if inspect.isclass(owner):
            found[name] = owner
            inner = {f"{name}.{key}": member for key, member in members(owner)}
            kinds = (property, types.FunctionType)
            found |= {key: member for key, member in inner.items() if isinstance(member, kinds)}
        elif inspect.isfunction(owner):
            found[name] = owner
    return found


def test_every_name_has_a_docstring() -> None:
    """None is missing, and none is that of `object`."""
    names = public()
    assert len(names) > 400
    assert not [name for name, one in names.items() if not (inspect.getdoc(one) or "").strip()]


def test_every_argument_is_described() -> None:
    """The docstring of a function names each of its arguments."""
    missing = []
    for name, function in public().items():
        if not inspect.isfunction(function):
            continue
        text = inspect.getdoc(function) or ""
        for argument in inspect.signature(function).parameters:
            hidden = argument in ("self", "cls") or argument.startswith("_")
            if not hidden and not re.search(rf"\b{argument}\b", text):
                missing.append(f"{name}({argument})")
    assert not missing


def test_every_name_is_in_the_reference() -> None:
    """Classes and functions have a page; errors are in the tree of exceptions."""
    pages = [*(ROOT / "docs" / "reference").glob("*.md"), *(ROOT / "docs").glob("*.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    for name in cf.__all__:
        owner = getattr(cf, name)
        if inspect.isclass(owner) and not issubclass(owner, Exception):
            assert re.search(rf"cortenforge\.{name}\b|`(?:cf\.)?{name}\b", text), name
        elif inspect.isfunction(owner):
            assert f"cortenforge.{name}" in text, name


def test_every_environment_variable_is_in_the_reference() -> None:
    """Variables that sources read, and those alone."""
    page = (ROOT / "docs" / "reference" / "environment.md").read_text(encoding="utf-8")
    sources = [*(ROOT / "cortenforge").rglob("*.py"), ROOT / "hatch_build.py"]
    used = set()
    for file in sources:
        used |= set(re.findall(r"CORTENFORGE_[A-Z]+(?:_[A-Z]+)*", file.read_text(encoding="utf-8")))
    listed = set(re.findall(r"`(CORTENFORGE_[A-Z_]+)`", page))
    assert used == listed
