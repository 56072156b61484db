"""What files of a release carry beside the sources: the site, and compiled kernels.

The site is what `make site` wrote to out/site, if it is of this version: an sdist carries it there,
and a wheel as cortenforge/site, where `cortenforge docs` finds it.

Wheels of a platform carry compiled kernels: what `python -m cortenforge.ship` made.

`CORTENFORGE_WHEEL=linux-x86-64 python -m build --wheel` builds one; without the variable a wheel
is for any platform and carries none, as the sdist does.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: what a wheel is called, and the targets whose images it carries
PLATFORMS = {
    "linux-x86-64": ("manylinux2014_x86_64.manylinux_2_17_x86_64", ("x86-64-v3", "x86-64-v4")),
    "linux-aarch64": ("manylinux2014_aarch64.manylinux_2_17_aarch64", ("aarch64",)),
    "macos-arm64": ("macosx_11_0_arm64", ("macos-arm64",)),
    "windows-x86-64": ("win_amd64", ("windows-x86-64-v3",)),
}


class ReleaseHook(BuildHookInterface):
    """Adds the site, and the images of a platform to a wheel, which is named after it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            self.add_site(build_data)
        self.add_images(version, build_data)

    def add_site(self, build_data: dict[str, Any]) -> None:
        """Add the site, unless there is none or it is of another version."""
        built = Path(self.root, "out", "site")
        first = built / "index.html"
        title = f"CortenForge {self.metadata.version}"
        if first.is_file() and title in first.read_text(encoding="utf-8"):
            place = "cortenforge/site" if self.target_name == "wheel" else "out/site"
            build_data["force_include"][str(built)] = place

    def add_images(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the images of the platform that is asked for."""
        platform = os.environ.get("CORTENFORGE_WHEEL", "")
        if self.target_name != "wheel" or version == "editable" or not platform:
            return
        if platform not in PLATFORMS:
            raise ValueError(f"CORTENFORGE_WHEEL is {platform!r}: it can be {', '.join(PLATFORMS)}")
        tag, targets = PLATFORMS[platform]
        for target in targets:
            folder = Path(self.root, "cortenforge", "images", target)
            if not any(folder.glob("*.image")):
                raise FileNotFoundError(
                    f"{folder} holds no images: run python -m cortenforge.ship --target {target}"
                )
            build_data["force_include"][str(folder)] = f"cortenforge/images/{target}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"
