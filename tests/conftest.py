"""Settings of all tests."""

from __future__ import annotations

import os

# tests of reading and compiling are to read and compile; those of the cache switch it on
os.environ["CORTENFORGE_MODEL_CACHE"] = "off"
