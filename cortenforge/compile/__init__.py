"""From a model's description to its arrays: one pass a file, `compiler` holds their order."""

from __future__ import annotations

from cortenforge.compile.compiler import compile_spec

__all__ = ["compile_spec"]
