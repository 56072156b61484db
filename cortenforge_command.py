"""Starts the `cortenforge` command: what has to be in order before the package is imported.

It stands beside the package, since whatever stands inside is imported after the package itself.
"""

from __future__ import annotations

import os
import signal


def main() -> None:
    """Run the command line."""
    occupy_streams()
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:
        # Ctrl-C in an import just ends it: nothing has begun that would have to be put in order
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cortenforge.cli.app import main as run

    signal.signal(signal.SIGINT, before)
    run()


def occupy_streams() -> None:
    """Open what is closed of input, output and errors, to nowhere.

    Otherwise the next file that is opened would be taken for them.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


if __name__ == "__main__":
    main()
