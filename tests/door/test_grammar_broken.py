"""Each rule of the grammar broken once: the reader names line, element and attribute."""

from __future__ import annotations

from collections import Counter

from conformance.breakage import faults
from cortenforge.errors import MjcfError
from cortenforge.read import read_mjcf

#: kinds of faults, and how many there must be at least
KINDS = {
    "type": 400,
    "count": 400,
    "range": 50,
    "keyword": 100,
    "not finite": 300,
    "unknown attribute": 130,
    "unknown child": 130,
    "unknown class": 20,
    "missing": 40,
    "exclusive": 5,
}


def test_every_fault_is_blamed_on_its_place() -> None:
    """Thousands of documents with one fault each, made from the tables of the grammar."""
    wrong, kinds = [], Counter[str]()
    for fault in faults():
        kinds[fault.kind] += 1
        try:
            read_mjcf(fault.xml)
        except MjcfError as error:
            blame = error.file, error.line, error.element, error.attribute
            if blame != ("<string>", 3, fault.element, fault.attribute):
                wrong.append(f"{fault}: {error}")
        else:
            wrong.append(f"{fault}: not refused")
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:40])
    assert all(kinds[kind] >= least for kind, least in KINDS.items()), kinds
