"""Keyframes in a description that is written, with those that attached models brought along."""

from __future__ import annotations

from cortenforge.compile import compile_spec
from cortenforge.compile.elements.keyframes import keyframes_by_id
from cortenforge.grammar.rule import Value
from cortenforge.spec.element import Element
from cortenforge.spec.spec import Spec

KEYFRAME_VECTORS = ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")


def keyframes_to_write(spec: Spec) -> list[Element]:
    """Keyframes in the order of their ids; the values of attached ones are worked out."""
    if all(key.origin is None for key in spec.keys):
        return spec.keys
    arrays = compile_spec(spec).arrays
    found: list[Element] = []
    for number, key in enumerate(keyframes_by_id(spec.keys, spec.size)):
        if key is not None and key.origin is None:
            found.append(key)
            continue
        values: dict[str, Value] = {} if key is None else key.own()
        if key is not None:
            values |= {name: arrays[f"key_{name}"][number] for name in KEYFRAME_VECTORS}
        found.append(Element("key", spec.worldbody.where if key is None else key.where, values))
    return found
