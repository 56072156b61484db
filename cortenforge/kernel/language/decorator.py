"""The `@kernel` decorator: one Python function, registered for every target.

A kernel remains an ordinary Python function that can be called and debugged; `Kernel` adds what
compilers need to know about it. Compiler flags are in `kernel.cpu.compile`, the same for all
kernels.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from types import CodeType
from typing import Any

from cortenforge.kernel.language.source import global_names, module_text

__all__ = ["Kernel", "all_kernels", "kernel", "units"]

_registry: dict[str, Kernel] = {}
#: units that replace others while kernels run as plain Python, by the names of these
STAND_INS: ContextVar[Mapping[str, Callable[..., Any]]] = ContextVar("STAND_INS", default={})  # noqa: B039 - never changed


class Kernel:
    """A function of the kernel language.

    lanes: control flow never depends on data, so worlds can run in lockstep.
    unit:  compiled by itself and called through its address; takes `(m, d)`, and integers.
    entry: called from Python; takes `(m, d, count)` and returns a status.
    """

    def __init__(
        self, function: Callable[..., Any], *, lanes: bool, unit: bool, entry: bool
    ) -> None:
        self.function = function
        self.text = module_text(function)
        self.lanes, self.unit, self.entry = lanes, unit, entry
        module = function.__module__.removeprefix("cortenforge.")
        self.name = f"{module}:{function.__name__}"
        functools.update_wrapper(self, function)

    def __call__(self, *args: Any) -> Any:
        """Run as plain Python."""
        instead = STAND_INS.get().get(self.name) if self.unit else None
        return (instead or self.function)(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    def __reduce__(self) -> str:
        """Pickled as functions are: by its place in a module."""
        name: str = self.function.__qualname__
        return name

    @property
    def code(self) -> CodeType:
        return self.function.__code__

    @property
    def symbol(self) -> str:
        """Symbol of the kernel in compiled code."""
        return "cortenforge." + self.name.replace(":", ".")

    def names(self) -> Iterator[tuple[str, Any]]:
        """Each global name the function uses, with its value."""
        scope = self.function.__globals__
        for name in global_names(self):
            if name in scope:
                yield name, scope[name]

    def calls(self) -> list[Kernel]:
        """Kernels called directly, or through a table."""
        found: list[Kernel] = []
        for _, value in self.names():
            if isinstance(value, Kernel):
                found.append(value)
            else:
                found.extend(getattr(value, "kernels", ()))
        return found


def kernel(
    function: Callable[..., Any] | None = None,
    *,
    lanes: bool = False,
    unit: bool = False,
    entry: bool = False,
) -> Any:
    """Register a function of the kernel language; see `Kernel` for the flags."""

    def register(function: Callable[..., Any]) -> Kernel:
        made = Kernel(function, lanes=lanes, unit=unit or entry, entry=entry)
        _registry[made.name] = made
        return made

    return register if function is None else register(function)


def kernel_named(name: str) -> Kernel:
    """The kernel with a name, of the modules imported so far."""
    return _registry[name]


def all_kernels() -> list[Kernel]:
    """Every kernel of the modules imported so far, by name."""
    return [_registry[name] for name in sorted(_registry)]


def units(package: str = "step") -> list[Kernel]:
    """Every unit of a package."""
    return [k for k in all_kernels() if k.unit and k.name.startswith(f"{package}.")]


def body_of(root: Kernel) -> list[Kernel]:
    """The kernels that are compiled into a unit: the unit, and plain kernels that it calls."""
    found: dict[str, Kernel] = {}
    waiting = [root]
    while waiting:
        current = waiting.pop()
        if current.name in found:
            continue
        found[current.name] = current
        waiting.extend(k for k in current.calls() if not k.unit)
    return [found[name] for name in sorted(found)]
