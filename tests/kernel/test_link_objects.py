"""Linked code: references inside and outside lead where they should, on every target."""

from __future__ import annotations

import struct

import pytest

from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.linked_code import WORD, read_linked_code
from cortenforge.kernel.load.quick import FUNCTION, compiled_shim

targets = pytest.importorskip("cortenforge.kernel.cpu.targets")
link = pytest.importorskip("cortenforge.kernel.cpu.link_objects")


def arm_word(code: bytes, at: int) -> int:
    """Where a jump reads its address: `adrp x16, page; ldr x16, [x16, rest]; br x16`."""
    adrp, ldr, br = struct.unpack_from("<III", code, at)
    assert adrp & 0x9F00001F == 0x90000010 and ldr & 0xFFC003FF == 0xF9400210 and br == 0xD61F0200
    pages = adrp >> 5 & 0x7FFFF
    pages = (pages - (pages >> 18 << 19)) << 2 | adrp >> 29 & 3
    return (at >> 12) + pages << 12 | (ldr >> 10 & 0xFFF) * WORD


def intel_word(code: bytes, at: int) -> int:
    """Where a jump reads its address: `jmp [rip + distance]`."""
    assert code[at : at + 2] == b"\xff\x25"
    return at + 6 + struct.unpack_from("<i", code, at + 2)[0]


@pytest.mark.parametrize("name", targets.SHIPPED)
def test_jumps_read_the_words_behind_the_code(name):
    """Of the functions of Python that the shim calls, for each target that can be emitted."""
    target = targets.SHIPPED[name]
    linked = compiled_shim(target)
    layout = linked.layout
    assert set(layout.words) == {"PyCapsule_GetPointer", "PyLong_FromLongLong"}
    assert layout.words_start % target.page == 0 and layout.size % target.page == 0
    assert b"cortenforge.entry" in linked.code
    find = arm_word if target.is_arm else intel_word
    jumps = range(len(linked.code) - link.JUMP * 2, len(linked.code), link.JUMP)
    assert [find(linked.code, at) for at in jumps] == [
        layout.words_start + WORD * number for number in range(2)
    ]


def test_what_is_kept_is_read_again():
    linked = compiled_shim()
    assert read_linked_code(linked.to_bytes(), FUNCTION) == linked
    assert read_linked_code(linked.to_bytes(), "another") is None
    assert read_linked_code(linked.to_bytes()[:-1], FUNCTION) is None


@pytest.mark.parametrize("content", [b"", b"no code", b"\xcf\xfa\xed\xfe" + bytes(100)])
def test_what_is_no_object_is_refused(content):
    with pytest.raises(CompilationError, match="no ELF object"):
        link.link_objects({"f": content}, arm=False, page=4096)


def test_code_with_variables_is_refused():
    """Pages of code are never written: a kernel that keeps something has nowhere to."""
    from cortenforge.kernel.cpu.compile import compiled_text

    text = """
@kept = global i64 1
define void @f() {
  store i64 2, i64* @kept
  ret void
}
"""
    with pytest.raises(CompilationError, match="variables of its own"):
        compiled_text(text, "f")
    with pytest.raises(CompilationError, match="does not hold g"):
        compiled_text(text.replace("global", "constant"), "g")
