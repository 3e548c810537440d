"""The Kullback-Leibler divergence of two distributions, found by their classes."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

from to_static.compiler.ops.indexing.where import where
from to_static.compiler.ops.shapes.create import full_like
from to_static.core.errors import ArgumentTypeError
from to_static.distribution.bernoulli import Bernoulli
from to_static.distribution.beta import Beta
from to_static.distribution.categorical import Categorical
from to_static.distribution.cauchy import Cauchy
from to_static.distribution.dirichlet import Dirichlet
from to_static.distribution.distribution import Distribution
from to_static.distribution.exponential_family import ExponentialFamily
from to_static.distribution.geometric import Geometric
from to_static.distribution.laplace import Laplace
from to_static.distribution.lognormal import LogNormal
from to_static.distribution.normal import Normal
from to_static.distribution.parameters import sum_rightmost
from to_static.distribution.uniform import Uniform

Rule = Callable[[Any, Any], Any]
_RULES: dict[tuple[type, type], Rule] = {}


def kl_divergence(p: Distribution, q: Distribution) -> Any:
    """The Kullback-Leibler divergence from ``p`` to ``q``, in nats: a Tensor of the batch shape.

    Raises:
        NotImplementedError: there is no rule for these classes; `register_kl` adds one.

    Example:
        >>> from to_static.distribution import Beta, kl_divergence
        >>> float(kl_divergence(Beta(0.5, 0.5), Beta(0.3, 0.7)))
        0.211935...
    """
    return _rule(type(p), type(q))(p, q)


def register_kl(cls_p: type, cls_q: type) -> Callable[[Rule], Rule]:
    """A decorator that makes a function the rule for ``cls_p`` and ``cls_q``, and for their subclasses that have none of their own.

    Raises TypeError for classes that are no distributions.

    Example:
        >>> @register_kl(Normal, Normal)
        ... def of_normals(p, q):
        ...     return p.kl_divergence(q)
    """
    if not issubclass(cls_p, Distribution) or not issubclass(cls_q, Distribution):
        raise ArgumentTypeError("cls_p and cls_q must be subclass of Distribution")

    def register(rule: Rule) -> Rule:
        _RULES[cls_p, cls_q] = rule
        return rule

    return register


def _rule(cls_p: type, cls_q: type) -> Rule:
    matches = [pair for pair in _RULES if issubclass(cls_p, pair[0]) and issubclass(cls_q, pair[1])]
    if not matches:
        raise NotImplementedError(
            f"no rule for kl_divergence({cls_p.__name__}, {cls_q.__name__}); "
            f"write one under @register_kl({cls_p.__name__}, {cls_q.__name__})"
        )

    def nearness(pair: tuple[type, type]) -> tuple[int, int]:
        return cls_p.__mro__.index(pair[0]), cls_q.__mro__.index(pair[1])

    by_left = min(matches, key=nearness)
    by_right = min(matches, key=lambda pair: nearness(pair)[::-1])
    if _RULES[by_left] is not _RULES[by_right]:
        warnings.warn(
            f"Ambiguous kl_divergence({cls_p.__name__}, {cls_q.__name__}). "
            f"Please register_kl({by_left[0].__name__}, {by_right[1].__name__})",
            RuntimeWarning,
            stacklevel=3,
        )
    return _RULES[by_left]


def _method_kl(p: Any, q: Any) -> Any:
    return p.kl_divergence(q)


for _family in (Bernoulli, Categorical, Cauchy, Geometric, Laplace, LogNormal, Normal):
    register_kl(_family, _family)(_method_kl)


@register_kl(Uniform, Uniform)
def _of_uniforms(p: Uniform, q: Uniform) -> Any:
    """Infinite where ``p`` reaches beyond ``q``."""
    ratio = ((q.high - q.low) / (p.high - p.low)).log()
    return where((q.low <= p.low) & (p.high <= q.high), ratio, full_like(ratio, math.inf))


@register_kl(Beta, Beta)
def _of_betas(p: Beta, q: Beta) -> Any:
    p_total, q_total = p.alpha + p.beta, q.alpha + q.beta
    normalizers = (
        q.alpha.lgamma() + q.beta.lgamma() + p_total.lgamma() - (p.alpha.lgamma() + p.beta.lgamma() + q_total.lgamma())
    )
    logs = (p.alpha - q.alpha) * p.alpha.digamma() + (p.beta - q.beta) * p.beta.digamma()
    return normalizers + logs + (q_total - p_total) * p_total.digamma()


@register_kl(Dirichlet, Dirichlet)
def _of_dirichlets(p: Dirichlet, q: Dirichlet) -> Any:
    p_counts, q_counts = p.concentration, q.concentration
    normalizers = p_counts.sum(-1).lgamma() - q_counts.sum(-1).lgamma() - (p_counts.lgamma() - q_counts.lgamma()).sum(-1)
    return normalizers + ((p_counts - q_counts) * (p_counts.digamma() - p_counts.sum(-1, keepdim=True).digamma())).sum(-1)


@register_kl(ExponentialFamily, ExponentialFamily)
def _of_one_family(p: ExponentialFamily, q: ExponentialFamily) -> Any:
    """The Bregman divergence of the log-normalizer."""
    if type(p) is not type(q):
        raise NotImplementedError(
            f"no rule for kl_divergence({type(p).__name__}, {type(q).__name__}): the families differ; add one with register_kl"
        )
    p_parameters, normalizer, means = p._moments()
    q_parameters = q._natural_parameters
    divergence = q._log_normalizer(*q_parameters) - normalizer
    for a, b, mean in zip(p_parameters, q_parameters, means, strict=True):
        divergence = divergence - sum_rightmost((b - a) * mean, len(q.event_shape))
    return divergence
