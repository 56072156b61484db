"""Types of the kernel language in WGSL: numbers, values as structs, tuples as structs.

A type is a word (`int`, `real`, `bool` or a value kind) or, for several results, a tuple of words.

The word `precise` exists in WGSL only: a real stored as the sum of two f32. Components of spatial
vectors and inertias are precise, since their reference point is the tree's centre, which may be
metres away: the moment of a foot about itself is a thousandth of the stored one, and one f32 would
lose four digits. Fields passed to `BufferLayout` as precise are, too.
"""

from __future__ import annotations

import ast
import inspect
import textwrap

from cortenforge.kernel.language.values import KINDS, hamilton_product, matrix_vector

Type = str | tuple[str, ...]

NUMBERS = {
    "int": "i32",
    "real": "f32",
    "precise": "vec2<f32>",
    "bool": "bool",
    "word": "vec2<u32>",
    "vec3": "vec3<f32>",
}
#: kinds whose components are sums of two f32
PRECISE_KINDS = ("inertia", "spatial")
#: kinds without a type in WGSL
STRUCTS = tuple(kind for kind in KINDS if kind != "vec3")


def wgsl_type(kind: Type) -> str:
    """Name of a type in WGSL."""
    if isinstance(kind, tuple):
        return tuple_name(kind)
    return NUMBERS.get(kind, kind)


def component_kind(kind: str) -> str:
    """The type of a value's components."""
    return "precise" if kind in PRECISE_KINDS else "real"


def tuple_name(kinds: tuple[str, ...]) -> str:
    """Name of the struct for several results."""
    return "tuple_" + "_".join(kinds)


def tuple_struct(kinds: tuple[str, ...]) -> str:
    """Declaration of the struct for several results."""
    parts = ", ".join(f"v{i}: {wgsl_type(kind)}" for i, kind in enumerate(kinds))
    return f"struct {tuple_name(kinds)} {{ {parts} }}"


def value_struct(kind: str) -> str:
    """Declaration of a value kind."""
    number = wgsl_type(component_kind(kind))
    return f"struct {kind} {{ {', '.join(f'{name}: {number}' for name in KINDS[kind])} }}"


def value_function(name: str) -> str:
    """An operator of a value kind as a function: `spatial_add`, `quat_product`, ..."""
    kind, _, operator = name.partition("_")
    if operator == "product":
        parts = _formula(hamilton_product, {"a": "quat", "b": "quat"})
        return _function(name, "a: quat, b: quat", "quat", parts)
    if operator == "times":
        parts = _formula(matrix_vector, {"a": "mat3", "b": "vec3"})
        return _function(name, "a: mat3, b: vec3<f32>", "vec3<f32>", parts)
    names = KINDS[kind]
    if operator == "select":
        return (
            f"fn {name}(condition: bool, a: {kind}, b: {kind}) -> {kind} {{\n"
            "  if (condition) { return a; }\n  return b;\n}"
        )
    precise = kind in PRECISE_KINDS
    if operator == "scale":
        form = "precise_times(a.{0}, s)" if precise else "a.{0} * s"
        return _function(name, f"a: {kind}, s: f32", kind, [form.format(n) for n in names])
    if operator == "neg":
        return _function(name, f"a: {kind}", kind, [f"-a.{n}" for n in names])
    sign = {"add": "+", "sub": "-"}[operator]
    form = f"a.{{0}} {sign} b.{{0}}"
    if precise:
        form = "precise_sum(a.{0}, b.{0})" if sign == "+" else "precise_sum(a.{0}, -b.{0})"
    return _function(name, f"a: {kind}, b: {kind}", kind, [form.format(n) for n in names])


#: functions of reals that operators of precise kinds call
CALLED = {"scale": "precise_times", "add": "precise_sum", "sub": "precise_sum"}


def _function(name: str, parameters: str, result: str, parts: list[str]) -> str:
    inner = ",\n    ".join(parts)
    return f"fn {name}({parameters}) -> {result} {{\n  return {result}(\n    {inner}\n  );\n}}"


def _formula(function: object, operands: dict[str, str]) -> list[str]:
    """Text of the components that a Python formula returns, for the components of two values."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]  # type: ignore[arg-type]
    assert isinstance(tree, ast.FunctionDef)
    components = [f"{value}.{part}" for value, kind in operands.items() for part in KINDS[kind]]
    renamed = dict(zip((a.arg for a in tree.args.args), components, strict=True))
    result = tree.body[-1]
    assert isinstance(result, ast.Return) and isinstance(result.value, ast.Tuple)
    for node in ast.walk(result):
        if isinstance(node, ast.Name):
            node.id = renamed[node.id]
    return [ast.unparse(part) for part in result.value.elts]
