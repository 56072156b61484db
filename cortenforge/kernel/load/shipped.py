"""Compiled units shipped with the package: one image for each pair of structs and target.

`python -m cortenforge.ship` makes images, each with a file that describes what it was made from. An
image is used if its description matches: format, version, number of lanes, the compiler's sources,
the structs, and the image's digest. Its units are used if their kernels and constants are
unchanged; edited kernels are compiled. If an image cannot be used, a warning is given and units are
compiled.

Images are trusted as much as the Python files of the package, which the same users can write. A
folder named by CORTENFORGE_IMAGES must be writable by its owner only.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

from cortenforge.errors import CompilationError
from cortenforge.kernel.cpu.linked_code import checked_layout
from cortenforge.kernel.language.layout import LANES, StructLayout
from cortenforge.kernel.language.processor import processor
from cortenforge.kernel.load.cache import COMPILER_TEXT
from cortenforge.kernel.load.folder import shared_refusal, warn_once
from cortenforge.kernel.load.image import Image, ImageRefused, map_image
from cortenforge.kernel.load.unit_index import UnitIndex, structs_digest

FORMAT = 1
#: endings of an image, and of the file that describes it
IMAGE, DESCRIPTION = ".image", ".json"
#: folder of images in the package
FOLDER = Path(__file__).parents[2] / "images"
#: features of each level of processors, by Linux' names: System V ABI, AMD64 supplement, table 3.1
V3 = frozenset(
    [
        "cx16",
        "lahf_lm",
        "popcnt",
        "pni",
        "ssse3",
        "sse4_1",
        "sse4_2",
        "avx",
        "avx2",
        "bmi1",
        "bmi2",
        "f16c",
        "fma",
        "abm",
        "movbe",
        "xsave",
    ]
)
V4 = V3 | frozenset(["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"])
#: features that NumPy does not detect; it is used on systems other than Linux
V3_KNOWN_TO_NUMPY = frozenset(["avx2", "fma", "f16c"])
NOT_USED = "the compiled kernels in {} are not used: {}; kernels are compiled for this processor"


def targets_here() -> list[str]:
    """The targets of images that run on this processor under this system, the best one first."""
    here = processor()
    intel = here.machine in ("x86_64", "amd64")
    if sys.platform == "linux" and intel:
        levels = (("x86-64-v4", V4), ("x86-64-v3", V3))
        return [name for name, needed in levels if needed <= here.features]
    if sys.platform == "win32" and intel:
        return ["windows-x86-64-v3"] if here.features >= V3_KNOWN_TO_NUMPY else []
    named = {"linux": "aarch64", "darwin": "macos-arm64"}
    return [named[sys.platform]] if here.is_arm and sys.platform in named else []


def choice() -> str:
    """Value of CORTENFORGE_UNITS: "" (the best available), "shipped", "own", or a target's name."""
    chosen = os.environ.get("CORTENFORGE_UNITS", "")
    if chosen not in ("", "shipped", "own", *targets_here()):
        names = ", ".join(["shipped", "own", *targets_here()])
        raise CompilationError(f"CORTENFORGE_UNITS is {chosen!r}: it can be {names}")
    return chosen


def image_folder() -> Path:
    """Folder of images: CORTENFORGE_IMAGES, or that of the package."""
    chosen = os.environ.get("CORTENFORGE_IMAGES")
    return Path(chosen) if chosen else FOLDER


def image_name(*structs: StructLayout) -> str:
    """Name of the image of some structs, without its ending."""
    return "+".join(struct.name for struct in structs)


def description_here(name: str) -> Path | None:
    """Description file of the image of some name for this processor; None if there is none."""
    chosen, folder = choice(), image_folder()
    names = [chosen] if chosen not in ("", "shipped", "own") else targets_here()
    files = [folder / target / (name + DESCRIPTION) for target in names if chosen != "own"]
    return next((file for file in files if file.is_file()), None)


class ShippedImage:
    """An image with its description, of one pair of structs, or of none."""

    def __init__(self, file: Path, structs: tuple[StructLayout, ...]) -> None:
        """Raises ImageRefused if the description does not match this installation."""
        refused = shared_refusal(file.parent) if "CORTENFORGE_IMAGES" in os.environ else ""
        if refused:
            raise ImageRefused(refused)
        try:
            found = _read_description(file)
            _check_made_for_this(found, file, structs)
            self.layout = checked_layout(found["layout"])
            self._file, self._digest = file.with_suffix(IMAGE), found["sha256"]
            self.index = UnitIndex(structs, found["index"])
            words = self.layout.words
            #: the names of the slots that each unit reads
            self.slots = {
                unit: [words[number] for number in numbers]
                for unit, numbers in found["slots"].items()
            }
        except OSError as error:
            raise ImageRefused(f"{file.name}: {error.strerror or error}") from error
        except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:
            raise ImageRefused(f"{file.name} is damaged") from error

    @property
    def folder(self) -> Path:
        return self._file.parent

    def map(self) -> Image:
        """The image in memory; raises ImageRefused."""
        return map_image(self._file, self.layout, self._digest)


def made_for(file: Path, structs: tuple[StructLayout, ...]) -> dict[str, Any]:
    """Contents of a usable image's description: format, version, lanes, compiler, structs."""
    return {
        "format": FORMAT,
        "version": sys.modules["cortenforge"].__version__,
        "place": [file.parent.name, file.stem],
        "lanes": LANES,
        "compiler": COMPILER_TEXT.hex(),
        "structs": structs_digest(structs),
    }


REASONS = {
    "format": "they are of another format",
    "version": "they are of another version",
    "place": "files were exchanged",
    "lanes": f"they are not made for {LANES} lanes",
    "compiler": "the compiler was changed since they were made",
    "structs": "fields were changed since they were made",
}


def _check_made_for_this(found: Any, file: Path, structs: tuple[StructLayout, ...]) -> None:
    for name, value in made_for(file, structs).items():
        if found[name] != value:
            raise ImageRefused(REASONS[name])


def write_description(file: Path, described: dict[str, Any]) -> None:
    """Write the description of an image; the first line is a digest of the rest."""
    content = json.dumps(described, separators=(",", ":")).encode()
    file.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)


def _read_description(file: Path) -> Any:
    digest, _, content = file.read_bytes().partition(b"\n")
    if hashlib.sha256(content).hexdigest().encode() != digest:
        raise ImageRefused(f"{file.name} was changed since it was made")
    return json.loads(content)


def shipped_image(*structs: StructLayout, name: str = "") -> ShippedImage | None:
    """The image to use for a pair of structs, or by its name.

    None if there is none, or, with a warning, if it cannot be used.
    """
    name = name or image_name(*structs)
    file = description_here(name)
    if file is None:
        if choice() == "shipped":
            refuse(image_folder(), f"there is no {name} for {' or '.join(targets_here())}")
        return None
    try:
        return ShippedImage(file, structs)
    except ImageRefused as error:
        refuse(file.parent, str(error))
        return None


def refuse(folder: Path, reason: str) -> None:
    """Warn that images are not used; an error with CORTENFORGE_UNITS=shipped."""
    if choice() == "shipped":
        raise CompilationError(
            f"the compiled kernels in {folder} cannot be used: {reason}; unset "
            "CORTENFORGE_UNITS=shipped to have kernels compiled"
        )
    warn_once(NOT_USED.format(folder, reason))
