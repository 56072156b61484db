"""Where models to compare come from: public ones, hand-made ones, random ones."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import cortenforge as cf
from conformance.attached import attached_model
from conformance.driven import driven_model, pulled_model
from conformance.generate import random_model, smooth_model
from cortenforge.compare import load_reference
from cortenforge.enums import Disable, Integrator, SdfShape

__all__ = [
    "Case",
    "OwnShapesError",
    "attached_cases",
    "driven_cases",
    "handmade_cases",
    "load_both",
    "load_model",
    "packages_folder",
    "public_cases",
    "public_folder",
    "pulled_cases",
    "random_cases",
    "refuse_own_shapes",
    "smooth_cases",
]

ROOT = Path(__file__).resolve().parents[1]
HANDMADE = Path(__file__).parent / "models"


@dataclass(frozen=True)
class Case:
    """One model: its name in the report, its file or MJCF text, the seed of its states.

    `assets` are files in memory. `unconstrained` ones run with constraints switched off. Without
    an `integrator` it is the model's own.
    """

    name: str
    source: str | Path
    seed: int
    assets: dict[str, bytes] | None = None
    unconstrained: bool = False
    integrator: Integrator | None = None


def load_model(case: Case) -> cf.Model:
    """A model as this engine sees it."""
    model = cf.Model.from_mjcf(case.source, case.assets)
    if case.unconstrained:
        model.opt.disableflags |= int(Disable.CONSTRAINT)
    if case.integrator is not None:
        model.opt.integrator = int(case.integrator)
    return model


def load_both(case: Case) -> tuple[cf.Model, Any]:
    """A model as both engines see it."""
    model = load_model(case)
    reference = load_reference(case.source, case.assets)
    reference.opt.disableflags = model.opt.disableflags
    reference.opt.integrator = model.opt.integrator
    return model, reference


class OwnShapesError(Exception):
    """A model whose shapes are made otherwise here, on purpose."""


def refuse_own_shapes(model: cf.Model) -> None:
    """Leave out distance functions of plugins.

    MuJoCo makes meshes of them by marching, which decide the inertia, and searches for contacts
    otherwise.
    """
    if np.any(model.geom_sdf >= SdfShape.BOLT):
        raise OwnShapesError("shapes of plugins are meshes of our own")


def public_folder() -> Path | None:
    """The folder of public models: CORTENFORGE_MODELS, or ../shared/models; None if absent."""
    given = os.environ.get("CORTENFORGE_MODELS")
    folder = Path(given) if given else ROOT.parent / "shared" / "models"
    return folder if (folder / "index.json").is_file() else None


def packages_folder() -> Path:
    """Where packages that carry models are unpacked: CORTENFORGE_PACKAGES, or out/packages."""
    given = os.environ.get("CORTENFORGE_PACKAGES")
    return Path(given) if given else ROOT / "out" / "packages"


def public_cases(
    *, unconstrained: bool = False, integrator: Integrator | None = None
) -> list[Case]:
    """Complete public models that MuJoCo loads, as their index lists them."""
    folder = public_folder()
    if folder is None:
        return []
    listed = json.loads((folder / "index.json").read_text())
    return [
        Case(
            entry["path"],
            folder / entry["path"],
            i,
            unconstrained=unconstrained,
            integrator=integrator,
        )
        for i, entry in enumerate(listed)
    ]


def handmade_cases() -> list[Case]:
    files = sorted(HANDMADE.glob("*.xml"))
    return [Case(file.stem, file, i) for i, file in enumerate(files)]


def random_cases(first: int, count: int) -> Iterator[Case]:
    """Random models of everything that compiles."""
    for seed in range(first, first + count):
        yield Case(f"seed {seed}", random_model(seed), seed)


def attached_cases(first: int, count: int) -> Iterator[Case]:
    """Random models with others attached, as far as MuJoCo lets them be attached."""
    for seed in range(first, first + count):
        text, assets = attached_model(seed)
        try:
            load_reference(text, assets)
        except ValueError:
            continue  # tests see to it that it is refused here, too
        yield Case(f"seed {seed}", text, seed, assets)


def smooth_cases(first: int, count: int, integrator: str = "Euler") -> Iterator[Case]:
    """Random models that the engine can step."""
    for seed in range(first, first + count):
        yield Case(f"seed {seed}", smooth_model(seed, integrator), seed)


def driven_cases(first: int, count: int, integrator: str = "Euler") -> Iterator[Case]:
    """Random models that the engine can step, with actuators."""
    for seed in range(first, first + count):
        yield Case(f"seed {seed}", driven_model(seed, integrator), seed)


def pulled_cases(first: int, count: int, integrator: str = "Euler") -> Iterator[Case]:
    """The same with tendons, actuators on them, and sensors."""
    for seed in range(first, first + count):
        yield Case(f"seed {seed}", pulled_model(seed, integrator), seed)
