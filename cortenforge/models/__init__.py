"""Models that come with the package, and how a model is named on the command line."""

from __future__ import annotations

from pathlib import Path

from cortenforge.errors import Location, MjcfError

__all__ = ["find", "names"]

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
    raise MjcfError(
        "there is no such file and no bundled model of this name",
        Location(str(model)),
        hint=f"bundled models: {', '.join(names())}",
    )
