"""Words that several commands understand: a model, and how a simulation of it begins."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from cortenforge.cli.streams import finite
from cortenforge.enums import Integrator
from cortenforge.models import names

if TYPE_CHECKING:
    from cortenforge.model import Data, Model

__all__ = [
    "Controls", "IntegratorName", "Keyframe", "ModelName", "Timestep", "complete_model",
    "load_with_options", "require_suffix", "starting_data",
]  # fmt: skip

#: endings of files that shells offer where a model is expected
MODEL_FILES = (".xml", ".mjcf", ".urdf")
#: integrators as one types them; capitals do not matter
INTEGRATORS = {kind.name.lower(): kind for kind in Integrator}


def complete_model(incomplete: str) -> list[str]:
    """Bundled models and files of models, and folders that may have some, that begin like this."""
    bundled = [name for name in names() if name.startswith(incomplete)]
    folder, beginning = Path(incomplete + "x").parent, Path(incomplete + "x").name[:-1]
    try:
        found = sorted(path for path in folder.iterdir() if path.name.startswith(beginning))
    except OSError:
        return bundled
    visible = [path for path in found if beginning or not path.name.startswith(".")]
    files = [str(path) for path in visible if path.suffix.lower() in MODEL_FILES]
    return bundled + files + [f"{path}/" for path in visible if path.is_dir()]


def _complete_integrator(incomplete: str) -> list[str]:
    return [name for name in INTEGRATORS if name.startswith(incomplete.lower())]


def _known_integrator(name: str | None) -> str | None:
    if name is not None and name.lower() not in INTEGRATORS:
        raise typer.BadParameter(f"expected one of {', '.join(INTEGRATORS)}, got '{name}'")
    return name


def _positive(value: float | None) -> float | None:
    if value is not None and not finite(value) > 0:
        raise typer.BadParameter(f"expected a positive number, got {value:g}")
    return value


ModelName = Annotated[
    str,
    typer.Argument(
        metavar="MODEL", help="MJCF or URDF file, or bundled model.", autocompletion=complete_model
    ),
]
Keyframe = Annotated[str | None, typer.Option(help="Start from this keyframe, by name or number.")]
Timestep = Annotated[
    float | None, typer.Option(help="Seconds a step, instead of the model's.", callback=_positive)
]
IntegratorName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"Instead of the model's: {', '.join(INTEGRATORS)}.",
        callback=_known_integrator,
        autocompletion=_complete_integrator,
    ),
]
Controls = Annotated[
    list[str] | None,
    typer.Option(
        help="Controls that stay: one number for all, one each (0.1,0.2,…), or ACTUATOR=NUMBER; "
        "may be repeated."
    ),
]


def load_with_options(path: Path, integrator: str | None, timestep: float | None) -> Model:
    """The model of a file, with options of its own or of the command line."""
    from cortenforge.load import load_model

    model = load_model(path)
    if integrator is not None:
        model.opt.integrator = int(INTEGRATORS[integrator.lower()])
    if timestep is not None:
        model.opt.timestep = timestep
    return model


def starting_data(model: Model, keyframe: str | None, ctrl: list[str] | None) -> Data:
    """The state that a command begins with."""
    data = model.make_data()
    if keyframe is not None:
        _reset_to(data, keyframe)
    for words in ctrl or ():
        _set_controls(data, words)
    return data


def _reset_to(data: Data, keyframe: str) -> None:
    """Start from a keyframe; one that is not there is a wrong parameter."""
    named = keyframe in data.model.names["key"]
    try:
        data.reset_to_keyframe(int(keyframe) if keyframe.isdecimal() and not named else keyframe)
    except (KeyError, IndexError) as error:
        raise typer.BadParameter(str(error.args[0]), param_hint="--keyframe") from None


def _set_controls(data: Data, words: str) -> None:
    """Set what one --ctrl says."""
    model, (name, _, value) = data.model, words.rpartition("=")
    numbers = [_number(word) for word in value.replace(",", " ").split()]
    where = slice(0, model.nu)
    if name:
        try:
            number = model.actuator(name.strip()).id
        except KeyError as error:
            raise typer.BadParameter(str(error.args[0]), param_hint="--ctrl") from None
        first = int(model.actuator_ctrladr[number])
        where = slice(first, first + int(model.actuator_ctrlnum[number]))
    room = len(data.ctrl[where])
    if not room:
        raise typer.BadParameter("this model has no controls", param_hint="--ctrl")
    if len(numbers) not in (1, room):
        expected = "one number" + f" or {room}" * (room > 1)
        raise typer.BadParameter(
            f"expected {expected}, got {len(numbers)} in '{words}'", param_hint="--ctrl"
        )
    data.ctrl[where] = np.array(numbers)


def _number(word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise typer.BadParameter(f"expected a number, got '{word}'", param_hint="--ctrl")
    return number


def require_suffix(target: Path | None, suffix: str, option: str) -> None:
    """Refuse a file whose name promises another format than the one that is written."""
    if target is not None and target.suffix.lower() != suffix:
        raise typer.BadParameter(
            f"only {suffix} files are written, and {target.name} would not be one",
            param_hint=option,
        )
