"""Object files become one piece of code that runs wherever it is mapped.

Code and constants are placed one after another; then every reference between them is resolved, as
a distance. What is outside is reached through a word behind the code: functions of C by a jump
that reads their word, slots of units by the address that their word holds.

Kinds of relocations: System V ABI, AMD64 supplement, table 4.9, and ELF for the Arm 64-bit
architecture, section 5.7, by whose names they are called here. S is the address of a symbol, A the
addend, P the place, G the symbol's word, Page(x) = x with its lowest 12 bits cleared.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.elf import ObjectFile, Relocation
from cortenforge.kernel.cpu.linked_code import WORD, CodeLayout, LinkedCode, page_end

#: x86-64: S + A - P in 32 or 64 bits; the same of a function to be called; G + A - P
X86_PC32, X86_PC64, X86_PLT32 = 2, 24, 4
X86_GOT = (9, 41, 42)  # GOTPCREL, GOTPCRELX, REX_GOTPCRELX
#: AArch64: S + A - P in 64 or 32 bits, a call or jump of 26 bits
ARM_PREL64, ARM_PREL32, ARM_JUMPS = 260, 261, (282, 283)
#: AArch64: Page(S + A) - Page(P), and Page(G) - Page(P), in an `adrp`
ARM_PAGE, ARM_GOT_PAGE = 275, 311
#: AArch64: lowest 12 bits of S + A, of which loads of 2, 4, 8 and 16 bytes leave out 1 to 4
ARM_LOW = {277: 0, 278: 0, 284: 1, 285: 2, 286: 3, 299: 4}
ARM_GOT_LOW = 312
CALLS = (X86_PLT32, *ARM_JUMPS)
#: a jump through a word takes this many bytes, at most
JUMP = 16
#: what is between pieces of code, so that a wild jump stops: `int3`, and `udf` on ARM
FILLING = {False: b"\xcc", True: b"\0"}


def link_objects(objects: Mapping[str, bytes], *, arm: bool, page: int) -> LinkedCode:
    """Link object files by the names of the functions that they hold.

    page: the largest page of memory where the code is going to run.
    """
    return _Linking(objects, arm, page).linked()


class _Linking:
    def __init__(self, objects: Mapping[str, bytes], arm: bool, page: int) -> None:
        self.arm, self.page = arm, page
        self.code = bytearray()
        self.words: dict[str, int] = {}
        self.functions: dict[str, int] = {}
        self.jumps: dict[str, int] = {}
        #: where the sections of each object are
        self.placed = [self._place(name, ObjectFile(objects[name])) for name in sorted(objects)]

    def _place(self, function: str, made: ObjectFile) -> tuple[ObjectFile, dict[int, int]]:
        starts: dict[int, int] = {}
        for k, section in enumerate(made.sections):
            if section.loaded and section.content:
                self._fill(section.align)
                starts[k] = len(self.code)
                self.code += section.content
        for symbol in made.symbols:
            if symbol.name == function and symbol.section in starts:
                self.functions[function] = starts[symbol.section] + symbol.value
        if function not in self.functions:
            raise CompilationError(f"compiled code does not hold {function}")
        return made, starts

    def _fill(self, align: int) -> None:
        self.code += FILLING[self.arm] * (-len(self.code) % align)

    def linked(self) -> LinkedCode:
        references = [
            (starts[one.section] + one.offset, one, starts.get(one.symbol.section))
            for made, starts in self.placed
            for one in made.relocations()
        ]
        for _, one, home in references:
            if home is None and one.kind in CALLS and one.symbol.name not in self.jumps:
                self._fill(JUMP)
                self.jumps[one.symbol.name] = len(self.code)
                self.code += FILLING[self.arm] * JUMP
        # from here on no code is added, so that it is known where words are
        for name, at in self.jumps.items():
            self._write_jump(at, self._word(name))
        for at, one, home in references:
            target = self.jumps.get(one.symbol.name) if home is None else home + one.symbol.value
            (self._resolve_arm if self.arm else self._resolve_x86)(at, one, target)
        words = tuple(self.words)
        layout = CodeLayout(len(self.code), words, self.functions, self.page)
        return LinkedCode(bytes(self.code), layout)

    def _word(self, name: str) -> int:
        """Where the word of a name is."""
        number = self.words.setdefault(name, len(self.words))
        return page_end(len(self.code), self.page) + WORD * number

    def _write_jump(self, at: int, word: int) -> None:
        """A jump to the address in a word."""
        if not self.arm:
            struct.pack_into("<2si", self.code, at, b"\xff\x25", word - at - 6)
            return
        # adrp x16, page of the word; ldr x16, [x16, rest]; br x16
        adrp = 0x90000010 | _adrp_bits(word, at)
        ldr = 0xF9400210 | (word & 0xFFF) // WORD << 10
        struct.pack_into("<III", self.code, at, adrp, ldr, 0xD61F0200)

    def _resolve_x86(self, at: int, one: Relocation, target: int | None) -> None:
        if one.kind in X86_GOT:
            self._write("<i", at, self._word(one.symbol.name) + one.addend - at)
        elif one.kind in (X86_PC32, X86_PLT32) and target is not None:
            self._write("<i", at, target + one.addend - at)
        elif one.kind == X86_PC64 and target is not None:
            self._write("<q", at, target + one.addend - at)
        else:
            raise _unknown(one)

    def _resolve_arm(self, at: int, one: Relocation, target: int | None) -> None:
        (instruction,) = struct.unpack_from("<I", self.code, at)
        if one.kind == ARM_GOT_PAGE:
            word = self._word(one.symbol.name)
            self._write("<I", at, instruction & 0x9F00001F | _adrp_bits(word, at))
            return
        if one.kind == ARM_GOT_LOW:
            low = self._word(one.symbol.name) & 0xFFF
            self._write("<I", at, instruction & ~(0xFFF << 10) | low // WORD << 10)
            return
        if target is None:
            raise _unknown(one)
        target += one.addend
        if one.kind == ARM_PREL32:
            self._write("<i", at, target - at)
        elif one.kind == ARM_PREL64:
            self._write("<q", at, target - at)
        elif one.kind in ARM_JUMPS:
            if not -(2**27) <= target - at < 2**27:
                raise _unknown(one)
            self._write("<I", at, instruction & 0xFC000000 | (target - at) // 4 & 0x3FFFFFF)
        elif one.kind == ARM_PAGE:
            self._write("<I", at, instruction & 0x9F00001F | _adrp_bits(target, at))
        elif one.kind in ARM_LOW:
            low = (target & 0xFFF) >> ARM_LOW[one.kind]
            self._write("<I", at, instruction & ~(0xFFF << 10) | low << 10)
        else:
            raise _unknown(one)

    def _write(self, form: str, at: int, value: int) -> None:
        struct.pack_into(form, self.code, at, value)


def _adrp_bits(target: int, at: int) -> int:
    """The immediate of an `adrp` at a place that gives the page of a target."""
    pages = (target >> 12) - (at >> 12)
    return (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5


def _unknown(one: Relocation) -> CompilationError:
    return CompilationError(
        f"compiled code refers to {one.symbol.name or 'itself'} in a way that cannot be linked "
        f"(relocation {one.kind})"
    )
