"""Linear algebra, under Paddle's names."""

from to_static.compiler.ops.linalg.composite import cholesky_solve, cond, corrcoef, cov, matrix_rank, multi_dot, pinv
from to_static.compiler.ops.linalg.decompose import eigh, eigvalsh, svd
from to_static.compiler.ops.linalg.eigen import eig, eigvals
from to_static.compiler.ops.linalg.factor import lu, lu_unpack, qr
from to_static.compiler.ops.linalg.least_squares import householder_product, lstsq, pca_lowrank
from to_static.compiler.ops.linalg.solve import cholesky, det, matrix_power, slogdet, solve, triangular_solve
from to_static.compiler.ops.linalg.solve import inverse as inv
from to_static.compiler.ops.reductions.norms import norm
from to_static.core.diagnostics.missing_names import names_missing

__all__ = [
    "cholesky", "cholesky_solve", "cond", "corrcoef", "cov", "det", "eig", "eigh", "eigvals", "eigvalsh",
    "householder_product", "inv", "lstsq", "lu", "lu_unpack", "matrix_power", "matrix_rank", "multi_dot", "norm",
    "pca_lowrank", "pinv", "qr", "slogdet", "solve", "svd", "triangular_solve",
]  # fmt: skip

__getattr__ = names_missing(__name__)
