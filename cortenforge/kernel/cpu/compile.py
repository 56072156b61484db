"""A unit becomes machine code: Numba to LLVM, LLVM to an object file in memory.

This is the only module that decides how kernels are compiled. It imports Numba, so it is itself
imported only when something is not in the cache.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba

from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.machine import (
    function_name,
    fuses_products,
    slot_name,
    target_machine,
)
from cortenforge.kernel.cpu.numba_fuse import SCOPE
from cortenforge.kernel.cpu.numba_structs import StructType, as_struct, call_through_slot, word_at
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.fuse import compiled_function
from cortenforge.kernel.language.layout import StructLayout

#: Division by zero gives inf or nan as in C, and nothing checks or allocates. No fast-math flag is
#: set: LLVM then neither reorders nor fuses, so that a lane has the bits of a single world. What is
#: fused is decided by `fuse` (a humanoid step is 10% faster for it).
OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "boundscheck": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


#: a plain C function around Numba's own calling convention
WRAPPER = """
target triple = "{triple}"
declare i32 @"{inner}"({types})
define {result} @"{name}"({parameters}) {{
  %result = alloca i64
  %error = alloca i8*
  %state = call i32 @"{inner}"(i8* %result, i8* %error, {parameters})
  %value = load i64, i64* %result
  ret {value}
}}
"""


class Compiler:
    """Compiles units for one pair of struct layouts."""

    def __init__(self, model: StructLayout, data: StructLayout) -> None:
        self.structs = (StructType(model), StructType(data))
        self.casts = tuple(as_struct(struct) for struct in self.structs)
        self._functions: dict[str, Any] = {}

    def compile(self, unit: Kernel) -> bytes:
        """An object file that holds the unit as a C function named `function_name(unit)`."""
        return target_machine().emit_object(self.module(unit))

    def module(self, unit: Kernel) -> Any:
        """The unit as an LLVM module, optimised for this processor."""
        entry = numba.njit(**OPTIONS)(self._entry_point(unit))
        arguments = (numba.int64,) * (1 if unit.entry else 2)
        try:
            entry.compile(arguments)
        except numba.core.errors.NumbaError as error:
            raise CompilationError(f"{unit.name} did not compile:\n{error}") from error
        module = llvm.parse_assembly(entry.inspect_llvm(arguments))
        _add_wrapper(module, unit, len(arguments))
        _optimize(module)
        _refuse_runtime_calls(module, unit)
        return module

    def _entry_point(self, unit: Kernel) -> FunctionType:
        run, as_model, as_data = self._root(unit), *self.casts
        if unit.entry:

            def cortenforge_entry(call):  # type: ignore[no-untyped-def]
                # one argument, because each costs 0.15 us to pass from Python
                m, d = as_model(word_at(call, 0)), as_data(word_at(call, 1))
                return run(m, d, word_at(call, 2))

        else:

            def cortenforge_entry(m, d):  # type: ignore[no-untyped-def]
                run(as_model(m), as_data(d))

        return cortenforge_entry  # type: ignore[return-value]

    def _root(self, unit: Kernel) -> Any:
        """The unit's own function (elsewhere a unit is a call through its slot)."""
        return numba.njit(**OPTIONS)(self._with_resolved_names(unit))

    def _function(self, kernel: Kernel) -> Any:
        if kernel.name not in self._functions:
            if kernel.unit:
                made = call_through_slot(slot_name(kernel, self.structs[1].layout), self.structs)
            else:
                made = numba.njit(**OPTIONS)(self._with_resolved_names(kernel))
            self._functions[kernel.name] = made
        return self._functions[kernel.name]

    def _with_resolved_names(self, kernel: Kernel) -> FunctionType:
        """A copy of the function in which kernels are what Numba can call."""
        scope = dict(kernel.function.__globals__)
        for name, value in kernel.names():
            if isinstance(value, Kernel):
                scope[name] = self._function(value)
        return compiled_function(kernel, {**scope, **SCOPE}, fused=fuses_products())


def _add_wrapper(module: Any, unit: Kernel, count: int) -> None:
    """Give a module the C function by which others call it; everything else becomes private."""
    own = [f for f in module.functions if not f.is_declaration]
    (inner,) = [f.name for f in own if "cortenforge_entry" in f.name]
    parameters = ", ".join(f"i64 %a{i}" for i in range(count))
    wrapper = llvm.parse_assembly(
        WRAPPER.format(
            triple=module.triple,
            inner=inner,
            name=function_name(unit),
            types=", ".join(["i8*", "i8*", *["i64"] * count]),
            parameters=parameters,
            result="i64" if unit.entry else "void",
            value="i64 %value" if unit.entry else "void",
        )
    )
    module.link_in(wrapper)
    for function in own:
        function.linkage = "internal"


def _optimize(module: Any) -> None:
    machine = target_machine()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _refuse_runtime_calls(module: Any, unit: Kernel) -> None:
    """A kernel that allocates, raises or calls Python would need Numba at run time."""
    for function in module.functions:
        if function.is_declaration and function.name.startswith(("NRT_", "numba_", "Py")):
            raise CompilationError(
                f"{unit.name}: compiled code calls {function.name}; kernels may not allocate "
                "memory, raise exceptions or use Python objects"
            )
