"""What is known of processors, and which images run on them. The files are Linux' descriptions."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cortenforge.errors import CompilationError
from cortenforge.kernel.language import processor as described
from cortenforge.kernel.language.processor import fuses_products, processor
from cortenforge.kernel.language.width import NARROW, WIDE, lane_width
from cortenforge.kernel.load.shipped import choice, targets_here

OLD = "fpu mmx sse sse2 syscall lm constant_tsc pni cx16 sse4_1 sse4_2 popcnt lahf_lm"
AVX = f"{OLD} ssse3 avx xsave"
HASWELL = f"{AVX} avx2 bmi1 bmi2 f16c fma abm movbe"
SKYLAKE = f"{HASWELL} avx512f avx512dq avx512cd avx512bw avx512vl"
#: by name: the line of features, targets of images (the best first), lanes, fused products
INTEL = {
    "old": (OLD, [], NARROW, False),
    "avx": (AVX, [], WIDE, False),
    "haswell": (HASWELL, ["x86-64-v3"], WIDE, True),
    "knights landing": (f"{HASWELL} avx512f avx512cd", ["x86-64-v3"], WIDE, True),
    "skylake": (SKYLAKE, ["x86-64-v4", "x86-64-v3"], WIDE, True),
}


@pytest.fixture(autouse=True)
def nothing_is_known() -> Iterator[None]:
    """What is known of this machine's processor is forgotten before and after a test."""
    caches = (processor, fuses_products)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Stands for a processor under a system."""
    monkeypatch.delenv("CORTENFORGE_LANES", raising=False)

    def stands(architecture: str, system: str, cpuinfo: str = "", numpy: str = "") -> None:
        file = tmp_path / "cpuinfo"
        if cpuinfo:
            file.write_text(f"processor\t: 0\n{cpuinfo}\ncpu MHz\t\t: 1\n\nprocessor\t: 1\n")
        monkeypatch.setattr(described, "CPUINFO", str(file))
        monkeypatch.setattr(described, "_known_to_numpy", lambda: frozenset(numpy.split()))
        monkeypatch.setattr(platform, "machine", lambda: architecture)
        monkeypatch.setattr(sys, "platform", system)

    return stands


@pytest.mark.parametrize("name", INTEL)
def test_levels_of_x86(machine, name: str) -> None:
    """Every feature of a level must be there, the operating system's part included."""
    features, targets, lanes, fuses = INTEL[name]
    machine("x86_64", "linux", f"model name\t: {name}\nflags\t\t: {features}")
    assert targets_here() == targets
    assert lane_width() == lanes
    assert fuses_products() == fuses


@pytest.mark.parametrize(
    ("architecture", "system", "cpuinfo", "target"),
    [
        ("aarch64", "linux", "Features\t: fp asimd evtstrm aes\nCPU part\t: 0xd0c", "aarch64"),
        ("aarch64", "linux", f"model name\t: the emulator's\nflags\t\t: {HASWELL}", "aarch64"),
        ("arm64", "darwin", "", "macos-arm64"),
    ],
)
def test_arm_always_fuses(
    machine, architecture: str, system: str, cpuinfo: str, target: str
) -> None:
    """A fused multiply-add is part of the architecture, and no feature is named after it."""
    machine(architecture, system, cpuinfo)
    assert fuses_products()
    assert targets_here() == [target]
    assert lane_width() == NARROW


@pytest.mark.parametrize(
    ("architecture", "system", "features", "targets"),
    [
        ("AMD64", "win32", "avx2 fma f16c", ["windows-x86-64-v3"]),
        ("AMD64", "win32", "avx2", []),
        ("x86_64", "darwin", "avx2 fma f16c", []),
        ("arm64", "win32", "neon", []),
        ("riscv64", "linux", "", []),
    ],
)
def test_systems_without_such_files(
    machine, architecture: str, system: str, features: str, targets: list[str]
) -> None:
    """There, NumPy says what it detects; a system without an image compiles."""
    machine(architecture, system, numpy=features)
    assert targets_here() == targets


def test_identity_does_not_change_with_time(machine) -> None:
    """Frequencies differ from start to start; a key made of them would never be found again."""
    machine("x86_64", "linux", f"model name\t: a\nflags\t\t: {HASWELL}")
    assert "MHz" not in processor().identity and "model name: a" in processor().identity


def test_a_chosen_image_must_run_here(machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """An image of instructions that the processor lacks would end the process."""
    machine("x86_64", "linux", f"flags\t\t: {HASWELL}")
    monkeypatch.setenv("CORTENFORGE_UNITS", "x86-64-v4")
    with pytest.raises(CompilationError, match="it can be shipped, own, x86-64-v3"):
        choice()
    monkeypatch.setenv("CORTENFORGE_UNITS", "x86-64-v3")
    assert choice() == "x86-64-v3"
