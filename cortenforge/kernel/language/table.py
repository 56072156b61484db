"""Tables of kernels, of which a number chooses one while a step runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cortenforge.kernel.language.decorator import Kernel


class Table:
    """Kernels with the same parameters; `TABLE(k, m, d)` in a kernel calls number k of them.

    needed: which of them a model can reach; without it, all. Only those are compiled, and to call
            another one is an error of the world that does.
    """

    def __init__(
        self,
        kernels: Sequence[Kernel],
        needed: Callable[[Any], Iterable[int]] | None = None,
    ) -> None:
        self.kernels = tuple(kernels)
        self.needed = needed

    def __call__(self, number: int, *args: Any) -> Any:
        """Run as plain Python."""
        return self.kernels[number](*args)

    def reached(self, model: Any) -> list[Kernel]:
        """The kernels that a model can reach."""
        if self.needed is None or model is None:
            return list(self.kernels)
        return [self.kernels[number] for number in sorted(set(self.needed(model)))]
