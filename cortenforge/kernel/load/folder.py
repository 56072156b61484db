"""The folder in which compiled units are kept, and whether what lies in it can be trusted.

What is kept there is run as machine code. So nothing is taken from a folder in which somebody else
could have put it.
"""

from __future__ import annotations

import functools
import os
import stat
import sys
import warnings
from pathlib import Path

#: what the user is told to do about a folder that cannot be used
OWN_FOLDER = "set CORTENFORGE_CACHE to a folder of your own that can be written"


def cache_folder() -> Path:
    """Where compiled units are kept: CORTENFORGE_CACHE, or the user's cache folder."""
    chosen = os.environ.get("CORTENFORGE_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = _xdg_cache_home()
    return base / "cortenforge"


def _xdg_cache_home() -> Path:
    usual = Path.home() / ".cache"
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    if not chosen:
        return usual
    if not Path(chosen).is_absolute():
        # it would be another folder in every working directory, and anyone's
        warn_once(
            f"XDG_CACHE_HOME={chosen} is a relative path and is ignored: compiled kernels are kept "
            f"in {usual / 'cortenforge'}; set XDG_CACHE_HOME to an absolute path, or unset it"
        )
        return usual
    return Path(chosen)


def refusal(folder: Path) -> str:
    """Why nothing in a folder may be used; "" if it is the user's own, or not made yet."""
    try:
        status = folder.stat()
    except OSError:
        return ""
    if not _mine(status):
        return f"{folder} belongs to another user; {OWN_FOLDER}"
    if _others_write(status):
        return f"other users can write in {folder}; run chmod go-w on it, or {OWN_FOLDER}"
    return ""


def trusted(status: os.stat_result) -> bool:
    """Whether this is a plain file that only the user can have written."""
    return stat.S_ISREG(status.st_mode) and _mine(status) and not _others_write(status)


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
    """Whether a group is the user's own, as many systems make one for each user."""
    import grp
    import pwd

    try:
        user, found = pwd.getpwuid(os.geteuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return found.gr_name == user.pw_name and set(found.gr_mem) <= {user.pw_name}


def prepare(folder: Path) -> str:
    """Make a folder for what is kept, private to the user; what is wrong with it, if anything."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        return f"{folder}: {error.strerror or error}; {OWN_FOLDER}"
    return refusal(folder)


@functools.cache
def warn_once(message: str) -> None:
    """Warn the user, the first time only."""
    warnings.warn(message, RuntimeWarning, stacklevel=5)
