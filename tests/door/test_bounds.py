"""Small files that ask for much: refused or loaded, in bounded time and memory.

`python -m conformance.bounds` has many more of them.
"""

from __future__ import annotations

import pytest

from conformance.bounds import BYTES, FILES, MEGABYTES, SECONDS, load


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
    said, seconds, megabytes = load(FILES[name]())
    assert seconds < SECONDS and megabytes < MEGABYTES, said
