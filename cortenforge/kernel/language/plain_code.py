"""Kernels as plain Python functions with the bits of compiled code.

Products are fused by the rule of `fuse` if compiled code fuses them; division and functions of
`math` return inf and nan as in C. Values are tuples and fields are lists of tuples, which are
several times faster in Python than NumPy arrays: for a small model this takes less time than
loading compiled code. Code has the file and line numbers of its source, for debuggers.
"""

from __future__ import annotations

import ast
import marshal
import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from operator import attrgetter, is_not
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

#: functions other than kernels that are translated in the same way
PRODUCTS = ("hamilton_product", "matrix_vector")
DIVIDED = "divided"
REPLACED = "replaced"

# ---------------------------------------------------------------------- values and fields


class PlainValue:
    """A value of the kernel language; each kind has a class with its components as attributes."""

    __slots__ = ()
    parts: Callable[[Any], tuple[float, ...]]  # the components in memory order

    def __iter__(self) -> Iterator[float]:
        return iter(type(self).parts(self))

    def __getitem__(self, k: int) -> float:
        return type(self).parts(self)[k]


#: operators are written out by component: loops would take twice as long
CLASS = """
class {kind}(PlainValue):
    __slots__ = {names}

    def __init__(self, {listed}):
        {stored}

    def __add__(self, other):
        return {kind}({sums})

    def __sub__(self, other):
        return {kind}({differences})

    def __neg__(self):
        return {kind}({negatives})

    def __mul__(self, factor):
        return {kind}({products})

    __rmul__ = __mul__

    def times_plus(self, factor, other):
        return {kind}({fused})
"""


def _value_class(kind: str) -> Any:
    """The class of values of a kind."""
    names = KINDS[kind]

    def each(text: str, separator: str = ", ") -> str:
        return separator.join(text.replace("_", name) for name in names)

    text = CLASS.format(
        kind=kind,
        names=names,
        listed=each("_"),
        stored=each("self._ = _", "; "),
        sums=each("self._ + other._"),
        differences=each("self._ - other._"),
        negatives=each("-self._"),
        products=each("self._ * factor"),
        fused=each("fma(self._, factor, other._)"),
    )
    scope: dict[str, Any] = {"PlainValue": PlainValue, "fma": fma, "__name__": __name__}
    exec(text, scope)
    scope[kind].parts = staticmethod(attrgetter(*names))
    return scope[kind]


class Lists:
    """The fields of a struct as a kernel sees them; a field becomes a list when it is first used.

    `arrays` also holds the sizes, as integers.
    """

    def __init__(
        self, layout: StructLayout, arrays: Mapping[str, Any], classes: Mapping[str, Any]
    ) -> None:
        self._layout, self._arrays, self._classes = layout, arrays, classes

    def __getattr__(self, name: str) -> Any:
        # called once for each field: then it is an attribute
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
            rows = [cls(*row) for row in array.reshape(-1, len(KINDS[entry.kind])).tolist()]
        elif entry.trailing:
            rows = [tuple(row) for row in array.reshape(-1, *entry.trailing).tolist()]
        else:
            rows = array.reshape(-1).tolist()
        return rows[0] if entry.is_scalar else rows

    def write_back(self) -> None:
        """Copy lists back into the arrays."""
        for name, rows in self.__dict__.items():
            entry = self._layout.entries.get(name)
            if entry is not None and entry.kind != "size":
                if entry.kind in KINDS:
                    parts = self._classes[entry.kind].parts
                    rows = parts(rows) if entry.is_scalar else list(map(parts, rows))
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


def replaced(row: Any, k: int, value: float) -> Any:
    """A row with one number replaced."""
    parts = [*row]
    parts[k] = value
    return type(row)(*parts) if isinstance(row, PlainValue) else tuple(parts)


def floor_real(x: float) -> float:
    """Floor of x as a real; zeros keep their sign."""
    return math.copysign(float(math.floor(x)), x) if math.isfinite(x) else x


def _logarithm(x: float) -> float:
    return math.log(x) if x > 0 else (-math.inf if x == 0 else math.nan)


def _quiet(function: Callable[..., float]) -> Callable[..., float]:
    """A function that returns nan outside of its domain and inf on overflow, instead of raising."""

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
        # products with zero are exact, and more than half of all products in most models
        return fma(a, b, c) if a and b else a * b + c
    if isinstance(c, PlainValue):
        return a.times_plus(b, c) if isinstance(a, PlainValue) else b.times_plus(a, c)  # type: ignore[attr-defined]
    if type(a) is int and type(b) is int:
        return a * b + c
    return fma(a, b, c)


def multiply_subtract(a: Any, b: Any, c: Any) -> Any:
    """a * b - c with one rounding."""
    return multiply_add(a, b, -c)


def subtract_product(a: Any, b: Any, c: Any) -> Any:
    """c - a * b with one rounding."""
    return multiply_add(-a, b, c)


#: names of these functions in plain code
ARITHMETIC = {
    DIVIDED: divided,
    REPLACED: replaced,
    MULTIPLY_ADD: multiply_add,
    MULTIPLY_SUBTRACT: multiply_subtract,
    SUBTRACT_PRODUCT: subtract_product,
}


# ---------------------------------------------------------------------- code


def _as_lists(node: Any) -> Any:
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


def _as_lists_fused(node: Any) -> Any:
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
    """A tree with a rule applied to every node, children first; unchanged parts are shared."""
    changes: dict[str, Any] = {}
    for name in node._fields:
        value = getattr(node, name)
        if isinstance(value, list):
            parts = [_rewritten(part, rule) for part in value]
            if any(map(is_not, parts, value)):
                changes[name] = parts
        elif isinstance(value, ast.expr):
            # indices are integers, and are not rounded
            part = _rewritten(value, _as_lists if name == "slice" else rule)
            if part is not value:
                changes[name] = part
    return rule(_changed(node, **changes) if changes else node)


def _changed(node: Any, **changes: Any) -> Any:
    """A copy of a node with some fields replaced."""
    fields = {name: getattr(node, name) for name in node._fields}
    return ast.copy_location(type(node)(**(fields | changes)), node)


def _call(name: str, place: ast.AST, *arguments: ast.expr) -> ast.expr:
    return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), list(arguments), []), place)


def _module(function: ast.FunctionDef, rule: Callable[[Any], Any]) -> ast.Module:
    """A module with one function, rewritten by a rule."""
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


#: function (name of a text, function that makes code of it) -> code, made or from a cache
Keeper = Callable[[str, Callable[[], bytes]], bytes]


def not_kept(digest: str, make: Callable[[], bytes]) -> bytes:
    """Cache nothing: make code each time."""
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
        # names that are the same for all kernels
        self._known: dict[Any, Any] = {CLASSES[kind]: cls for kind, cls in self.classes.items()}
        self._known |= {values.floor_real: floor_real, math: MATH}

    def function(self, kernel: Kernel) -> FunctionType:
        """Function of a kernel; functions of kernels that it calls are made at their first call."""
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
        """Code of a function; made for all kernels of its module at once, and cached."""
        if text not in self._codes:
            kept = self._keeper(text.digest, lambda: self._module_codes(text))
            self._codes[text] = marshal.loads(kept)
        line, file = function.__code__.co_firstlineno, function.__code__.co_filename
        if line not in self._codes[text]:
            self._codes[text][line] = _function_code(text.functions[line], self._rule, file)
        return self._codes[text][line].replace(co_filename=file)

    def _module_codes(self, text: ModuleText) -> bytes:
        found = text.functions.items()
        rows = ((k, node) for k, node in found if _is_kernel(node) or node.name in PRODUCTS)
        return marshal.dumps({line: _function_code(node, self._rule, "") for line, node in rows})

    def _set_products(self) -> None:
        """Define products of values by the formulas of all targets."""
        quat, mat3, vec3 = (self.classes[kind] for kind in ("quat", "mat3", "vec3"))
        text = module_text(values.hamilton_product)
        hamilton, matrix_vector = (
            FunctionType(self._code(formula, text), dict(ARITHMETIC))
            for formula in (values.hamilton_product, values.matrix_vector)
        )

        scaled = quat.__mul__

        def quat_times(p: Any, q: Any) -> Any:
            return quat(*hamilton(*p, *q)) if type(q) is quat else scaled(p, q)

        quat.__mul__ = quat_times
        mat3.__matmul__ = lambda a, v: vec3(*matrix_vector(*a, *v))
