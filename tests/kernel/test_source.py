"""What a kernel is made of is read from the text that was imported."""

from __future__ import annotations

import importlib
import math
import sys

import pytest

from cortenforge.errors import SubsetError
from cortenforge.kernel import Kernel, kernel, vec3
from cortenforge.kernel.language.source import global_names, normal_form, syntax_of

LIMIT = 3.0


@kernel
def bias(m, d):
    """A kernel with the name of a field."""
    d.time = 1.0


@kernel
def scale(x):
    """A kernel that is called."""
    return x * LIMIT


@kernel
def uses_fields_named_as_kernels(m, d):
    """Writes and reads fields that have the names of kernels and constants."""
    d.bias = scale(d.LIMIT)
    return vec3(math.sqrt(d.scale), 0.0, 0.0)


@kernel
def hides_a_kernel(m, d):
    """A local name is not the module's."""
    bias = 1.0
    d.time = bias


def test_callees_come_from_the_syntax_tree():
    """A field or a local that has a kernel's name is no call of that kernel."""
    assert uses_fields_named_as_kernels.calls() == [scale]
    assert hides_a_kernel.calls() == []


def test_names_are_those_of_the_module():
    """Names come with their values, without fields, locals, parameters and Python's own."""
    assert dict(scale.names()) == {"LIMIT": LIMIT}
    assert dict(uses_fields_named_as_kernels.names()) == {
        "scale": scale,
        "vec3": vec3,
        "math": math,
    }
    assert global_names(hides_a_kernel) == ()


FIRST = '''
from cortenforge.kernel import kernel


@kernel
def twice(x):
    """Twice a number."""
    return x * 2.0
'''


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """A module of one kernel, and its file."""
    file = tmp_path / "one_kernel.py"
    file.write_text(FIRST)
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("one_kernel"), file
    del sys.modules["one_kernel"]


def test_text_is_the_imported_one(imported):
    """A file that changed after its import does not change its kernels."""
    module, file = imported
    file.write_text("# one line more\n" + FIRST.replace("2.0", "3.0"))
    assert syntax_of(module.twice).lineno == 6
    assert "2.0" in normal_form(module.twice)


def test_module_loaded_again_has_its_new_text(imported):
    """Loading a module again takes the text anew."""
    module, file = imported
    before = normal_form(module.twice)
    file.write_text("# one line more\n" + FIRST.replace("2.0", "30.0"))
    importlib.reload(module)
    assert normal_form(module.twice) == before.replace("2.0", "30.0")


def test_kernel_without_a_file_is_refused():
    """A function made by exec has no text; the error says what is wanted."""
    scope: dict = {"__name__": "nowhere"}
    exec("def lost(x):\n    return x\n", scope)
    with pytest.raises(SubsetError, match="kernels stand in a file"):
        Kernel(scope["lost"], lanes=False, unit=False, entry=False).calls()
