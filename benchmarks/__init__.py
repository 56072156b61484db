"""Speed against MuJoCo: ratios within one process, start-up times, allocations."""
