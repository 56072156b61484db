"""One compiled loop over many worlds that do not run in lockstep."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from cortenforge.kernel.cpu.machine import load_object, target_machine

#: for each of `n` Calls (three words), call an entry and keep its status
LOOP = """
define void @run_many(i64 %calls, i64 %n, i64 %entry, i64 %statuses) {
start:
  %function = inttoptr i64 %entry to i64 (i64)*
  %statuses_at = inttoptr i64 %statuses to i64*
  br label %check
check:
  %i = phi i64 [ 0, %start ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %end
body:
  %offset = mul i64 %i, 24
  %call = add i64 %calls, %offset
  %status = call i64 %function(i64 %call)
  %slot = getelementptr i64, i64* %statuses_at, i64 %i
  store i64 %status, i64* %slot
  %next = add i64 %i, 1
  br label %check
end:
  ret void
}
"""


@functools.cache
def _loop() -> tuple[Any, Callable[..., None]]:
    machine = target_machine()
    module = llvm.parse_assembly(LOOP)
    module.triple = llvm.get_process_triple()
    engine, address = load_object(machine.emit_object(module), "run_many")
    signature = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)
    return engine, signature(address)


def job(calls: np.ndarray, statuses: np.ndarray) -> Callable[[Any], None]:
    """A function that calls an entry for every row (m, d, count) of `calls`.

    Statuses go to an int64 array. Addresses are looked up once: the caller keeps the arrays.
    """
    assert calls.flags.c_contiguous and calls.dtype == statuses.dtype == np.int64
    loop = _loop()[1]
    first, count, result = calls.ctypes.data, len(calls), statuses.ctypes.data

    def run(entry: Any) -> None:
        loop(first, count, ctypes.cast(entry, ctypes.c_void_p).value, result)

    return run
