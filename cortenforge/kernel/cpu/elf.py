"""Object files in the Executable and Linkable Format, as far as LLVM uses it for kernels.

Source: Tool Interface Standard, "Executable and Linkable Format", version 1.2, and the supplements
for x86-64 and AArch64, whose objects are of the 64-bit class with explicit addends (RELA).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from cortenforge.errors import CompilationError

MAGIC = b"\x7fELF\x02\x01"
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
RELOCATION = struct.Struct("<QQq")
PROGBITS, SYMTAB, RELA, NOBITS = 1, 2, 4, 8
WRITE, ALLOC = 1, 2
#: unwinding through kernels is never needed: they raise nothing
UNWINDING = ".eh_frame"


@dataclass(frozen=True)
class Section:
    """A part of an object file; `loaded`: it belongs to the running code."""

    name: str
    kind: int
    flags: int
    content: bytes
    link: int
    info: int
    align: int

    @property
    def loaded(self) -> bool:
        return bool(self.kind == PROGBITS and self.flags & ALLOC) and self.name != UNWINDING


@dataclass(frozen=True)
class Symbol:
    """A name, and where it is: in which section (0: elsewhere), and at which offset."""

    name: str
    section: int
    value: int


@dataclass(frozen=True)
class Relocation:
    """A place in a section that depends on where a symbol is; `kind` says how."""

    section: int
    offset: int
    kind: int
    symbol: Symbol
    addend: int


class ObjectFile:
    """The sections, symbols and relocations of an object file."""

    def __init__(self, content: bytes) -> None:
        if not content.startswith(MAGIC):
            raise CompilationError("compiled code is no ELF object of 64 bits")
        self._content = content
        (start,) = struct.unpack_from("<Q", content, 0x28)
        count, names = struct.unpack_from("<HH", content, 0x3C)
        heads = [SECTION.unpack_from(content, start + SECTION.size * k) for k in range(count)]
        table = heads[names][4]
        self.sections = [self._section(head, table) for head in heads]
        self.symbols = self._symbols()
        for section in self.sections:
            if section.flags & ALLOC and section.flags & WRITE and section.content:
                raise CompilationError(f"compiled code has variables of its own: {section.name}")

    def _section(self, head: tuple[int, ...], names: int) -> Section:
        name, kind, flags, _, offset, size, link, info, align, _ = head
        content = bytes(size) if kind == NOBITS else self._content[offset : offset + size]
        return Section(self._text(names + name), kind, flags, content, link, info, max(align, 1))

    def _text(self, at: int) -> str:
        return self._content[at : self._content.index(b"\0", at)].decode()

    def _symbols(self) -> list[Symbol]:
        table = next(section for section in self.sections if section.kind == SYMTAB)
        names = self.sections[table.link].content
        found = []
        for name, _, _, section, value, _ in SYMBOL.iter_unpack(table.content):
            text = names[name : names.index(b"\0", name)].decode()
            found.append(Symbol(text, section, value))
        return found

    def relocations(self) -> list[Relocation]:
        """Those of all sections that are loaded."""
        return [
            Relocation(section.info, offset, info & 0xFFFFFFFF, self.symbols[info >> 32], addend)
            for section in self.sections
            if section.kind == RELA and self.sections[section.info].loaded
            for offset, info, addend in RELOCATION.iter_unpack(section.content)
        ]
