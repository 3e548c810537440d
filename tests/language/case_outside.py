"""Tensors from outside whose numbers Python reads"""

import copy
import pickle
import warnings

import numpy as np
from language_table import POS, T, case, fresh, refused, scenario

import to_static as paddle
from to_static import nn


class Holder(nn.Layer):
    """A parameter, a buffer and a plain tensor, which `forward` reads with ``read``."""

    def __init__(self, read):
        super().__init__()
        self.read = read
        self.weight = self.create_parameter([2], default_initializer=nn.initializer.Constant(0.5))
        self.register_buffer("buffer", paddle.full([2], 0.5))
        self.plain = paddle.full([2], 0.5)

    def forward(self, x):
        return [self.read(t) for t in (self.weight, self.buffer, self.plain)], x * self.weight


def seen_with(to_static, *reads):
    """What each of ``reads`` finds in three calls, between which the tensors change."""
    found = []
    for read in reads:
        net = Holder(read)
        run = to_static(net)
        for value in (0.5, -2.0, 0.5):
            for tensor in (net.weight, net.buffer, net.plain):
                tensor.set_value(paddle.full([2], value))
            found.append(fresh(run(POS)))  # of the dynamic results some share the memory of a tensor that changes
    return found


@scenario("`detach()`, `to_tensor()`, `to()` and `cpu()` of parameters, buffers and other tensors: the numbers of each call")
def copies(to_static):
    reads = [lambda t: t.detach(), lambda t: paddle.to_tensor(t), lambda t: t.to("cpu") * 1, lambda t: t.cpu() * 1]
    return seen_with(to_static, *reads, lambda t: t.detach().sum().item(), lambda t: (t.detach() == t).all())


@scenario("`numpy()`, `tolist()`, `item(i)`, `np.asarray()`, copies and pickles of them (built in: other numbers, another Program)")
def numbers(to_static):
    reads = [lambda t: t.numpy(), lambda t: t.tolist(), lambda t: t.item(1), lambda t: np.asarray(t).sum()]
    reads += [lambda t: copy.copy(t) * 1, lambda t: pickle.loads(pickle.dumps(t)) * 1, lambda t: {"a": 1}.get(float(t.numpy()[0]))]
    return seen_with(to_static, *reads)


@scenario("a moving average of detached parameters follows the optimizer")
def averages(to_static):
    class Averaged(nn.Layer):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(2, 2)
            for name, p in self.fc.named_parameters():
                self.register_buffer(f"mean_{name}", p.detach().clone())

        def forward(self, x):
            for name, p in self.fc.named_parameters():
                mean = getattr(self, f"mean_{name}")
                mean.set_value(0.5 * mean + 0.5 * p.detach())
            return self.fc(x)

    paddle.seed(0)
    net = Averaged()
    run, step = to_static(net), paddle.optimizer.SGD(0.1, parameters=net.parameters())
    for i in range(3):
        (run(POS.unsqueeze(0) * (i + 1)) ** 2).mean().backward()
        step.step()
        step.clear_grad()
    return list(net.state_dict().values())


STEPS = T([1.0, 2.0])


@case("numbers of a tensor from outside that decide how often a loop runs", POS)
def counts_from_outside(x):
    for k in STEPS.numpy():
        x = x * float(k)
        for _ in range(int(STEPS.numpy()[1])):
            x = x + 1
    return x


COUNTER = nn.Layer()
COUNTER.register_buffer("count", T(0, "int64"))


@refused("`.numpy()` of a buffer that the function has changed before", POS)
def changed_before(x):
    COUNTER.count += 1
    return x * int(COUNTER.count.numpy())


@case("`to_tensor` of Python numbers that tensors make: the default dtype for floats", POS, T([-1.0, 2.5]))
def to_tensor_of_numbers(x):
    a, n = float(x[0]), int(x[1])
    return paddle.to_tensor(a), paddle.to_tensor([a, n]), paddle.to_tensor([[n], [2]]), paddle.to_tensor((x[0], a, 0.5))


@case("`to_tensor` of lists that tensors make, long and empty", POS, T([-1.0, -2.0]), T([3.0, -1.0]))
def to_tensor_of_lists(x):
    numbers, rows, flags = [], [], []
    for v in x:
        if v > 0:
            numbers.append(float(v))
            rows.append(x * v)
        flags.append(bool(v > 1))
    indices = paddle.to_tensor([i for i, v in enumerate(x) if v > 0], dtype="int64")
    return paddle.to_tensor(numbers), paddle.to_tensor([v for v in x if v > 0]), paddle.to_tensor(flags), indices, len(rows)


@case("`to_tensor` of a list of rows, with a dtype, and inside of another list", POS, T([3.0, 1.0]))
def to_tensor_of_rows(x):
    rows, counts = [], []
    for i, v in enumerate(x):
        if v > 0:
            rows.append(x * v)
            counts.append(i)
    wide = paddle.to_tensor(counts, dtype="float64")
    return paddle.to_tensor(rows), paddle.to_tensor(counts), wide, paddle.to_tensor([[v for v in x if v > 0], [5.0, 6.0]])


class Doubling(nn.Layer):
    def forward(self, x):
        return x * 2


class Nested(nn.Layer):
    def __init__(self):
        super().__init__()
        self.inner = Doubling()

    def forward(self, x):
        return self.inner(x) + 1


@scenario("the `forward` of a sublayer's class replaced between calls")
def replaced_forward(to_static):
    before, call = Doubling.forward, to_static(Nested().forward)
    seen = [call(T([1.0])), call(T([1.0]))]
    try:
        Doubling.forward = lambda self, x: x * 5
        seen += [call(T([1.0])), call(T([1.0]))]
    finally:
        Doubling.forward = before
    return [*seen, call(T([1.0]))]


class WarmUp(nn.Layer):
    def __init__(self):
        super().__init__()
        self.schedule = paddle.optimizer.lr.LinearWarmup(0.5, 3, 0.0, 0.5)

    def forward(self, x):
        if self.schedule.last_epoch < 2:
            return x * 0
        return x * self.schedule()


@scenario("a schedule, an optimizer, a metric and a clip, changed by calls and between them")
def library_objects(to_static):
    schedule = paddle.optimizer.lr.StepDecay(0.5, step_size=1)
    optimizer = paddle.optimizer.SGD(schedule, parameters=nn.Linear(2, 2).parameters())
    accuracy = paddle.metric.Accuracy()
    clip = nn.ClipGradByNorm(1.0)

    def read(x):
        return x * schedule.last_lr + optimizer.get_lr(), accuracy.accumulate(), x * clip.clip_norm

    def step(x):
        schedule.step()
        return x * schedule()

    warm = WarmUp()
    read, step, forward = to_static(read), to_static(step), to_static(warm.forward)
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(4):
            found += [read(POS), step(POS), schedule.last_epoch, forward(POS)]
            accuracy.update(accuracy.compute(T([[0.1, 0.9], [0.9, 0.1]]), paddle.to_tensor([[1], [i % 2]])))
            clip.clip_norm += 1.0
            warm.schedule.step()
    return found


@scenario("the learning rate of an optimizer, set in a branch")
def rate_in_branch(to_static):
    optimizer = paddle.optimizer.SGD(0.5, parameters=nn.Linear(2, 2).parameters())

    def lower(x):
        if x.sum() > 10:
            optimizer.set_lr(0.01)
        return x * optimizer.get_lr()

    lower = to_static(lower)
    return [(lower(T(values)), optimizer.get_lr()) for values in ([1.0, 2.0], [9.0, 2.0], [1.0, 2.0])]


@refused("a metric that takes tensors of the Program, also in a `try`", POS)
def metric_inside(x):
    try:
        METRIC.update(x, x)
    except TypeError:
        return x * 2
    return x


METRIC = paddle.metric.Precision()
