"""Features of this processor, without LLVM, whose import takes longer than a first step."""

from __future__ import annotations

import functools
import importlib
import platform
from dataclasses import dataclass

#: file in which Linux describes its processors, one block of lines each
CPUINFO = "/proc/cpuinfo"
#: lines that identify the processor; others vary with time
IDENTITY = {
    *("vendor_id", "cpu family", "model", "model name", "stepping", "flags"),
    *("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features"),
}
#: names of ARM's 64-bit architecture
ARM = ("aarch64", "arm64")
#: more than one block
BLOCK_BYTES = 8192
#: Linux' names of features that NumPy calls differently
LINUX_NAMES = {
    "fma3": ("fma",),
    "avx512_skx": ("avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"),
}


@dataclass(frozen=True)
class Processor:
    """A processor: architecture, features by Linux' names, and identity."""

    machine: str
    features: frozenset[str]
    identity: str

    @property
    def is_arm(self) -> bool:
        return self.machine in ARM


@functools.cache
def processor() -> Processor:
    """The processor that this process runs on."""
    machine = platform.machine().lower()
    described = _described_by_linux()
    if described:
        # an emulator may show the file of the machine that it runs on
        features = described.get("Features" if machine in ARM else "flags", "")
        identity = "; ".join(f"{name}: {value}" for name, value in sorted(described.items()))
        return Processor(machine, frozenset(features.split()), identity)
    features_there = _known_to_numpy()
    identity = f"{platform.processor()} {' '.join(sorted(features_there))}"
    return Processor(machine, features_there, identity)


def _described_by_linux() -> dict[str, str]:
    """Lines of the first processor in /proc/cpuinfo; empty on other systems."""
    try:
        with open(CPUINFO, "rb", buffering=0) as file:
            text = file.read(BLOCK_BYTES).decode("ascii", "replace")
    except OSError:
        return {}
    block = text.strip().partition("\n\n")[0]
    rows = (line.partition(":") for line in block.splitlines())
    return {name.strip(): value.strip() for name, _, value in rows if name.strip() in IDENTITY}


def _known_to_numpy() -> frozenset[str]:
    """Features that NumPy detects, by Linux' names."""
    try:
        known = importlib.import_module("numpy._core._multiarray_umath").__cpu_features__
    except (ImportError, AttributeError):
        return frozenset()
    found = [name.lower() for name, there in known.items() if there]
    return frozenset(one for name in found for one in LINUX_NAMES.get(name, (name,)))


@functools.cache
def fuses_products() -> bool:
    """Whether compiled code fuses products into sums: if the processor can."""
    return processor().is_arm or "fma" in processor().features
