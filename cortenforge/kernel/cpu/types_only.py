"""Numba as far as it finds the types of kernels: no code, in a tenth of the time."""

from __future__ import annotations

from typing import Any

from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder, compile_result
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.errors import TypingError
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing.templates import signature


@register_pass(mutates_CFG=False, analysis_only=True)
class KeepTypes(FunctionPass):
    """Last pass: a function that others can be typed with, and that cannot be called."""

    _name = "keep_types"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        check_stores(state)
        described = PythonFunctionDescriptor.from_specialized_function(
            state.func_ir,
            state.typemap,
            state.return_type,
            state.calltypes,
            mangler=state.targetctx.mangler,
            inline=False,
            noalias=False,
            abi_tags=[],
        )
        state.cr = compile_result(
            typing_context=state.typingctx,
            target_context=state.targetctx,
            # Numba insists on some built-in function, and forgets what it knew of that one: one
            # that nobody else has
            entry_point=[].append,
            signature=signature(state.return_type, *state.args),
            fndesc=described,
            objectmode=False,
            lifted=(),
            metadata=state.metadata,
            reload_init=state.reload_init,
        )
        return False


def check_stores(state: Any) -> None:
    """Raise where what is stored has another type than its place: code would find that out."""
    for block in state.func_ir.blocks.values():
        for store in block.body:
            if isinstance(store, (ir.SetAttr, ir.SetItem, ir.StaticSetItem)):
                given, place = state.typemap[store.value.name], state.calltypes[store].args[-1]
                if state.typingctx.can_convert(given, place) is None:
                    raise TypingError(f"{given} cannot be stored as {place}", loc=store.loc)


class TypesOnly(CompilerBase):
    """Numba's own way, as far as types are known."""

    def define_pipelines(self) -> list[Any]:
        manager = PassManager("types only")
        manager.passes.extend(DefaultPassBuilder.define_untyped_pipeline(self.state).passes)
        manager.add_pass(NopythonTypeInference, "types")
        manager.add_pass(KeepTypes, "keep types")
        manager.finalize()
        return [manager]
