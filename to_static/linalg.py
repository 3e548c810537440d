"""Linear algebra, under Paddle's names."""

from to_static.core.missing import names_missing
from to_static.ops.decompose import eigh, eigvalsh, svd
from to_static.ops.norms import norm
from to_static.ops.solve import cholesky, det, matrix_power, slogdet, solve, triangular_solve
from to_static.ops.solve import inverse as inv

__all__ = ["cholesky", "det", "eigh", "eigvalsh", "inv", "matrix_power", "norm", "slogdet", "solve", "svd", "triangular_solve"]

__getattr__ = names_missing(__name__)
