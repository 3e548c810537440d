"""Steps along gradients that have some rows of a table only: dynamic, with a static network, and as one static step."""

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.selected_rows.tensor import SelectedRows

IDS = [[1, 2, 2], [1, 4, 4], [0, 1, 2], [5, 2, 2]]
WEIGHTS = np.random.default_rng(0).normal(size=(3, 4)).astype("float32")
LAZY = {"lazy_mode": True}
KINDS = {
    "SGD": {}, "SGD, decay": {"weight_decay": 0.1}, "Momentum": {},
    "Adam": {}, "Adam, lazy": LAZY, "AdamW": {}, "AdamW, lazy": LAZY,
    "Adam, lazy, norm": {**LAZY, "grad_clip": nn.ClipGradByGlobalNorm(0.5)},
    "Adam, lazy, each": {**LAZY, "grad_clip": nn.ClipGradByNorm(0.5)},
    "Adam, lazy, value": {**LAZY, "grad_clip": nn.ClipGradByValue(0.3)}, "Adagrad": {}, "Adamax": {}, "RMSProp": {}, "Lamb": {},
    "SGD, norm": {"grad_clip": nn.ClipGradByGlobalNorm(0.5)}, "SGD, from below": {"grad_clip": nn.ClipGradByValue(0.5, 0.1)},
}  # fmt: skip
PADDLE = {  # 2.6.2, dense, where rows that a step did not look up move, too
    "Adam": [
        [-0.06388092, 0.03611908, 0.13611908], [0.00581968, 0.10581968, 0.20283398], [0.35445204, 0.4580852, 0.56364286],
        [0.9, 1.0, 1.1], [1.068065, 1.168065, 1.268065], [1.5, 1.6, 1.7],
    ],
}  # fmt: skip


class Net(nn.Layer):
    def __init__(self, sparse, padding_idx=None):
        super().__init__()
        self.table = nn.Embedding(6, 4, sparse=sparse, padding_idx=padding_idx)
        self.head = nn.Linear(4, 2)

    def forward(self, ids):
        return self.head(self.table(ids) * paddle.to_tensor(WEIGHTS))


def _trained(way, kind, sparse=True, padding_idx=None, once=2):
    paddle.seed(3)
    net = Net(sparse, padding_idx)
    optimizer = getattr(paddle.optimizer, kind.partition(",")[0])(0.1, parameters=net.parameters(), **KINDS[kind])
    called = paddle.jit.to_static(net) if way == "static network" else net

    def step(ids):
        called(ids).square().mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    run = paddle.jit.to_static(step, full_graph=True) if way == "static step" else step
    for ids in IDS:
        run(paddle.to_tensor(ids))
    state = {name.partition("_w_0_")[2]: t for name, t in optimizer.state_dict().items() if "embedding" in name}
    return [net.table.weight.numpy(), net.head.weight.numpy(), *(state[k].numpy() for k in sorted(state))]


@pytest.mark.parametrize("kind", [k for k in KINDS if "lazy" not in k])
def test_as_with_dense_gradients(kind):
    for found, wanted in zip(_trained("dynamic", kind), _trained("dynamic", kind, sparse=False), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("padding_idx", [None, 2])
@pytest.mark.parametrize("way", ["static network", "static step"])
@pytest.mark.parametrize("kind", KINDS)
def test_static_as_dynamic(kind, way, padding_idx):
    wanted = _trained("dynamic", kind, padding_idx=padding_idx)
    for found, other in zip(_trained(way, kind, padding_idx=padding_idx), wanted, strict=True):
        np.testing.assert_allclose(found, other, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["Adam, lazy", "AdamW, lazy", "Adam, lazy, norm"])
def test_lazy_steps_leave_other_rows_and_their_means_alone(kind):
    net = nn.Embedding(6, 4, sparse=True)
    first = net.weight.numpy()
    optimizer = getattr(paddle.optimizer, kind.partition(",")[0])(0.1, parameters=net.parameters(), **KINDS[kind])
    seen = [first]
    for ids in ([1, 2, 2], [1, 4, 4], [0, 1, 1]):
        (net(paddle.to_tensor(ids)) * paddle.to_tensor(WEIGHTS)).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
        seen.append(net.weight.numpy())
        moved = (seen[-1] != seen[-2]).any(1)
        assert set(np.flatnonzero(moved)) == set(ids)
    means = optimizer.state_dict()[f"{net.weight.name}_moment1_0"].numpy()
    assert set(np.flatnonzero(means.any(1))) == {0, 1, 2, 4}


def test_lazy_steps_of_rows_that_every_step_looks_up_are_adam_s():
    def trained(**more):
        paddle.seed(3)
        net = nn.Embedding(6, 4, sparse=True)
        optimizer = paddle.optimizer.Adam(0.1, parameters=net.parameters(), **more)
        for i in range(4):
            (net(paddle.to_tensor([5, 1, 1])) * paddle.to_tensor(WEIGHTS * i - 1)).sum().backward()
            optimizer.step()
            optimizer.clear_grad()
        return net.weight.numpy()

    np.testing.assert_array_equal(trained(), trained(lazy_mode=True))


def test_lazy_mode_is_for_tables_of_sparse_lookups():
    """Of other parameters each row moves by its means, as in Paddle, also where the gradient is zero."""
    net = nn.Linear(3, 2)
    optimizer = paddle.optimizer.Adam(0.1, parameters=net.parameters(), lazy_mode=True)
    for x in ([1.0, 1.0, 1.0], [1.0, 0.0, 1.0]):
        before = net.weight.numpy()
        net(paddle.to_tensor([x])).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    assert (net.weight.numpy()[1] != before[1]).all()


def test_three_dense_steps_equal_paddle_s():
    net = nn.Embedding(6, 3, sparse=True)
    net.weight.set_value(np.arange(18).reshape(6, 3).astype("float32") / 10)
    optimizer = paddle.optimizer.Adam(0.1, parameters=net.parameters())
    weights = paddle.to_tensor([[1.0, 2.0, 3.0], [0.5, 1, 2], [1, 1, 1]])
    for ids in ([1, 2, 2], [1, 4, 4], [0, 1, 2]):
        (net(paddle.to_tensor(ids)) * weights).sum().backward()
        optimizer.step()
        optimizer.clear_grad()
    np.testing.assert_allclose(net.weight.numpy(), PADDLE["Adam"], rtol=1e-6)


@pytest.mark.parametrize("kind", ["SGD", "Adam, lazy"])
@pytest.mark.parametrize("way", ["dynamic", "static step"])
def test_a_step_writes_into_a_table_that_nobody_else_has(kind, way):
    net = nn.Embedding(6, 4, sparse=True)
    optimizer = getattr(paddle.optimizer, kind.partition(",")[0])(0.1, parameters=net.parameters(), **KINDS[kind])

    def step(ids):
        net(ids).square().sum().backward()
        optimizer.step()
        optimizer.clear_grad()

    run = paddle.jit.to_static(step, full_graph=True) if way == "static step" else step
    ids = paddle.to_tensor([1, 2, 2])
    part = net.weight._array[1:3]  # of the first weights, which are a part of their memory themselves
    assert net.weight._array.base is not None
    before = part.copy()
    run(ids)
    np.testing.assert_array_equal(part, before)
    address, shown = net.weight.data_ptr(), net.weight.numpy()
    run(ids)
    assert net.weight.data_ptr() == address and (net.weight.numpy()[1] != shown[1]).all()
    kept = net.weight._array  # somebody has it: it stays as it is
    before = kept.copy()
    run(ids)
    np.testing.assert_array_equal(kept, before)
    assert (net.weight.numpy()[1] != before[1]).all() and net.weight.data_ptr() != address
    part = net.weight._array[1:3].reshape(-1)  # a part of it
    before = part.copy()
    run(ids)
    np.testing.assert_array_equal(part, before)
    view = net.weight.detach()  # in its memory, as in Paddle
    run(ids)
    np.testing.assert_array_equal(view.numpy(), net.weight.numpy())


@pytest.mark.parametrize("kind", ["SGD", "Adam, lazy"])
@pytest.mark.parametrize("way", ["dynamic", "static step"])
def test_a_graph_that_was_recorded_before_keeps_its_numbers(kind, way):
    net = nn.Embedding(6, 4, sparse=True)
    optimizer = getattr(paddle.optimizer, kind.partition(",")[0])(0.1, parameters=net.parameters(), **KINDS[kind])
    x = paddle.ones([1, 4])
    x.stop_gradient = False

    def step(ids):
        net(ids).square().sum().backward()
        optimizer.step()
        optimizer.clear_grad()

    run = paddle.jit.to_static(step, full_graph=True) if way == "static step" else step
    run(paddle.to_tensor([1, 2]))
    scores, wanted = paddle.matmul(x, net.weight, transpose_y=True), net.weight.numpy().sum(0)
    run(paddle.to_tensor([1, 2]))
    [found] = paddle.grad(scores.sum(), x)
    np.testing.assert_allclose(found.numpy()[0], wanted, rtol=1e-5)


def test_a_program_may_read_the_old_table_after_the_step():
    net = nn.Embedding(6, 4, sparse=True)
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())

    @paddle.jit.to_static(full_graph=True)
    def step(ids, x):
        scores = paddle.matmul(x, net.weight, transpose_y=True)
        net(ids).square().sum().backward()
        optimizer.step()
        optimizer.clear_grad()
        return paddle.grad(scores.sum(), x)[0]

    x = paddle.ones([1, 4])
    x.stop_gradient = False
    for _ in range(3):
        wanted = net.weight.numpy().sum(0)
        np.testing.assert_allclose(step(paddle.to_tensor([1, 2]), x).numpy()[0], wanted, rtol=1e-5)


@pytest.mark.parametrize("way", ["dynamic", "static step"])
def test_what_a_program_computed_from_a_table_is_computed_again(way):
    """Plans keep what depends on weights alone (here a product) as long as these are the same arrays."""
    table = nn.Embedding(6, 4, sparse=True)
    square = paddle.jit.to_static(lambda x: x + paddle.matmul(table.weight, table.weight, True))
    optimizer = paddle.optimizer.SGD(0.1, parameters=table.parameters())

    def step(ids):
        table(ids).square().sum().backward()
        optimizer.step()
        optimizer.clear_grad()

    run = paddle.jit.to_static(step, full_graph=True) if way == "static step" else step
    for _ in range(4):
        run(paddle.to_tensor([1, 2]))
        with paddle.no_grad():
            for _ in range(2):
                found = square(paddle.zeros([4, 4]))
        weight = table.weight.numpy()
        np.testing.assert_allclose(found.numpy(), weight.T @ weight, rtol=1e-5)


def test_no_dense_gradient_is_made(monkeypatch):
    net = nn.Embedding(6, 4, sparse=True)
    optimizer = paddle.optimizer.Adam(parameters=net.parameters(), lazy_mode=True, grad_clip=nn.ClipGradByGlobalNorm(0.1))
    net(paddle.to_tensor([1, 2])).sum().backward()
    grad = net.weight.grad
    assert type(grad) is SelectedRows
    optimizer.step()
    assert grad._dense is None


def test_programs_built_by_hand():
    def trained(static):
        paddle.seed(5)
        weight = paddle.ParamAttr(initializer=nn.initializer.Assign(np.arange(24).reshape(6, 4).astype("float32") / 10))
        if not static:
            net = nn.Embedding(6, 4, sparse=True, weight_attr=weight)
            optimizer = paddle.optimizer.Adam(0.1, parameters=net.parameters(), lazy_mode=True)
            for ids in IDS:
                (net(paddle.to_tensor(ids)) * paddle.to_tensor(WEIGHTS)).sum().backward()
                optimizer.step()
                optimizer.clear_grad()
            return net.weight.numpy()
        main, startup = paddle.static.Program(), paddle.static.Program()
        paddle.enable_static()
        try:
            with paddle.static.program_guard(main, startup):
                ids = paddle.static.data("ids", [3], "int64")
                found = paddle.static.nn.embedding(ids, [6, 4], is_sparse=True, param_attr=weight)
                loss = (found * paddle.assign(WEIGHTS)).sum()
                paddle.optimizer.Adam(0.1, lazy_mode=True).minimize(loss)
            executor = paddle.static.Executor()
            executor.run(startup)
            for numbers in IDS:
                executor.run(main, feed={"ids": np.asarray(numbers)}, fetch_list=[loss])
            return main.all_parameters()[0].numpy()
        finally:
            paddle.disable_static()

    np.testing.assert_allclose(trained(True), trained(False), rtol=1e-5)


@pytest.mark.parametrize("kind", ["SGD", "Adam, lazy"])
def test_a_program_built_by_hand_writes_into_its_table(kind):
    main = paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(main):
            table = nn.Embedding(6, 4, sparse=True)
            ids = [paddle.static.data(name, [None, 1], "int64") for name in "abc"]
            loss = paddle.concat([table(i) for i in ids], 1).square().sum()
            getattr(paddle.optimizer, kind.partition(",")[0])(0.1, **KINDS[kind]).minimize(loss)
        executor = paddle.static.Executor()
        addresses = []
        for size in (2, 2, 2, 3):
            before = table.weight.numpy()
            feed = {name: np.full([size, 1], k) for k, name in enumerate("abc")}
            executor.run(main, feed=feed, fetch_list=[loss])
            addresses.append(table.weight.data_ptr())
            np.testing.assert_array_equal((table.weight.numpy() != before).any(1), [True] * 3 + [False] * 3)
        assert len(set(addresses)) == 1
    finally:
        paddle.disable_static()
