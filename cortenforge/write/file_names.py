"""Names of asset files in a description that is written: they lead there from its folder."""

from __future__ import annotations

import os

from cortenforge.spec.asset_files import AssetFiles
from cortenforge.spec.element import Element
from cortenforge.spec.files import Library
from cortenforge.spec.spec import SPEC_LISTS, Spec

#: attributes that are written otherwise, or None for not at all, by the id of their element
AttributeChanges = dict[int, dict[str, str | None]]

FOLDER_ATTRIBUTES = ("meshdir", "texturedir", "assetdir", "strippath")


def file_changes(spec: Spec, folder: str | None) -> AttributeChanges:
    """New names of all files; nothing if the old ones hold.

    Old names hold while the model stays in its folder, unless a file was found beside an included
    file.  New names are whole: they need no folder of the compiler's.
    """
    home = spec.library.folder
    stays = folder is None or os.path.realpath(folder) == os.path.realpath(home)
    changes: AttributeChanges = {}
    held = True
    with_files = [
        name for name, section in SPEC_LISTS.items() if section in ("asset", "deformable")
    ]
    for element in (one for name in with_files for one in getattr(spec, name)):
        for attribute in (one for one in element.attributes if one.startswith("file")):
            if element[attribute]:
                plain, found = _file_names(spec, element, attribute)
                library = spec.origin_of(element).library
                if not stays or library.folder != home:
                    found = _relative_name(home if stays else str(folder), found, library)
                held = held and found == plain and element.origin is None
                changes.setdefault(id(element), {})[attribute] = found
    if held:
        return {}
    return changes | {id(spec.compiler): dict.fromkeys(FOLDER_ATTRIBUTES)}


def _file_names(spec: Spec, element: Element, attribute: str) -> tuple[str, str]:
    """The file name tried first, and the one that was found, relative to the same folder."""
    files = AssetFiles(spec, "texturedir" if element.tag == "texture" else "meshdir")
    plain = os.path.join(files.folder(element), files.written(element, attribute))
    return plain, files.name(element, attribute)


def _relative_name(folder: str, name: str, library: Library) -> str:
    """A name as seen from another folder; absolute ones keep theirs, as do files in memory."""
    in_memory = library.key(name)
    if in_memory is not None or os.path.isabs(name):
        return in_memory or name
    path = os.path.join(library.folder, name)
    return os.path.relpath(path, folder or ".").replace(os.sep, "/")
