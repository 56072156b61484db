"""What the host dispatches for a kernel: its parts, in order, each small enough for a shader.

A kernel such as `forward` only calls others, and some only if the model says so. The host follows
these calls itself: it evaluates conditions and loops that depend on the model alone, and dispatches
what is left, so that shaders stay small (drivers take long over large ones) and nothing is compiled
that a model does not reach. Statements between such calls become fragments of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.effects import effects_of
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.plain import PlainStruct
from cortenforge.kernel.language.reach import Shared, Unknown, decided
from cortenforge.kernel.language.source import called_name, file_of, parameters, statements_of
from cortenforge.kernel.wgsl.scope import scope_of
from cortenforge.kernel.wgsl.source import Binding, Fragment, kernel_summary, whole

#: lane-safe kernels whose loops end when the data of a world say so: one shader each
WHOLE = frozenset({"step.collision.stage:collision"})
#: kernels of one world that repeat stages of a step, whose calls the host follows
SPLIT = frozenset(
    f"step.integrate.falling_asleep:{name}"
    for name in ("put_trees_to_sleep", "forward_from_velocity")
)


class Schedule:
    """Splits kernels for one model."""

    def __init__(self, model: PlainStruct, well: Kernel, data: StructLayout) -> None:
        """`well`: the kernel that says whether a world has not failed."""
        self.model, self.well, self.data = model, well, data
        self._slots: dict[tuple[str, str], int] = {}

    def of(
        self,
        kernel: Kernel,
        binds: dict[str, Binding] | None = None,
        values: dict[str, int] | None = None,
    ) -> list[Fragment]:
        """Fragments of a kernel, in the order in which they run.

        values: parameters that are integers which the host knows.
        """
        if binds is None:
            binds = {name: Binding(name) for name in parameters(kernel)}
        is_whole = kernel.name in WHOLE or (not kernel.lanes and kernel.name not in SPLIT)
        if is_whole and not values:
            # a stage of one world branches on data: one shader, however many kernels it calls
            return [whole(kernel, binds)]
        splitter = _Splitter(self, kernel, binds, values or {})
        if values or splitter.has_calls(statements_of(kernel)):
            return splitter.split()
        return [whole(kernel, binds)]

    def slot(self, kernel: Kernel, name: str) -> int:
        """Number of the spare that keeps a local of a kernel between shaders."""
        return self._slots.setdefault((kernel.name, name), len(self._slots))


@dataclass(eq=False)
class _Own:
    """Statements of the kernel itself that become one fragment."""

    statements: list[ast.stmt]
    literals: dict[str, int | float]
    guards: tuple[tuple[int, bool], ...]
    frozen: bool


class _Splitter:
    """Follows one kernel."""

    def __init__(
        self,
        schedule: Schedule,
        kernel: Kernel,
        binds: dict[str, Binding],
        values: dict[str, int],
    ) -> None:
        self.schedule, self.kernel, self.binds = schedule, kernel, binds
        self.globals = dict(kernel.names())
        self.models = {name for name, bound in binds.items() if bound == Binding("m")}
        self.given = frozenset(values)
        self.values: dict[str, Any] = dict(values)
        self.counters: dict[str, int] = dict(values)
        self.known = self._known_names() | set(values)
        #: conditions of a step under which statements run, and whether failed worlds do not
        self.guards: tuple[tuple[int, bool], ...] = ()
        self.frozen = False
        self.conditions = 0
        self.settings: dict[str, ast.stmt] = {}
        self.pending: list[ast.stmt] = []
        #: locals that are kept beside those that later fragments read
        self.outliving: set[str] = set()
        #: callees' fragments, and own ones until locals are placed
        self.parts: list[Fragment | _Own] = []

    def split(self) -> list[Fragment]:
        """The kernel's fragments."""
        self.run(statements_of(self.kernel))
        self.flush()
        return self._with_locals()

    # what the host can follow

    def bound(self, node: ast.expr) -> Binding | None:
        """The struct or field that an argument stands for."""
        match node:
            case ast.Name(id=name):
                return self.binds.get(name)
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in self.binds:
                if self.is_size(node) or self.is_number(self.binds[name], attr):
                    return None
                return Binding(self.binds[name].struct, attr)
        return None

    def is_number(self, bound: Binding, attr: str) -> bool:
        """Whether a field of Data is one number, which is passed as a value."""
        entry = self.schedule.data.entries.get(attr)
        return bound == Binding("d") and entry is not None and entry.is_scalar

    def is_size(self, node: ast.expr) -> bool:
        """Whether an argument is an integer of the model."""
        if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
            return False
        return node.value.id in self.models and isinstance(
            getattr(self.schedule.model, node.attr, None), int
        )

    def callee(self, node: ast.stmt) -> Kernel | None:
        """The kernel that a statement calls with nothing but structs and fields."""
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
            return None
        called = self.globals.get(called_name(node.value))
        if not isinstance(called, Kernel):
            return None
        given = node.value.args
        fits = all(self.bound(part) or self.is_host_integer(part) for part in given)
        return called if fits else None

    def is_host_integer(self, node: ast.expr) -> bool:
        """Whether an argument is an integer that the host was given, or can read."""
        if isinstance(node, ast.Name):
            return node.id in self.given
        if self.is_size(node):
            return True
        return isinstance(node, ast.Constant) and isinstance(node.value, int)

    def has_calls(self, statements: Iterable[ast.stmt]) -> bool:
        """Whether the host must follow these statements."""
        return any(
            self.callee(part) is not None
            for statement in statements
            for part in ast.walk(statement)
            if isinstance(part, ast.stmt)
        )

    def is_known(self, node: ast.expr, known: set[str]) -> bool:
        """Whether an expression depends on the model's structure and options alone.

        Not on its reals, which may change between steps, and differ between worlds.
        """
        if self.reads_reals(node):
            return False
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        local = {name for name in names if name not in self.globals}
        return local <= known | self.models | {"math", "abs", "min", "max", "range"}

    def reads_reals(self, node: ast.expr) -> bool:
        """Whether an expression, or a kernel that it calls, reads reals of the model."""
        entries = self.schedule.model._layout.entries
        for part in ast.walk(node):
            read: set[str] = set()
            if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
                read = {part.attr} if part.value.id in self.models else set()
            elif isinstance(part, ast.Call):
                called = self.globals.get(called_name(part))
                if isinstance(called, Kernel):
                    read = effects_of(called).read_fields("m")
            if any(name in entries and entries[name].differs for name in read):
                return True
        return False

    def _known_names(self) -> set[str]:
        """Locals that depend on the model alone, however they are set."""
        stores: dict[str, list[ast.expr | None]] = {}
        for statement in statements_of(self.kernel):
            for part in ast.walk(statement):
                if isinstance(part, ast.For) and isinstance(part.target, ast.Name):
                    follows = self.has_calls(part.body)
                    stores.setdefault(part.target.id, []).append(part.iter if follows else None)
                elif isinstance(part, ast.Assign):
                    plain = isinstance(part.targets[0], ast.Name)
                    for name in _stored([part]):
                        stores.setdefault(name, []).append(part.value if plain else None)
                elif isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
                    stores.setdefault(part.target.id, []).append(None)
        known = set(stores)
        while True:
            lost = {
                name
                for name in known
                if any(value is None or not self.is_known(value, known) for value in stores[name])
            }
            if not lost:
                return known
            known -= lost

    def evaluate(self, node: ast.expr) -> Any:
        """The value of an expression that depends on the model alone."""
        scope = {**self.values, **{name: self.schedule.model for name in self.models}}
        code = compile(ast.Expression(node), file_of(self.kernel), "eval")
        return eval(code, self.kernel.function.__globals__, scope)

    # following

    def run(self, statements: Sequence[ast.stmt]) -> None:
        """Follow statements in order."""
        for node in statements:
            called = self.callee(node)
            if called is not None:
                assert isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
                self.flush()
                self.follow_call(called, node.value.args)
            elif isinstance(node, ast.Assign) and _stored([node]) & self.known:
                self.set(node)
            elif not self.has_calls([node]):
                self.pending.append(node)
            elif isinstance(node, ast.If) and self.is_known(node.test, self.known):
                self.run(node.body if self.evaluate(node.test) else node.orelse)
            elif isinstance(node, ast.If) and (taken := self.decided(node.test)) is not None:
                self.run(node.body if taken else node.orelse)
            elif isinstance(node, ast.If):
                self.follow_condition(node)
            elif isinstance(node, ast.For) and self.is_known(node.iter, self.known):
                self.follow_loop(node)
            else:
                self.pending.append(node)

    def decided(self, test: ast.expr) -> bool | None:
        """Whether a condition holds that the model decides, though not all of it is known."""
        values = {**self.values, **dict.fromkeys(self.models, Shared(self.schedule.model))}
        try:
            return decided(test, self.kernel, values)
        except (Unknown, IndexError):
            return None

    def follow_call(self, called: Kernel, arguments: list[ast.expr]) -> None:
        """Dispatch the parts of a kernel, under the conditions that hold here."""
        binds: dict[str, Binding] = {}
        values: dict[str, int] = {}
        for name, argument in zip(parameters(called), arguments, strict=True):
            bound = self.bound(argument)
            if bound is not None:
                binds[name] = bound
            else:
                values[name] = self.evaluate(argument)
        for part in self.schedule.of(called, binds, values):
            guards, frozen = (*self.guards, *part.guards), self.frozen or part.frozen
            # a kernel of one world leaves worlds alone that have failed
            frozen = frozen or (self.kernel.lanes and not called.lanes)
            self.parts.append(replace(part, guards=guards, frozen=frozen))

    def follow_condition(self, node: ast.If) -> None:
        """A condition that depends on a world: it is stored, and each part tests it."""
        self.flush()
        before = self.guards, self.frozen
        if self._is_well(node.test) and not node.orelse:
            # asked again by each part, so that a world which fails in one skips the next
            self.frozen = True
            self.run(node.body)
        else:
            self.conditions += 1
            name = f"condition_{self.conditions}"
            yes, no = ast.Constant(value=True), ast.Constant(value=False)
            value = ast.copy_location(ast.IfExp(node.test, yes, no), node)
            kept = ast.Assign([ast.Name(name, ast.Store())], value)
            self.pending.append(ast.fix_missing_locations(ast.copy_location(kept, node)))
            self.outliving.add(name)
            self.flush()
            slot = self._slot(name)
            for wanted, statements in ((True, node.body), (False, node.orelse)):
                self.guards = (*before[0], (slot, wanted))
                self.run(statements)
                self.flush()
        self.flush()
        self.guards, self.frozen = before

    def _is_well(self, node: ast.expr) -> bool:
        """Whether a condition asks if worlds have not failed."""
        if not isinstance(node, ast.Call) or called_name(node) != "any_lane":
            return False
        inner = node.args[0]
        asked = self.globals.get(called_name(inner)) if isinstance(inner, ast.Call) else None
        return asked is self.schedule.well

    def set(self, node: ast.Assign) -> None:
        """A local that the host knows; fragments that use it set it again for themselves."""
        (name,) = _stored([node])
        if name in self.values:
            self.flush()
        self.values[name] = self.evaluate(node.value)
        self.settings[name] = node

    def follow_loop(self, node: ast.For) -> None:
        """A loop with calls that are dispatched."""
        assert isinstance(node.target, ast.Name)
        for turn in self.evaluate(node.iter):
            self.flush()
            self.values[node.target.id] = self.counters[node.target.id] = turn
            self.run(node.body)
        self.flush()

    def flush(self) -> None:
        """End the fragment that is being collected."""
        if self.pending:
            settings: dict[str, ast.stmt] = {}
            self._collect(self.pending, settings)
            statements = [*settings.values(), *self.pending]
            own = _Own(statements, dict(self.counters), self.guards, self.frozen)
            self.parts.append(own)
            self.pending = []

    def _collect(self, statements: Iterable[ast.stmt], settings: dict[str, ast.stmt]) -> None:
        """Settings that statements need, those that others need first."""
        for name in sorted(_loaded(statements)):
            if name in self.settings and name not in settings:
                self._collect([self.settings[name]], settings)
                settings[name] = self.settings[name]

    # locals that outlive a fragment

    def _with_locals(self) -> list[Fragment]:
        own = [part for part in self.parts if isinstance(part, _Own)]
        stored = [_stored(part.statements) - self.known for part in own]
        kept = [
            {
                name
                for name in _loaded(part.statements) - _set_first(part.statements)
                if any(name in before for before in stored[:i])
            }
            for i, part in enumerate(own)
        ]
        outliving = self.outliving.union(*kept)
        made: list[Fragment] = []
        for part in self.parts:
            if isinstance(part, Fragment):
                made.append(part)
                continue
            i = own.index(part)
            saves = {name: self._slot(name) for name in sorted(stored[i] & outliving)}
            loads = {name: self._slot(name) for name in sorted(kept[i])}
            made.append(
                Fragment(
                    self.kernel,
                    f"{self.kernel.function.__name__}_{i + 1}",
                    f"{kernel_summary(self.kernel)} (part {i + 1})",
                    tuple(part.statements),
                    self.binds,
                    part.literals,
                    loads,
                    saves,
                    part.guards,
                    part.frozen,
                )
            )
        return made

    def _slot(self, name: str) -> int:
        return self.schedule.slot(self.kernel, name)


def _stored(statements: Iterable[ast.stmt]) -> set[str]:
    """Names that statements set."""
    return {
        part.id
        for statement in statements
        for part in ast.walk(statement)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _loaded(statements: Iterable[ast.stmt]) -> set[str]:
    """Names that statements read; `x += y` reads x."""
    parts = [part for statement in statements for part in ast.walk(statement)]
    read = {p.id for p in parts if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Load)}
    updated = (part.target for part in parts if isinstance(part, ast.AugAssign))
    return read | {target.id for target in updated if isinstance(target, ast.Name)}


def _set_first(statements: Sequence[ast.stmt]) -> set[str]:
    """Names that are certainly set before they are read."""
    scope = scope_of(statements)
    first: set[str] = set()
    for name, stores in scope.stores.items():
        at = min((use.at for use in stores if use.path == ()), default=None)
        reads = [use.at for use in scope.loads.get(name, [])]
        before = at is not None and all(read > at for read in reads)
        if before or scope.is_counter(name):
            first.add(name)
    return first
