"""Files behind `package://`, `model://` and `file://`: a search in places that the user names.

MuJoCo does not look into packages.  Here they are looked for, in this order: among the files in
memory, in the folders of `package_path`, in the folders around the URDF file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cortenforge.errors import UrdfError
from cortenforge.grammar.node import Node
from cortenforge.read_files import record_missing
from cortenforge.spec.files import Library, is_in_folder
from cortenforge.upward import PackagePath

# two letters at least: a single one is a drive
ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)
SEARCHED = ("package", "model")
# places listed in an error
MOST_PLACES = 6


@dataclass
class Packages:
    """Where packages may be: the library of the model, and the user's search path."""

    library: Library
    meshdir: str = ""
    path: PackagePath = field(default_factory=list)

    def locate(self, file: str, mesh: Node) -> str:
        """The file that an address stands for, in a form that the compiler finds."""
        match = ADDRESS.fullmatch(file)
        if match is None:
            return file
        scheme, rest = match[1].lower(), match[2]
        known = self._in_memory(file, rest)
        if known is not None:
            return known
        if scheme == "file":
            return rest
        if scheme not in SEARCHED:
            raise self._error("files are not fetched from the network", mesh)
        # some files have package:///PACKAGE/...
        return self._search(rest.lstrip("/"), mesh)

    def _in_memory(self, file: str, rest: str) -> str | None:
        """The file's name in the dictionary, seen from the folder of meshes."""
        for name in (file, rest, rest.partition("/")[2]):
            if name and self.library.in_memory(name):
                return os.path.relpath(name, self.meshdir) if self.meshdir else name
        return None

    def _search(self, rest: str, mesh: Node) -> str:
        package, _, inner = rest.partition("/")
        if not package:
            raise self._error("expected package://PACKAGE/path/of/the/file", mesh)
        tried: list[str] = []
        for place in self._places(package):
            path = os.path.abspath(os.path.join(place, inner))
            if path in tried or not self._allowed(path):
                continue
            tried.append(path)
            if os.path.isfile(path):
                return path
            record_missing(path)
        limit = ", and sandbox=True keeps the search in the model's folder"
        raise self._error(
            f"there is no such file in a package '{package}'"
            + (limit if self.library.sandbox else ""),
            mesh,
            f'package_path={{"{package}": "folder of the package"}} says where it is; '
            f"looked for {_path_list(tried)}",
        )

    def _places(self, package: str) -> Iterator[str]:
        """Folders that may be the package, in order."""
        path = self.path
        if isinstance(path, Mapping):
            if package in path:
                yield os.path.expanduser(os.fspath(path[package]))
        else:
            for folder in _search_folders(path):
                yield os.path.join(folder, package)
                yield os.path.join(folder, "share", package)
                if os.path.basename(os.path.abspath(folder)) == package:
                    yield folder
        yield from self._around(package)

    def _around(self, package: str) -> Iterator[str]:
        """The URDF file's folder and those above it: one of the name, or one that holds it."""
        if not self.library.folder:
            return
        folder = os.path.abspath(self.library.folder)
        while True:
            if os.path.basename(folder) == package:
                yield folder
            yield os.path.join(folder, package)
            above = os.path.dirname(folder)
            if above == folder:
                return
            folder = above

    def _allowed(self, path: str) -> bool:
        return not self.library.sandbox or is_in_folder(path, self.library.folder)

    def _error(self, message: str, mesh: Node, hint: str | None = None) -> UrdfError:
        got = mesh.attributes["filename"]
        return UrdfError(message, mesh.where, attribute="filename", got=got, hint=hint)


def _path_list(paths: list[str]) -> str:
    shown = ", ".join(f"'{path}'" for path in paths[:MOST_PLACES])
    more = len(paths) - MOST_PLACES
    return (shown or "nothing") + (f" and {more} more" if more > 0 else "")


def _search_folders(path: Sequence[str | os.PathLike[str]]) -> Iterator[str]:
    """Folders of a search path; `$NAME` stands for those in an environment variable."""
    for entry in path:
        folder = os.fspath(entry)
        if folder.startswith("$"):
            yield from filter(None, os.environ.get(folder[1:], "").split(os.pathsep))
        else:
            yield os.path.expanduser(folder)
