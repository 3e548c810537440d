"""What `forward` leaves on Layers"""

from language_table import NEG, POS, T, fresh, scenario

import to_static as paddle
from to_static import nn


class Plain(nn.Layer):
    def __init__(self):
        super().__init__()
        paddle.seed(1)
        self.a = nn.Linear(2, 2)
        self.k = 0


ROWS, OTHERS = T([[1.0, 2.0], [3.0, -1.0]]), T([[-1.0, -2.0], [-3.0, 1.0]])


@scenario("plain attributes that `forward` changes", note="traced anew in every call, with a warning")
def counters(to_static):
    class Net(Plain):
        def forward(self, x):
            self.k += 1
            if self.k % 2:
                return self.a(x)
            return x * self.k

    net, other = Net(), Net()
    to_static(net)
    twice = to_static(lambda x: other(other(x)) * other.k)
    return [[net(ROWS).detach(), net.k, twice(ROWS).detach(), other.k] for _ in range(3)]


@scenario("a plain attribute set once by the first call")
def set_once(to_static):
    class Net(Plain):
        def forward(self, x):
            if not self.k:
                self.k = 7
            return self.a(x) * self.k

    net = Net()
    to_static(net)
    return [[net(ROWS).detach(), net.k] for _ in range(3)]


@scenario("tensors that `forward` leaves on its Layers, with their history, also in lists and dicts")
def kept(to_static):
    class Block(Plain):
        def forward(self, x):
            self.attention = nn.functional.softmax(self.a(x))
            return self.attention @ x

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.blocks = nn.LayerList([Block(), Block()])

        def forward(self, x):
            for block in self.blocks:
                x = block(x)
            self.maps = [block.attention for block in self.blocks]
            self.info = {"n": len(self.maps), "sign": "+" if x.sum() > 0 else "-"}
            return x

    net = Net()
    to_static(net)
    seen = []
    for x in (ROWS, OTHERS, ROWS):
        seen += [net(x).detach(), net.maps, net.info, net.blocks[0].attention, sorted(net.state_dict())]
    net.blocks[1].attention[0, 0].backward()
    return [*seen, [p.grad for p in net.parameters()]]


@scenario("a loss that `forward` leaves on its Layer takes part in training")
def kept_loss(to_static):
    class Net(Plain):
        def forward(self, x):
            y = self.a(x)
            self.penalty = (y**2).mean()
            return y

    net = Net()
    to_static(net)
    optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
    seen = []
    for _ in range(4):
        loss = net(ROWS).mean() + net.penalty
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        seen += [loss.detach(), net.penalty.detach()]
    return seen


@scenario("a hidden state kept between calls, reset and set from outside")
def hidden_state(to_static):
    class Net(Plain):
        def __init__(self):
            super().__init__()
            self.h = None

        def forward(self, x):
            h = paddle.zeros([x.shape[0], 2]) if self.h is None else self.h
            self.h = paddle.tanh(self.a(x) + h).detach()
            return self.h * 2

    net = Net()
    to_static(net)
    seen = [net(ROWS), net(ROWS), net(OTHERS)]
    net.h = None
    seen += [net(ROWS), net(ROWS)]
    net.h = T([[5.0, 5.0], [5.0, 5.0]])
    return [*seen, net(ROWS), net.h]


@scenario("buffers updated in branches and loops", note="a registered buffer stays the same tensor, which the Program changes")
def buffers_in_flow(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("total", T([0.0, 0.0]))
            self.register_buffer("late", None)

        def forward(self, x, n):
            self.late = x * 2 if self.late is None else self.late + 1
            for i in range(n):
                self.total = self.total + x
                if self.total.sum() > 5:
                    break
                self.total[0] = i * 1.0
            return self.total * 1

    net = Net()
    to_static(net)
    seen = []
    for n in (0, 1, 3, 3):
        seen += [net(POS, T(n, "int64")), net.total.clone(), net.late.clone()]
    return seen, sorted(net.state_dict())


@scenario("a buffer that gets another shape, another dtype, a size that an argument decides")
def buffers_of_other_specs(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", T([]))
            self.register_buffer("count", T([0.0]))
            self.register_buffer("last", T([0.0, 0.0]))

        def forward(self, x):
            if x.sum() > 0:
                self.seen = paddle.concat([self.seen, x])
            self.count = (self.count + 1).astype("int64" if self.count.dtype == paddle.float32 else "float32")
            self.last = x * 2
            return x + self.seen.sum()

    net, seen = to_static(Net()), []
    for x in (POS, -POS, POS, T([3.0, 4.0, 5.0]), POS):
        seen.append([net(x), net.seen.clone(), net.count.clone(), net.last.clone()])
    return seen


@scenario("`set_value` with another shape")
def set_value_of_another_shape(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", T([0.0, 0.0]))

        def forward(self, x):
            self.seen.set_value(paddle.zeros([3]))
            return x

    try:
        to_static(Net())(POS)
    except ValueError as error:
        return type(error).__name__, "has shape [2], the value [3]" in str(error)


@scenario("an attribute that one method sets in every call, and another reads")
def set_here_read_there(to_static):
    class Net(nn.Layer):
        @to_static
        def forward(self, x):
            self.last = x * 2
            return self.last + 1

        @to_static
        def again(self, x):
            return x + self.last

        @to_static
        def both(self, x):
            self.last = self.last + x
            return self.last * 1

    net, seen = Net(), []
    for x in (POS, -POS, POS, -POS):
        seen += [net(x), net(x), net.again(x), net(-x), net.again(x), net.last.clone()]
    for x in (POS, -POS, POS):
        seen += [net.both(x), net(x), net.both(x), net.again(x)]
    return seen


class Averages(nn.Layer):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", paddle.zeros([2]))
        self.register_buffer("other", paddle.ones([2]))
        self.last = None


def _numbers(values):
    return [v.numpy().tolist() if isinstance(v, paddle.Tensor) else v for v in values]


@scenario("what a buffer held before it got another tensor, and that tensor under its own name")
def old_and_new_buffer(to_static):
    class Net(Averages):
        def forward(self, x):
            old = self.mean
            new = old * 0.5 + x
            self.mean = new
            new.add_(x)
            self.mean, self.other = self.other, self.mean
            return old, new, self.mean, self.other, self.other is new

    net = Net()
    static = to_static(net)
    return [_numbers([*static(POS), net.mean, net.other]) for _ in range(3)]


@scenario("a state that begins as None leaves the caller's tensors alone")
def state_from_argument(to_static):
    class Net(Averages):
        def forward(self, x):
            self.last = x if self.last is None else self.last * 0.5 + x
            return self.last * 2

    net = Net()
    static = to_static(net)
    x, y = fresh(POS), fresh(NEG)
    return [_numbers([static(v), net.last, x, y]) for v in (x, y, x)]


@scenario("a buffer that conditions of loops and operands of `and` and `or` change: as often as Python evaluates them")
def state_in_conditions(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.register_buffer("seen", paddle.zeros([]))

        def met(self, x):
            self.seen = self.seen + 1
            return x.sum() > 0

        def forward(self, x, n):
            i = 0
            while i < n and self.met(x):
                i += 1
            return i, self.met(x) and self.met(-x) and self.met(x), self.met(x) or self.met(x)

    net = Net()
    static = to_static(net)
    return [(static(x, n), net.seen * 1) for x in (POS, NEG) for n in (3, 0, T(2, "int64"))]


@scenario("attributes that are None or a tensor, one string or another, as methods of the Layer find them")
def chosen_attributes(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.memory, self.mode = None, "idle"

        def told(self):
            if self.memory is None:
                return self.mode.upper(), 0
            return self.mode if self.mode == "busy" else "?", self.memory.sum()

        def forward(self, x):
            self.memory, self.mode = None, "idle"
            if x.sum() > 0:
                self.memory, self.mode = x, "busy"
            return self.told(), self.memory is None, isinstance(self.memory, paddle.Tensor)

    net = Net()
    static = to_static(net)
    return [(static(v), net.mode, net.memory) for v in (POS, NEG, POS)]


@scenario("a buffer that gets another tensor in a branch or loop, while a variable holds the old one")
def old_buffer_in_flow(to_static):
    class Net(Averages):
        def forward(self, x, n):
            old = self.mean
            if x.sum() > 0:
                self.mean = self.mean * 2 + x
            before = self.mean
            for i in range(n):
                before = self.mean
                self.mean = self.mean + i
            if n > 1:
                self.other.add_(x)
            else:
                self.other = self.other - x
            return old * 1, before * 1, self.mean * 1, old is before

    net = Net()
    static = to_static(net)
    calls = [(POS, 2), (NEG, 0), (POS, 1), (NEG, 3)]
    return [(static(x, T(n, "int64")), _numbers([net.mean, net.other])) for x, n in calls]


@scenario("a state that is None, or a tensor that a condition left; what earlier calls returned stays as it was")
def state_or_none(to_static):
    class Net(Averages):
        def __init__(self):
            super().__init__()
            self.register_buffer("late", None)
            self.last = None

        def forward(self, x):
            self.last = None
            if x.sum() > 0:
                self.last = x * 2
            if self.late is None:
                self.late = x * 0
            if x[0] > 0:
                self.late = self.late + x
            return self.late, self.tell(x)

        def tell(self, x):
            if self.last is None:
                return x * 10
            return self.last

    net = Net()
    static = to_static(net)
    return [static(x) for x in (POS, NEG, NEG, POS)], net.late, net.last


@scenario("a tensor from outside that one branch changes in place and gives back")
def changed_or_other(to_static):
    total = paddle.zeros([2])

    def f(x):
        if x.sum() > 0:
            total.add_(x)
            found = total
        else:
            found = x * 3
        return found * 1

    static = to_static(f)
    return [static(x) for x in (POS, NEG, POS)], total
