"""One script per claim about speed. `python -m benchmarks` runs them all and prints one table."""

import os

# One thread: a ratio then depends on the two programs, not on who shares the machine. Set before
# NumPy is imported, for it reads this once.
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
