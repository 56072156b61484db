"""Small files that ask for much: refused or loaded, in bounded memory.

`python -m conformance.bounds`, a part of `make bench`, has many more of them, and bounds time, too.
"""

from __future__ import annotations

import pytest

from conformance.bounds import BYTES, FILES, MEGABYTES, load


def test_files_are_small() -> None:
    assert all(len(write()) <= BYTES for write in FILES.values())


@pytest.mark.parametrize(
    "name",
    [
        "star of motors",
        "numerics",
        "nested replicas",
        "long chain of replicas",
        "entities",
        "hfields",
        "deep defaults",
        "deep frames",
    ],
)
def test_a_small_file_takes_little(name: str) -> None:
    """Each ends, and within the bound."""
    said, _, megabytes = load(FILES[name]())
    assert said != "did not end" and megabytes < MEGABYTES, said
