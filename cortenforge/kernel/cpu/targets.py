"""What code is compiled for: the processor of this machine, or one of those of shipped images.

All code is independent of its position and is emitted as ELF, on every system: one linker
(`cpu.link_objects`) serves them all. What differs between systems is how functions are called.
"""

from __future__ import annotations

import functools
import mmap
from dataclasses import dataclass
from typing import Any

import llvmlite.binding as llvm

from cortenforge.kernel.language.width import NARROW, WIDE


@dataclass(frozen=True)
class Target:
    """A kind of processor under an operating system.

    lanes: worlds that run in lockstep there.
    page:  the largest page of memory there; code and words are apart by whole pages.
    tried: whether code for it has ever been run.
    """

    name: str
    triple: str
    cpu: str
    features: str
    lanes: int
    page: int = 4096
    tried: bool = True

    @property
    def is_arm(self) -> bool:
        return self.triple.startswith(("aarch64", "arm64"))


#: the targets of shipped images; `load.shipped` decides where which of them runs
SHIPPED = {
    target.name: target
    for target in (
        Target("x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", "", WIDE),
        Target("x86-64-v4", "x86_64-unknown-linux-gnu", "x86-64-v4", "", WIDE),
        Target("aarch64", "aarch64-unknown-linux-gnu", "generic", "+neon", NARROW, 65536),
        Target("macos-arm64", "arm64-apple-macosx-elf", "apple-m1", "", NARROW, 16384, False),
        Target("windows-x86-64-v3", "x86_64-pc-windows-elf", "x86-64-v3", "", WIDE, 4096, False),
    )
}


@functools.cache
def host() -> Target:
    """The processor of this machine."""
    triple = llvm.get_process_triple()
    if "linux" not in triple:
        # Mach-O and COFF are left to others
        triple = "-".join(triple.split("-")[:3]) + "-elf"
    features = llvm.get_host_cpu_features().flatten()
    return Target("host", triple, llvm.get_host_cpu_name(), features, 0, mmap.PAGESIZE)


@functools.cache
def _initialized() -> bool:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return True


@functools.cache
def _all_initialized() -> bool:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return True


def target_machine(target: Target) -> Any:
    """A new LLVM target machine; who takes it frees it."""
    if target.name == "host":
        _initialized()
    else:
        _all_initialized()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3, reloc="pic", codemodel="small"
    )
