"""Whether worlds can run a kernel in lockstep: control flow must not depend on data."""

from __future__ import annotations

import ast

from cortenforge.errors import SubsetError
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.source import called_name, file_of, parameters, syntax_of


def check_uniform_control(kernel: Kernel) -> None:
    """Raise a SubsetError where a branch, a loop or an index differs between worlds."""
    called = {name: value for name, value in kernel.names() if isinstance(value, Kernel)}
    for name, value in called.items():
        if not value.lanes:
            raise SubsetError(
                file_of(kernel),
                syntax_of(kernel).lineno,
                "lanes",
                f"{kernel.name}: calls {name}, which is not lane-safe",
            )
    uniform = _uniform_names(kernel)
    for node in ast.walk(syntax_of(kernel)):
        for part in _deciding_parts(node):
            if not _is_uniform(part, uniform):
                raise SubsetError(
                    file_of(kernel),
                    part.lineno,
                    "lanes",
                    f"{kernel.name}: `{ast.unparse(part)}` may differ between worlds; use select, "
                    "or any_lane with masked updates",
                )


def _deciding_parts(node: ast.AST) -> list[ast.expr]:
    """Expressions that decide what is executed or where memory is touched."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return [node.test]
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Call) and called_name(node) == "range":
        return list(node.args)
    return []


def _uniform_names(kernel: Kernel) -> set[str]:
    """Names whose values are the same in every world: from the model, indices and constants."""
    tree = syntax_of(kernel)
    marked = {
        a.arg
        for a in tree.args.args
        if a.arg == "m" or (isinstance(a.annotation, ast.Name) and a.annotation.id == "int")
    }
    stored = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    # start from the best and take away until nothing changes
    uniform = (stored - set(parameters(kernel))) | marked
    while True:
        spoilt = {name for name in uniform if _has_varying_source(tree, name, uniform)}
        if not spoilt:
            return uniform | {name for name, _ in kernel.names()}
        uniform -= spoilt


def _has_varying_source(tree: ast.FunctionDef, name: str, uniform: set[str]) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AugAssign):
            targets, value = [node.target], node.value
        else:
            continue
        stored = {
            part.id
            for target in targets
            for part in ast.walk(target)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        if name in stored and not _is_uniform(value, uniform | _constants(tree)):
            return True
    return False


def _constants(tree: ast.FunctionDef) -> set[str]:
    """Names that the function does not store: constants and functions of its module."""
    known = {a.arg for a in tree.args.args}
    names = {node.id: node for node in ast.walk(tree) if isinstance(node, ast.Name)}
    stored = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return set(names) - known - stored


def _is_uniform(node: ast.expr, uniform: set[str]) -> bool:
    if isinstance(node, ast.Call) and called_name(node) == "any_lane":
        return True
    if isinstance(node, ast.Name):
        return node.id in uniform or node.id in {"math", "abs", "min", "max"}
    children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return all(_is_uniform(child, uniform) for child in children)
