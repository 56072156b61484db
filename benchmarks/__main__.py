"""`python -m benchmarks`: all of them."""

from __future__ import annotations

import sys

from benchmarks.step import main

sys.exit(main())
