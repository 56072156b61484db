"""A unit becomes machine code: Numba to LLVM, LLVM to an object file, linked in memory.

This is the only module that decides how kernels are compiled. It imports Numba, so it is itself
imported only when something is not in the cache.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
import numba

from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.libraries import only_text
from cortenforge.kernel.cpu.link_objects import link_objects
from cortenforge.kernel.cpu.linked_code import LinkedCode
from cortenforge.kernel.cpu.numba_bits import SCOPE as CONDITION_SCOPE
from cortenforge.kernel.cpu.numba_fuse import SCOPE as FUSE_SCOPE
from cortenforge.kernel.cpu.numba_lanes import counter_of_eight
from cortenforge.kernel.cpu.numba_structs import (
    StructType,
    as_struct,
    call_through_slot,
    word_at,
)
from cortenforge.kernel.cpu.symbols import function_name, slot_name
from cortenforge.kernel.cpu.targets import Target, host, target_machine
from cortenforge.kernel.cpu.types_only import TypesOnly
from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.eights import COUNTER, called_by_eights, of_eight
from cortenforge.kernel.language.fuse import compiled_function
from cortenforge.kernel.language.layout import StructLayout
from cortenforge.kernel.language.processor import fuses_products
from cortenforge.kernel.language.source import parameters
from cortenforge.kernel.language.table import Table
from cortenforge.kernel.language.uniform import uniformity
from cortenforge.kernel.language.values import (
    in_lane,
    lane_bits,
    lowest_bit,
    without_lowest,
    world,
)

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

    def __init__(
        self, model: StructLayout, data: StructLayout, *, types_only: bool = False
    ) -> None:
        """
        types_only: for `check_types`, and not for code.
        """
        self.options = {**OPTIONS, "pipeline_class": TypesOnly} if types_only else OPTIONS
        self.structs = (StructType(model), StructType(data))
        self.casts = tuple(as_struct(struct) for struct in self.structs)
        self.lanes = data.of_one is not None
        self._functions: dict[str, Any] = {}

    def compile(self, unit: Kernel) -> LinkedCode:
        """The unit for this processor, as a C function named `function_name(unit)`."""
        (code,) = self.objects(unit, [host()])
        return link_objects({function_name(unit): code}, arm=host().is_arm, page=host().page)

    def objects(self, unit: Kernel, targets: Sequence[Target]) -> list[bytes]:
        """An object file of the unit for each of some targets that Numba translates it for."""
        return [
            target_machine(target).emit_object(module)
            for target, module in zip(targets, self.modules(unit, targets), strict=True)
        ]

    def modules(self, unit: Kernel, targets: Sequence[Target]) -> list[Any]:
        """The unit as LLVM modules, each optimised for a target; Numba translates it once."""
        entry, arguments = self._translated(unit)
        text = entry.inspect_llvm(arguments)
        return [self._module(text, unit, len(arguments), target) for target in targets]

    def _module(self, text: str, unit: Kernel, count: int, target: Target) -> Any:
        machine = target_machine(target)
        module = llvm.parse_assembly(text)
        module.triple, module.data_layout = target.triple, str(machine.target_data)
        _add_wrapper(module, unit, count)
        self._inline_tuples(module)
        _optimize(module, machine)
        _refuse_runtime_calls(module, unit)
        return module

    def check_types(self, unit: Kernel) -> None:
        """Raise a CompilationError if types of a unit do not fit together in these layouts."""
        self._translated(unit)

    def _translated(self, unit: Kernel) -> tuple[Any, tuple[Any, ...]]:
        """What Numba makes of a unit, and the types of its arguments."""
        entry = numba.njit(**self.options)(self._entry_point(unit))
        arguments = (numba.int64,) * (1 if unit.entry else len(parameters(unit)))
        try:
            with only_text():
                entry.compile(arguments)
        except numba.core.errors.NumbaError as error:
            raise CompilationError(f"{unit.name} did not compile:\n{error}", unit.name) from error
        return entry, arguments

    def _inline_tuples(self, module: Any) -> None:
        """Inline whatever returns several values: called, it would pass them through memory."""
        made = [one for function in self._functions.values() for one in _overloads(function)]
        tuples = {
            one.fndesc.mangled_name
            for one in made
            if isinstance(one.signature.return_type, numba.types.BaseTuple)
        }
        for function in module.functions:
            if function.name in tuples and not function.is_declaration:
                function.add_function_attribute("alwaysinline")

    def _entry_point(self, unit: Kernel) -> FunctionType:
        run, as_model, as_data = self._root(unit), *self.casts
        scope = {"run": run, "as_model": as_model, "as_data": as_data, "word_at": word_at}
        if unit.entry:
            # one argument, because each costs 0.15 us to pass from Python
            text = (
                "def cortenforge_entry(call):\n"
                "    m, d = as_model(word_at(call, 0)), as_data(word_at(call, 1))\n"
                "    return run(m, d, word_at(call, 2))\n"
            )
            return _made(text, "cortenforge_entry", scope)
        more = "".join(f", {name}" for name in parameters(unit)[2:])
        text = f"def cortenforge_entry(m, d{more}):\n    run(as_model(m), as_data(d){more})\n"
        return _made(text, "cortenforge_entry", scope)

    def _root(self, unit: Kernel) -> Any:
        """The unit's own function (elsewhere a unit is a call through its slot)."""
        return numba.njit(**self.options)(self._with_resolved_names(unit))

    def _function(self, kernel: Kernel) -> Any:
        if kernel.name not in self._functions:
            if kernel.unit:
                made = call_through_slot(
                    functools.partial(slot_name, kernel), len(parameters(kernel)) - 2
                )
            else:
                made = numba.njit(**self.options)(self._with_resolved_names(kernel))
            self._functions[kernel.name] = made
        return self._functions[kernel.name]

    def _of_eight(self, kernel: Kernel) -> Any:
        """The function of a lane-safe kernel that is called for eight elements of one world."""
        name = f"{kernel.name} of eight"
        if name not in self._functions:
            made = self._with_resolved_names(kernel, eight=True)
            self._functions[name] = numba.njit(**self.options)(made)
        return self._functions[name]

    def _called(self, called: Kernel, caller: Kernel) -> Any:
        """What a kernel's name stands for in another kernel."""
        frozen = "status" in self.structs[1].layout.entries
        if not frozen or not caller.lanes or called.lanes:
            return self._function(called)
        name = f"{called.name} world by world"
        if name not in self._functions:
            self._functions[name] = self._world_by_world(called)
        return self._functions[name]

    def _world_by_world(self, called: Kernel) -> Any:
        """A call that is made for each world of a group in turn; worlds that have failed are left.

        Given one world already, it is called once.
        """
        named = parameters(called)
        arguments = ", ".join(
            f"world({name}, lane)" if name in ("m", "d") else f"in_lane({name}, lane)"
            for name in named
        )
        text = (
            f"def each_world({', '.join(named)}):\n"
            "    waiting = lane_bits(d.status == 0)\n"
            "    while waiting != 0:\n"
            "        lane = lowest_bit(waiting)\n"
            "        waiting = without_lowest(waiting)\n"
            f"        called({arguments})\n"
        )
        scope = {
            "called": self._function(called),
            "world": world,
            "in_lane": in_lane,
            "lane_bits": lane_bits,
            "lowest_bit": lowest_bit,
            "without_lowest": without_lowest,
        }
        return numba.njit(**self.options)(_made(text, "each_world", scope))

    def _table(self, table: Table, caller: Kernel) -> Any:
        """A call of one of a table's kernels by number."""
        named = parameters(table.kernels[0])
        given = ", ".join(named)
        lines = [f"def choose(number, {given}):"]
        for k in range(len(table.kernels)):
            lines += [f"    {'el' if k else ''}if number == {k}:", f"        kernel_{k}({given})"]
        scope = {f"kernel_{k}": self._called(one, caller) for k, one in enumerate(table.kernels)}
        return numba.njit(**self.options)(_made("\n".join(lines) + "\n", "choose", scope))

    def _with_resolved_names(self, kernel: Kernel, *, eight: bool = False) -> FunctionType:
        """A copy of the function in which kernels are what Numba can call.

        eight: it is called for eight elements of one world.
        """
        scope = dict(kernel.function.__globals__)
        for name, value in kernel.names():
            if isinstance(value, Kernel):
                scope[name] = self._of_eight(value) if eight else self._called(value, kernel)
            elif isinstance(value, Table):
                scope[name] = self._table(value, kernel)
        for name, value in called_by_eights(kernel).items():
            scope[of_eight(name)] = self._of_eight(value)
        structs = {"m": self.structs[0].layout, "d": self.structs[1].layout}
        lanes = kernel.lanes and (self.lanes or eight)
        return compiled_function(
            kernel,
            {**scope, **FUSE_SCOPE, **CONDITION_SCOPE, COUNTER: counter_of_eight},
            fuse=fuses_products(),
            is_uniform=uniformity(kernel, structs) if lanes else None,
        )


def compiled_text(text: str, function: str, target: Target | None = None) -> LinkedCode:
    """A function in LLVM's language, for a target or for this processor."""
    target = target or host()
    machine = target_machine(target)
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    code: bytes = machine.emit_object(module)
    return link_objects({function: code}, arm=target.is_arm, page=target.page)


def _overloads(function: Any) -> list[Any]:
    """What Numba has compiled of a function; a call through a slot has nothing."""
    return list(getattr(function, "overloads", {}).values())


def _made(text: str, name: str, scope: dict[str, Any]) -> FunctionType:
    """A function from its text."""
    exec(compile(text, f"<{name}>", "exec"), scope)
    function: FunctionType = scope[name]
    return function


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


def _optimize(module: Any, machine: Any) -> None:
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    # neighbouring components share a vector register; no operation is reordered, so bits stay
    options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def _refuse_runtime_calls(module: Any, unit: Kernel) -> None:
    """A kernel that allocates, raises or calls Python would need Numba at run time."""
    for function in module.functions:
        if function.is_declaration and function.name.startswith(("NRT_", "numba_", "Py")):
            raise CompilationError(
                f"{unit.name}: compiled code calls {function.name}; kernels may not allocate "
                "memory, raise exceptions or use Python objects",
                unit.name,
            )
