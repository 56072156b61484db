"""The folder of the cache, and whether its files can be trusted.

Its files are run as machine code. So a folder that other users can write to is not used. The
exception is CORTENFORGE_SHARED_CACHE, which is only read: a folder whose owner the user trusts,
such as the administrator of a cluster.
"""

from __future__ import annotations

import functools
import os
import stat
import sys
import warnings
from pathlib import Path

#: advice for a folder that cannot be used
OWN_FOLDER = "set CORTENFORGE_CACHE to a folder of your own that can be written"


def cache_folder() -> Path:
    """Folder of the cache: CORTENFORGE_CACHE, or `cortenforge` in the user's cache folder."""
    chosen = os.environ.get("CORTENFORGE_CACHE")
    if chosen:
        return Path(chosen)
    try:
        return _users_caches() / "cortenforge"
    except RuntimeError:
        import tempfile

        # a container's user of whom nobody knows a home; whoever was there before is refused
        user = os.geteuid() if hasattr(os, "geteuid") else "user"
        return Path(tempfile.gettempdir()) / f"cortenforge-{user}"


def shared_folder() -> Path | None:
    """Folder for units that are not in the cache folder: CORTENFORGE_SHARED_CACHE, or None."""
    chosen = os.environ.get("CORTENFORGE_SHARED_CACHE")
    return Path(chosen) if chosen else None


def _users_caches() -> Path:
    """The user's cache folder. Raises RuntimeError if the user has no home folder."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return _xdg_cache_home()


def _xdg_cache_home() -> Path:
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if chosen and Path(chosen).is_absolute():
        return Path(chosen)
    usual = Path.home() / ".cache"
    if chosen:
        # it would be another folder in every working directory, and anyone's
        warn_once(
            f"XDG_CACHE_HOME={chosen} is a relative path and is ignored: compiled kernels are kept "
            f"in {usual / 'cortenforge'}; set XDG_CACHE_HOME to an absolute path, or unset it"
        )
    return usual


def refusal(folder: Path) -> str:
    """Reason not to use a folder; "" if it is the user's own, or does not exist yet."""
    try:
        status = folder.stat()
    except OSError:
        return ""
    if not _mine(status):
        return (
            f"{folder} belongs to another user; {OWN_FOLDER}, and CORTENFORGE_SHARED_CACHE to "
            "this one if you trust its owner"
        )
    if _others_write(status):
        return f"other users can write in {folder}; run chmod go-w on it, or {OWN_FOLDER}"
    return ""


def shared_refusal(folder: Path) -> str:
    """Reason not to use a shared folder; "" if only its owner can write there."""
    try:
        status = folder.stat()
    except OSError as error:
        return f"{folder}: {error.strerror or error}; set CORTENFORGE_SHARED_CACHE to a folder"
    if _others_write(status):
        return f"others than its owner can write in {folder}; run chmod go-w on it"
    return ""


def trusted(status: os.stat_result, *, shared: bool = False) -> bool:
    """Whether a file is regular, and only the user or a shared folder's owner can write it."""
    if not stat.S_ISREG(status.st_mode) or _others_write(status):
        return False
    return shared or _mine(status)


def _mine(status: os.stat_result) -> bool:
    # on Windows the user's folders are guarded by the system
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _others_write(status: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):
        return False
    shared_group = status.st_mode & stat.S_IWGRP and not _is_private_group(status.st_gid)
    return bool(status.st_mode & stat.S_IWOTH or shared_group)


@functools.cache
def _is_private_group(group: int) -> bool:
    """Whether a group has the user's name and no other member, as many systems create them."""
    import grp
    import pwd

    try:
        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return found.gr_name == user.pw_name and set(found.gr_mem) <= {user.pw_name}


def prepare(folder: Path) -> str:
    """Create a folder for the cache, private to the user; returns a problem, or ""."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        return f"{folder}: {error.strerror or error}; {OWN_FOLDER}"
    return refusal(folder)


def writable(folder: Path) -> bool:
    """Whether files can be created in a folder, or the folder itself if it does not exist."""
    while not folder.exists():
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)


@functools.cache
def warn_once(message: str) -> None:
    """Warn the user, the first time only."""
    warnings.warn(message, RuntimeWarning, stacklevel=5)
