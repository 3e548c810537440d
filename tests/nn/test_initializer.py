"""First values of parameters: distributions and bounds as recorded from Paddle 2.6.2, and what is refused."""

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.ir import mode
from to_static.compiler.ir.building.builder import Builder
from to_static.core import backend
from to_static.core.errors import DTypeError, ShapeError
from to_static.nn import initializer as init


def values(initializer, *shape, dtype="float32"):
    found = initializer._values(shape, np.dtype(dtype))
    assert found.shape == shape and found.dtype == dtype
    return found


@pytest.mark.parametrize(
    "make, bound",
    [
        (lambda: nn.Linear(400, 300).weight, (6 / 700) ** 0.5),
        (lambda: nn.Embedding(300, 200).weight, (6 / 500) ** 0.5),
        (lambda: nn.Conv2DTranspose(32, 64, 3).weight, (6 / (9 * (32 + 64))) ** 0.5),
        (lambda: nn.create_parameter([300, 300], "float32"), 0.1),
    ],
)
def test_defaults_are_xavier_uniform(make, bound):
    weight = make().numpy()
    assert 0.99 * bound < weight.max() <= bound and -bound <= weight.min() < -0.99 * bound
    assert weight.std() == pytest.approx(bound / 3**0.5, rel=0.03)


def test_convolutions_start_normal():
    conv = nn.Conv2D(32, 64, 3)
    weight = conv.weight.numpy()
    assert weight.std() == pytest.approx((2 / (32 * 9)) ** 0.5, rel=0.03) and weight.max() > 0.2
    assert not conv.bias.numpy().any()
    assert nn.Conv2D(4, 8, 3, groups=2).weight.shape == [8, 2, 3, 3]


@pytest.mark.parametrize(
    "initializer, mean, std",
    [
        (init.Uniform(-1.0, 3.0), 1.0, 4 / 12**0.5),
        (init.Normal(2.0, 0.5), 2.0, 0.5),
        (init.XavierNormal(), 0.0, (2 / 300) ** 0.5),
        (init.XavierUniform(50, 50), 0.0, (2 / 100) ** 0.5),
        (init.KaimingNormal(), 0.0, (2 / 200) ** 0.5),
        (init.KaimingUniform(nonlinearity="leaky_relu", negative_slope=1.0), 0.0, (1 / 200) ** 0.5),
        (init.KaimingNormal(fan_in=8), 0.0, 0.5),
        (init.TruncatedNormal(1.0, 2.0), 1.0, 2.0 * 0.8796),
    ],
)
def test_mean_and_spread(initializer, mean, std):
    drawn = values(initializer, 200, 100)
    assert drawn.mean() == pytest.approx(mean, abs=5 * std / 200**0.5 / 10)
    assert drawn.std() == pytest.approx(std, rel=0.02)


def test_truncated_normal_is_within_two_deviations():
    drawn = values(init.TruncatedNormal(1.0, 0.5), 5000)
    assert 0.0 <= drawn.min() < 0.1 and 1.9 < drawn.max() <= 2.0


def test_fans():
    assert init.fans((3, 5)) == (3, 5) and init.fans((8, 4, 3, 3)) == (36, 72)
    assert init.fans((7,)) == (7, 7) and init.fans(()) == (1, 1)


def test_same_seed_same_weights():
    backend.seed(3)
    first = nn.Linear(4, 4).weight.numpy()
    backend.seed(3)
    np.testing.assert_array_equal(nn.Linear(4, 4).weight.numpy(), first)


def test_given_values():
    np.testing.assert_array_equal(values(init.Assign([[1, 2]]), 1, 2), [[1.0, 2.0]])
    np.testing.assert_array_equal(values(init.Assign(nn.Linear(1, 1).bias), 1), [0.0])


def test_values_give_the_shape():
    """As in Paddle; networks are written that way."""
    with pytest.warns(UserWarning, match=r"a parameter of shape \[3\] gets the shape of its values, \[1, 2\]"):
        made = nn.Layer().create_parameter([3], default_initializer=init.Assign([[1, 2]]))
    assert made.shape == [1, 2] and made.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (4, 2, 3)])
def test_orthogonal(shape):
    drawn = values(init.Orthogonal(2.0), *shape, dtype="float64").reshape(shape[0], -1)
    rows, columns = drawn.shape
    gram = drawn @ drawn.T if rows <= columns else drawn.T @ drawn
    np.testing.assert_allclose(gram, 4.0 * np.eye(min(rows, columns)), atol=1e-12)


def test_dirac_passes_channels_on():
    weight = values(init.Dirac(groups=2), 4, 2, 3)
    expected = np.zeros((4, 2, 3))
    for out, channel in ((0, 0), (1, 1), (2, 0), (3, 1)):
        expected[out, channel, 1] = 1
    np.testing.assert_array_equal(weight, expected)


def test_bilinear_weights():
    weight = values(init.Bilinear(), 1, 1, 4, 4)
    line = np.array([0.25, 0.75, 0.75, 0.25])
    np.testing.assert_allclose(weight[0, 0], np.outer(line, line), rtol=1e-6)


def test_wrong_shapes_are_refused():
    for initializer, shape in ((init.Orthogonal(), (3,)), (init.Dirac(3), (4, 2, 3)), (init.Bilinear(), (1, 1, 2, 3))):
        with pytest.raises(ShapeError):
            values(initializer, *shape)
    with pytest.raises(ValueError, match="above"):
        init.Uniform(1.0, 0.0)
    with pytest.raises(DTypeError, match="Constant or Assign"):
        nn.create_parameter([2], "int64")


def test_gain():
    assert init.calculate_gain("tanh") == pytest.approx(5 / 3)
    assert init.calculate_gain("leaky_relu", 1.0) == pytest.approx(1.0)
    assert init.calculate_gain("relu") == pytest.approx(2**0.5) and init.calculate_gain("conv2d") == 1.0
    with pytest.raises(ValueError, match="known: .*selu"):
        init.calculate_gain("step")


def test_global_initializer_goes_between_layer_and_attribute():
    init.set_global_initializer(init.Constant(0.5), init.Constant(0.25))
    try:
        conv = nn.Conv2D(1, 1, 2, weight_attr=init.Constant(4.0))
        assert conv.weight.numpy().max() == 4.0 and conv.bias.numpy() == 0.25
        assert nn.LayerNorm(3).weight.numpy().tolist() == [0.5] * 3
    finally:
        init.set_global_initializer(None)
    assert nn.LayerNorm(3).weight.numpy().tolist() == [1.0] * 3
    with pytest.raises(TypeError, match="weight_init"):
        init.set_global_initializer(0.5)


def test_parameters_have_values_also_while_building():
    with mode.use(Builder()):
        layer = nn.Linear(2, 2)
        init.Constant(3.0)(layer.bias)
    assert layer.bias.numpy().tolist() == [3.0, 3.0] and layer.weight.numpy().any()


def test_padding_row_of_an_embedding_is_zero():
    weight = nn.Embedding(4, 3, padding_idx=-1).weight.numpy()
    assert not weight[3].any() and weight[:3].all()


def test_as_model_zoos_write_it():
    layer = nn.Linear(2, 2, weight_attr=nn.ParamAttr(initializer=init.KaimingNormal))
    assert layer.weight.numpy().all()
    init.Constant(2.0)(layer.weight, layer.weight.block)
    assert layer.weight.tolist() == [[2.0, 2.0]] * 2


def test_forward_does_what_a_call_does():
    layer = paddle.nn.Linear(2, 2)
    assert paddle.nn.initializer.Constant(3.0).forward(layer.weight) is layer.weight
    assert layer.weight.tolist() == [[3.0, 3.0], [3.0, 3.0]]


@pytest.mark.parametrize(
    ("initializer", "first"),
    [  # of a parameter [2, 3] in PaddlePaddle 2.6.2
        (init.XavierInitializer(seed=5), 0.379166),
        (init.XavierInitializer(False, seed=5), -0.141759),
        (init.MSRAInitializer(seed=7), 0.881216),
        (init.MSRAInitializer(False, 4, 7), 0.617089),
        (init.NormalInitializer(1.0, 2.0, 3), -1.716697),
        (init.UniformInitializer(-1, 1, 3, 2, 3, 9.0), 0.117532),
        (init.TruncatedNormalInitializer(0.0, 1.0, 3), 0.141069),
        (init.ConstantInitializer(2.0), 2.0),
        (init.NumpyArrayInitializer(np.ones([2, 3], "float32")), 1.0),
    ],
)
def test_names_of_older_programs_with_seeds_of_their_own(initializer, first):
    paddle.seed(1)
    parameter = paddle.create_parameter([2, 3], "float32", default_initializer=initializer)
    assert parameter.numpy().flat[0] == pytest.approx(first, abs=1e-6)


def test_they_are_the_bases_of_those_of_today():
    assert issubclass(init.XavierUniform, init.XavierInitializer) and issubclass(init.KaimingNormal, init.MSRAInitializer)
    assert issubclass(init.Assign, init.NumpyArrayInitializer) and issubclass(init.Normal, init.NormalInitializer)
    assert issubclass(init.TruncatedNormal, init.TruncatedNormalInitializer)


def test_an_initializer_of_the_user_s_sets_the_numbers_itself():
    class Threes(nn.initializer.Initializer):
        def forward(self, var, block=None):
            var.set_value(paddle.full(var.shape, 3.0))
            return var

    class Plain:
        def __call__(self, var, block=None):
            return nn.initializer.Constant(2.0)(var)

    for initializer, number in ((Threes(), 3.0), (Plain(), 2.0), (lambda var, block: var.fill_(1.5), 1.5)):
        weight = nn.Linear(2, 3, weight_attr=paddle.ParamAttr(initializer=initializer)).weight
        assert weight.numpy().tolist() == [[number] * 3] * 2 and not weight.stop_gradient
    with pytest.raises(TypeError, match="initializer must be an Initializer or None, got 3"):
        paddle.ParamAttr(initializer=3)
