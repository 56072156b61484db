"""Whether worlds can run a kernel in lockstep: control flow must not depend on data."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cortenforge.errors import SubsetError
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.effects import effects_of
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.source import called_name, file_of, parameters, syntax_of


def check_uniform_control(kernel: Kernel, structs: Mapping[str, StructLayout]) -> None:
    """Raise a SubsetError where a branch, a loop or an index differs between worlds."""
    _check_calls(kernel)
    is_uniform = uniformity(kernel, structs)
    for node in ast.walk(syntax_of(kernel)):
        for part in _deciding_parts(node):
            if not is_uniform(part):
                raise SubsetError(
                    file_of(kernel),
                    part.lineno,
                    "lanes",
                    f"{kernel.name}: `{ast.unparse(part)}` may differ between worlds; use select, "
                    "or any_lane with masked updates",
                )


def _check_calls(kernel: Kernel) -> None:
    """A kernel of one world, called from lanes, runs world by world and gives nothing back."""
    alone = {
        name for name, value in kernel.names() if isinstance(value, Kernel) and not value.lanes
    }
    tree = syntax_of(kernel)
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called_name(node) in alone and id(node) not in statements:
            raise SubsetError(
                file_of(kernel),
                node.lineno,
                "lanes",
                f"{kernel.name}: {called_name(node)} is not lane-safe, so it runs world by world "
                "and its result cannot be used here; let it write a field",
            )


def uniformity(kernel: Kernel, structs: Mapping[str, StructLayout]) -> Callable[[ast.expr], bool]:
    """A test of whether an expression of a kernel is the same in every world."""
    differing = {
        entry.name
        for layout in structs.values()
        if layout.constant
        for entry in layout.entries.values()
        if entry.differs
    }
    shared = {
        entry.name
        for layout in structs.values()
        if not layout.constant
        for entry in layout.entries.values()
        if entry.home == "group" and entry.kind in ("int", "word")
    }
    known = Known(frozenset(differing | _spoiling_kernels(kernel, differing)), frozenset(shared))
    uniform = _uniform_names(kernel, known)
    return lambda node: _is_uniform(node, uniform, known)


@dataclass(frozen=True)
class Known:
    """What the layouts say of names.

    differing: fields of the model, and kernels that read them, which differ between worlds.
    shared:    integers of a Data that worlds in lockstep have in common.
    """

    differing: frozenset[str]
    shared: frozenset[str]


def _spoiling_kernels(kernel: Kernel, differing: set[str]) -> set[str]:
    """Names of called kernels whose results differ between worlds since the model does."""
    return {
        name
        for name, value in kernel.names()
        if isinstance(value, Kernel) and effects_of(value).read_fields("m") & differing
    }


def _deciding_parts(node: ast.AST) -> list[ast.expr]:
    """Expressions that decide what is executed or where memory is touched."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        return [node.test]
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Call) and called_name(node) == "range":
        return list(node.args)
    return []


def _uniform_names(kernel: Kernel, known: Known) -> set[str]:
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
        spoilt = {name for name in uniform if _has_varying_source(tree, name, uniform, known)}
        if not spoilt:
            return uniform | {name for name, _ in kernel.names()}
        uniform -= spoilt


def _has_varying_source(tree: ast.FunctionDef, name: str, uniform: set[str], known: Known) -> bool:
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
        if name in stored and not _is_uniform(value, uniform | _constants(tree), known):
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


#: what these give is one number for all worlds, whatever they are given
OF_ALL = {"any_lane", "lane_bits", "in_lane", "world"}
BUILT_IN = {"math", "abs", "min", "max", "range", "int"}


def _is_uniform(node: ast.expr, uniform: set[str], known: Known) -> bool:
    if isinstance(node, ast.Call) and called_name(node) in OF_ALL:
        return True
    if isinstance(node, ast.Call) and called_name(node) in known.differing:
        return False
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == "m" and node.attr in known.differing:
            return False
        if node.value.id == "d" and node.attr in known.shared:
            return True
    elif isinstance(node, ast.Name):
        return node.id in uniform or node.id in BUILT_IN
    children = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    return all(_is_uniform(child, uniform, known) for child in children)
