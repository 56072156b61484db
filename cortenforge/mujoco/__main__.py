"""Run a program with this module as `mujoco`: a script, or a module with -m."""

from __future__ import annotations

import os
import runpy
import sys

from cortenforge.mujoco.install import install

USAGE = (
    "usage: python -m cortenforge.mujoco script.py [argument ...]\n"
    "       python -m cortenforge.mujoco -m module [argument ...]"
)


def main(arguments: list[str]) -> None:
    """Run what the arguments name, with the rest of them as its own."""
    if not arguments or arguments == ["-m"] or arguments[0] in ("-h", "--help"):
        print(USAGE)
        sys.exit(0 if arguments and arguments[0] != "-m" else 2)
    install()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main(sys.argv[1:])
