"""Compiled units that came with the package: one image for each pair of structs and target.

`python -m cortenforge.ship` makes them, and beside each a file that says what it was made from. An
image is used if all of that is so now: the format, this version, the number of lanes, the
compiler's sources, the structs, and the image's own digest. Of its units those are used whose
kernels and constants are the same; an edited kernel is compiled. Whatever is not as it should be
costs one line of warning and the time to compile.

Images are trusted as the Python files beside them are: whoever can write the one can write the
other. Of a folder that CORTENFORGE_IMAGES names, only its owner may be able to write.
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
#: images that `ship` puts into the package
FOLDER = Path(__file__).parents[2] / "images"
#: what processors of a level have, in Linux' words: System V ABI, AMD64 supplement, table 3.1
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
#: NumPy, which is asked on other systems, does not look for all of it
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
    """What CORTENFORGE_UNITS says: "" (what is best), "shipped", "own", or a target's name."""
    chosen = os.environ.get("CORTENFORGE_UNITS", "")
    if chosen not in ("", "shipped", "own", *targets_here()):
        names = ", ".join(["shipped", "own", *targets_here()])
        raise CompilationError(f"CORTENFORGE_UNITS is {chosen!r}: it can be {names}")
    return chosen


def image_folder() -> Path:
    """Where images are: CORTENFORGE_IMAGES, or the package's own folder."""
    chosen = os.environ.get("CORTENFORGE_IMAGES")
    return Path(chosen) if chosen else FOLDER


def image_name(*structs: StructLayout) -> str:
    """Name of the image of some structs, without its ending."""
    return "+".join(struct.name for struct in structs)


def description_here(name: str) -> Path | None:
    """The file that describes the image with a name that is used here; None if there is none."""
    chosen, folder = choice(), image_folder()
    names = [chosen] if chosen not in ("", "shipped", "own") else targets_here()
    files = [folder / target / (name + DESCRIPTION) for target in names if chosen != "own"]
    return next((file for file in files if file.is_file()), None)


class ShippedImage:
    """The image of one pair of structs, or of none, as it is described."""

    def __init__(self, file: Path, structs: tuple[StructLayout, ...]) -> None:
        """Raises ImageRefused if it was made for anything else than what is here."""
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
    """What the image that a file describes has to be made for, to be used here."""
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
    """Write what an image is beside it; the first line is a digest of the rest."""
    content = json.dumps(described, separators=(",", ":")).encode()
    file.write_bytes(hashlib.sha256(content).hexdigest().encode() + b"\n" + content)


def _read_description(file: Path) -> Any:
    digest, _, content = file.read_bytes().partition(b"\n")
    if hashlib.sha256(content).hexdigest().encode() != digest:
        raise ImageRefused(f"{file.name} was changed since it was made")
    return json.loads(content)


def shipped_image(*structs: StructLayout, name: str = "") -> ShippedImage | None:
    """The image that is used here for a pair of structs, or by its name.

    None where nothing is shipped, or, with a warning, where it cannot be used.
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
    """Say that images are not used; an error if CORTENFORGE_UNITS insists on them."""
    if choice() == "shipped":
        raise CompilationError(
            f"the compiled kernels in {folder} cannot be used: {reason}; unset "
            "CORTENFORGE_UNITS=shipped to have kernels compiled"
        )
    warn_once(NOT_USED.format(folder, reason))
