"""Models that come with the package: files by name, and functions that build one to measure."""

from __future__ import annotations

from pathlib import Path

from cortenforge.errors import Location, MjcfError
from cortenforge.models.limbs import muscle_arm, tendon_finger
from cortenforge.models.pendulums import (
    double_pendulum,
    n_link_pendulum,
    simple_pendulum,
    spherical_pendulum,
)

__all__ = [
    "double_pendulum",
    "find",
    "muscle_arm",
    "n_link_pendulum",
    "names",
    "simple_pendulum",
    "spherical_pendulum",
    "tendon_finger",
]

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """Names of the bundled models."""
    return sorted(file.stem for file in _FOLDER.glob("*.xml"))


def find(model: str | Path) -> Path:
    """The file of a model given by its path or, if there is no such file, by a bundled name."""
    path = Path(model)
    if path.exists() and not path.is_dir():
        return path
    bundled = _FOLDER / f"{str(model).removesuffix('.xml')}.xml"
    if path.name == str(model) and bundled.is_file():
        return bundled
    if path.is_dir() and str(model):
        raise MjcfError(
            "this is a folder, not a model file",
            Location(str(model)),
            hint=f"cortenforge info {model} lists the models in it; "
            f"bundled models: {', '.join(names())}",
        )
    raise MjcfError(
        "there is no such file and no bundled model of this name",
        Location(str(model)),
        hint=f"bundled models: {', '.join(names())}",
    )
