"""Kernels as plain Python functions that give the bits of compiled code.

Products are fused by the rule of `fuse` if those of compiled code are; division and the functions
of `math` give inf and nan where C does. Values are tuples and fields are lists of them, which
Python reaches several times quicker than NumPy arrays: a small model is done before compiled code
would have been loaded. File and lines are those of the source, so that debuggers find them.
"""

from __future__ import annotations

import ast
import marshal
import math
from collections.abc import Callable, Hashable, Mapping
from itertools import repeat
from operator import add, is_not, itemgetter, mul, neg, sub
from types import CodeType, FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from cortenforge.kernel.language import values
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.fma import fma
from cortenforge.kernel.language.fuse import (
    MULTIPLY_ADD,
    MULTIPLY_SUBTRACT,
    SUBTRACT_PRODUCT,
    fused_operation,
    is_product,
)
from cortenforge.kernel.language.layout import Entry, StructLayout
from cortenforge.kernel.language.source import ModuleText, module_text
from cortenforge.kernel.language.values import CLASSES, KINDS

DIVIDED = "divided"
REPLACED = "replaced"

new = tuple.__new__


# ---------------------------------------------------------------------- values and fields


class PlainValue(tuple[float, ...]):
    """A value of the kernel language: its components in memory order."""

    __slots__ = ()

    def __new__(cls, *parts: float) -> Any:
        return new(cls, parts)

    def __add__(self, other: Any) -> Any:
        return new(type(self), map(add, self, other))

    def __sub__(self, other: Any) -> Any:
        return new(type(self), map(sub, self, other))

    def __neg__(self) -> Any:
        return new(type(self), map(neg, self))

    def __mul__(self, other: Any) -> Any:
        return new(type(self), map(mul, self, repeat(other)))

    def __rmul__(self, other: Any) -> Any:
        return self * other


class Lists:
    """The fields of a struct as a kernel sees them; a field becomes a list when it is first used.

    `arrays` also holds the sizes, as integers.
    """

    def __init__(
        self, layout: StructLayout, arrays: Mapping[str, Any], classes: Mapping[str, type]
    ) -> None:
        self._layout, self._arrays, self._classes = layout, arrays, classes

    def __getattr__(self, name: str) -> Any:
        # found here only once: from then on it is an attribute
        entry = self._layout.entries.get(name)
        if entry is None or self._arrays.get(name) is None:
            raise AttributeError(f"{self._layout.name} was not given {name!r}")
        made = self._arrays[name] if entry.kind == "size" else self._listed(entry)
        self.__dict__[name] = made
        return made

    def _listed(self, entry: Entry) -> Any:
        array = self._arrays[entry.name]
        rows: list[Any]
        if entry.kind in KINDS:
            cls = self._classes[entry.kind]
            rows = [new(cls, row) for row in array.reshape(-1, len(KINDS[entry.kind])).tolist()]
        elif entry.trailing:
            rows = [tuple(row) for row in array.reshape(-1, *entry.trailing).tolist()]
        else:
            rows = array.reshape(-1).tolist()
        return rows[0] if entry.is_scalar else rows

    def write_back(self) -> None:
        """Put what the kernel left into the arrays."""
        for name, rows in self.__dict__.items():
            entry = self._layout.entries.get(name)
            if entry is not None and entry.kind != "size":
                array = self._arrays[name]
                array[...] = np.reshape(rows, array.shape)


# ---------------------------------------------------------------------- arithmetic as in C


def divided(a: float, b: float) -> float:
    """a / b; inf or nan for b = 0."""
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or a != a:
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)


def replaced(row: tuple[float, ...], k: int, value: float) -> Any:
    """A row with another number in one place."""
    return new(type(row), (*row[:k], value, *row[k + 1 :]))


def floor_real(x: float) -> float:
    """The largest whole number that is not larger; zeros keep their sign."""
    return math.copysign(float(math.floor(x)), x) if math.isfinite(x) else x


def _logarithm(x: float) -> float:
    return math.log(x) if x > 0 else (-math.inf if x == 0 else math.nan)


def _quiet(function: Callable[..., float]) -> Callable[..., float]:
    """A function that gives nan out of its domain and inf where it overflows."""

    def run(*args: float) -> float:
        try:
            return function(*args)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return run


MATH = SimpleNamespace(
    **{
        name: _quiet(getattr(math, name))
        for name in ("sqrt", "sin", "cos", "tan", "asin", "acos", "exp", "pow")
    },
    log=_logarithm,
    atan=math.atan,
    atan2=math.atan2,
    floor=math.floor,
)


def multiply_add(a: Any, b: Any, c: Any) -> Any:
    """a * b + c with one rounding; of integers, as usual."""
    if type(c) is float:
        return fma(a, b, c)
    if isinstance(c, PlainValue):
        if isinstance(a, PlainValue):
            return new(type(c), map(fma, a, repeat(b), c))
        return new(type(c), map(fma, repeat(a), b, c))
    if type(a) is int and type(b) is int:
        return a * b + c
    return fma(a, b, c)


def multiply_subtract(a: Any, b: Any, c: Any) -> Any:
    """a * b - c with one rounding."""
    return multiply_add(a, b, -c)


def subtract_product(a: Any, b: Any, c: Any) -> Any:
    """c - a * b with one rounding."""
    return multiply_add(-a, b, c)


#: names under which plain code finds these functions
ARITHMETIC = {
    DIVIDED: divided,
    REPLACED: replaced,
    MULTIPLY_ADD: multiply_add,
    MULTIPLY_SUBTRACT: multiply_subtract,
    SUBTRACT_PRODUCT: subtract_product,
}


# ---------------------------------------------------------------------- code


def _as_lists(node: ast.AST) -> ast.AST:
    """Rule: components of rows, and division as in C."""
    match node:
        case ast.Subscript(slice=ast.Tuple(elts=[row, place]), ctx=ast.Load()):
            return _changed(node, value=_changed(node, slice=row), slice=place)
        case ast.BinOp(op=ast.Div()):
            return _call(DIVIDED, node, node.left, node.right)
        case ast.AugAssign(target=ast.Subscript(slice=ast.Tuple())) | ast.AugAssign(op=ast.Div()):
            before = _as_lists(_changed(node.target, ctx=ast.Load()))
            value = _as_lists(ast.copy_location(ast.BinOp(before, node.op, node.value), node))
            return _as_lists(ast.copy_location(ast.Assign([node.target], value), node))
        case ast.Assign(targets=[ast.Subscript(slice=ast.Tuple(elts=[row, place])) as target]):
            whole = _changed(target, slice=row)
            before = _changed(whole, ctx=ast.Load())
            value = _call(REPLACED, node, before, place, node.value)
            return _changed(node, targets=[whole], value=value)
    return node


def _as_lists_fused(node: ast.AST) -> ast.AST:
    """Rule: the same, with fused products."""
    match node:
        case ast.BinOp() if is_product(node.left) or is_product(node.right):
            return _as_lists(fused_operation(node.left, node.op, node.right, node))
        case ast.AugAssign(op=ast.Add() | ast.Sub()) if is_product(node.value):
            before = _as_lists(_changed(node.target, ctx=ast.Load()))
            assert isinstance(before, ast.expr)
            value = fused_operation(before, node.op, node.value, node)
            return _as_lists(ast.copy_location(ast.Assign([node.target], value), node))
    return _as_lists(node)


def _rewritten(node: Any, rule: Callable[[Any], Any]) -> Any:
    """A tree with a rule applied to every part, children first; what stays is shared."""
    changes: dict[str, Any] = {}
    for name in node._fields:
        value = getattr(node, name)
        if isinstance(value, list):
            parts = [_rewritten(part, rule) for part in value]
            if any(map(is_not, parts, value)):
                changes[name] = parts
        elif isinstance(value, ast.expr):
            part = _rewritten(value, rule)
            if part is not value:
                changes[name] = part
    return rule(_changed(node, **changes) if changes else node)


def _changed(node: Any, **changes: Any) -> Any:
    """A copy of a node in which some parts differ."""
    fields = {name: getattr(node, name) for name in node._fields}
    return ast.copy_location(type(node)(**(fields | changes)), node)


def _call(name: str, place: ast.AST, *arguments: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), place)


def _module(function: ast.FunctionDef, rule: Callable[[Any], Any]) -> ast.Module:
    """A function, changed by a rule, in a module of its own."""
    arguments = _changed(function.args, args=[ast.arg(a.arg) for a in function.args.args])
    body = [_rewritten(statement, rule) for statement in function.body]
    bare = _changed(function, args=arguments, body=body, decorator_list=[])
    return ast.fix_missing_locations(ast.Module([bare], []))


def _function_code(function: ast.FunctionDef, rule: Callable[[Any], Any], file: str) -> CodeType:
    made = compile(_module(function, rule), file, "exec")
    (code,) = (constant for constant in made.co_consts if isinstance(constant, CodeType))
    return code


def _is_kernel(function: ast.FunctionDef) -> bool:
    names = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
    return any(isinstance(name, ast.Name) and name.id == "kernel" for name in names)


#: given a text and how to make something of it, gives what was made, now or before
Keeper = Callable[[str, Callable[[], bytes]], bytes]


def not_kept(text: str, make: Callable[[], bytes]) -> bytes:
    """Make it each time."""
    return make()


class PlainCode:
    """Plain functions of kernels; `fused` is whether compiled code fuses products."""

    def __init__(self, *, fused: bool, keeper: Keeper = not_kept) -> None:
        self._rule = _as_lists_fused if fused else _as_lists
        self._keeper = keeper
        self._codes: dict[ModuleText, dict[int, CodeType]] = {}
        self._functions: dict[Kernel, FunctionType] = {}
        self.classes = {kind: _value_class(kind) for kind in KINDS}
        self._set_products()
        # what means the same to every kernel
        self._known: dict[Any, Any] = {CLASSES[kind]: cls for kind, cls in self.classes.items()}
        self._known |= {values.floor_real: floor_real, math: MATH}

    def function(self, kernel: Kernel) -> FunctionType:
        """The kernel's function; what it calls is made when it is first called."""
        if kernel not in self._functions:
            code = self._code(kernel.function, kernel.text)
            scope = kernel.function.__globals__ | ARITHMETIC
            for name in code.co_names:
                value = scope.get(name)
                if isinstance(value, Kernel):
                    scope[name] = self._later(value, name, scope)
                elif isinstance(value, Hashable) and value in self._known:
                    scope[name] = self._known[value]
            self._functions[kernel] = FunctionType(code, scope)
        return self._functions[kernel]

    def _later(self, kernel: Kernel, name: str, scope: dict[str, Any]) -> Callable[..., Any]:
        def first_call(*args: Any) -> Any:
            scope[name] = self.function(kernel)
            return scope[name](*args)

        return first_call

    def _code(self, function: Callable[..., Any], text: ModuleText) -> CodeType:
        """Code of a function; that of all kernels of a module is made at once, and kept."""
        if text not in self._codes:
            kept = self._keeper("".join(text.lines), lambda: self._module_codes(text))
            self._codes[text] = marshal.loads(kept)
        line, file = function.__code__.co_firstlineno, function.__code__.co_filename
        if line not in self._codes[text]:
            self._codes[text][line] = _function_code(text.functions[line], self._rule, file)
        return self._codes[text][line].replace(co_filename=file)

    def _module_codes(self, text: ModuleText) -> bytes:
        rows = ((line, node) for line, node in text.functions.items() if _is_kernel(node))
        return marshal.dumps({line: _function_code(node, self._rule, "") for line, node in rows})

    def _set_products(self) -> None:
        """Products of values, by the formulas that every target uses."""
        quat, mat3, vec3 = (self.classes[kind] for kind in ("quat", "mat3", "vec3"))
        text = module_text(values.hamilton_product)
        hamilton, matrix_vector = (
            FunctionType(self._code(formula, text), dict(ARITHMETIC))
            for formula in (values.hamilton_product, values.matrix_vector)
        )

        def quat_times(p: Any, q: Any) -> Any:
            if type(q) is quat:
                return new(quat, hamilton(*p, *q))
            return new(quat, map(mul, p, repeat(q)))

        quat.__mul__ = quat_times  # type: ignore[assignment, method-assign]
        mat3.__matmul__ = lambda a, v: new(vec3, matrix_vector(*a, *v))  # type: ignore[attr-defined]


def _value_class(kind: str) -> type[PlainValue]:
    components = {name: property(itemgetter(i)) for i, name in enumerate(KINDS[kind])}
    return type(kind, (PlainValue,), {"__slots__": (), **components})
