"""Linear algebra, under Paddle's names."""

from to_static.core.missing import names_missing
from to_static.ops.matrix.decompose import eigh, eigvalsh, svd
from to_static.ops.matrix.eigen import eig, eigvals
from to_static.ops.matrix.factor import lu, lu_unpack, qr
from to_static.ops.matrix.least_squares import householder_product, lstsq, pca_lowrank
from to_static.ops.matrix.matrices import cholesky_solve, cond, corrcoef, cov, matrix_rank, multi_dot, pinv
from to_static.ops.matrix.solve import cholesky, det, matrix_power, slogdet, solve, triangular_solve
from to_static.ops.matrix.solve import inverse as inv
from to_static.ops.reductions.norms import norm

__all__ = [
    "cholesky", "cholesky_solve", "cond", "corrcoef", "cov", "det", "eig", "eigh", "eigvals", "eigvalsh",
    "householder_product", "inv", "lstsq", "lu", "lu_unpack", "matrix_power", "matrix_rank", "multi_dot", "norm",
    "pca_lowrank", "pinv", "qr", "slogdet", "solve", "svd", "triangular_solve",
]  # fmt: skip

__getattr__ = names_missing(__name__)
