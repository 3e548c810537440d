"""Probability distributions: sampling, densities, entropies, divergences, and transforms between distributions.

One file a family. Everything is made of operators, so it runs in eager mode and in static functions, and has gradients.
"""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.distribution import transform
from to_static.distribution.bernoulli import Bernoulli
from to_static.distribution.beta import Beta
from to_static.distribution.categorical import Categorical
from to_static.distribution.cauchy import Cauchy
from to_static.distribution.dirichlet import Dirichlet
from to_static.distribution.distribution import Distribution
from to_static.distribution.exponential_family import ExponentialFamily
from to_static.distribution.geometric import Geometric
from to_static.distribution.gumbel import Gumbel
from to_static.distribution.independent import Independent
from to_static.distribution.kl import kl_divergence, register_kl
from to_static.distribution.laplace import Laplace
from to_static.distribution.lognormal import LogNormal
from to_static.distribution.multinomial import Multinomial
from to_static.distribution.normal import Normal
from to_static.distribution.transform import (
    AbsTransform,
    AffineTransform,
    ChainTransform,
    ExpTransform,
    IndependentTransform,
    PowerTransform,
    ReshapeTransform,
    SigmoidTransform,
    SoftmaxTransform,
    StackTransform,
    StickBreakingTransform,
    TanhTransform,
    Transform,
)
from to_static.distribution.transformed_distribution import TransformedDistribution
from to_static.distribution.uniform import Uniform

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "Bernoulli",
    "Beta",
    "Categorical",
    "Cauchy",
    "ChainTransform",
    "Dirichlet",
    "Distribution",
    "ExpTransform",
    "ExponentialFamily",
    "Geometric",
    "Gumbel",
    "Independent",
    "IndependentTransform",
    "Laplace",
    "LogNormal",
    "Multinomial",
    "Normal",
    "PowerTransform",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftmaxTransform",
    "StackTransform",
    "StickBreakingTransform",
    "TanhTransform",
    "Transform",
    "TransformedDistribution",
    "Uniform",
    "kl_divergence",
    "register_kl",
    "transform",
]

__getattr__ = names_missing(__name__)
