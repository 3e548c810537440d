"""Linear algebra, under Paddle's names."""

from to_static.ops.norms import norm
from to_static.ops.solve import cholesky, det, solve
from to_static.ops.solve import inverse as inv

__all__ = ["cholesky", "det", "inv", "norm", "solve"]
