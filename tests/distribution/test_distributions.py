"""Every distribution and transform against what real Paddle 2.6.2 gives: densities, entropies, divergences, shapes of draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import to_static as paddle
from tests import recorded
from to_static import distribution as D
from to_static.core.errors import ArgumentTypeError, ShapeError

RECORDS = recorded.records(Path(__file__).with_name("paddle_expressions.json"))


@pytest.mark.parametrize(("text", "record"), RECORDS, ids=[r[0].removeprefix("paddle.distribution.") for r in RECORDS])
def test_as_paddle_eagerly_and_in_a_program(text, record):
    recorded.check(recorded.in_eager_mode(text), record, text, 2e-5, 1e-5)
    if "T(" in text:
        recorded.check(recorded.in_a_program(text), record, text, 2e-5, 1e-5)


def T(value):
    return paddle.to_tensor(value)


DRAWN = {
    "normal": lambda: D.Normal(1.0, 2.0),
    "uniform": lambda: D.Uniform(-1.0, 2.0),
    "bernoulli": lambda: D.Bernoulli(0.3),
    "beta": lambda: D.Beta(2.0, 1.5),
    "dirichlet": lambda: D.Dirichlet(T([1.0, 2.0, 0.5])),
    "geometric": lambda: D.Geometric(0.4),
    "gumbel": lambda: D.Gumbel(0.5, 2.0),
    "laplace": lambda: D.Laplace(0.5, 2.0),
    "lognormal": lambda: D.LogNormal(0.1, 0.4),
    "multinomial": lambda: D.Multinomial(5, T([0.2, 0.3, 0.5])),
}


@pytest.mark.parametrize("name", DRAWN)
def test_draws_have_the_mean_and_the_variance(name):
    paddle.seed(3)
    made = DRAWN[name]()
    drawn = made.sample([20000]).numpy().astype("float64")
    variance = made.variance.numpy()
    assert (abs(drawn.mean(0) - made.mean.numpy()) < 5 * np.sqrt(variance / 20000)).all()
    np.testing.assert_allclose(drawn.var(0), variance, rtol=0.1)


def test_medians_of_what_has_no_mean():
    paddle.seed(3)
    drawn = D.Cauchy(0.5, 1.0).sample([20000]).numpy()
    assert abs(np.median(drawn) - 0.5) < 0.05 and abs(np.mean(abs(drawn - 0.5) < 1) - 0.5) < 0.02
    classes = D.Categorical(T([[0.0, np.log(3.0).item()], [0.0, 0.0]])).sample([20000]).numpy()
    np.testing.assert_allclose(classes.mean(0), [0.75, 0.5], atol=0.02)


REPARAMETERIZED = [D.Normal, D.Laplace, D.Gumbel, D.Cauchy, D.LogNormal]


@pytest.mark.parametrize("family", REPARAMETERIZED, ids=lambda f: f.__name__)
def test_gradients_flow_through_reparameterized_draws(family):
    loc, scale = T([0.5]), T([2.0])
    loc.stop_gradient = scale.stop_gradient = False
    paddle.seed(7)
    drawn = family(loc, scale).rsample([50])
    drawn.sum().backward()
    if family is not D.LogNormal:  # draws are loc + scale * z
        assert loc.grad.tolist() == [50.0]
        np.testing.assert_allclose(scale.grad.numpy(), ((drawn - loc) / scale).sum().numpy(), rtol=1e-4)
    else:
        np.testing.assert_allclose(loc.grad.numpy(), [drawn.sum().numpy()], rtol=1e-4)
    if family is not D.Normal and family is not D.LogNormal:
        assert family(loc, scale).sample([2]).stop_gradient


def test_inside_a_static_function():
    @paddle.jit.to_static(full_graph=True)
    def loss(mean, log_scale, actions):
        policy = D.Normal(mean, log_scale.exp())
        prior = D.Normal(0.0 * mean, mean * 0 + 1)
        return -policy.log_prob(actions).mean() + 0.1 * policy.entropy().mean() + D.kl_divergence(policy, prior).sum()

    def plain(mean, log_scale, actions):
        return loss.dygraph_function(mean, log_scale, actions)

    arguments = [T([0.3, -0.2]), T([0.1, -0.5]), T([[0.2, 0.4], [1.0, -1.0]])]
    np.testing.assert_allclose(loss(*arguments).numpy(), plain(*arguments).numpy(), rtol=1e-6)

    @paddle.jit.to_static(full_graph=True)
    def act(logits):
        chosen = D.Categorical(logits).sample([5])
        return chosen, D.Bernoulli(paddle.nn.functional.sigmoid(logits)).sample([2]), D.Dirichlet(logits.exp()).sample()

    chosen, ones, share = act(T([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]]))
    assert chosen.shape == [5, 2] and ones.shape == [2, 2, 3]
    np.testing.assert_allclose(share.sum(-1).numpy(), [1.0, 1.0], rtol=1e-6)
    assert not np.array_equal(act(T([[1.0, 2.0, 3.0], [0.0, 0.0, 1.0]]))[2].numpy(), share.numpy())  # drawn anew


class Exponential(D.ExponentialFamily):
    """A family of one's own: entropy and divergence follow from the log-normalizer."""

    def __init__(self, rate):
        self.rate = rate
        super().__init__(rate.shape)

    @property
    def _natural_parameters(self):
        return (-self.rate,)

    def _log_normalizer(self, x):
        return -(-x).log()

    _mean_carrier_measure = 0


def test_entropy_and_divergence_of_a_family_of_ones_own():
    p, q = Exponential(T([0.5, 2.0])), Exponential(T([1.0, 1.0]))
    np.testing.assert_allclose(p.entropy().numpy(), 1 - np.log([0.5, 2.0]), rtol=1e-6)
    expected = np.log([0.5, 2.0]) + 1 / np.asarray([0.5, 2.0]) - 1
    np.testing.assert_allclose(D.kl_divergence(p, q).numpy(), expected, rtol=1e-5, atol=1e-6)
    with pytest.raises(NotImplementedError, match="register_kl"):
        D.kl_divergence(p, D.Bernoulli(0.5))


def test_the_nearest_rule_is_taken():
    class Mine(D.Normal):
        pass

    assert float(D.kl_divergence(Mine(0.0, 1.0), D.Normal(0.0, 1.0))) == 0.0

    @D.register_kl(Mine, D.Normal)
    def seven(p, q):
        return 7.0

    assert D.kl_divergence(Mine(0.0, 1.0), D.Normal(0.0, 1.0)) == 7.0

    @D.register_kl(D.Normal, Mine)
    def eight(p, q):
        return 8.0

    with pytest.warns(RuntimeWarning, match="Ambiguous"):
        D.kl_divergence(Mine(0.0, 1.0), Mine(0.0, 1.0))


def test_divergence_of_uniforms():
    wide, narrow = D.Uniform(0.0, 4.0), D.Uniform(1.0, 2.0)
    assert float(D.kl_divergence(narrow, wide)) == pytest.approx(np.log(4))
    assert float(D.kl_divergence(wide, narrow)) == np.inf


def test_events_of_several_axes_under_transforms():
    base = D.Normal([0.0, 1.0, 2.0], [1.0, 2.0, 3.0])
    moved = D.TransformedDistribution(base, [D.ReshapeTransform((3,), (3, 1))])
    assert (moved.batch_shape, moved.event_shape, moved.sample([2]).shape) == ((), (3, 1), [2, 3, 1])
    value = T([[0.5], [1.0], [-1.0]])
    np.testing.assert_allclose(moved.log_prob(value).numpy(), base.log_prob(value.flatten()).sum().numpy(), rtol=1e-6)


BAD = [
    (lambda: D.Normal(T([1.0]), 2.0), ValueError, "all arguments should be Tensor"),
    (lambda: D.Normal("a", 2.0), ArgumentTypeError, "loc should be a number"),
    (lambda: D.Normal(0.0, 1.0).sample(3), ArgumentTypeError, "Iterable"),
    (lambda: D.Bernoulli(1.5), ValueError, r"range \[0, 1\]"),
    (lambda: D.Geometric(0.0), ValueError, "Interval"),
    (lambda: D.Geometric(0.5).pmf(0.5), ArgumentTypeError, "int or a Tensor"),
    (lambda: D.Multinomial(0, T([1.0])), ValueError, "total_count"),
    (lambda: D.Dirichlet(T(1.0)), ShapeError, "at least one dimension"),
    (lambda: D.Independent(D.Normal(0.0, 1.0), 1), ValueError, "reinterpreted_batch_rank"),
    (lambda: D.Cauchy(0.0, 1.0).mean, ValueError, "no mean"),
    (lambda: D.AbsTransform().forward_log_det_jacobian(T(1.0)), NotImplementedError, "non-injective"),
    (lambda: D.ReshapeTransform((2, 3), (4,)), ShapeError, "holds 6 numbers"),
    (lambda: D.StackTransform([D.ExpTransform()]).forward(T([1.0, 2.0])), ShapeError, "2 long, for 1"),
    (lambda: D.SoftmaxTransform().forward(T(1.0)), ShapeError, "at least 1"),
    (lambda: D.TransformedDistribution(D.Normal(0.0, 1.0), [D.SoftmaxTransform()]), ShapeError, "size at least 1"),
    (lambda: D.Distribution().mean, NotImplementedError, "Distribution has no mean"),
]


@pytest.mark.parametrize(("make", "kind", "words"), BAD, ids=[words for _, _, words in BAD])
def test_what_is_refused(make, kind, words):
    with pytest.raises(kind, match=words):
        make()


def test_numbers_that_are_not_floats_are_converted_with_a_word():
    with pytest.warns(UserWarning, match="only support float32 and float64"):
        assert D.Normal([1, 2], [1.0, 2.0]).loc.dtype.name == "float32"
    with pytest.warns(UserWarning, match="needs to be the same"):
        D.Normal(0.0, 1.0).log_prob(paddle.to_tensor(0.5, dtype="float64"))
