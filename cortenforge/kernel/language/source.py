"""Sources of kernels as syntax trees.

The source of a module is read when its first kernel is made, during its import. Checks, machine
code, shaders and keys of the cache are all derived from this text, so editing a file does not
affect a running program.
"""

from __future__ import annotations

import ast
import atexit
import functools
import gc
import hashlib
import linecache
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cortenforge.errors import SubsetError
from cortenforge.garbage import collection_deferred

if TYPE_CHECKING:
    from cortenforge.kernel.language.decorator import Kernel


class ModuleText:
    """Source of a module as of its import."""

    def __init__(self, file: str, scope: dict[str, Any]) -> None:
        self.content = _content(file, scope)

    @functools.cached_property
    def digest(self) -> str:
        """Hash of the text."""
        return hashlib.sha256(self.content).hexdigest()

    @functools.cached_property
    def functions(self) -> dict[int, ast.FunctionDef]:
        """Functions by the line on which they begin, decorators included."""
        _leave_trees_at_exit()
        found = {}
        with collection_deferred():
            for node in _statements(ast.parse(self.content)):
                if isinstance(node, ast.FunctionDef):
                    found[min([node.lineno, *(d.lineno for d in node.decorator_list)])] = node
        return found


def _content(file: str, scope: dict[str, Any]) -> bytes:
    """Bytes of a module's file, or of a notebook's cell."""
    try:
        with open(file, "rb", buffering=0) as opened:
            return opened.read()
    except OSError:
        linecache.checkcache(file)
        return "".join(linecache.getlines(file, scope)).encode()


@functools.cache
def _leave_trees_at_exit() -> None:
    """Hide syntax trees at exit from the last garbage collection, which would take 0.1 s."""
    atexit.register(gc.freeze)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements of a tree; expressions are not visited."""
    for child in ast.iter_child_nodes(tree):
        if not isinstance(child, ast.expr):
            yield child
            yield from _statements(child)


#: sources by file; a reloaded module has another spec, and its file other text
_texts: dict[str, tuple[object, ModuleText]] = {}


def module_text(function: Callable[..., Any]) -> ModuleText:
    """Source of the module that defines a function; called while that is imported."""
    file, scope = function.__code__.co_filename, function.__globals__
    origin = scope.get("__spec__") or scope
    known = _texts.get(file)
    if known is None or known[0] is not origin:
        known = _texts[file] = (origin, ModuleText(file, scope))
    return known[1]


def text_of(scope: Mapping[str, Any]) -> ModuleText | None:
    """Source of a module, by its namespace; None if it has no file."""
    file = scope.get("__file__") or ""
    known = _texts.get(file)
    if known is None and file:
        # a module without kernels is read at its first use
        known = _texts[file] = (scope.get("__spec__") or scope, ModuleText(file, dict(scope)))
    return known[1] if known and known[0] is (scope.get("__spec__") or scope) else None


@functools.cache
def syntax_of(kernel: Kernel) -> ast.FunctionDef:
    """The kernel's function, with line numbers of its file."""
    line = kernel.code.co_firstlineno
    function = kernel.text.functions.get(line)
    if function is None or function.name != kernel.code.co_name:
        message = (
            f"{kernel.name}: the text of this function cannot be read; kernels stand in a file, "
            "which must not change while it is imported"
        )
        raise SubsetError(file_of(kernel), line, "source", message)
    return function


class _Reader:
    """Reads a function once: its normal form, and the names that it uses."""

    def __init__(self, function: ast.FunctionDef) -> None:
        arguments = [argument.arg for argument in function.args.args]
        self.words = [function.name, repr(arguments)]
        self.own = set(arguments)
        self.used: dict[str, bool] = {}
        self.attributes: set[str] = set()
        has_docstring = ast.get_docstring(function, clean=False) is not None
        for statement in function.body[has_docstring:]:
            self.read(statement)

    def read(self, node: Any) -> None:
        """Append a node to the normal form: its type, then its fields in order."""
        if isinstance(node, list):
            self.words.append(f"{len(node)}:")
            for one in node:
                self.read(one)
        elif isinstance(node, ast.Name):
            self.words.append(node.id)
            if isinstance(node.ctx, ast.Load):
                self.used[node.id] = True
            else:
                self.own.add(node.id)
        elif isinstance(node, ast.AST):
            self.words.append(type(node).__name__)
            if isinstance(node, ast.Attribute):
                self.attributes.add(node.attr)
            for field in node._fields:
                if field != "ctx":  # follows from the place
                    self.read(getattr(node, field, None))
        else:
            self.words.append(repr(node))


@functools.cache
def _read(kernel: Kernel) -> _Reader:
    return _Reader(syntax_of(kernel))


@functools.cache
def normal_form(kernel: Kernel) -> str:
    """The kernel's text without comments, docstring, layout and line numbers."""
    return " ".join(_read(kernel).words)


@functools.cache
def global_names(kernel: Kernel) -> tuple[str, ...]:
    """Global and built-in names that the function uses, in order of appearance."""
    reader = _read(kernel)
    return tuple(name for name in reader.used if name not in reader.own)


def attribute_names(kernel: Kernel) -> frozenset[str]:
    """Names of attributes in the kernel's text: those of all fields it uses are among them."""
    return frozenset(_read(kernel).attributes)


def file_of(kernel: Kernel) -> str:
    """Path of the file that holds the kernel."""
    return kernel.code.co_filename


def parameters(kernel: Kernel) -> list[str]:
    """Names of the kernel's parameters."""
    return list(kernel.code.co_varnames[: kernel.code.co_argcount])


def statements_of(kernel: Kernel) -> tuple[ast.stmt, ...]:
    """The statements of a kernel, without its docstring."""
    body = syntax_of(kernel).body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        body = body[1:]
    return tuple(body)


@functools.cache
def stored_names(kernel: Kernel) -> frozenset[str]:
    """Names that a kernel assigns to, parameters among them."""
    return frozenset(
        part.id
        for statement in statements_of(kernel)
        for part in ast.walk(statement)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    )


def called_name(call: ast.Call) -> str:
    """The name by which a function is called; "" if it is not a plain name."""
    return call.func.id if isinstance(call.func, ast.Name) else ""
