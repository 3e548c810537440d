"""Models that are pruned, and stay so through training: dynamic, static and in Programs."""

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import ArgumentError, ArgumentTypeError
from to_static.incubate import asp


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv = paddle.nn.Conv2D(4, 8, 3)
        self.linear = paddle.nn.Linear(8, 6)
        self.norm = paddle.nn.LayerNorm(6)

    def forward(self, x):
        return self.norm(self.linear(self.conv(x).mean([2, 3])))


@pytest.fixture(autouse=True)
def nothing_excluded():
    yield
    asp.reset_excluded_layers()


def data():
    return paddle.to_tensor(np.random.RandomState(0).randn(2, 4, 5, 5).astype("float32"))


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("kind", ["SGD", "Adam"])
@pytest.mark.parametrize("algorithm", ["mask_1d", "mask_2d_greedy", "mask_2d_best"])
def test_training_is_that_of_weights_multiplied_by_masks(static, kind, algorithm):
    paddle.seed(0)
    nets = [Net(), Net()]
    nets[1].set_state_dict(nets[0].state_dict())
    optimizers = [getattr(paddle.optimizer, kind)(0.1, parameters=net.parameters()) for net in nets]
    sparse = asp.decorate(optimizers[0])
    masks = asp.prune_model(nets[0], mask_algo=algorithm)
    assert set(masks) == {nets[0].conv.weight.name, nets[0].linear.weight.name}
    pairs = [
        (p, masks[q.name]) for p, q in zip(nets[1].parameters(), nets[0].parameters(), strict=True) if q.name in masks
    ]

    def step(net, optimizer, x):
        loss = (net(x) ** 2 * paddle.arange(6).astype("float32")).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    one = paddle.jit.to_static(lambda x: step(nets[0], sparse, x)) if static else lambda x: step(nets[0], sparse, x)
    x = data()
    for p, mask in pairs:
        p.set_value(p.numpy() * mask)
    for _ in range(4):
        np.testing.assert_allclose(one(x).numpy(), step(nets[1], optimizers[1], x).numpy(), rtol=1e-5)
        for p, mask in pairs:
            p.set_value(p.numpy() * mask)
    for weight in (nets[0].conv.weight, nets[0].linear.weight):
        assert 0.4 < asp.calculate_density(weight.numpy()) <= 0.5
    np.testing.assert_allclose(nets[0].linear.weight.numpy(), nets[1].linear.weight.numpy(), rtol=1e-4)


def test_a_program_keeps_to_the_masks():
    paddle.enable_static()
    try:
        main, startup = paddle.static.Program(), paddle.static.Program()
        with paddle.static.program_guard(main, startup):
            loss = (paddle.static.nn.fc(paddle.static.data("x", [None, 8]), 4) ** 2).mean()
            optimizer = asp.decorate(paddle.optimizer.SGD(0.1))
            optimizer.minimize(loss, startup)
        executor = paddle.static.Executor()
        executor.run(startup)
        (name,) = asp.prune_model(main)
        before = np.array(paddle.static.global_scope().find_var(name).get_tensor())
        for _ in range(2):
            executor.run(main, feed={"x": np.ones((2, 8), "float32")}, fetch_list=[loss])
        after = np.array(paddle.static.global_scope().find_var(name).get_tensor())
        assert (before != after).any() and ((before == 0) == (after == 0)).all() and asp.calculate_density(after) == 0.5
    finally:
        paddle.disable_static()


def test_which_layers_are_pruned():
    net = paddle.nn.Sequential(
        paddle.nn.Linear(8, 4), paddle.nn.Linear(8, 4), paddle.nn.Linear(2, 4), paddle.nn.Embedding(8, 8)
    )
    asp.set_excluded_layers([net[1].weight.name])
    with pytest.warns(UserWarning, match=r"first dimension of \[2, 4\] is smaller than 4"):
        masks = asp.prune_model(net, with_mask=False)
    assert list(masks) == [net[0].weight.name, net[2].weight.name]
    assert asp.calculate_density(net[1].weight.numpy()) == asp.calculate_density(net[2].weight.numpy()) == 1
    asp.reset_excluded_layers()
    asp.add_supported_layer(net[3].weight.name, lambda weight, m, n, algorithm, name: (weight * 0, weight * 0))
    with pytest.warns(UserWarning, match="is not pruned"):
        asp.prune_model(net, with_mask=False)
    assert asp.calculate_density(net[1].weight.numpy()) == 0.5
    assert not net[3].weight.numpy().any()


def test_masks_are_saved_with_the_optimizer():
    net = paddle.nn.Linear(8, 4)
    optimizer = asp.decorate(paddle.optimizer.Adam(0.1, parameters=net.parameters()))
    asp.prune_model(net)
    net(paddle.ones([1, 8])).sum().backward()
    optimizer.step()
    state = optimizer.state_dict()
    key = f"{net.weight.name}.asp_mask"
    kept = state[key].numpy()
    state[key].set_value(np.ones((8, 4)))
    optimizer.set_state_dict({**state, key: kept})
    np.testing.assert_array_equal(optimizer.state_dict()[key].numpy(), kept)
    with pytest.raises(ArgumentError, match=r"no mask .*asp_mask"):
        optimizer.set_state_dict({})


def test_what_is_refused():
    net = paddle.nn.Linear(8, 4)
    with pytest.raises(ArgumentError, match=r"has no mask; call asp.decorate"):
        asp.prune_model(net)
    with pytest.raises(ArgumentError, match="mask_algo must be one of"):
        asp.prune_model(net, mask_algo="mask_3d")
    with pytest.raises(ArgumentTypeError, match="a Layer or a Program, got int"):
        asp.prune_model(3)
    with pytest.raises(ArgumentTypeError, match="got int"):
        asp.add_supported_layer(3)
