"""What every batch of worlds can do, wherever its worlds are stepped."""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cortenforge import upward
from cortenforge.batch.assign import copy_into
from cortenforge.batch.masks import masked_worlds
from cortenforge.batch.memory import DIFFERING, Rows
from cortenforge.batch.parameters import Parameters
from cortenforge.batch.resets import (
    InitialRow,
    check_generator,
    given_rows,
    given_states,
    write_keyframe,
)
from cortenforge.batch.threads import BatchThreads, locked
from cortenforge.errors import ArgumentError, OutOfRange, ShapeError, StepError
from cortenforge.kernel.language.layout import LANES
from cortenforge.model import Data, Model
from cortenforge.model.access.declared import BatchFields
from cortenforge.model.access.views import object_id
from cortenforge.model.calls.keyword_arguments import keyword_only
from cortenforge.model.calls.step_count import is_integer
from cortenforge.model.changes.watch import refresh_model
from cortenforge.model.states.integer_entries import check_integer_entries
from cortenforge.model.states.noise import seeded_generator
from cortenforge.model.states.state import State, vector_for
from cortenforge.step.engine import Engine
from cortenforge.suggest import Declared

if TYPE_CHECKING:
    from cortenforge.batch.rollout import Rollout
    from cortenforge.derive import DerivativeConfig


#: worlds have numbers of 32 bits
MOST_WORLDS = 2**31 - 1 - LANES


def checked_size(n: Any, most: float = MOST_WORLDS) -> int:
    """A number of worlds that there can be."""
    if not is_integer(n):
        raise ShapeError(f"n: expected a whole number of worlds, got {n!r}"[:300])
    if not 0 <= n <= most:
        raise ShapeError(f"n: expected 0 to {most} worlds, got {n}")
    return int(n)


def checked_engine(engine: Any) -> Engine:
    """What a step is made of."""
    if not isinstance(engine, Engine):
        raise ArgumentError(f"engine: expected a step.engine.Engine, got {engine!r}"[:300])
    return engine


def checked_path(path: Any) -> str | os.PathLike[str]:
    """The path of a file; a number would be a file that is open already."""
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError(f"path: expected the path of a file, got {path!r}"[:300])
    return path


class Worlds(BatchFields, Declared):
    """`n` worlds of one model; state and inputs are `(n, ...)` arrays."""

    model: Model
    n: int
    _rows: Rows
    _crew: BatchThreads
    _parameters: Parameters

    def step_all(self, nstep: int = 1, *, ctrl: Any = None) -> list[StepError | None]:
        """Advance every world by some steps; for each world, None or what went wrong."""
        raise NotImplementedError

    def bind(self, *names: str) -> None:
        """Make derived fields available as `(n, ...)` arrays, filled after every step."""
        raise NotImplementedError

    def expand(self, *names: str) -> None:
        """Give every world its own copy of Model fields: `batch.parameters["body_mass"][i]`."""
        raise NotImplementedError

    def _let_differ(self, names: tuple[str, ...]) -> None:
        """Make arrays of worlds' own fields, and tell the model that these may differ."""
        self._parameters.add(names, {field.name: field for field in DIFFERING})
        with self.model._gate.changing():
            self.model._differing.update(names)
            refresh_model(self.model)

    @locked
    def randomize(
        self,
        name: str,
        *,
        scale: tuple[float, float] | None = None,
        add: tuple[float, float] | None = None,
        seed: int = 0,
        elements: Sequence[int] | None = None,
    ) -> None:
        """Give every world values of a Model field that are drawn at random.

        name:       a field of Model, of which worlds then have copies.
        scale, add: the least and the largest number by which the model's values are multiplied, or
                    that is added to them; one number is drawn for each element of each world.
        seed:       the same seed gives the same worlds.
        elements:   the bodies, geoms, joints ... whose values are drawn; the others' stay.
        Constants that follow, such as inverse weights and masses of subtrees, are computed for
        each world. Raises ModelError where worlds would differ in what they must share.

        >>> batch.randomize("body_mass", scale=(0.8, 1.2), seed=0)
        """
        from cortenforge.batch.randomize import randomize

        randomize(self, name, scale=scale, add=add, seed=seed, elements=elements)

    @locked
    def set_const(self, worlds: Sequence[int] | None = None) -> None:
        """Compute for each world the constants of its own `parameters`, as `Model.set_const`.

        worlds: numbers of those for which they are computed, by default all.
        """
        from cortenforge.batch.randomize import update_dependent_constants

        update_dependent_constants(self, worlds)

    @locked
    def save(self, path: str | os.PathLike[str]) -> None:
        """Write states, inputs and parameters of all worlds to a file, to the last bit.

        path: an npz file.
        """
        from cortenforge.batch.saving import save

        save(self, checked_path(path))

    @locked
    def load(self, path: str | os.PathLike[str]) -> None:
        """Take the worlds that `save` wrote; nothing changes if they are not of this batch's shape.

        path: an npz file that `save` wrote, of a batch of as many worlds.

        Raises StateError for worlds of another model, and for a file that is something else.
        """
        from cortenforge.batch.saving import load

        load(self, checked_path(path))

    @property
    def parameters(self) -> Parameters:
        """Model fields that differ between worlds, as `(n, ...)` arrays; see `expand`."""
        return self._parameters

    def _fetch(self) -> None:
        """Bring states into the rows, if they are elsewhere."""

    @locked
    def env(self, i: int) -> Data:
        """World i as a Data: its state and inputs are views of this batch's arrays.

        Derived fields are its own: call `forward` on it to fill them. While a call of the batch is
        under way, another thread's calls of it are refused.
        """
        self._check_index(i)
        self._fetch()
        return self._world(i, self._crew.lock)

    def _world(self, i: int, lock: Any = None) -> Data:
        """The same; lock: that of whoever it shares its memory with."""
        return Data(self.model, self._rows.world(i), lock=lock)

    @locked
    @keyword_only('batch.render("track", width=84, height=84, mode="rgb")')
    def render(
        self,
        camera: Any = None,
        *,
        width: int = 84,
        height: int = 84,
        mode: str = "rgb",
        **shown: Any,
    ) -> np.ndarray:
        """Pictures of all worlds, `(n, height, width, 3)`, drawn on all threads of the batch.

        camera: of the model, by name or number, or a `Camera`.
        mode:   "rgb", "depth" or "segmentation".
        shown:  fields of `RenderOptions`.

        Other arguments, and what "depth" and "segmentation" give, as in `Renderer.render`.

        >>> pixels = batch.render("track", width=84, height=84)
        """
        return upward.draw_all(
            self, camera=camera, width=width, height=height, mode=mode, shown=shown
        )

    @locked
    def reset(self, i: int) -> None:
        """Bring world i back to the initial state; inputs are cleared, too, as by `Data.reset`."""
        self._check_index(i)
        mask = np.zeros(self.n, bool)
        mask[i] = True
        self.reset_where(mask)

    @locked
    def reset_where(
        self,
        mask: Sequence[bool] | np.ndarray,
        states: np.ndarray | State | Sequence[State] | None = None,
        *,
        rng: np.random.Generator | None = None,
        keyframe: str | int | None = None,
        qpos: Any = None,
        qvel: Any = None,
        act: Any = None,
        ctrl: Any = None,
    ) -> None:
        """Reset the worlds where a mask `(n,)` is true; the others are not touched.

        states:   where they begin instead of the model's initial state: a state vector for all, or
                  one for each world of the batch, `(n, size)`, as `get_states` gives them, or for
                  each of the mask.
        rng:      draws one of the states, of which there may be any number, for each world.
        keyframe: name or number of the keyframe where they begin.
        qpos, qvel, act, ctrl: a row for all, or one for each world of the batch or of the mask, in
                  place of what they begin with otherwise.
        Bound fields of these worlds are zero until `forward_where` or a step fills them. Noise of
        sensors, once it was asked for, goes on.

        >>> batch.reset_where(fallen, qpos=model.qpos0 + rng.uniform(-0.1, 0.1, (n, model.nq)))
        """
        worlds = masked_worlds(mask, self.n)
        if rng is not None:
            check_generator(rng)
        if states is not None:
            if keyframe is not None:
                raise ArgumentError("reset_where: give either states or a keyframe")
            states = given_states(self.model, self._rows, worlds, self._vectors(states), rng)
        rows = None
        if not (qpos is qvel is act is ctrl is None):
            given = {"qpos": qpos, "qvel": qvel, "act": act, "ctrl": ctrl}
            rows = given_rows(self._rows, worlds, given)
        if keyframe is not None:
            object_id(self.model, "key", keyframe)
        if worlds.size:
            self._fetch()
            self._reset_rows(worlds, states, keyframe, rows)

    def _reset_rows(
        self,
        worlds: np.ndarray,
        states: np.ndarray | None,
        keyframe: str | int | None,
        rows: Mapping[str, np.ndarray] | None,
    ) -> None:
        # a number in place of a list of one saves half of the time
        chosen: Any = worlds if worlds.size > 1 else worlds.item()
        table, views = self._rows.table, self._rows.views
        noise = views["noise"]
        drawn = noise[chosen].copy() if noise.size else None
        table[chosen] = self._initial_row.current()
        if states is not None:
            at = np.ix_(worlds, self._rows.order)
            table[at] = states
        if keyframe is not None:
            write_keyframe(self.model, self._rows, chosen, keyframe)
        if rows is not None:
            for name, row in rows.items():
                views[name][worlds] = row
        if drawn is not None:
            noise[chosen] = drawn
        self._cleared(chosen)

    def _cleared(self, worlds: Any) -> None:
        """Forget results of worlds that begin again; worlds: an index of rows."""

    @functools.cached_property
    def _fresh(self) -> Data:
        """A world to take initial states from: to make one takes longer than to reset many."""
        return self.model.make_data()

    @functools.cached_property
    def _initial_row(self) -> InitialRow:
        return InitialRow(self.model, self._rows, self._fresh)

    @locked
    def reset_all(self) -> None:
        """Reset every world; inputs are cleared, too, as by `Data.reset`."""
        self.reset_where(np.ones(self.n, bool))

    @locked
    def seed_noise(self, seed: int) -> None:
        """Let sensors have noise from now on; world i has that of a Data with `seed + i`.

        0 is for none; see `Data.seed_noise`.
        """
        first = seeded_generator(self.model, seed)
        drawn = bool(first[0])
        seeded_generator(self.model, operator.index(seed) + max(0, self.n - 1) if drawn else 0)
        self._fetch()
        self.noise[:] = first
        if drawn:
            self.noise[:, 0] += np.arange(self.n)

    @locked
    def get_states(self) -> np.ndarray:
        """State vectors of all worlds, `(n, size)`: what `Data.get_state` gives for each."""
        self._fetch()
        return self._rows.vectors()

    @locked
    def set_states(self, states: np.ndarray | State | Sequence[State]) -> None:
        """Restore what `get_states` gave; one state `(size,)` goes to every world.

        states: `(n, size)` or `(size,)`, a State, or one for each world.

        Raises StateError for a State of another model, for numbers that are not real, and for
        counts and pointers that no step could have left.
        """
        table = self._rows.table
        given = self._vectors(states)
        if given.shape not in (table.shape, table.shape[1:]) and self.n:
            raise ShapeError(f"states: expected an array of shape {table.shape}, got {given.shape}")
        if self.n:
            check_integer_entries(self.model, given)
        self._fetch()
        if self.n:
            self._rows.set_vectors(given)

    def _vectors(self, states: Any) -> np.ndarray:
        if isinstance(states, (list, tuple)):
            states = [vector_for(state, self.model.hash) for state in states]
        return vector_for(states, self.model.hash)

    @locked
    def rollout(
        self,
        initial_states: np.ndarray,
        controls: np.ndarray,
        *,
        fields: Sequence[str] = (),
        nstep: int = 1,
        progress: bool = True,
        derivatives: DerivativeConfig | None = None,
    ) -> Rollout:
        """Take every world through given controls; see `rollout.rollout`.

        initial_states: `(n, size)`, of `get_states`.
        controls:       `(n, time, nu)`.
        fields:         derived fields that are recorded after each control.
        nstep:          steps for each control.
        progress:       whether to show a bar if it takes long.
        derivatives:    options with which A and B are computed along the way.
        """
        from cortenforge.batch.rollout import rollout

        return rollout(
            self,
            initial_states,
            controls,
            fields=fields,
            nstep=nstep,
            progress=progress,
            derivatives=derivatives,
        )

    @locked
    def _assign(self, name: str, value: Any) -> None:
        """Copy a value into a state or input; a single world's value goes to all."""
        copy_into(getattr(self, name), name, value)

    def _check_index(self, i: int) -> None:
        if not is_integer(i):
            raise ArgumentError(f"world: expected a number, got {i!r}"[:300])
        if not 0 <= i < self.n:
            raise OutOfRange(f"world {i}: the batch has {self.n}")

    def envs(self) -> Iterator[Data]:
        """Every world as a Data, one after another; see `env`.

        >>> for i, world in enumerate(batch.envs()):
        ...     world.ctrl[0] = actions[i]
        """
        return (self.env(i) for i in range(self.n))

    def __iter__(self) -> Iterator[Data]:
        return self.envs()

    def __len__(self) -> int:
        return self.n
