"""State that moves: what a call leaves somewhere is the tensor that the name had at that moment, as in dynamic mode.

Each program is a generator that gets ``static`` and yields what a caller can see after each of several calls. All that was ever
yielded is looked at again after every later one, with which of these tensors are one object.
"""

import collections
import copy
import dataclasses
import types

import numpy as np
import pytest

import to_static as paddle
from to_static import nn, to_static

T = paddle.to_tensor
PROGRAMS = {}


def program(function):
    PROGRAMS[function.__name__] = function
    return function


def inputs(count=5, size=2):
    return [T(np.array([1.0, 3.0, 6.0, 10.0, 15.0, 21.0, 28.0][i % 7] + np.arange(size), "float32")) for i in range(count)]


def tensors(value):
    """The tensors in a structure, in order."""
    if isinstance(value, paddle.Tensor):
        return [value]
    if dataclasses.is_dataclass(value) or isinstance(value, types.SimpleNamespace):
        value = vars(value)
    if isinstance(value, dict):
        value = list(value.values())
    return [x for item in value for x in tensors(item)] if isinstance(value, (list, tuple, collections.deque)) else []


def others(value):
    """What is not a tensor in a structure, and its form."""
    if isinstance(value, paddle.Tensor):
        return "T", value.dtype.name, list(value.shape), value.stop_gradient
    if dataclasses.is_dataclass(value) or isinstance(value, types.SimpleNamespace):
        return type(value).__name__, others(vars(value))
    if isinstance(value, dict):
        return "dict", [(key, others(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple, collections.deque)):
        return type(value).__name__, [others(item) for item in value]
    return value


def seen(program, static):
    """What can be seen of a program: after each step all tensors so far, and which of them are one."""
    kept, every = [], []
    for value in program(static):
        kept += tensors(value)
        places = {id(t): i for i, t in reversed(list(enumerate(kept)))}
        every.append((others(value), [np.round(t.numpy(), 4).tolist() for t in kept], [places[id(t)] for t in kept]))
    return every


class Net(nn.Layer):
    """Two registered buffers and two that are assigned, all 0 at first."""

    def __init__(self, size=2):
        super().__init__()
        self.register_buffer("a", paddle.zeros([size]))
        self.register_buffer("b", paddle.zeros([size]))
        self.c, self.d = paddle.zeros([size]), paddle.zeros([size])
        self.w = self.create_parameter([size], default_initializer=nn.initializer.Constant(2.0))
        self.items, self.table, self.none = [], {}, None

    def forward(self, x):
        return self.step(x)

    def state(self):
        return [self.a, self.b, self.c, self.d, self.items, self.table, self.none]


def of_layer(step, name=None):
    """A program of calls of a Layer whose ``forward`` is this."""
    kind = type(step.__name__, (Net,), {"forward": step})

    def program(static):
        net = static(kind())
        for x in inputs():
            yield net(x), net.state()

    PROGRAMS[name or step.__name__] = program
    LAYERS[name or step.__name__] = kind
    return step


LAYERS = {}


@of_layer
def difference(self, x):
    step = self.a - self.b
    self.b = self.a
    self.a = x
    return step


@of_layer
def difference_of_assigned(self, x):
    step = self.c - self.d
    self.d = self.c
    self.c = x
    return step


@of_layer
def difference_of_copies(self, x):
    step = self.c - self.d
    self.d = self.c
    self.c = x * 1.0
    return step


@of_layer
def old_is_returned(self, x):
    old = self.a
    self.a = x * 1.0
    return old


@of_layer
def old_and_new_are_returned(self, x):
    old = self.c
    self.c = x + old
    return old, self.c


@of_layer
def swap(self, x):
    self.a, self.b = self.b, self.a
    return self.a - x


@of_layer
def swap_and_add(self, x):
    self.c, self.d = self.d, self.c + x
    return self.c - self.d


@of_layer
def rotate_three(self, x):
    self.a, self.b, self.c = self.b, self.c, x + self.a
    return self.a + 2 * self.b + 3 * self.c


@of_layer
def shift_register(self, x):
    out = self.d
    self.d = self.c
    self.c = self.b
    self.b = self.a
    self.a = x * 2.0
    return out


@of_layer
def kept_in_list(self, x):
    self.items.append(self.a)
    self.a = self.a + x
    return self.a


@of_layer
def kept_in_dict(self, x):
    self.table["last"] = self.a
    self.a = self.a + x
    return self.a * 1.0


@of_layer
def kept_in_tuple(self, x):
    self.none = (self.c, self.a)
    self.c, self.a = self.a + x, self.c
    return self.none[0] + 1


@of_layer
def returned_is_the_state(self, x):
    self.a = self.a + x
    return self.a


@of_layer
def returned_and_changed_in_place(self, x):
    self.a.add_(x)
    return self.a


@of_layer
def old_kept_and_changed_in_place(self, x):
    self.b = self.a
    self.a.add_(x)
    return self.b


@of_layer
def alias_then_in_place_then_bound(self, x):
    self.b = self.a
    self.a.add_(x)
    self.a = self.a * 2.0
    return self.b, self.a


@of_layer
def in_place_then_bound(self, x):
    old = self.a
    old.add_(x)
    self.a = x * 3.0
    return old


@of_layer
def best_so_far(self, x):
    if x.sum() > self.a.sum():
        self.b = self.a
        self.a = x
    return self.b


@of_layer
def best_of_two(self, x):
    if (x.sum() % 2) > 0:
        self.a = self.b
        self.b = x
    else:
        self.b = self.a
    return self.a - self.b


@of_layer
def swap_under_condition(self, x):
    self.a = self.a + x
    if x.sum() > 8:
        self.a, self.b = self.b, self.a
    return self.a


@of_layer
def swap_in_loop(self, x):
    self.a = self.a + x
    i = paddle.zeros([], "int32")
    while i < 3:
        self.a, self.b = self.b, self.a + 1
        i = i + 1
    return self.b


@of_layer
def swap_in_range(self, x):
    self.c = self.c + x
    for _ in range(3):
        self.c, self.d = self.d, self.c
    return self.c


@of_layer
def input_is_kept(self, x):
    before = self.a
    self.a = x
    return before + x


@of_layer
def input_is_kept_twice(self, x):
    self.a = self.c = x
    return x * 2


@of_layer
def moved_average(self, x):
    self.b = self.a
    self.a = 0.9 * self.a + 0.1 * x
    return self.a - self.b


@of_layer
def set_value_of_old(self, x):
    self.b.set_value(self.a)
    self.a = x * 1.0
    return self.b


@of_layer
def set_value_then_old(self, x):
    old = self.a
    self.a.set_value(x)
    return old


@of_layer
def inplace_add_operator(self, x):
    old = self.a
    self.a += x
    return old


@of_layer
def items_of_old(self, x):
    old = self.a
    old[0] = x[1]
    self.a = old * 2.0
    return old


@of_layer
def view_of_old(self, x):
    v = self.a.reshape([1, 2])
    self.a = x * 1.0
    return v


@of_layer
def parameter_becomes_buffer(self, x):
    old = self.a
    self.a = self.w * x
    return old * self.w


@of_layer
def detached_parameter(self, x):
    old = self.c
    self.c = self.w.detach() * 1.0
    self.w.set_value(self.w + x)
    return old, self.c


@of_layer
def old_in_list_of_two(self, x):
    pair = [self.a, self.b]
    self.a = x + 1.0
    self.b = self.a
    return pair


@of_layer
def same_tensor_in_two(self, x):
    self.a = self.b = x * 2.0
    return self.a


@of_layer
def same_tensor_in_two_then_in_place(self, x):
    self.a.add_(x)
    self.b = self.a
    return self.b + self.a


@of_layer
def none_at_first(self, x):
    old = self.none
    self.none = x * 2.0
    return x if old is None else old


@of_layer
def assigned_and_restored(self, x):
    old = self.a
    self.a = x * 2.0
    y = self.a + 1
    self.a = old
    return y


@of_layer
def restored_after_in_place(self, x):
    old = self.a
    self.a = x * 2.0
    self.a.add_(x)
    self.b = self.a
    self.a = old
    return self.b


@of_layer
def fresh_history(self, x):
    self.items = [*self.items, self.a][-3:]
    self.a = x * 1.0
    return sum(self.items)


@of_layer
def history_with_pop(self, x):
    self.items.append(self.a)
    if len(self.items) > 2:
        self.items.pop(0)
    self.a = x
    return self.items[0] + x


@of_layer
def gradient_through_state(self, x):
    old = self.c
    self.c = (self.w * x).detach()
    return (old * self.w).sum()


# caller's code between the calls: state, results and arguments are changed in place, bound anew, copied, loaded


def of_layer_and_caller(step):
    """A program whose caller changes things in place between calls: what is one object is changed under all its names."""
    kind = type(step.__name__, (Net,), {"forward": step})

    def program(static):
        net = static(kind())
        for i, x in enumerate(inputs(6)):
            found = net(x)
            yield found, net.state()
            [x, net.a, net.b, tensors(found)[0], net.c, net.d][i].add_(T([100.0 * (i + 1), 1.0]))
            yield net.state()
            if i == 3:
                net.a = net.b
                yield net(x), net.state()

    PROGRAMS[step.__name__ + "_and_caller"] = program
    return step


for _step in (
    difference, old_is_returned, old_and_new_are_returned, swap, swap_and_add, rotate_three, shift_register, kept_in_list,
    kept_in_dict, kept_in_tuple, returned_is_the_state, returned_and_changed_in_place, old_kept_and_changed_in_place,
    alias_then_in_place_then_bound, in_place_then_bound, input_is_kept, input_is_kept_twice, set_value_of_old, set_value_then_old,
    inplace_add_operator, items_of_old, old_in_list_of_two, same_tensor_in_two, same_tensor_in_two_then_in_place,
    assigned_and_restored, restored_after_in_place, history_with_pop, none_at_first, best_so_far, best_of_two, swap_under_condition,
    swap_in_loop,
):  # fmt: skip
    of_layer_and_caller(_step)


@program
def namespace(static):
    st = types.SimpleNamespace(cur=paddle.zeros([2]), prev=paddle.zeros([2]))

    def step(x):
        y = st.cur - st.prev
        st.prev = st.cur
        st.cur = x
        return y

    f = static(step)
    for x in inputs():
        yield f(x), st


@dataclasses.dataclass
class Carry:
    h: paddle.Tensor
    last: paddle.Tensor


@program
def dataclass_in_closure(static):
    carry = Carry(paddle.zeros([2]), paddle.zeros([2]))

    @static
    def f(x):
        carry.last, carry.h = carry.h, carry.h + x
        return carry.last

    for x in inputs():
        yield f(x), carry


@program
def dict_in_closure(static):
    d = {"a": paddle.zeros([2]), "b": paddle.zeros([2])}

    @static
    def f(x):
        old = d["a"]
        d["a"], d["b"] = d["b"] + x, d["a"]
        return old

    for x in inputs():
        yield f(x), d


@program
def list_in_closure(static):
    items = [paddle.zeros([2]), paddle.ones([2])]

    @static
    def f(x):
        items.append(items.pop(0) + x)
        return items[0] - items[1]

    for x in inputs():
        yield f(x), items


@program
def nonlocal_variable(static):
    prev = paddle.zeros([2])
    cur = paddle.zeros([2])

    @static
    def f(x):
        nonlocal prev, cur
        y = cur - prev
        prev, cur = cur, x
        return y

    for x in inputs():
        yield f(x), prev, cur


HOLDER = types.SimpleNamespace(last=None)


@program
def global_holder(static):
    HOLDER.last = paddle.zeros([2])

    @static
    def f(x):
        old = HOLDER.last
        HOLDER.last = x * 2.0
        return old

    for x in inputs():
        yield f(x), HOLDER.last


@program
def layer_state_in_a_plain_object(static):
    box = types.SimpleNamespace(got=None)

    class Boxed(Net):
        def forward(self, x):
            box.got = self.a
            self.a = self.a + x
            return box.got * 2.0

    net = static(Boxed())
    for x in inputs():
        yield net(x), box.got, net.a


@program
def state_into_an_argument(static):
    class Giving(Net):
        def forward(self, x, out):
            out.append(self.a)
            out[0] = self.b
            self.b = self.a
            self.a = x + self.a
            return self.b

    net, out = static(Giving()), [None]
    for x in inputs():
        yield net(x, out), list(out), net.a, net.b


@program
def state_of_an_argument(static):
    def f(state, x):
        state["prev"], state["cur"] = state["cur"], x
        return state["cur"] - state["prev"]

    f, state = static(f), {"prev": paddle.zeros([2]), "cur": paddle.zeros([2])}
    for x in inputs():
        yield f(state, x), state


@program
def nested_layers(static):
    class Outer(nn.Layer):
        def __init__(self):
            super().__init__()
            self.one, self.two = Net(), Net()

        def forward(self, x):
            self.two.a = self.one.a
            self.one.a = self.one.a + x
            self.one.b, self.two.b = self.two.a, self.one.a
            return self.two.a - self.one.b + self.two.b

    net = static(Outer())
    for x in inputs():
        yield net(x), net.one.state(), net.two.state()
        net.one.a.add_(x)
        yield net(x), net.one.state(), net.two.state()


@program
def target_network(static):
    paddle.seed(3)
    online, target = nn.Linear(2, 2), nn.Linear(2, 2)

    def step(x):
        for p, q in zip(online.parameters(), target.parameters(), strict=True):
            q.set_value(0.5 * q + 0.5 * p)
        return target(x) - online(x)

    step = static(step)
    sgd = paddle.optimizer.SGD(0.1, parameters=online.parameters())
    for x in inputs():
        online(x).sum().backward()
        sgd.step()
        sgd.clear_grad()
        yield step(x), online.weight, target.weight


@program
def target_buffers(static):
    online, target = nn.BatchNorm1D(2), nn.BatchNorm1D(2)

    def copied(x):
        y = online(x)
        for (_, b), (_, c) in zip(online.named_buffers(), target.named_buffers(), strict=True):
            c.set_value(b)
        return y

    copied = static(copied)
    for x in inputs():
        yield copied(paddle.stack([x, x * 2.0])), online._mean, target._mean


@program
def target_by_assignment(static):
    class Target(nn.Layer):
        def __init__(self):
            super().__init__()
            self.online, self.target = Net(), Net()

        def forward(self, x):
            self.target.a = self.online.a
            self.online.a = 0.9 * self.online.a + x
            return self.target.a * 1.0

    net = static(Target())
    for x in inputs():
        yield net(x), net.online.a, net.target.a


@program
def momentum_encoder_with_queue(static):
    class MoCo(nn.Layer):
        def __init__(self):
            super().__init__()
            self.w = self.create_parameter([2], default_initializer=nn.initializer.Constant(1.0))
            self.register_buffer("key", paddle.ones([2]))
            self.register_buffer("queue", paddle.zeros([3, 2]))

        def forward(self, x):
            with paddle.no_grad():
                old = self.key
                self.key = 0.5 * self.key + 0.5 * self.w
            loss = (x * self.w * old).sum() + self.queue.sum()
            self.queue = paddle.concat([self.queue[1:], (x * self.key).detach().unsqueeze(0)])
            return loss, old

    net = static(MoCo())
    sgd = paddle.optimizer.SGD(0.01, parameters=net.parameters())
    for x in inputs():
        loss, old = net(x)
        loss.backward()
        sgd.step()
        yield loss, old, net.key, net.queue, net.w, net.w.grad
        sgd.clear_grad()


@program
def replay_in_a_deque(static):
    memory = collections.deque(maxlen=3)

    class Acting(Net):
        def forward(self, x):
            memory.append((self.a, x))
            self.a = self.a * 0.5 + x
            return self.a

    net = static(Acting())
    for x in inputs():
        yield net(x), list(memory), net.a


@program
def hook_moves_state(static):
    class Hooked(Net):
        def forward(self, x):
            return self.inner(x) + self.b

        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(2, 2, weight_attr=nn.initializer.Constant(1.0))

    net = Hooked()

    def hook(layer, given, result):
        net.b = net.a
        net.a = result.detach()

    net.inner.register_forward_post_hook(hook)
    run = static(net)
    for x in inputs():
        yield run(x), net.a, net.b


@program
def two_instances(static):
    class Two(Net):
        def forward(self, x):
            old = self.a
            self.a = self.b
            self.b = x + old
            return old

    nets = [static(Two()), static(Two())]
    for i, x in enumerate(inputs(6)):
        yield nets[i % 2](x), nets[0].state(), nets[1].state()


@program
def one_layer_twice_in_a_function(static):
    class Counting(Net):
        def forward(self, x):
            old = self.a
            self.a = self.a + x
            return old

    net = Counting()
    f = static(lambda x: (net(x), net(x * 2.0)))
    for x in inputs():
        yield f(x), net.a


@program
def deepcopy_between(static):
    class Copied(Net):
        def forward(self, x):
            self.b = self.a
            self.a = x + self.a
            return self.b

    net = static(Copied())
    for x in inputs(3):
        yield net(x), net.state()
    other = copy.deepcopy(net)
    for x in inputs(3):
        yield net(x), other(x * 2.0), net.state(), other.state()


@program
def state_dict_between(static):
    class Loaded(Net):
        def forward(self, x):
            old = self.a
            self.a = x + self.a
            self.b = old
            return old

    net = static(Loaded())
    yield net(inputs()[0]), net.state()
    kept = net.state_dict()
    yield kept["a"], kept["b"]
    for x in inputs(3):
        yield net(x), net.state()
    net.set_state_dict({"a": T([5.0, 5.0]), "b": T([7.0, 7.0]), "w": T([2.0, 2.0])})
    for x in inputs(3):
        yield net(x), net.state()


@program
def assigned_from_outside_between(static):
    class Set(Net):
        def forward(self, x):
            self.b = self.a
            self.a.add_(x)
            return self.b

    net = static(Set())
    for i, x in enumerate(inputs(6)):
        mine = T([float(i), 0.0])
        if i % 2:
            net.a = mine
        if i == 4:
            net.a = net.b = mine
        yield net(x), net.state(), mine


@program
def train_and_eval(static):
    class Mode(Net):
        def forward(self, x):
            if self.training:
                self.b = self.a
                self.a = x + self.a
            return self.b - self.a

    net = static(Mode())
    for i, x in enumerate(inputs(6)):
        net.train() if i % 3 else net.eval()
        yield net(x), net.state()


@program
def without_gradients(static):
    class Hidden(Net):
        def forward(self, x):
            old = self.c
            self.c = paddle.tanh(self.c * self.w + x)
            return old * self.w

    net = static(Hidden())
    for i, x in enumerate(inputs(6)):
        with paddle.set_grad_enabled(i % 2 == 0):
            yield net(x), net.c


@program
def gradients_through_calls(static):
    class Hidden(Net):
        def forward(self, x):
            old = self.c
            self.c = self.c * self.w + x
            self.d = old
            return self.c.sum()

    net = static(Hidden())
    total = 0.0
    for x in inputs(3):
        total = total + net(x)
    total.backward()
    yield total, net.c, net.d, net.w.grad


@program
def retained_history_of_old_states(static):
    class Hidden(Net):
        def forward(self, x):
            self.d = self.c
            self.c = self.c * self.w + x
            return self.d * 1.0

    net = static(Hidden())
    results = [net(x) for x in inputs(4)]
    yield results
    results[2].sum().backward()
    yield net.w.grad, net.c, net.d


@program
def call_of_the_state_itself(static):
    class Fed(Net):
        def forward(self, x):
            old = self.a
            self.a = x + 1.0
            self.b = x
            return old

    net = static(Fed())
    yield net(inputs()[0]), net.state()
    for _ in range(3):
        yield net(net.a), net.state()
        yield net(net.b), net.state()


@program
def method_of_a_plain_object(static):
    class Tracker:
        def __init__(self):
            self.best, self.last = paddle.zeros([2]), paddle.zeros([2])

        def update(self, x):
            old = self.last
            self.last = x
            if x.sum() > self.best.sum():
                self.best = old
            return self.best

    tracker = Tracker()
    update = static(tracker.update)
    for x in inputs():
        yield update(x), tracker.best, tracker.last


@program
def optimizer_state_is_left(static):
    net = nn.Linear(2, 1, weight_attr=nn.initializer.Constant(1.0))
    adam = paddle.optimizer.Adam(0.1, parameters=net.parameters())
    kept = types.SimpleNamespace(loss=None, before=paddle.zeros([]))

    def step(x):
        loss = net(x).sum()
        loss.backward()
        adam.step()
        adam.clear_grad()
        kept.before = kept.loss if kept.loss is not None else kept.before
        kept.loss = loss.detach()
        return kept.before

    step = static(step)
    for x in inputs():
        yield step(x), kept, net.weight


@program
def parameter_snapshot(static):
    class Snapshot(Net):
        def forward(self, x):
            self.c = self.w * 1.0
            self.w.set_value(self.w + x)
            return self.c

    net = static(Snapshot())
    for x in inputs():
        yield net(x), net.c, net.w


@program
def counter_buffers(static):
    class Counter(Net):
        def __init__(self):
            super().__init__()
            self.register_buffer("n", paddle.zeros([], "int64"))

        def forward(self, x):
            before = self.n
            self.n = self.n + 1
            if self.n % 2 == 0:
                self.a = x
            return before, self.a

    net = static(Counter())
    for x in inputs():
        yield net(x), net.n, net.a


@program
def list_of_layers(static):
    class Delay(nn.Layer):
        def __init__(self):
            super().__init__()
            self.stages = nn.LayerList([Net() for _ in range(3)])

        def forward(self, x):
            for stage in self.stages:
                x, stage.a = stage.a, x
            return x

    net = static(Delay())
    for x in inputs():
        yield net(x), [stage.a for stage in net.stages]


@program
def two_functions_of_one_state(static):
    net = Net()

    def write(x):
        net.b = net.a
        net.a = x * 2.0
        return net.b

    def read(x):
        return net.a - net.b + x

    write, read = static(write), static(read)
    for x in inputs():
        yield write(x), net.state()
        yield read(x), net.state()


@program
def one_moves_the_other_changes(static):
    net = Net()

    def move(x):
        net.b = net.a
        return net.b + x

    def change(x):
        net.a.add_(x)
        return net.b * 1.0

    def bind(x):
        net.a = x * 1.0
        return net.a

    functions = [static(f) for f in (change, move, change, bind, change, move, bind, change)]
    for f, x in zip(functions, inputs(8), strict=True):
        yield f(x), net.state()
    for f, x in zip(functions, inputs(8), strict=True):
        yield f(x), net.state()


@program
def numpy_between(static):
    class Seen(Net):
        def forward(self, x):
            self.b = self.a
            self.a = x * 2.0
            return self.b

    net = static(Seen())
    for i, x in enumerate(inputs()):
        yield net(x), net.state(), net.a.numpy().tolist()
        net.a.set_value(np.array([float(i), 1.0], "float32"))


@program
def shapes_vary(static):
    class Varied(Net):
        def forward(self, x):
            old = self.c
            self.c = x * 2.0
            return old

    net = static(Varied())
    for i, size in enumerate((2, 3, 4, 2, 5, 3)):
        yield net(T(np.arange(size) + float(i))), net.c


@program
def dtype_of_buffer_changes(static):
    class Typed(Net):
        def forward(self, x):
            old = self.c
            self.c = x
            return old

    net = static(Typed())
    for i in range(5):
        yield net(T(np.array([i, 2]), dtype=("float32", "int64")[i % 2])), net.c


@program
def deleted_and_made_again(static):
    class Made(Net):
        def forward(self, x):
            old = self.c
            del self.c
            self.c = x * 2.0
            return old

    net = static(Made())
    for x in inputs():
        yield net(x), net.c


@program
def buffer_becomes_none_and_back(static):
    class Cleared(Net):
        def forward(self, x, clear):
            old = self.c
            if clear:
                self.c = None
            else:
                self.c = x if old is None else old + x
            return old if old is not None else x

    net = static(Cleared())
    for i, x in enumerate(inputs(6)):
        yield net(x, i % 3 == 2), net.c


@program
def loop_shifts_a_line(static):
    class Line(nn.Layer):
        def __init__(self):
            super().__init__()
            for i in range(4):
                self.register_buffer(f"z{i}", paddle.zeros([2]))

        def forward(self, x):
            for i in range(3, 0, -1):
                setattr(self, f"z{i}", getattr(self, f"z{i - 1}"))
            self.z0 = x
            return self.z3 + self.z1

    net = static(Line())
    for x in inputs(6):
        yield net(x), [net.z0, net.z1, net.z2, net.z3]


@program
def tensor_loop_with_history(static):
    class Loop(Net):
        def forward(self, x, n):
            for _ in range(n):
                self.b = self.a
                self.a = self.a + x
            return self.a - self.b

    net = static(Loop())
    for i, x in enumerate(inputs()):
        yield net(x, T(i % 3)), net.state()


def given_again(body):
    """A program in which `body` gives places a tensor that they may have already, and the caller puts others there."""

    def run(static):
        box, net = types.SimpleNamespace(h=T([1.0, 1.0])), Net()
        net.items, net.table = [T([2.0, 2.0]), T([3.0, 3.0])], {"k": T([4.0, 4.0]), "o": T([5.0, 5.0])}
        box.h = net.table["k"] = net.items[0] = net.a
        net.forward = types.MethodType(lambda self, x: body(self, x, box), net)
        net = static(net)
        for i, x in enumerate(inputs(7)):
            yield net(x), box, net.state(), net.items, net.table
            if i % 2:
                box.h, net.items[0], net.table["k"] = T([10.0, i]), T([20.0, i]), T([30.0, i])
            elif i == 4:
                box.h = net.table["k"] = net.items[1] = net.a
            yield box, net.items, net.table

    return run


def _branch(net, x, box):
    if x.sum() % 4 > 1:
        box.h = net.a
        net.table["k"] = net.a
    return x + 1


def _item(net, x, box):
    net.items[0] = net.a
    return x + 1


def _loop(net, x, box):
    for _ in range(x.sum().astype("int32") % 3):
        box.h = net.a
    return x + 1


AGAIN = {
    "attribute": lambda net, x, box: (setattr(box, "h", net.a), x + 1)[1],
    "item of a dict": lambda net, x, box: (net.table.update(k=net.a), x + 1)[1],
    "itself": lambda net, x, box: (net.table.update(k=net.table["k"]), setattr(box, "h", box.h), x + 1)[2],
    "item of a list": _item, "in a branch": _branch, "in a loop": _loop,
}  # fmt: skip
PROGRAMS.update((f"given again: {name}", given_again(body)) for name, body in AGAIN.items())


@program
def argument_that_a_condition_gives_back(static):
    def first(x):
        return x if x[0] > 2 else x * 2.0

    def kept(x, y):
        while x.sum() < 10:
            x = x + y
        return x, y[0]

    first, kept = static(first), static(kept)
    for x in inputs(6):
        result = first(x)
        yield result
        result.add_(T([100.0, 1.0]))
        yield x, result
        both = kept(x, T([1.0, 2.0]))
        both[0].zero_()
        yield x, both


def uses_containers(kind):
    return {"items", "table"} & set(kind.forward.__code__.co_names)


@pytest.mark.filterwarnings("ignore:.*graph break", "ignore:.*in Python")
@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_as_in_dynamic_mode(name, full):
    wanted = seen(PROGRAMS[name], lambda target: target)
    got = seen(PROGRAMS[name], lambda target: to_static(target, full_graph=full))
    for number, (one, other) in enumerate(zip(wanted, got, strict=True)):
        assert one == other, f"step {number}"


SAVED = sorted(LAYERS.keys() - {"none_at_first"})


@pytest.mark.parametrize("name", [name for name in SAVED if not uses_containers(LAYERS[name])])
def test_as_loaded(name, tmp_path):
    net, path = LAYERS[name](), str(tmp_path / "net")
    wanted = [np.array(t.numpy()) for x in inputs() for t in tensors(LAYERS[name].forward(net, x))]
    paddle.jit.save(LAYERS[name](), path, input_spec=[paddle.static.InputSpec([2], "float32", "x")])
    loaded = paddle.jit.load(path)
    found = [t.numpy() for x in inputs() for t in tensors(loaded(x))]
    np.testing.assert_array_equal(found, wanted)
