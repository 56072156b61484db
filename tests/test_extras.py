"""Modules that need packages which not everybody has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import cortenforge as cf

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "module, package, needed",
    [("torch", "PyTorch", "torch"), ("jax", "JAX", "jax"), ("envs", "Gymnasium", "gymnasium")],
)
def test_missing_packages_are_named(
    module: str, package: str, needed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the command that installs them; it is an ImportError, too."""
    # another test may have imported it
    monkeypatch.delitem(sys.modules, f"cortenforge.{module}", raising=False)
    monkeypatch.delitem(vars(cf), module, raising=False)
    monkeypatch.setitem(sys.modules, needed, None)
    with pytest.raises(cf.MissingPackage) as caught:
        getattr(cf, module)
    assert isinstance(caught.value, ImportError) and caught.value.extra == module
    assert f'needs {package}: pip install "cortenforge[{module}]"' in str(caught.value)


def test_a_star_import_hides_no_package() -> None:
    """`from cortenforge import *` leaves `torch` and `jax` what they were, installed or not."""
    code = "torch = jax = 'mine'\nfrom cortenforge import *\nassert torch == jax == 'mine'"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
