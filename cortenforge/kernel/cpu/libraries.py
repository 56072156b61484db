"""What Numba makes of kernels while a unit is compiled: LLVM's language, and nothing more.

By itself Numba optimises every function it meets, each with all that it calls, and makes machine
code of it, which is never run. Here a unit is optimised once, as a whole, when all of it is there:
that takes half the time.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target


class Text(JITCodeLibrary):
    """A function that is linked into others and never run."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Nothing: the unit is optimised as a whole."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: there is no machine code."""
        self._ensure_finalized()
        return 0


class Texts(JITCPUCodegen):
    """Makes such libraries."""

    _library_class = Text

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing: what is never run needs no environment."""


@functools.cache
def _texts() -> Texts:
    return Texts("cortenforge")


@contextlib.contextmanager
def only_text() -> Iterator[None]:
    """Whatever Numba compiles meanwhile stays text; other threads that compile wait."""
    context = cpu_target.target_context
    with global_compiler_lock:
        usual = context._internal_codegen
        context._internal_codegen = _texts()
        try:
            yield
        finally:
            context._internal_codegen = usual
