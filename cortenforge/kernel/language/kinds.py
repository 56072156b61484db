"""The kind (int, real, bool, word, value type) of an expression, as far as source decides it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from cortenforge.errors import SubsetError
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.source import called_name, file_of, syntax_of
from cortenforge.kernel.language.values import CLASSES, KINDS

NUMBERS = {
    "size": "int",
    "int": "int",
    "byte": "int",
    "word": "word",
    "real": "real",
    "single": "real",
}

#: kinds of the results of functions of the language
RESULTS = {
    "floor_real": "real",
    "lane_bits": "int",
    "lowest_bit": "int",
    "count_bits": "int",
    "bit": "word",
}


def check_one_type(kernel: Kernel, structs: Mapping[str, StructLayout]) -> None:
    """Raise a SubsetError where a name changes its kind.

    WGSL has no dynamic types, and an integer that becomes a real hides mistakes.
    """
    tree = syntax_of(kernel)
    kinds: dict[str, str] = {a.arg: "int" for a in tree.args.args if a.annotation is not None}
    for node in ast.walk(tree):
        for name, kind in _stores(node, kinds, kernel, structs):
            known = kinds.setdefault(name, kind)
            if kind and known and kind != known:
                raise SubsetError(
                    file_of(kernel),
                    node.lineno,  # type: ignore[attr-defined]
                    "one type",
                    f"{kernel.name}: {name!r} was {known} and becomes {kind}",
                )
            kinds[name] = known or kind


def _stores(
    node: ast.AST, kinds: dict[str, str], kernel: Kernel, structs: Mapping[str, StructLayout]
) -> list[tuple[str, str]]:
    """Names that a statement stores, each with the kind it gets ("" if unknown)."""
    if isinstance(node, ast.For) and isinstance(node.target, ast.Name):
        return [(node.target.id, "int")]
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        sum_of = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
        return [(node.target.id, kind_of(sum_of, kinds, kernel, structs))]
    if not isinstance(node, ast.Assign):
        return []
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Name):
        return [(target.id, kind_of(value, kinds, kernel, structs))]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return [
            (part.id, kind_of(item, kinds, kernel, structs))
            for part, item in zip(target.elts, value.elts, strict=True)
            if isinstance(part, ast.Name)
        ]
    return []


def kind_of(
    node: ast.expr, kinds: Mapping[str, str], kernel: Kernel, structs: Mapping[str, StructLayout]
) -> str:
    """int, real, bool or a value kind; "" if the source does not decide it."""

    def inner(part: ast.expr) -> str:
        return kind_of(part, kinds, kernel, structs)

    match node:
        case ast.Constant(value=bool()):
            return "bool"
        case ast.Constant(value=int()):
            return "int"
        case ast.Constant(value=float()):
            return "real"
        case ast.Name(id=name) if name in kinds:
            return kinds[name]
        case ast.Name(id=name):
            constant = dict(kernel.names()).get(name)
            return {bool: "bool", int: "int", float: "real"}.get(type(constant), "")
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            return "bool"
        case ast.UnaryOp(operand=operand):
            return inner(operand)
        case ast.IfExp(body=body, orelse=orelse):
            return inner(body) or inner(orelse)
        case ast.BinOp(left=left, op=op, right=right):
            return _arithmetic(inner(left), op, inner(right))
        case ast.Call():
            return _call_kind(node, inner, kernel)
        case ast.Attribute() | ast.Subscript():
            return _field_kind(node, structs)
    return ""


def _arithmetic(left: str, op: ast.operator, right: str) -> str:
    if "" in (left, right):
        return ""
    if isinstance(op, ast.MatMult):
        return right
    for kind in (left, right):
        if kind in KINDS:
            return kind
    if isinstance(op, (ast.Div, ast.Pow)) or "real" in (left, right):
        return "real"
    if "bool" in (left, right):
        return "bool"
    return "word" if "word" in (left, right) else "int"


def _call_kind(node: ast.Call, inner: Callable[[ast.expr], str], kernel: Kernel) -> str:
    if isinstance(node.func, ast.Attribute):
        return "int" if node.func.attr == "floor" else "real"
    name = called_name(node)
    value = dict(kernel.names()).get(name)
    for kind, cls in CLASSES.items():
        if value is cls:
            return kind
    if name in RESULTS:
        return RESULTS[name]
    if name == "select":
        return inner(node.args[1]) or inner(node.args[2])
    if name in ("in_lane", "zero_like", "without_lowest"):
        return inner(node.args[0])
    if name in ("min", "max", "abs"):
        found = [inner(argument) for argument in node.args]
        return "" if "" in found else ("real" if "real" in found else "int")
    return ""


def _field_kind(node: ast.Attribute | ast.Subscript, structs: Mapping[str, StructLayout]) -> str:
    field = node.value if isinstance(node, ast.Subscript) else node
    if not (isinstance(field, ast.Attribute) and isinstance(field.value, ast.Name)):
        return ""
    layout = structs.get(field.value.id)
    entry = layout.entries.get(field.attr) if layout else None
    if entry is None:
        return ""
    component = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple)
    if entry.kind in KINDS:
        return "real" if component else entry.kind
    return NUMBERS[entry.kind]
