"""A whole training step in one static function: the numbers, parameters and gradients are those of dynamic mode."""

from unittest import mock

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.compiler.frontend.function import bailout
from to_static.core.errors import AutogradError, ToStaticError, TranslationError
from to_static.nn import functional as F


def both(make, calls=6, sizes=None, programs=1):
    """Run a step dynamically and statically on the same batches and compare all that it leaves behind.

    No run of the Program may fail: Python would do it over, and nobody would see.
    """
    seen, functions = [], []
    for static in (False, True):
        paddle.seed(3)
        nets, step, after = make()
        function = paddle.jit.to_static(step, full_graph=True) if static else step
        random, results = np.random.RandomState(0), []
        for i in range(calls):
            n = 4 if sizes is None else sizes[i]
            x = paddle.to_tensor(random.randn(n, 8).astype("float32"))
            y = paddle.to_tensor(random.randint(0, 3, (n,)))
            with mock.patch.object(bailout, "must_rerun_in_python", lambda error: False):
                result = function(x, y)
            results += [np.asarray(t) for t in (result if isinstance(result, tuple) else (result,))]
            if after is not None:
                after(i)
        results += [t.numpy() for net in nets for t in net.state_dict().values()]
        seen.append((results, [p.grad for net in nets for p in net.parameters()]))
        functions.append(function)
    (dynamic, before), (static, after) = seen
    for a, b in zip(dynamic, static, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-7)
    for a, b in zip(before, after, strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)
    assert len(functions[1].program_cache) == programs


def mlp():
    # no bias before the norm: its gradient is zero, so what comes of it is the rounding of sums, which an optimizer may enlarge
    return nn.Sequential(nn.Linear(8, 16, bias_attr=False), nn.BatchNorm1D(16), nn.ReLU(), nn.Linear(16, 3))


def usual(net, opt):
    """The step that most programs take."""

    def step(x, y):
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    return step


OPTIMIZERS = {
    "SGD": {},
    "Momentum": {"weight_decay": 1e-3, "grad_clip": nn.ClipGradByGlobalNorm(0.5), "use_nesterov": True},
    "Adam": {"grad_clip": nn.ClipGradByValue(0.01)},
    "AdamW": {"grad_clip": nn.ClipGradByNorm(1.0)},
    "Adamax": {},
    "Lamb": {},
    "RMSProp": {"centered": True, "momentum": 0.5},
    "Adagrad": {},
    "Adadelta": {},
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_every_optimizer_with_a_schedule(name):
    def make():
        net = mlp()
        rate = paddle.optimizer.lr.StepDecay(0.1, 2, 0.5)
        opt = getattr(paddle.optimizer, name)(learning_rate=rate, parameters=net.parameters(), **OPTIMIZERS[name])

        return [net], usual(net, opt), lambda i: rate.step()

    both(make)


class Own(paddle.optimizer.lr.LRScheduler):
    """A schedule of the user's, with a state of its own."""

    turns = 0

    def get_lr(self):
        self.turns += 1
        return self.base_lr / (1 + self.turns)

    def step(self, epoch=None):
        super().step(epoch)
        self.turns += 1


SCHEDULES = {
    "cosine": lambda lr: lr.CosineAnnealingDecay(0.1, 4),
    "warm restarts": lambda lr: lr.CosineAnnealingWarmRestarts(0.1, 2, 2),
    "warm up": lambda lr: lr.LinearWarmup(lr.StepDecay(0.1, 1), 2, 0.01, 0.1),
    "one cycle": lambda lr: lr.OneCycleLR(0.1, 8),
    "own": lambda lr: Own(0.1),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_that_the_step_moves(name):
    def make():
        net = mlp()
        schedule = SCHEDULES[name](paddle.optimizer.lr)
        opt = paddle.optimizer.Momentum(schedule, parameters=net.parameters())

        def step(x, y):
            before = opt.get_lr()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            opt.clear_grad()
            schedule.step()
            return loss, before, opt.get_lr(), schedule(), schedule.last_lr * 2, schedule.last_epoch

        return [net], step, None

    both(make)


def test_a_schedule_that_goes_by_the_loss_and_a_rate_that_the_step_sets():
    def make():
        net, other = mlp(), mlp()
        schedule = paddle.optimizer.lr.ReduceOnPlateau(0.1, factor=0.5, patience=0)
        opt = paddle.optimizer.SGD(schedule, parameters=net.parameters())
        fixed = paddle.optimizer.SGD(0.1, parameters=other.parameters())

        def step(x, y):
            fixed.set_lr(fixed.get_lr() * 0.5)
            loss = F.cross_entropy(net(x), y)
            both = loss + F.cross_entropy(other(x), y)
            both.backward()
            schedule.step(loss)
            if loss > 1:  # goes by what the schedule has just set
                opt.step()
                schedule.step(loss + 1)
            fixed.step()
            opt.clear_grad()
            fixed.clear_grad()
            return loss, opt.get_lr(), fixed.get_lr()

        return [net, other], step, None

    both(make)


def test_a_rate_that_moves_between_calls_is_never_built_in():
    schedule = paddle.optimizer.lr.StepDecay(0.5, 1)
    optimizer = paddle.optimizer.SGD(0.5, parameters=nn.Linear(2, 2).parameters())
    read = paddle.jit.to_static(lambda x: (x * schedule.last_lr, x * schedule(), optimizer.get_lr()), full_graph=True)
    for i in range(3):
        rate = 0.5 * 0.1**i
        a, b, c = read(paddle.ones([1]))
        assert float(a) == float(b) == pytest.approx(rate)
        assert type(c) is float and c == optimizer.get_lr()
        schedule.step()
        optimizer.set_lr(c / 3)
    assert len(read.program_cache) == 1


def test_hooks_of_gradients():
    def make():
        net = mlp()
        net[0].weight.register_hook(lambda g: g * 0.5)
        net[3].bias.register_hook(lambda g: None)
        opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())

        def step(x, y):
            out = net(x)
            out.register_hook(lambda g: g * out)
            loss = F.cross_entropy(out, y)
            loss.backward()
            opt.step()
            opt.clear_grad()
            return loss

        return [net], step, lambda i: net[3].weight.register_hook(lambda g: g * 2) if i == 2 else None

    both(make, programs=2)  # nobody clears the gradients of the batch norm


@pytest.mark.parametrize(
    "hooked",
    [
        lambda x, seen: x.register_hook(lambda g: g * 2),
        lambda x, seen: [y := x * 2, z := y * 3, y.register_hook(lambda g: g * 2)] and y * z,
        lambda x, seen: (x * 2).register_hook(lambda g: seen.append(g)),
        lambda x, seen: (x * 2).register_hook(lambda g: g * 2).remove(),
    ],
    ids=["of an argument", "of what was used", "that writes", "taken back"],
)
def test_hooks_that_no_program_has(hooked):
    seen = []

    @paddle.jit.to_static(full_graph=True)
    def function(x):
        hooked(x, seen)
        return x * 2

    with pytest.raises(ToStaticError, match=r"register_hook\(\)"):
        function(paddle.to_tensor([1.0], stop_gradient=False))
    assert not seen


def test_gradients_cleared_first_and_left_behind():
    def make():
        net = mlp()
        opt = paddle.optimizer.Adam(0.01, parameters=net.parameters())

        def step(x, y):
            opt.clear_grad()
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            return loss

        return [net], step, None

    both(make)


def test_gradients_added_to_those_of_earlier_calls():
    def make():
        net = mlp()
        opt = paddle.optimizer.Adam(0.01, parameters=net.parameters())

        def step(x, y):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            return loss

        def after(i):
            if i % 3 == 2:
                opt.step()
                opt.clear_grad()

        return [net], step, after

    both(make, 8, programs=2)  # with gradients that are there, and without


def test_several_backwards_and_steps_in_one_call():
    def make():
        net = mlp()
        opt = paddle.optimizer.Momentum(0.01, parameters=net.parameters())

        def step(x, y):
            losses = []
            for _ in range(2):
                for i in range(2):
                    part = slice(2 * i, 2 * i + 2)
                    loss = F.cross_entropy(net(x[part]), y[part]) / 2
                    loss.backward()
                opt.step()
                opt.clear_grad(set_to_zero=False)
                losses.append(loss)
            return losses[0], losses[1]

        return [net], step, None

    both(make)


def test_two_networks_and_optimizers():
    def make():
        maker = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8))
        judge = nn.Sequential(nn.Linear(8, 8), nn.LeakyReLU(), nn.Linear(8, 1))
        of_maker = paddle.optimizer.Adam(0.01, parameters=maker.parameters())
        of_judge = paddle.optimizer.Adam(0.01, parameters=judge.parameters())
        ones, zeros = paddle.ones([4, 1]), paddle.zeros([4, 1])
        measure = F.binary_cross_entropy_with_logits

        def step(x, y):
            fake = maker(x[:, :4])
            judged = measure(judge(x), ones) + measure(judge(fake.detach()), zeros)
            of_judge.clear_grad()
            judged.backward()
            of_judge.step()
            fooled = measure(judge(fake), ones)
            of_maker.clear_grad()
            fooled.backward()
            of_maker.step()
            return judged, fooled

        return [maker, judge], step, None

    both(make)


def test_gradients_read_and_clipped_and_unused_parameters():
    def make():
        net, unused = mlp(), nn.Linear(2, 2)
        opt = paddle.optimizer.AdamW(0.01, parameters=net.parameters() + unused.parameters())

        def step(x, y):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            squares = sum([(p.grad**2).sum() for p in net.parameters() if p.grad is not None])
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
            opt.clear_grad()
            return loss, squares

        return [net, unused], step, None

    both(make)


def test_batches_of_all_sizes():
    def make():
        net = mlp()
        rate = paddle.optimizer.lr.CosineAnnealingDecay(0.1, 5)
        opt = paddle.optimizer.Momentum(rate, parameters=net.parameters(), weight_decay=0.01)

        return [net], usual(net, opt), lambda i: rate.step()

    both(make, 8, sizes=[4, 5, 6, 7, 8, 4, 3, 9], programs=3)


def test_groups_and_a_rate_that_is_set():
    def make():
        net = mlp()
        groups = [
            {"params": net[0].parameters(), "learning_rate": 0.1},
            {"params": net[3].parameters(), "weight_decay": 0.1},
        ]
        opt = paddle.optimizer.Adam(0.1, parameters=groups)

        return [net], usual(net, opt), lambda i: opt.set_lr(0.1 / (i + 1))

    both(make, programs=2)  # nobody clears the gradients of the batch norm


def test_gradients_of_leaves_that_the_function_makes():
    def make():
        net = mlp()
        opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())

        def step(x, y):
            x = x.detach()
            x.stop_gradient = False
            hidden = net[0](x)
            hidden.retain_grads()
            F.cross_entropy(net[3](hidden), y).backward()
            worse = (x + 0.1 * x.grad.sign()).detach()
            opt.clear_grad()
            loss = F.cross_entropy(net(worse), y)
            loss.backward()
            opt.step()
            opt.clear_grad()
            return loss, worse, hidden.grad

        return [net], step, None

    both(make)


def test_parameters_frozen_between_calls():
    def make():
        net = mlp()
        opt = paddle.optimizer.SGD(0.1, parameters=net.parameters(), weight_decay=0.01)

        def after(i):
            net[0].weight.stop_gradient = i % 2 == 0

        return [net], usual(net, opt), after

    both(make, programs=2)


def test_settings_that_change_between_calls():
    def make():
        net = mlp()
        opt = paddle.optimizer.Momentum(0.1, parameters=net.parameters())

        def after(i):
            if i == 1:
                opt._groups[0]["grad_clip"] = nn.ClipGradByGlobalNorm(0.01)
            if i == 2:
                net[0].weight.optimize_attr["learning_rate"] = 0.0
            if i == 3:
                opt._learning_rate = 0.01

        return [net], usual(net, opt), after

    both(make, programs=3)


def test_averages_of_parameters_and_dropout():
    def make():
        net, mean = (nn.Sequential(nn.Linear(8, 16), nn.Dropout(0.3), nn.ReLU(), nn.Linear(16, 3)) for _ in range(2))
        opt = paddle.optimizer.Adam(0.01, parameters=net.parameters())

        def step(x, y):
            logits = net(x)
            loss = F.cross_entropy(logits, y)
            loss.backward()
            opt.step()
            opt.clear_grad()
            with paddle.no_grad():
                for p, q in zip(net.parameters(), mean.parameters(), strict=True):
                    q.set_value(0.9 * q + 0.1 * p)
            return loss, (logits.argmax(1) == y).astype("float32").mean()

        return [net, mean], step, None

    both(make)


def test_a_penalty_on_gradients():
    def make():
        net = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
        opt = paddle.optimizer.Adam(0.01, parameters=net.parameters())

        def step(x, y):
            x = x.detach()
            x.stop_gradient = False
            out = net(x).sum()
            (g,) = paddle.grad(out, x, create_graph=True)
            loss = ((g.norm(2, axis=1) - 1) ** 2).mean() + out * 0.01
            loss.backward()
            opt.step()
            opt.clear_grad()
            return loss

        return [net], step, None

    both(make)


def test_a_state_that_is_loaded_between_calls():
    def make():
        net, saved = mlp(), {}
        opt = paddle.optimizer.Adam(0.01, parameters=net.parameters())

        def after(i):
            if i == 1:
                saved["opt"] = {name: t.numpy() for name, t in opt.state_dict().items()}
                saved["net"] = {name: t.numpy() for name, t in net.state_dict().items()}
            if i == 3:
                opt.set_state_dict(saved["opt"])
                net.set_state_dict(saved["net"])

        return [net], usual(net, opt), after

    both(make)


def test_a_method_that_minimizes():
    def make():
        class Trainer:
            def __init__(self):
                self.net = mlp()
                self.opt = paddle.optimizer.Adagrad(0.1, parameters=self.net.parameters())

            def step(self, x, y):
                loss = F.cross_entropy(self.net(x), y)
                loss.backward()
                self.opt.minimize(loss)
                self.net.clear_gradients()
                return loss

        trainer = Trainer()
        return [trainer.net], trainer.step, None

    both(make)


def test_an_update_that_a_tensor_decides():
    def make():
        net = mlp()
        opt = paddle.optimizer.Adam(0.1, parameters=net.parameters())

        def step(x, y):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            if loss > 1.0:
                opt.step()
            opt.clear_grad()
            return loss

        return [net], step, None

    both(make)


def test_parameters_that_get_a_gradient_on_some_ways_only():
    seen = []
    for static in (False, True):
        paddle.seed(0)
        first, often = nn.Linear(2, 2), nn.Linear(2, 2)
        opt = paddle.optimizer.Momentum(0.1, parameters=first.parameters() + often.parameters())

        def step(x, n, first=first, often=often, opt=opt):
            y = first(x)
            for _ in range(n):
                y = often(y)
            loss = y.sum()
            loss.backward()
            opt.step()
            opt.clear_grad(set_to_zero=False)
            return loss

        run = paddle.jit.to_static(step, full_graph=True) if static else step
        losses = [run(paddle.ones([1, 2]), paddle.to_tensor(n)).item() for n in (2, 0, 1, 3, 0)]
        seen.append([*losses, *often.weight.numpy().ravel()])  # whose velocity moves it only where it has a gradient
    np.testing.assert_allclose(*seen, rtol=1e-6)


def test_gradients_of_arguments():
    @paddle.jit.to_static(full_graph=True)
    def f(x):
        loss = (x * x).sum()
        loss.backward()
        return loss

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    f(x)
    assert x.grad.tolist() == [2.0, 4.0]
    with pytest.raises(AutogradError, match="has one already"):
        f(x)
    x.clear_grad()
    assert not f(x).stop_gradient


def test_gradients_of_arguments_that_python_adds(graph_breaks):
    @paddle.jit.to_static
    def f(x):
        loss = (x * x).sum()
        loss.backward()
        return loss

    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    f(x)
    with pytest.warns(UserWarning, match="has one already"):
        f(x)
    assert x.grad.tolist() == [4.0, 8.0]


@pytest.fixture
def weight():
    made = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    made.persistable = True
    return made


def test_the_graph_is_freed(weight):
    def once(x):
        loss = (weight * x).sum()
        loss.backward()
        return loss

    def twice(x):
        loss = once(x)
        (loss * 2).backward()

    x = paddle.ones([2])
    for function in (twice, paddle.jit.to_static(twice, full_graph=True)):
        with pytest.raises(AutogradError, match="freed by an earlier backward"):
            function(x)
    loss = paddle.jit.to_static(once, full_graph=True)(x)
    with pytest.raises(AutogradError, match="freed by an earlier backward"):
        loss.backward()

    @paddle.jit.to_static(full_graph=True)
    def kept(x):
        loss = (weight * x).sum()
        loss.backward(retain_graph=True)
        loss.backward()
        return loss

    weight.clear_grad()
    kept(x)
    assert weight.grad.tolist() == [2.0, 2.0]


def test_what_no_program_does(weight):
    @paddle.jit.to_static(full_graph=True)
    def inside(x):
        y = (x * weight).sum()
        if y > 0:
            y.backward()

    with pytest.raises(TranslationError, match="under a tensor condition"):
        inside(paddle.ones([2]))


def test_without_gradients_nothing_happens(weight):
    @paddle.jit.to_static(full_graph=True)
    def f(x):
        loss = (x * weight).sum()
        paddle.autograd.backward([x.sum(), loss])  # the first of them never has any
        return loss

    with pytest.warns(UserWarning, match="stop_gradient=True, so nothing is differentiated") as seen:
        f(paddle.ones([2]))
    assert len(seen) == 1
    first = weight.grad.numpy()
    with paddle.no_grad(), pytest.warns(UserWarning, match="stop_gradient=True") as seen:
        f(paddle.ones([2]))
    assert len(seen) == 2 and weight.grad.numpy().tolist() == first.tolist()


def test_a_step_is_not_saved(tmp_path):
    net = mlp()
    opt = paddle.optimizer.SGD(0.1, parameters=net.parameters())

    step = paddle.jit.to_static(usual(net, opt))
    spec = [paddle.static.InputSpec([None, 8]), paddle.static.InputSpec([None], "int64")]
    with pytest.raises(TranslationError, match="is a training step"):
        paddle.jit.save(step, str(tmp_path / "step"), input_spec=spec)


def test_state_is_written_over_and_parameters_are_not():
    net = nn.Linear(3, 3)
    opt = paddle.optimizer.Adam(0.1, parameters=net.parameters())

    @paddle.jit.to_static(full_graph=True)
    def step(x):
        net(x).sum().backward()
        opt.step()
        opt.clear_grad()

    step(paddle.ones([2, 3]))
    moment = next(t for name, t in opt.state_dict().items() if "moment1" in name)
    memory, array = moment.data_ptr(), net.weight._array
    step(paddle.ones([2, 3]))
    assert moment.data_ptr() == memory
    assert net.weight._array is not array


def from_outside(function, w):
    return lambda x: function(x, w)


def as_dynamically(function):
    """Call ``function(x, w)`` dynamically and statically, ``w`` from outside; all that can be seen of the tensors is the same."""
    seen = []
    for static in (False, True):
        x, w = (paddle.to_tensor([1.0, 2.0, 3.0], stop_gradient=False) for _ in "xw")
        (w * 4).sum().backward()
        call = from_outside(function, w)
        found = (paddle.jit.to_static(call, full_graph=True) if static else call)(x)
        found = [*(found if isinstance(found, tuple) else (found,)), x, w, x.grad, w.grad]
        seen.append([t if t is None else (t.numpy().tolist(), t.stop_gradient) for t in found] + [x.is_leaf, w.is_leaf])
    assert seen[0] == seen[1]


def grad_of(x):
    (x * x).sum().backward()
    return x.grad


def test_a_gradient_that_is_returned_is_a_leaf():
    as_dynamically(lambda x, w: grad_of(x))
    as_dynamically(lambda x, w: (w.grad, grad_of(x)))  # one of before the call
    as_dynamically(lambda x, w: (grad_of(x), grad_of(x)))
    as_dynamically(lambda x, w: paddle.grad((x * x).sum(), x)[0])
    as_dynamically(lambda x, w: getattr(x * w, "grad"))  # noqa: B009


def test_what_is_computed_of_a_gradient_needs_one():
    as_dynamically(lambda x, w: (grad_of(x) * 2, grad_of(w).norm()))

    def chosen(x, w):
        gradient = grad_of(x)
        return gradient * 2 if x.sum() > 0 else gradient / 2

    as_dynamically(chosen)

    def second(x, w):
        gradient = grad_of(x)
        (gradient * gradient).sum().backward()
        return gradient.grad

    as_dynamically(second)


def test_gradients_are_clipped_in_place():
    def clipped(x, w):
        norm = grad_of(x).norm()
        x.grad.set_value(x.grad / norm)
        with paddle.no_grad():
            w.grad.scale_(0.5)
            w.grad.set_value(w.grad + 1)
        return norm, x.grad

    as_dynamically(clipped)


def test_a_cleared_gradient_is_zeros():
    def cleared(x, w):
        grad_of(x)
        x.clear_grad()
        w.clear_grad()
        return x.grad, w.grad

    as_dynamically(cleared)


def test_a_leaf_that_is_set_keeps_its_gradients():
    def made_here(x, w):
        leaf = x.detach()
        leaf.stop_gradient = False
        before = (leaf * 3).sum()
        leaf.set_value(leaf * 2)
        with paddle.no_grad():
            leaf.scale_(2.0)
        before.backward()
        (leaf * leaf).sum().backward()
        return leaf.grad, leaf

    def given(x, w):
        before = (x * 3).sum()
        x.set_value(x * 2)
        before.backward()
        return grad_of(x), x.is_leaf, x * 1

    as_dynamically(made_here)
    as_dynamically(lambda x, w: given(x, w)[::2])
    assert paddle.jit.to_static(lambda x: given(x, x)[1], full_graph=True)(paddle.to_tensor([1.0], stop_gradient=False)) is True
