"""`python -m tests.compile_units`: compile what tests need, before their processes start.

`make test` runs it: compilers then have all cores, and share what units have in common. Of worlds
with parameters of their own, units are compiled that a few models reach; tests need a dozen others,
and compile them.
"""

from __future__ import annotations

import cortenforge as cf
from cortenforge.batch.program import expanded_lanes
from cortenforge.kernel import Kernel
from cortenforge.kernel.load.link import Linker
from cortenforge.models import find
from cortenforge.warmup import Needed, every_linker, needed_by, warmup
from tests.batch.test_layouts import SWIMMER, WORDS

#: bundled models whose worlds differ in tests, with contacts
CONTACTS = ("humanoid", "quadruped")


def needed_by_most() -> Needed:
    """Units of all linkers; of worlds with parameters of their own, those of some models."""
    models = [cf.load_model(find(name)) for name in CONTACTS]
    models += [cf.Model.from_mjcf(SWIMMER.format(word, 1, 1)) for word in WORDS]
    reached = needed_by(models, randomize=True)
    shared = [row for row in every_linker() if not _differ(row)]
    return shared + [row for row in reached if _differ(row)]


def _differ(row: tuple[Linker, list[Kernel]]) -> bool:
    """Whether units are of worlds with parameters of their own."""
    return row[0].home.removesuffix(".worlds") == expanded_lanes().home


if __name__ == "__main__":
    print(f"{warmup(needed_by_most())} kernels are compiled")
