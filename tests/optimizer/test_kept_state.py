"""What was computed from an optimizer's state or a parameter keeps its numbers through later steps, and views follow."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle

OPTIMIZERS = {
    "SGD": lambda p: paddle.optimizer.SGD(0.1, parameters=p),
    "Momentum": lambda p: paddle.optimizer.Momentum(0.1, parameters=p),
    "Adam": lambda p: paddle.optimizer.Adam(0.1, parameters=p),
    "AdamW": lambda p: paddle.optimizer.AdamW(0.1, parameters=p),
    "lazy Adam": lambda p: paddle.optimizer.Adam(0.1, parameters=p, lazy_mode=True),
    "Adamax": lambda p: paddle.optimizer.Adamax(0.1, parameters=p),
    "Adagrad": lambda p: paddle.optimizer.Adagrad(0.1, parameters=p),
    "Adadelta": lambda p: paddle.optimizer.Adadelta(0.1, parameters=p),
    "RMSProp": lambda p: paddle.optimizer.RMSProp(0.1, parameters=p, momentum=0.9),
    "Lamb": lambda p: paddle.optimizer.Lamb(0.1, parameters=p),
}
COPIES = {
    "turned times one": lambda m: m.T * 1.0,
    "plus nothing": lambda m: m + 0,
    "contiguous": lambda m: m.t().contiguous(),
    "einsum": lambda m: paddle.einsum("ij->ji", m),
    "cast": lambda m: m.astype("float32"),
    "copy": lambda m: m.clone(),
    "assigned": paddle.assign,
    "a piece": lambda m: m[0].clone(),
    "split": lambda m: m.split(2, axis=1)[1],
    "chunk": lambda m: m.T.chunk(2)[0] * 1,
    "no dropout": lambda m: paddle.nn.functional.dropout(m.T, 0.0) * 1.0,
    "joined": lambda m: paddle.concat([m]),
    "tiled": lambda m: paddle.tile(m, [1, 1]),
    "expanded": lambda m: paddle.expand(m, m.shape) + 0.0,
    "summed": lambda m: m.unsqueeze(0).sum(0),
    "flat": lambda m: m.T.flatten(),
}
VIEWS = {
    "itself": lambda m: m,
    "detached": lambda m: m.detach(),
    "turned": lambda m: m.T,
    "row": lambda m: m[0],
    "flat": lambda m: m.flatten(),
}


def training(kind, size, static):
    """A step, and the tensors that it changes."""
    paddle.seed(3)
    net = paddle.nn.Linear(size, 4)
    x = paddle.ones([2, size])
    optimizer = OPTIMIZERS[kind](net.parameters())

    def step(x):
        net(x).square().mean().backward()
        optimizer.step()
        optimizer.clear_grad()

    step = paddle.jit.to_static(step, full_graph=True) if static else step
    step(x)
    state = [t for t in optimizer.state_dict().values() if isinstance(t, paddle.Tensor) and t.ndim == 2]
    return lambda: step(x), [net.weight, *state]


@pytest.mark.parametrize("size", [3, 2500])  # steps on small parameters are taken together
@pytest.mark.parametrize("kind", OPTIMIZERS)
@pytest.mark.parametrize("static", [False, True])
def test_copies_stay_and_views_follow(kind, size, static):
    step, owners = training(kind, size, static)
    held, views = [], []
    for round_ in range(3):
        for owner in owners:
            with paddle.no_grad():
                for make in (COPIES[name] for k, name in enumerate(COPIES) if k % 3 == round_):
                    made = [make(owner), paddle.jit.to_static(make)(owner)]
                    held += [(m, m.numpy()) for m in made]
                views += [(make(owner), make, owner) for make in (VIEWS.values() if not round_ else ())]
        before = [owner.numpy() for owner in owners]
        step()
        assert any((owner.numpy() != b).any() for owner, b in zip(owners, before, strict=True))
        for made, numbers in held:
            np.testing.assert_array_equal(made.numpy(), numbers)
        for view, make, owner in views:
            np.testing.assert_array_equal(view.numpy(), make(owner).numpy())
        if round_ == 1:
            del held[::2]


def test_an_operator_that_was_recorded_keeps_the_state_that_it_read():
    step, (_, moment, *_) = training("Adam", 3, False)
    w = paddle.ones([3, 4])
    w.stop_gradient = False
    loss = (w * moment).sum()
    numbers = moment.numpy()
    step()
    loss.backward()
    np.testing.assert_array_equal(w.grad.numpy(), numbers)


def test_tensors_of_the_state_dict_are_the_state():
    step, (_, moment, *_) = training("Adam", 3, False)
    _, (_, theirs, *_) = training("Adam", 3, False)
    numbers = theirs.numpy() * 3
    theirs.set_value(numbers)
    moment.set_value(theirs)  # a copy: the two optimizers have nothing in common
    step()
    np.testing.assert_array_equal(theirs.numpy(), numbers)
    np.testing.assert_allclose(moment.numpy(), numbers, rtol=0.5)
