"""Locals that are set once become `let` in WGSL, others `var`."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

Path = tuple[int, ...]


@dataclass
class Use:
    """A place where a name is stored or read: its block, its order in the text, and how."""

    path: Path
    at: int
    how: str = ""  # of a store: "assign", "update" or "for"
    node: ast.AST | None = None


@dataclass
class Scope:
    """How each local of a function is used."""

    stores: dict[str, list[Use]] = field(default_factory=dict)
    loads: dict[str, list[Use]] = field(default_factory=dict)

    def is_let(self, name: str) -> bool:
        """Whether the name is set once and read only after that, in the same block or inside it."""
        stores = self.stores.get(name, [])
        if len(stores) != 1 or stores[0].how != "assign":
            return False
        store = stores[0]
        return all(
            load.path[: len(store.path)] == store.path and load.at > store.at
            for load in self.loads.get(name, [])
        )

    def is_counter(self, name: str) -> bool:
        """Whether the name is only ever a loop's counter, and only read inside its loops."""
        stores = self.stores.get(name, [])
        if not stores or any(store.how != "for" for store in stores):
            return False
        return all(
            any(load.path[: len(store.path)] == store.path for store in stores)
            for load in self.loads.get(name, [])
        )


class _Walker:
    def __init__(self) -> None:
        self.scope = Scope()
        self.at = 0
        self.blocks = 0

    def block(self, statements: Iterable[ast.stmt], path: Path) -> None:
        for statement in statements:
            self.statement(statement, path)

    def nested(self, statements: Iterable[ast.stmt], path: Path) -> Path:
        self.blocks += 1
        inner = (*path, self.blocks)
        self.block(statements, inner)
        return inner

    def statement(self, node: ast.stmt, path: Path) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self.reads(value, path)
                self.writes(target, path, "assign")
            case ast.AugAssign(target=target, value=value):
                self.reads(value, path)
                if isinstance(target, ast.Name):
                    self._load(target.id, path)
                self.writes(target, path, "update")
            case ast.For(target=ast.Name(id=name), iter=span, body=body):
                self.reads(span, path)
                self.at += 1
                self.blocks += 1
                inner = (*path, self.blocks)
                self.scope.stores.setdefault(name, []).append(Use(inner, self.at, "for", node))
                self.block(body, inner)
            case ast.While(test=test, body=body):
                self.reads(test, path)
                self.nested(body, path)
            case ast.If(test=test, body=body, orelse=orelse):
                self.reads(test, path)
                self.nested(body, path)
                self.nested(orelse, path)
            case _:
                self.reads(node, path)

    def reads(self, node: ast.AST, path: Path) -> None:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                self._load(part.id, path)

    def writes(self, target: ast.expr, path: Path, how: str) -> None:
        for part in ast.walk(target):
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
                self.at += 1
                self.scope.stores.setdefault(part.id, []).append(Use(path, self.at, how, part))
            elif isinstance(part, ast.Name):
                self._load(part.id, path)

    def _load(self, name: str, path: Path) -> None:
        self.at += 1
        self.scope.loads.setdefault(name, []).append(Use(path, self.at))


def scope_of(statements: Iterable[ast.stmt], saved: Iterable[str] = ()) -> Scope:
    """Scope of statements; names in `saved` are read once more at the end."""
    walker = _Walker()
    walker.block(statements, ())
    for name in saved:
        walker._load(name, ())
    return walker.scope
