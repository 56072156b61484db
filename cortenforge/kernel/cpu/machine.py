"""The processor that code is compiled for."""

from __future__ import annotations

import functools
from typing import Any

import llvmlite.binding as llvm

from cortenforge.kernel.language.decorator import Kernel
from cortenforge.kernel.language.layout import StructLayout


@functools.cache
def _initialized() -> bool:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return True


def processor() -> str:
    """Name and features of the processor, as LLVM knows them."""
    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


@functools.cache
def fuses_products() -> bool:
    """Whether compiled code fuses products into sums: it does where there is an instruction."""
    return "+fma" in processor()


def target_machine() -> Any:
    """A new LLVM target machine for this processor; an engine takes its own and frees it.

    The large code model is needed because slots and libm may be anywhere in memory.
    """
    _initialized()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        reloc="static",
        codemodel="large",
    )


def function_name(unit: Kernel) -> str:
    """Name of a unit's function in its object file."""
    return f"{unit.symbol}.code"


def slot_name(unit: Kernel, model: StructLayout, data: StructLayout) -> str:
    """Name of the word that holds a unit's address; each target has its own."""
    return f"{unit.symbol}.{model.name}.{data.name}"


#: how object files begin on Linux, macOS and Windows (Intel, ARM)
OBJECT_FILES = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\x64\x86", b"\x64\xaa")


def holds_function(code: bytes, function: str) -> bool:
    """Whether this looks like an object file with a function; on others LLVM ends the process."""
    return code.startswith(OBJECT_FILES) and function.encode() in code


def load_object(code: bytes, function: str) -> tuple[Any, int]:
    """Load an object file; the engine that keeps it alive, and the function's address."""
    _initialized()
    empty = llvm.parse_assembly("")
    empty.triple = llvm.get_process_triple()
    engine = llvm.create_mcjit_compiler(empty, target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine, engine.get_function_address(function)


def define_symbol(name: str, address: int) -> None:
    """Give an address a name that object files can refer to."""
    _initialized()
    llvm.add_symbol(name, address)
