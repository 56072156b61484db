"""Tests of learning run where PyTorch and Gymnasium are installed (`make train-check`)."""

from __future__ import annotations

import pytest

collect_ignore_glob: list[str] = []

try:
    import gymnasium  # noqa: F401
    import torch
except ImportError as error:
    collect_ignore_glob.append("test_*.py")
    print(f"tests/learning is skipped: {error}; `make train-check` installs what it needs")
else:

    @pytest.fixture(autouse=True)
    def one_thread() -> None:
        """Bits depend on the number of threads."""
        torch.set_num_threads(1)
