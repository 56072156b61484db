"""Random numbers of tasks: each world has its own, so that results do not depend on the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np


class Draws(Protocol):
    """Random numbers for some worlds; each call draws for all of them, `(k, *size)`."""

    def uniform(self, low: Any, high: Any, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """Numbers between two limits."""
        ...

    def normal(self, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """Numbers of the standard normal distribution."""
        ...


class GeneratorDraws:
    """Numbers of one `numpy.random.Generator` for each world, in the order in which it is asked.

    A world's numbers are those that Gymnasium's environment draws from the same seed.
    """

    def __init__(self, generators: Sequence[np.random.Generator]) -> None:
        self.generators = generators

    def uniform(self, low: Any, high: Any, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """Numbers between two limits."""
        return self.each(lambda generator: generator.uniform(low, high, size))

    def normal(self, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """Numbers of the standard normal distribution."""
        return self.each(lambda generator: generator.standard_normal(size))

    def each(self, draw: Callable[[np.random.Generator], Any]) -> np.ndarray:
        """What a function makes of each world's generator: draws until they fit, say."""
        return np.array([draw(generator) for generator in self.generators])

    def states(self) -> list[Any]:
        """Where the generators are, for `restore`."""
        return [generator.bit_generator.state for generator in self.generators]

    def restore(self, states: Sequence[Any]) -> None:
        """Let the generators draw again what they drew since."""
        for generator, state in zip(self.generators, states, strict=True):
            generator.bit_generator.state = state

    def only(self, places: Iterable[int]) -> GeneratorDraws:
        """Numbers for some of the worlds, by their places among these."""
        return GeneratorDraws([self.generators[k] for k in places])
