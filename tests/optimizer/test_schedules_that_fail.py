"""A schedule that moves inside a static function moves with the weights: a run that fails or is interrupted has moved neither."""

import numpy as np
import pytest

import to_static as paddle


class Stopped(paddle.optimizer.lr.StepDecay):
    """Interrupted when it has moved, at one epoch."""

    at = None

    def step(self, epoch=None):
        super().step(epoch)
        if self.last_epoch == self.at:
            self.at = None
            raise KeyboardInterrupt


def parts(schedule):
    paddle.seed(0)
    layer = paddle.nn.Linear(2, 2)
    optimizer = paddle.optimizer.Momentum(schedule, parameters=layer.parameters())
    table = paddle.ones([3, 2])

    def step(x, i):
        loss = layer(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        schedule.step()
        return loss + table[i].sum()

    return step, layer, optimizer


def state(layer, optimizer, schedule):
    moments = [t.numpy() for t in optimizer.state_dict().values() if isinstance(t, paddle.Tensor)]
    return schedule.last_epoch, schedule.last_lr, layer.weight.numpy().tolist(), [m.tolist() for m in moments]


def test_a_run_that_fails_must_rerun_in_python():
    seen = []
    for static in (False, True):
        schedule = paddle.optimizer.lr.StepDecay(0.1, 1)
        step, layer, optimizer = parts(schedule)
        step = paddle.jit.to_static(step) if static else step
        rows = []
        for i in (0, 1, 2, 7, 1, 9, 0):  # 7 and 9 are no rows of the table
            try:
                step(paddle.ones([1, 2]), paddle.to_tensor([i]))
                error = None
            except IndexError as raised:
                error = type(raised)
            rows.append((error is None, *state(layer, optimizer, schedule)))
        seen.append(rows)
    for one, other in zip(*seen, strict=True):
        assert one[:3] == other[:3]
        np.testing.assert_allclose(one[3], other[3], rtol=1e-6)


def test_an_interrupted_run_has_moved_nothing():
    schedule = Stopped(0.1, 2)
    step, layer, optimizer = parts(schedule)
    step = paddle.jit.to_static(step, full_graph=True)
    x, i = paddle.ones([1, 2]), paddle.to_tensor([1])
    for _ in range(3):
        step(x, i)
    before = state(layer, optimizer, schedule)
    schedule.at = 4
    with pytest.raises(KeyboardInterrupt):
        step(x, i)
    assert state(layer, optimizer, schedule) == before
    schedule.at = None
    step(x, i)
    assert schedule.last_epoch == 4
