"""`python -m conformance`: the whole sweep."""

from __future__ import annotations

import sys

from conformance.sweep import main

sys.exit(main())
