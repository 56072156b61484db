"""Number of processors that this process may use, which may be fewer than the machine has.

Clusters bind jobs to some processors, and containers limit processor time. A worker for each
processor of the machine could exceed the memory of the job.
"""

from __future__ import annotations

import math
import os
from pathlib import Path

#: time a group of processes may use and the time it is counted in: version 2 in one file, 1 in two
QUOTAS = (
    ("/sys/fs/cgroup/cpu.max",),
    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)


def usable_cores() -> int:
    """Processors that this process is allowed, at least one."""
    bound = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, math.ceil(min(bound or 1, _share())))


def _share() -> float:
    """Processor time that a container may use, in processors; inf without a known limit."""
    for files in QUOTAS:
        try:
            quota, period = " ".join(Path(file).read_text() for file in files).split()
            if float(quota) > 0 and float(period) > 0:
                return float(quota) / float(period)
        except (OSError, ValueError):
            continue
    return math.inf
