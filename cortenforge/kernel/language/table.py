"""Tables of kernels, one of which is chosen by a number at run time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cortenforge.kernel.language.decorator import Kernel


class Table:
    """Kernels with the same parameters; in a kernel, `TABLE(k, m, d)` calls number k.

    needed: function of the model that returns the kernels it can reach; all by default. Only those
    are compiled; a world that calls another one fails.
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
