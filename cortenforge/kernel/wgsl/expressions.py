"""Translation of expressions of kernels to WGSL, with their types."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from cortenforge.errors import SubsetError
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.effects import effects_of
from cortenforge.kernel.language.source import called_name, file_of, parameters, stored_names
from cortenforge.kernel.language.tolerance import CacheSize, Tolerance
from cortenforge.kernel.language.values import (
    CLASSES,
    KINDS,
    any_lane,
    bit,
    count_bits,
    floor_real,
    in_lane,
    lane_bits,
    lowest_bit,
    select,
    without_lowest,
    zero_like,
)
from cortenforge.kernel.wgsl.facts import Facts, KnownFields, Values
from cortenforge.kernel.wgsl.names import real_literal, safe
from cortenforge.kernel.wgsl.realmath import MATH
from cortenforge.kernel.wgsl.source import Binding, Fragment
from cortenforge.kernel.wgsl.types import PRECISE_KINDS, Type, component_kind, wgsl_type

if TYPE_CHECKING:
    from cortenforge.kernel.wgsl.module import Module

#: functions of words, as WGSL has them
BIT_CALLS = {
    bit: "word_bit",
    lowest_bit: "word_lowest",
    without_lowest: "word_without_lowest",
    count_bits: "word_count",
}
#: type of a call without a result
NOTHING = "nothing"
#: precedence of expressions; WGSL requires parentheses around bit operations
ATOM, UNARY, PRODUCT, SUM, COMPARISON, AND, OR, BITS = 10, 9, 8, 7, 5, 3, 2, 1
ARITHMETIC = {ast.Add: ("+", SUM), ast.Sub: ("-", SUM), ast.Mult: ("*", PRODUCT)}
BIT_OPERATORS = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
COMPARISONS = {
    ast.Lt: ("<", "lt"), ast.LtE: ("<=", "le"), ast.Gt: (">", "gt"), ast.GtE: (">=", "ge"),
    ast.Eq: ("==", "eq"), ast.NotEq: ("!=", "ne"),
}  # fmt: skip


@dataclass(frozen=True)
class Code:
    """An expression in WGSL."""

    text: str
    kind: Type
    level: int = ATOM
    literal: bool = False

    def within(self, level: int) -> str:
        """The text, in parentheses if its operator binds less tightly than `level`."""
        return self.text if self.level >= level else f"({self.text})"


class Expressions:
    """Translates the expressions of one function."""

    module: Module
    fragment: Fragment
    kinds: dict[str, Type]
    binds: dict[str, Binding]
    #: values that locals can have, of those that the model decides
    possible: dict[str, Values]
    loops: int
    #: whether products of reals are kept precise, as for a component of an inertia
    careful: bool = False

    def fail(self, node: ast.AST, rule: str, message: str) -> NoReturn:
        kernel = self.fragment.kernel
        line = getattr(node, "lineno", kernel.code.co_firstlineno)
        raise SubsetError(file_of(kernel), line, rule, f"{kernel.name}: {message}")

    def local(self, name: str) -> str:
        """The name of a local in WGSL."""
        return safe(name, self.module.taken)

    def expression(self, node: ast.expr) -> Code:
        """Any expression that has a value."""
        match node:
            case ast.Constant(value=value):
                return self.constant(node, value)
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return self.element(node)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.negated(operand)
            case ast.UnaryOp():
                return self.unary(node)
            case ast.BinOp():
                return self.binary(node, self.expression(node.left), self.expression(node.right))
            case ast.Compare():
                return self.comparison(node, negate=False)
            case ast.BoolOp():
                return self.junction(node)
            case ast.IfExp():
                return self.conditional(node)
            case ast.Call():
                result = self.call(node)
                if result.kind == NOTHING:
                    self.fail(node, "expressions", f"{ast.unparse(node)} has no value")
                return result
        self.fail(node, "expressions", f"{type(node).__name__} has no form in WGSL")

    # numbers and names

    def constant(self, node: ast.AST, value: object) -> Code:
        """A number as a literal."""
        if isinstance(value, bool):
            return Code("true" if value else "false", "bool", literal=True)
        if isinstance(value, int):
            return Code(str(value), "int", UNARY if value < 0 else ATOM, literal=True)
        if isinstance(value, float):
            try:
                return Code(real_literal(value), "real", UNARY if value < 0 else ATOM, literal=True)
            except ValueError as error:
                self.fail(node, "constants", str(error))
        self.fail(node, "expressions", f"constant {value!r} is not a number")

    def name(self, node: ast.AST, name: str) -> Code:
        """A local, a number known on the host, or a constant of the module."""
        if name in self.fragment.literals and name not in self.kinds:
            return self.constant(node, self.fragment.literals[name])
        if name in self.kinds:
            return Code(self.local(name), self.kinds[name])
        value = dict(self.fragment.kernel.names()).get(name)
        if isinstance(value, Tolerance | CacheSize):
            value = value.single
        if isinstance(value, (bool, int, float)):
            kind = {bool: "bool", int: "int", float: "real"}[type(value)]
            return Code(self.module.constant(name, value, self.constant(node, value).text), kind)
        self.fail(node, "names", f"{name!r} is not a number here")

    def binding(self, node: ast.expr) -> Binding | None:
        """The struct or field that an expression stands for."""
        match node:
            case ast.Name(id=name):
                return self.binds.get(name)
            case ast.Call(args=[whole, _]) if called_name(node) == "world":
                # one thread is one world
                return self.binding(whole)
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in self.binds:
                struct = self.binds[name].struct
                place = self.module.layout.places[struct].get(attr)
                if place is not None and not place.entry.is_scalar:
                    return Binding(struct, attr)
        return None

    # fields and components

    def attribute(self, node: ast.Attribute) -> Code:
        """A size, a field of one number or value, or a component of a value."""
        if isinstance(node.value, ast.Name) and node.value.id in self.binds:
            struct = self.binds[node.value.id].struct
            entry = self.module.layout.structs[struct].entries.get(node.attr)
            if entry is None:
                self.fail(node, "names", f"there is no field {node.attr!r}")
            if entry.kind == "size":
                return Code(self.module.size(node.attr), "int")
            if not entry.is_scalar:
                self.fail(node, "expressions", f"{node.attr} is a whole field")
            kind = self.module.layout.places[struct][node.attr].kind
            return Code(f"{self.module.accessor(struct, node.attr)}()", kind)
        value = self.expression(node.value)
        if value.kind not in KINDS or node.attr not in KINDS[value.kind]:
            self.fail(node, "expressions", f"{value.kind} has no component {node.attr!r}")
        return Code(f"{value.within(ATOM)}.{node.attr}", component_kind(value.kind))

    def located(self, node: ast.Subscript) -> tuple[str, str, list[str], str]:
        """Struct, accessor, index texts and type of `field[i]` or `field[i, k]`."""
        bound = self.binding(node.value)
        if bound is None or not bound.field:
            self.fail(node, "expressions", f"{ast.unparse(node.value)} is not a field")
        place = self.module.layout.places[bound.struct][bound.field]
        entry = place.entry
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        indices = [self.expression(part) for part in parts]
        if any(index.kind != "int" for index in indices):
            self.fail(node, "expressions", "an index is an integer")
        component = len(indices) == 2
        if component != bool(entry.trailing) and entry.kind not in KINDS:
            self.fail(node, "expressions", f"{entry.name} takes {1 + len(entry.trailing)} indices")
        name, kind = bound.field, place.kind
        if component and entry.kind in KINDS:
            name, kind = f"{name}_at", "real"
        return bound.struct, name, [index.text for index in indices], kind

    def element(self, node: ast.Subscript) -> Code:
        """An element of a field, or a component of one."""
        struct, name, indices, kind = self.located(node)
        return Code(f"{self.module.accessor(struct, name)}({', '.join(indices)})", kind)

    # arithmetic

    def real(self, code: Code, node: ast.AST) -> Code:
        """A number as a real."""
        if code.kind == "real":
            return code
        if code.kind == "precise":
            return Code(f"{self.module.real_function('precise_round')}({code.text})", "real")
        if code.kind != "int":
            self.fail(node, "one type", f"{code.text} is {code.kind}, not a number")
        if code.literal:
            return Code(f"{code.text}.0", "real", code.level, literal=True)
        return Code(f"f32({code.text})", "real")

    def precise(self, code: Code, node: ast.AST) -> Code:
        """A number as a sum of two f32."""
        if code.kind == "precise":
            return code
        return Code(f"vec2<f32>({self.real(code, node).text}, 0.0)", "precise")

    def precise_arithmetic(self, node: ast.BinOp | ast.AugAssign, left: Code, right: Code) -> Code:
        """Sums and products that keep what f32 would round away."""
        function = self.module.real_function
        if isinstance(node.op, ast.Mult):
            if left.kind != "precise":
                left, right = right, left
            if left.kind != "precise":
                a, b = self.real(left, node), self.real(right, node)
                return Code(f"{function('precise_product')}({a.text}, {b.text})", "precise")
            if right.kind == "precise":
                return Code(f"{function('precise_both')}({left.text}, {right.text})", "precise")
            factor = self.real(right, node).text
            return Code(f"{function('precise_times')}({left.text}, {factor})", "precise")
        if not isinstance(node.op, ast.Add | ast.Sub):
            self.fail(node, "expressions", f"{type(node.op).__name__} of precise reals")
        a, b = self.precise(left, node), self.precise(right, node)
        second = b.text if isinstance(node.op, ast.Add) else f"-{b.within(ATOM)}"
        return Code(f"{function('precise_sum')}({a.text}, {second})", "precise")

    def unary(self, node: ast.UnaryOp) -> Code:
        """Minus, plus and bitwise not."""
        value = self.expression(node.operand)
        if isinstance(node.op, ast.UAdd):
            return value
        if isinstance(node.op, ast.Invert):
            if value.kind not in ("int", "word"):
                self.fail(node, "expressions", "~ is for integers and words")
            return Code(f"~{value.within(ATOM)}", value.kind, UNARY)
        if value.kind in KINDS and value.kind != "vec3":
            return Code(f"{self.module.operator(value.kind, 'neg')}({value.text})", value.kind)
        return Code(f"-{value.within(ATOM)}", value.kind, UNARY)

    def binary(self, node: ast.BinOp | ast.AugAssign, left: Code, right: Code) -> Code:
        """Arithmetic of numbers and values."""
        op = type(node.op)
        if left.kind in KINDS or right.kind in KINDS:
            return self.value_arithmetic(node, left, right)
        if op in BIT_OPERATORS:
            if left.kind != right.kind or left.kind not in ("int", "word"):
                self.fail(node, "expressions", "bit operations are for integers, or for words")
            text = f"{left.within(UNARY)} {BIT_OPERATORS[op]} {right.within(UNARY)}"
            return Code(text, left.kind, BITS)
        if op is ast.RShift:
            if (left.kind, right.kind) != ("int", "int"):
                self.fail(node, "expressions", "shifts are for integers")
            return Code(f"{left.within(UNARY)} >> u32({right.text})", "int", BITS)
        if op is ast.Div and "precise" in (left.kind, right.kind):
            a, b = self.precise(left, node), self.precise(right, node)
            function = self.module.real_function("precise_quotient")
            return Code(f"{function}({a.text}, {b.text})", "precise")
        if op is ast.Div:
            left, right = self.real(left, node), self.real(right, node)
            return Code(f"{left.within(PRODUCT)} / {right.within(UNARY)}", "real", PRODUCT)
        if "precise" in (left.kind, right.kind) or (
            self.careful and "real" in (left.kind, right.kind)
        ):
            return self.precise_arithmetic(node, left, right)
        if op not in ARITHMETIC:
            self.fail(node, "expressions", f"{op.__name__} has no form in WGSL")
        if left.kind != right.kind:
            left, right = self.real(left, node), self.real(right, node)
        if left.kind not in ("int", "real"):
            self.fail(node, "one type", f"no arithmetic with {left.kind}")
        sign, level = ARITHMETIC[op]
        text = f"{left.within(level)} {sign} {right.within(level + 1)}"
        return Code(text, left.kind, level)

    def value_arithmetic(self, node: ast.BinOp | ast.AugAssign, left: Code, right: Code) -> Code:
        """Sums and products of vectors, quaternions and the like."""
        op, kinds = type(node.op), (left.kind, right.kind)
        operator = self.module.operator
        if op is ast.MatMult and kinds == ("mat3", "vec3"):
            return Code(f"{operator('mat3', 'times')}({left.text}, {right.text})", "vec3")
        if op is ast.Mult and kinds == ("quat", "quat"):
            return Code(f"{operator('quat', 'product')}({left.text}, {right.text})", "quat")
        if op is ast.Mult and left.kind not in KINDS:
            left, right = right, left
        if op is ast.Mult and right.kind in ("int", "real", "precise"):
            factor = self.real(right, node)
            if left.kind == "vec3":
                text = f"{left.within(PRODUCT)} * {factor.within(UNARY)}"
                return Code(text, "vec3", PRODUCT)
            return Code(
                f"{operator(str(left.kind), 'scale')}({left.text}, {factor.text})", left.kind
            )
        if op in (ast.Add, ast.Sub) and left.kind == right.kind:
            if left.kind == "vec3":
                sign = ARITHMETIC[op][0]
                text = f"{left.within(SUM)} {sign} {right.within(PRODUCT)}"
                return Code(text, "vec3", SUM)
            name = operator(str(left.kind), "add" if op is ast.Add else "sub")
            return Code(f"{name}({left.text}, {right.text})", left.kind)
        self.fail(node, "expressions", f"no {op.__name__} of {left.kind} and {right.kind}")

    # conditions

    def condition(self, node: ast.expr) -> Code:
        """An expression as a bool."""
        code = self.expression(node)
        if code.kind == "int":
            return Code(f"{code.within(SUM)} != 0", "bool", COMPARISON)
        if code.kind != "bool":
            self.fail(node, "one type", f"{code.text} is {code.kind}, not a condition")
        return code

    def comparison(self, node: ast.Compare, *, negate: bool) -> Code:
        """A comparison; a chain is joined by `and`."""
        parts = []
        left = node.left
        for op, right in zip(node.ops, node.comparators, strict=True):
            parts.append(self.compared(node, left, op, right, negate))
            left = right
        if len(parts) == 1:
            return parts[0]
        joint, level = ("||", OR) if negate else ("&&", AND)
        return Code(f" {joint} ".join(p.within(COMPARISON) for p in parts), "bool", level)

    def compared(
        self, node: ast.Compare, left: ast.expr, op: ast.cmpop, right: ast.expr, negate: bool
    ) -> Code:
        """One comparison; written so that nan gives Python's result, which WGSL does not ensure."""
        if type(op) not in COMPARISONS:
            self.fail(node, "expressions", f"{type(op).__name__} has no form in WGSL")
        a, b = self.expression(left), self.expression(right)
        sign, word = COMPARISONS[type(op)]
        if a.kind == "word" and word in ("eq", "ne"):
            return self.words_compared(a, b, (word == "eq") != negate)
        if a.kind != b.kind or a.kind == "precise":
            a, b = self.real(a, node), self.real(b, node)
        if a.kind not in ("int", "real", "bool"):
            self.fail(node, "expressions", f"{a.kind} values cannot be compared")
        plain = Code(f"{a.within(SUM)} {sign} {b.within(SUM)}", "bool", COMPARISON)
        true_for_nan = (word == "ne") != negate if word in ("eq", "ne") else negate
        if a.kind == "real" and true_for_nan:
            positive = {"ne": "eq", "eq": "eq"}.get(word, word)
            return Code(f"{self.module.negated(positive)}({a.text}, {b.text})", "bool")
        return Code(f"!({plain.text})", "bool", UNARY) if negate else plain

    def words_compared(self, a: Code, b: Code, equal: bool) -> Code:
        """Whether two words are the same; a word can be compared with 0."""
        other = "vec2<u32>()" if b.literal else b.within(SUM)
        test, sign = ("all", "==") if equal else ("any", "!=")
        return Code(f"{test}({a.within(SUM)} {sign} {other})", "bool")

    def negated(self, node: ast.expr) -> Code:
        """`not`, moved inwards to the comparisons."""
        match node:
            case ast.Compare():
                return self.comparison(node, negate=True)
            case ast.BoolOp(op=op, values=values) if self.decided(node) is None:
                flipped = ast.Or() if isinstance(op, ast.And) else ast.And()
                rest = [value for value in values if self.decided(value) is None]
                return self.joined(flipped, [self.negated(value) for value in rest])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.condition(operand)
        return Code(f"!{self.condition(node).within(ATOM)}", "bool", UNARY)

    def junction(self, node: ast.BoolOp) -> Code:
        """`and`, `or`; the right side is only evaluated if it matters, as in Python."""
        found = self.decided(node)
        if found is not None:
            return self.constant(node, found)
        # what is known decides nothing: it is left out
        rest = [value for value in node.values if self.decided(value) is None]
        return self.joined(node.op, [self.condition(value) for value in rest])

    def joined(self, op: ast.boolop, parts: list[Code]) -> Code:
        joint, level = ("&&", AND) if isinstance(op, ast.And) else ("||", OR)
        return Code(f" {joint} ".join(part.within(COMPARISON) for part in parts), "bool", level)

    # calls

    def decided(self, test: ast.expr) -> bool | None:
        """Whether a condition holds, where the model alone decides it; None if it does not."""
        return self.facts().decided(test)

    def facts(self) -> Facts:
        """What the model decides here."""
        found: dict[str, Any] = {}
        literals = self.fragment.literals
        found |= {name: literals[name] for name in literals if name not in self.kinds}
        if self.module.model is not None:
            models = (name for name, bound in self.binds.items() if bound == Binding("m"))
            found |= dict.fromkeys(models, self.module.model)
        worlds = (name for name, bound in self.binds.items() if bound == Binding("d"))
        found |= dict.fromkeys(worlds, KnownFields(self.module.known))
        return Facts(self.fragment.kernel, found, self.possible)

    def writes(self, node: ast.expr) -> bool:
        """Whether an expression calls a kernel that writes a field."""
        return any(effects_of(called).writes for called in self.called_kernels(node))

    def called_kernels(self, node: ast.AST) -> list[Kernel]:
        """The kernels that an expression or statement calls by name."""
        names = dict(self.fragment.kernel.names())
        calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
        found = [names.get(called_name(call)) for call in calls]
        return [called for called in found if isinstance(called, Kernel)]

    def conditional(self, node: ast.IfExp) -> Code:
        """`a if test else b` within a larger expression: both are evaluated, so none may write."""
        taken = self.decided(node.test)
        if taken is not None:
            return self.expression(node.body if taken else node.orelse)
        if self.writes(node.body) or self.writes(node.orelse):
            self.fail(node, "effects", "a choice of calls that write is a whole right-hand side")
        return self.choice(node, self.condition(node.test), node.body, node.orelse)

    def choice(self, node: ast.AST, test: Code, if_true: ast.expr, if_false: ast.expr) -> Code:
        """One of two values; both are evaluated."""
        a, b = self.expression(if_true), self.expression(if_false)
        if "precise" in (a.kind, b.kind):
            a, b = self.precise(a, node), self.precise(b, node)
        elif a.kind != b.kind:
            a, b = self.real(a, node), self.real(b, node)
        if a.kind in KINDS and a.kind != "vec3":
            name = self.module.operator(str(a.kind), "select")
            return Code(f"{name}({test.text}, {a.text}, {b.text})", a.kind)
        return Code(f"select({b.text}, {a.text}, {test.text})", a.kind)

    def call(self, node: ast.Call) -> Code:
        """A call of a kernel, a value type or a function of numbers."""
        if isinstance(node.func, ast.Attribute):
            return self.math_call(node, node.func.attr)
        name = called_name(node)
        value = dict(self.fragment.kernel.names()).get(name)
        if isinstance(value, Kernel):
            return self.kernel_call(node, value)
        if value is select:
            return self.choice(node, self.condition(node.args[0]), node.args[1], node.args[2])
        if value in (any_lane, lane_bits, in_lane):
            return self.lane_call(node, value)
        if value is floor_real:
            return Code(f"floor({self.real(self.expression(node.args[0]), node).text})", "real")
        if value in BIT_CALLS or value is zero_like:
            return self.bit_call(node, value)
        for kind, cls in CLASSES.items():
            if value is cls:
                return self.made_value(node, kind)
        if name in ("min", "max", "abs"):
            return self.number_call(node, name)
        self.fail(node, "calls", f"{ast.unparse(node.func)} has no form in WGSL")

    def lane_call(self, node: ast.Call, value: Any) -> Code:
        """Functions of several worlds, for the one world of a thread."""
        if value is in_lane:
            return self.expression(node.args[0])
        condition = self.condition(node.args[0])
        return condition if value is any_lane else Code(f"select(0, 1, {condition.text})", "int")

    def bit_call(self, node: ast.Call, value: Any) -> Code:
        """Functions of words, and of integers as sets of bits; a typed zero."""
        given = self.expression(node.args[0])
        if value is zero_like:
            return Code(f"{wgsl_type(given.kind)}()", given.kind)
        if value is bit:
            return Code(f"{self.module.real_function('word_bit')}({given.text})", "word")
        if given.kind == "word":
            name = self.module.real_function(BIT_CALLS[value])
            return Code(f"{name}({given.text})", "word" if value is without_lowest else "int")
        if value is without_lowest:
            name = self.module.real_function("int_without_lowest")
            return Code(f"{name}({given.text})", "int")
        name = "firstTrailingBit" if value is lowest_bit else "countOneBits"
        return Code(f"{name}({given.text})", "int")

    def made_value(self, node: ast.Call, kind: str) -> Code:
        """A value from its components."""
        self.module.uses(kind)
        before, self.careful = self.careful, kind in PRECISE_KINDS
        codes = [self.expression(part) for part in node.args]
        as_component = self.precise if self.careful else self.real
        parts = [as_component(code, node).text for code in codes]
        self.careful = before
        return Code(f"{wgsl_type(kind)}({', '.join(parts)})", kind)

    def math_call(self, node: ast.Call, name: str) -> Code:
        """A function of the math module."""
        if name not in MATH:
            self.fail(node, "calls", f"math.{name} has no form in WGSL")
        arguments = [self.real(self.expression(part), node).text for part in node.args]
        if name == "floor":
            return Code(f"i32(floor({arguments[0]}))", "int")
        return Code(f"{self.module.real_function(MATH[name])}({', '.join(arguments)})", "real")

    def number_call(self, node: ast.Call, name: str) -> Code:
        """min, max, abs; a nan stays a nan."""
        parts = [self.expression(part) for part in node.args]
        if any(part.kind in ("real", "precise") for part in parts):
            parts = [self.real(part, node) for part in parts]
            if name != "abs":
                name = self.module.real_function(f"real_{name}")
        text = parts[0].text
        if name == "abs":
            return Code(f"abs({text})", parts[0].kind)
        for part in parts[1:]:
            text = f"{name}({text}, {part.text})"
        return Code(text, parts[0].kind)

    def kernel_call(self, node: ast.Call, kernel: Kernel) -> Code:
        """A call of another kernel, translated for the structs and fields that are passed."""
        names = parameters(kernel)
        if len(names) != len(node.args):
            self.fail(node, "calls", f"{kernel.name} takes {len(names)} arguments")
        binds: dict[str, Binding] = {}
        literals: dict[str, int] = {}
        values: dict[str, Code] = {}
        for name, argument in zip(names, node.args, strict=True):
            bound = self.binding(argument)
            number = self.literal_argument(kernel, name, argument)
            if bound is not None:
                binds[name] = bound
            elif number is not None:
                literals[name] = number
            else:
                values[name] = self.expression(argument)
        kinds = {name: code.kind for name, code in values.items()}
        made, result, loops = self.module.function(kernel, binds, kinds, literals)
        self.loops += loops
        text = f"{made}({', '.join(code.text for code in values.values())})"
        return Code(text, NOTHING if result is None else result)

    def literal_argument(self, kernel: Kernel, name: str, argument: ast.expr) -> int | None:
        """An integer that the source passes to a kernel: the kernel is translated for it."""
        if name in stored_names(kernel):
            return None
        match argument:
            case ast.Constant():
                own = True
            case ast.Name(id=local):
                own = local in self.fragment.literals or local in self.possible
            case ast.Attribute(value=ast.Name(id=struct), attr=attr):
                # a field that has one value in every state
                own = self.binds.get(struct) == Binding("d") and attr in self.module.known
            case _:
                own = False
        values = self.facts().values_of(argument) if own else None
        if values is None or len(values) != 1 or isinstance(min(values), bool):
            return None
        return min(values)
