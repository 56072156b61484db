"""Numbers of OBJ files: the bits of Python's conversion, or none."""

from __future__ import annotations

import numpy as np
import pytest

from cortenforge.compile.mesh import obj_kernels
from cortenforge.compile.mesh.obj_kernels import plain_corners, plain_rows

pytestmark = pytest.mark.usefixtures("small_runs_plainly")

PLAIN = [
    "0",
    "-0",
    "+0",
    "0.",
    ".5",
    "-.5",
    "1.5",
    "-12.25",
    "007",
    "3e2",
    "3E+2",
    "3e-2",
    "-1.e3",
    "0.1",
    "0.2",
    "0.3",
    "123456.789012",
    "1e22",
    "1e-22",
    "9007199254740992",
    "0.000001",
    "-0.0000123",
    "4.9406564584e-10",
    "2.5e0",
]
#: what kernels leave to others: too many digits, exponents that are not exact, no numbers
OTHERS = [
    "9007199254740993",
    "1.7976931348623157",
    "0.12345678901234567890",
    "1e23",
    "1e-23",
    "1e400",
    "1e99999",
    "nan",
    "inf",
    "-inf",
    "0x10",
    "1_0",
    "e5",
    "-",
    "+",
    ".",
    "-.",
    "1e",
    "1e+",
    "1.2.3",
    "1,5",
    "1a",
    "#",
    "1#",
]


@pytest.fixture(params=[0, 10**6], ids=["compiled", "plain"])
def every_way(request, monkeypatch) -> None:
    """Compiled, and as plain Python."""
    monkeypatch.setattr(obj_kernels, "MAX_PLAIN_BYTES", request.param)


def rows(text: str, width: int):
    """Numbers of all lines."""
    data = text.encode()
    begin = np.append(0, np.flatnonzero(np.frombuffer(data, np.uint8) == 10)[:-1] + 1)
    return plain_rows(data, begin, width)


@pytest.mark.usefixtures("every_way")
@pytest.mark.parametrize("word", PLAIN)
def test_a_plain_number_has_the_bits_of_its_conversion(word) -> None:
    found = rows(f"  {word} \n", 1)
    assert found.tobytes() == np.array([[float(word)]]).tobytes()


@pytest.mark.usefixtures("every_way")
def test_random_numbers_have_the_bits_of_their_conversion() -> None:
    random = np.random.default_rng(4)
    values = random.normal(size=(400, 3)) * 10.0 ** random.integers(-4, 9, (400, 3))
    for form in ("%.6f", "%.9g", "%.15g", "%.7e"):
        lines = [" ".join(form % value for value in row) for row in values]
        expected = np.array([[float(word) for word in line.split()] for line in lines])
        found = rows("\n".join(lines) + "\n", 3)
        assert found is not None
        assert found.tobytes() == expected.tobytes()


@pytest.mark.usefixtures("every_way")
@pytest.mark.parametrize("word", OTHERS)
def test_others_are_not_read(word) -> None:
    assert rows(f"1 {word} 2\n", 1) is None
    assert rows(f"{word}\n", 1) is None


@pytest.mark.usefixtures("every_way")
def test_lines_have_enough_numbers() -> None:
    assert rows("1 2 3 4\n5 6 7\n", 3).tolist() == [[1, 2, 3], [5, 6, 7]]
    assert rows("1 2 3\n5 6\n", 3) is None
    assert rows("1 2\n3\n", 3) is None


def corners(text: str):
    """Corners of faces, a line each."""
    data = text.encode()
    begin = np.append(0, np.flatnonzero(np.frombuffer(data, np.uint8) == 10)[:-1] + 1)
    found = plain_corners(data, begin, len(data))
    return None if found is None else tuple(part.tolist() for part in found)


@pytest.mark.usefixtures("every_way")
def test_corners_of_all_forms() -> None:
    found = corners("1 2/3 4//5 6/7/8 \n 9 10 11\n")
    expected = [[0, -1, -1], [1, 2, -1], [3, -1, 4], [5, 6, 7]]
    assert found == ([*expected, [8, -1, -1], [9, -1, -1], [10, -1, -1]], [4, 3])


@pytest.mark.usefixtures("every_way")
@pytest.mark.parametrize(
    "word", ["0", "-1", "1/", "1//", "/1", "1/0", "1/2/", "1/2/3/4", "1.5", "a"]
)
def test_other_corners_are_not_read(word) -> None:
    assert corners(f"1 2 {word}\n") is None
    assert corners("1 2 1234567890\n") is None
