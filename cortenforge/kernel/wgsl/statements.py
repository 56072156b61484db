"""Translation of statements of kernels to WGSL, one function at a time."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.source import called_name, statements_of
from cortenforge.kernel.language.table import Table
from cortenforge.kernel.wgsl.expressions import Code, Expressions
from cortenforge.kernel.wgsl.facts import Values
from cortenforge.kernel.wgsl.scope import Scope, scope_of
from cortenforge.kernel.wgsl.source import Fragment
from cortenforge.kernel.wgsl.types import Type, tuple_name, wgsl_type

if TYPE_CHECKING:
    from cortenforge.kernel.wgsl.module import Module

#: loops of at most this many iterations are unrolled: drivers compile loops slowly
UNROLLED = 6


class FunctionWriter(Expressions):
    """Writes one WGSL function."""

    def __init__(
        self, module: Module, fragment: Fragment, name: str, parameters: Mapping[str, Type]
    ) -> None:
        self.module, self.fragment, self.function = module, fragment, name
        self.parameters = dict(parameters)
        self.binds = dict(fragment.binds)
        self.kinds = dict(parameters)
        self.scope: Scope = scope_of(fragment.statements, fragment.saves)
        self.result: Type | None = None
        self.lines: list[str] = []
        self.declared: dict[str, Type] = {}
        self.possible: dict[str, Values] = {}
        self.depth = 1
        self.temporaries = 0
        #: locals that an earlier fragment has stored
        self.loaded = {name for name, slot in fragment.loads.items() if slot in module.spares}
        #: loops in this function and in those that it calls, each as often as it is called
        self.loops = 0

    def write(self) -> str:
        """The function's text."""
        before = self._entry_lines()
        self.block(self.fragment.statements)
        for name, slot in self.fragment.saves.items():
            # a branch that the model decides may have been all that sets it
            if name in self.kinds:
                writer = self.module.spare(slot, self.kinds[name], write=True)
                self.emit(f"{writer}({self.local(name)});")
        declarations = [
            f"  var {self.local(name)}: {wgsl_type(kind)};" for name, kind in self.declared.items()
        ]
        arguments = ", ".join(
            f"{self._argument(name)}: {wgsl_type(kind)}" for name, kind in self.parameters.items()
        )
        result = f" -> {wgsl_type(self.result)}" if self.result else ""
        return "\n".join(
            [
                f"// {self.fragment.kernel.name}",
                f"// {self.fragment.doc}",
                f"fn {self.function}({arguments}){result} {{",
                *before,
                *declarations,
                *self.lines,
                "}",
            ]
        )

    def _argument(self, name: str) -> str:
        """A parameter's name; one that is assigned to gets a local of its own."""
        return f"{name}_given" if name in self.scope.stores else self.local(name)

    def _entry_lines(self) -> list[str]:
        lines = [
            f"  var {self.local(name)} = {self._argument(name)};"
            for name in self.parameters
            if name in self.scope.stores
        ]
        for name in sorted(self.loaded):
            slot = self.fragment.loads[name]
            kind = self.kinds[name] = self.module.spares[slot]
            value = f"{self.module.spare(slot, kind)}()"
            lines.append(f"  var {self.local(name)}: {wgsl_type(kind)} = {value};")
        return lines

    def emit(self, text: str) -> None:
        """Add a line."""
        self.lines.append("  " * self.depth + text)

    def block(self, statements: Sequence[ast.stmt]) -> None:
        """Statements in order."""
        for statement in statements:
            self.statement(statement)

    def nested(self, opening: str, statements: Sequence[ast.stmt]) -> None:
        """A block in braces; the closing one is the caller's."""
        self.emit(opening)
        self.depth += 1
        self.block(statements)
        self.depth -= 1

    def statement(self, node: ast.stmt) -> None:
        """Any statement."""
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assignment(node, target, value)
            case ast.AugAssign():
                self.update(node)
            case ast.If():
                self.branch(node)
            case ast.For():
                self.loop(node)
            case ast.While(test=test, body=body) if self.is_once(node):
                self.nested(f"if ({self.condition(test).text}) {{", body)
                self.emit("}")
            case ast.While(test=test, body=body):
                self.turning(f"while ({self.condition(test).text}) {{", body)
            case ast.Break():
                self.emit("break;")
            case ast.Continue():
                self.emit("continue;")
            case ast.Return(value=value):
                self.give_back(node, value)
            case ast.Expr(value=ast.Call() as call):
                self.called(call)
            case ast.Pass():
                pass
            case _:
                self.fail(node, "statements", f"{type(node).__name__} has no form in WGSL")

    def called(self, call: ast.Call) -> None:
        """A call without a result; a table becomes a switch, and frozen worlds are skipped."""
        names = dict(self.fragment.kernel.names())
        value = names.get(called_name(call))
        if isinstance(value, Table):
            self.switch(call, value)
            return
        text = f"{self.call(call).text};"
        alone = isinstance(value, Kernel) and not value.lanes and self.fragment.kernel.lanes
        if alone and "status" in self.module.layout.places["d"]:
            text = f"if ({self.module.accessor('d', 'status')}() == 0) {{ {text} }}"
        self.emit(text)

    def switch(self, call: ast.Call, table: Table) -> None:
        """One of a table's kernels by number."""
        self.emit(f"switch ({self.expression(call.args[0]).text}) {{")
        reached = table.reached(self.module.model)
        for number, kernel in enumerate(table.kernels):
            if kernel not in reached:
                continue
            one = ast.copy_location(ast.Call(call.func, call.args[1:], []), call)
            self.emit(f"  case {number}: {{ {self.kernel_call(one, kernel).text}; }}")
        self.emit("  default: {}")
        self.emit("}")

    # assignment

    def assignment(self, node: ast.Assign, target: ast.expr, value: ast.expr) -> None:
        """To a name, several names, a field's element or a field of one number."""
        if isinstance(target, ast.Tuple):
            self.several(node, target.elts, value)
            if isinstance(value, ast.Tuple):
                for one, part in zip(target.elts, value.elts, strict=True):
                    if isinstance(one, ast.Name):
                        self.settle(one.id, part)
            return
        if isinstance(target, ast.Name):
            bound = self.binding(value)
            if bound is not None:
                self.binds[target.id] = bound
                return
            self.settle(target.id, value)
            self.set_name(node, target.id, self.right_side(value))
            return
        self.store(target, self.right_side(value))

    def settle(self, name: str, value: ast.expr) -> None:
        """Keep what values a local that is set once can have, if the model decides them."""
        if self.scope.is_let(name) and name not in self.loaded:
            values = self.facts().values_of(value)
            if values is not None:
                self.possible[name] = values

    def right_side(self, value: ast.expr) -> Code:
        """A value that is assigned or returned: here a choice may be one of two calls."""
        if not isinstance(value, ast.IfExp) or self.decided(value.test) is not None:
            return self.expression(value)
        if not self.called_kernels(value.body) and not self.called_kernels(value.orelse):
            return self.expression(value)
        return self.either(value)

    def either(self, node: ast.IfExp) -> Code:
        """One of two values, of which only that one is evaluated."""
        self.temporaries += 1
        name = f"either_{self.temporaries}"
        at = len(self.lines)
        test = self.condition(node.test)
        sides: list[tuple[list[str], Code]] = []
        for side in (node.body, node.orelse):
            first = len(self.lines)
            self.depth += 1
            code = self.right_side(side)
            self.depth -= 1
            sides.append((self.lines[first:], code))
            del self.lines[first:]
        kind = self.common_kind(node, sides[0][1], sides[1][1])
        self.lines.insert(at, "  " * self.depth + f"var {name}: {wgsl_type(kind)};")
        for opening, (lines, code) in zip((f"if ({test.text}) {{", "} else {"), sides, strict=True):
            self.emit(opening)
            self.lines += lines
            self.emit(f"  {name} = {self.fitted(code, kind, node).text};")
        self.emit("}")
        return Code(name, kind)

    def common_kind(self, node: ast.AST, one: Code, other: Code) -> Type:
        """Type of a choice of two values."""
        kinds = {one.kind, other.kind}
        if len(kinds) == 1:
            return one.kind
        if kinds <= {"int", "real", "precise"}:
            return "precise" if "precise" in kinds else "real"
        self.fail(node, "one type", f"a choice of {one.kind} and {other.kind}")

    def several(self, node: ast.Assign, targets: list[ast.expr], value: ast.expr) -> None:
        """`a, b = x, y` (all of the right side first) or `a, b = kernel(...)`."""
        if isinstance(value, ast.Tuple):
            for one, part in zip(targets, value.elts, strict=True):
                if isinstance(one, ast.Name):
                    self.settle(one.id, part)
            codes = [self.expression(part) for part in value.elts]
            stored = {t.id for t in targets if isinstance(t, ast.Name)}
            read = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
            if stored & read:
                codes = [self.temporary(code) for code in codes]
        else:
            result = self.expression(value)
            if not isinstance(result.kind, tuple) or len(result.kind) != len(targets):
                self.fail(node, "one type", f"{ast.unparse(value)} is not {len(targets)} values")
            held = self.temporary(result)
            codes = [Code(f"{held.text}.v{i}", kind) for i, kind in enumerate(result.kind)]
        for target, code in zip(targets, codes, strict=True):
            if not isinstance(target, ast.Name):
                self.store(target, code)
            elif target.id != "_":
                self.set_name(node, target.id, code)

    def temporary(self, code: Code) -> Code:
        """A value stored under a new name."""
        self.temporaries += 1
        name = f"tuple_{self.temporaries}"
        self.emit(f"let {name} = {code.text};")
        return Code(name, code.kind)

    def set_name(self, node: ast.AST, name: str, code: Code) -> None:
        """Set a local."""
        known = self.kinds.setdefault(name, code.kind)
        code = self.fitted(code, known, node)
        if known != code.kind:
            self.fail(node, "one type", f"{name!r} was {known} and becomes {code.kind}")
        if self.scope.is_let(name) and name not in self.loaded:
            # an untyped literal would become an integer in WGSL
            typed = f": {wgsl_type(code.kind)}" if code.kind in ("int", "real", "bool") else ""
            self.emit(f"let {self.local(name)}{typed} = {code.text};")
            return
        if name not in self.parameters and name not in self.loaded:
            self.declared[name] = known
        self.emit(f"{self.local(name)} = {code.text};")

    def fitted(self, code: Code, kind: Type | None, node: ast.AST) -> Code:
        """Code converted to the precision of its target; integer literals become reals where
        needed.
        """
        if kind == "real" and (code.kind == "precise" or (code.kind == "int" and code.literal)):
            return self.real(code, node)
        if kind == "precise" and code.kind in ("real", "int"):
            return self.precise(code, node)
        return code

    def store(self, target: ast.expr, code: Code) -> None:
        """Write a field."""
        if isinstance(target, ast.Subscript):
            struct, name, indices, kind = self.located(target)
            arguments = [*indices]
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            struct, name, arguments = self.binds[target.value.id].struct, target.attr, []
            kind = self.module.layout.places[struct][name].kind
        else:
            self.fail(target, "statements", f"{ast.unparse(target)} cannot be assigned")
        if self.module.layout.structs[struct].constant:
            self.fail(target, "statements", "the model cannot be written")
        if kind == "real" and code.kind == "int":
            code = self.real(code, target)
        code = self.fitted(code, kind, target)
        if kind != code.kind:
            self.fail(target, "one type", f"{name} holds {kind}, not {code.kind}")
        writer = self.module.accessor(struct, name, write=True)
        self.emit(f"{writer}({', '.join([*arguments, code.text])});")

    def update(self, node: ast.AugAssign) -> None:
        """`x += y` of a name or a field's element."""
        target = node.target
        if isinstance(target, ast.Name):
            value = self.binary(node, self.name(node, target.id), self.right_side(node.value))
            self.set_name(node, target.id, value)
            return
        if isinstance(target, ast.Subscript):
            target = self._with_plain_index(target)
        load = ast.copy_location(
            ast.Subscript(target.value, target.slice, ast.Load())
            if isinstance(target, ast.Subscript)
            else ast.Attribute(target.value, target.attr, ast.Load()),
            node,
        )
        value = self.binary(node, self.expression(load), self.expression(node.value))
        self.store(target, value)

    def _with_plain_index(self, target: ast.Subscript) -> ast.Subscript:
        """The same target with a simple index, which may be written twice."""
        if not any(isinstance(part, ast.Subscript | ast.Call) for part in ast.walk(target.slice)):
            return target
        if isinstance(target.slice, ast.Tuple):
            return target
        self.temporaries += 1
        name = f"index_{self.temporaries}"
        code = self.expression(target.slice)
        self.kinds[name] = code.kind
        self.emit(f"let {name}: i32 = {code.text};")
        plain = ast.copy_location(ast.Name(name, ast.Load()), target)
        return ast.copy_location(ast.Subscript(target.value, plain, ast.Store()), target)

    # control

    def branch(self, node: ast.If) -> None:
        """if, elif, else; a branch that the model decides is not translated."""
        taken = self.decided(node.test)
        if taken is not None:
            self.block(node.body if taken else node.orelse)
            return
        self.nested(f"if ({self.condition(node.test).text}) {{", node.body)
        rest = node.orelse
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            inner = rest[0]
            if self.decided(inner.test) is not None:
                break
            self.nested(f"}} else if ({self.condition(inner.test).text}) {{", inner.body)
            rest = inner.orelse
        if rest:
            self.nested("} else {", rest)
        self.emit("}")

    def loop(self, node: ast.For) -> None:
        """A loop over a range; short ones of known length are written out."""
        name, span = node.target, node.iter
        assert isinstance(name, ast.Name) and isinstance(span, ast.Call)
        if called_name(span) not in ("range", "eights") or not self.scope.is_counter(name.id):
            self.fail(node, "statements", f"{name.id!r} must be used in its loops only")
        self.kinds[name.id] = "int"
        if self.never_turns(span):
            return
        turns = known_turns(span.args)
        if turns is not None and turns <= UNROLLED and not self.is_long(node.body):
            self.written_out(node, name.id, span.args, turns)
            return
        start, stop, step = self._span(span)
        counter = self.local(name.id)
        if not stop.literal and not stop.text.isidentifier():
            self.temporaries += 1
            held = f"end_{self.temporaries}"
            self.emit(f"let {held}: i32 = {stop.text};")
            stop = Code(held, "int")
        change = {1: "++", -1: "--"}.get(step, f" += {step}")
        sign = "<" if step > 0 else ">"
        self.turning(
            f"for (var {counter}: i32 = {start.text}; {counter} {sign} {stop.text}; "
            f"{counter}{change}) {{",
            node.body,
        )

    def is_once(self, node: ast.While) -> bool:
        """Whether a loop goes through the worlds of a group: a thread has one world."""
        match node.test:
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.NotEq()], comparators=[ast.Constant(value=0)]
            ):
                values = [
                    part.value
                    for statement in self.fragment.statements
                    for part in ast.walk(statement)
                    if isinstance(part, ast.Assign)
                    and isinstance(part.targets[0], ast.Name)
                    and part.targets[0].id == name
                ]
                called = {called_name(v) for v in values if isinstance(v, ast.Call)}
                both = called == {"lane_bits", "without_lowest"}
                alone = len(values) == len(self.scope.stores.get(name, ())) == 2
                return both and alone and not _leaves(node.body)
        return False

    def turning(self, opening: str, statements: Sequence[ast.stmt]) -> None:
        """A loop; a debug build counts its turns."""
        self.loops += 1
        self.emit(opening)
        self.depth += 1
        if self.module.counted:
            self.emit("turns += 1;")
        self.block(statements)
        self.depth -= 1
        self.emit("}")

    def is_long(self, body: list[ast.stmt]) -> bool:
        """Whether the body of a loop is too long to be repeated, or leaves the loop.

        Drivers inline every call: a kernel with loops is not called several times in a row.
        """
        called = [one for part in body for one in self.called_kernels(part)]
        statements = [part for one in called for part in statements_of(one)]
        inner = [part for statement in statements for part in ast.walk(statement)]
        return _leaves(body) or any(isinstance(part, ast.For | ast.While) for part in inner)

    def never_turns(self, span: ast.Call) -> bool:
        """Whether the model decides that a range is empty."""
        if len(span.args) == 3:
            return False
        ends = self.facts().values_of(span.args[-1])
        starts = self.facts().values_of(span.args[0]) if len(span.args) == 2 else frozenset({0})
        if not ends or not starts:
            return False
        return max(ends) <= min(starts)

    def _span(self, span: ast.Call) -> tuple[Code, Code, int]:
        zero = Code("0", "int", literal=True)
        codes = [self.expression(part) for part in span.args]
        if any(code.kind != "int" for code in codes):
            self.fail(span, "statements", "range takes integers")
        if len(codes) == 1:
            return zero, codes[0], 1
        step = literal_int(span.args[2]) if len(codes) == 3 else 1
        if not step:
            self.fail(span, "statements", "the step of a range is a number other than zero")
        return codes[0], codes[1], step

    def written_out(self, node: ast.For, name: str, span: list[ast.expr], turns: int) -> None:
        """A short loop as blocks."""
        start = self.expression(span[0]) if len(span) > 1 else Code("0", "int", literal=True)
        for turn in range(turns):
            value = str(turn) if len(span) == 1 else f"{start.within(7)} + {turn}"
            self.nested("{", [])
            self.depth += 1
            self.emit(f"let {self.local(name)}: i32 = {value};")
            self.block(node.body)
            self.depth -= 1
            self.emit("}")

    def give_back(self, node: ast.Return, value: ast.expr | None) -> None:
        """Return nothing, a value or a tuple."""
        if value is None:
            self.emit("return;")
            return
        if isinstance(value, ast.Tuple):
            codes = [self.expression(part) for part in value.elts]
            kinds = tuple(str(code.kind) for code in codes)
            self.module.uses(kinds)
            inner = ", ".join(code.text for code in codes)
            code = Code(f"{tuple_name(kinds)}({inner})", kinds)
        else:
            code = self.fitted(self.right_side(value), self.result, node)
        if self.result not in (None, code.kind):
            self.fail(node, "one type", f"returns {self.result} here and {code.kind} there")
        self.result = code.kind
        self.emit(f"return {code.text};")


def literal_int(node: ast.expr) -> int | None:
    """Value of an integer literal."""
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return -value
    return None


def known_turns(span: list[ast.expr]) -> int | None:
    """Number of iterations of a loop, if source tells it: `range(3)`, `range(a, a + 3)`."""
    if len(span) == 1:
        return literal_int(span[0])
    if len(span) != 2:
        return None
    first, last = literal_int(span[0]), literal_int(span[1])
    if first is not None and last is not None:
        return max(0, last - first)
    match span[1]:
        case ast.BinOp(left=left, op=ast.Add(), right=right) if ast.dump(left) == ast.dump(span[0]):
            return literal_int(right)
    return None


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether the body of a loop contains `break` or `continue`."""
    kinds = (ast.Break, ast.Continue, ast.Return)
    return any(isinstance(part, kinds) for statement in body for part in ast.walk(statement))
