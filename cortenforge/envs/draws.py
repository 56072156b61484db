"""Random numbers of tasks: each world has its own, so that results do not depend on the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np

from cortenforge.batch.draws import uniform_draws


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


class CounterDraws:
    """Numbers that are functions of the seed, the world, its episode and how many were drawn.

    They are those that kernels have as `d.uniform[k]` (`cf.WorldProgram`).
    """

    def __init__(self, seed: int, worlds: np.ndarray, episodes: np.ndarray, first: int = 0) -> None:
        self.seed, self.worlds, self.episodes, self.first = seed, worlds, episodes, first

    def uniform(self, low: Any, high: Any, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """Numbers between two limits."""
        shape = (len(self.worlds), *np.atleast_1d(np.asarray(size, int)).ravel().tolist())
        count = int(np.prod(shape[1:], dtype=int))
        drawn = uniform_draws(self.seed, self.worlds, self.episodes, self.first, count)
        self.first += count
        numbers: np.ndarray = low + (np.asarray(high) - low) * drawn.reshape(shape)
        return numbers

    def normal(self, size: int | tuple[int, ...] = ()) -> np.ndarray:
        """Numbers of the standard normal distribution, by Box and Muller from two uniform ones."""
        first, second = 1.0 - self.uniform(0.0, 1.0, size), self.uniform(0.0, 1.0, size)
        numbers: np.ndarray = np.sqrt(-2 * np.log(first)) * np.cos(2 * np.pi * second)
        return numbers

    def states(self) -> int:
        """How many were drawn, for `restore`."""
        return self.first

    def restore(self, states: int) -> None:
        """Draw again what was drawn since."""
        self.first = states

    def only(self, places: Iterable[int]) -> CounterDraws:
        """Numbers for some of the worlds, by their places among these."""
        chosen = list(places)
        return CounterDraws(self.seed, self.worlds[chosen], self.episodes[chosen], self.first)
