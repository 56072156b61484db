"""Sources of WGSL functions: a kernel, or some statements of one."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.source import parameters, statements_of


@dataclass(frozen=True)
class Binding:
    """A struct (`d`) or one of its fields (`d.qpos`) that an argument stands for."""

    struct: str
    field: str = ""


@dataclass(frozen=True)
class Fragment:
    """Statements of a kernel that run as one shader.

    literals: names known on the host, with their values.
    loads:    locals that an earlier fragment stored, with their spare slots.
    saves:    locals that a later fragment needs.
    guards:   spare slots, and whether their condition must hold for the fragment to run.
    frozen:   whether worlds that have failed are left alone.
    """

    kernel: Kernel
    name: str
    doc: str
    statements: tuple[ast.stmt, ...]
    binds: Mapping[str, Binding]
    literals: Mapping[str, int | float] = field(default_factory=dict)
    loads: Mapping[str, int] = field(default_factory=dict)
    saves: Mapping[str, int] = field(default_factory=dict)
    guards: tuple[tuple[int, bool], ...] = ()
    frozen: bool = False


def kernel_summary(kernel: Kernel) -> str:
    """First line of the docstring of a kernel."""
    return (kernel.function.__doc__ or "").strip().split("\n")[0]


def whole(
    kernel: Kernel,
    binds: Mapping[str, Binding] | None = None,
    literals: Mapping[str, int | float] | None = None,
) -> Fragment:
    """All of a kernel; parameters that are neither bound nor literals stay parameters."""
    if binds is None:
        binds = {name: Binding(name) for name in parameters(kernel) if name in ("m", "d")}
    return Fragment(
        kernel,
        kernel.function.__name__,
        kernel_summary(kernel),
        statements_of(kernel),
        dict(binds),
        dict(literals or {}),
    )
