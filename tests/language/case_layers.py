"""Layers"""

import copy
import functools

import numpy as np
from language_table import POS, T, scenario

import to_static as paddle
from to_static import nn


class Net(nn.Layer):
    def __init__(self, classes=3):
        super().__init__()
        paddle.seed(11)
        self.fc = nn.Linear(2, 4)
        self.out = nn.Linear(4, classes)
        self.drop = nn.Dropout(0.5)
        self.norm = nn.BatchNorm1D(4)

    def forward(self, x, scale=None):
        h = nn.functional.relu(self.fc(x))
        if h.sum() > 1:
            h = h * 2
        h = self.drop(self.norm(h))
        if scale is not None:
            h = h * scale
        return self.out(h)

    def features(self, x):
        return self.fc(x) if x.sum() > 0 else -self.fc(x)


X = np.linspace(-1, 1, 8, dtype="float32").reshape(4, 2)


@scenario("train and eval are different Programs")
def train_eval(to_static):
    net = Net()
    to_static(net)
    x = paddle.to_tensor(X)
    paddle.seed(5)
    seen = [net(x)]
    net.eval()
    seen += [net(x), net(x, scale=T(2.0))]
    net.train()
    return [*seen, net(x).shape, net.norm._mean]


@scenario("training steps, gradients and optimizers")
def training(to_static):
    net = Net()
    net.drop.p = 0.0
    to_static(net)
    # the gradient of the norm's bias is 0 but for rounding, which a smaller epsilon would make steps of
    optimizer = paddle.optimizer.Adam(learning_rate=0.1, epsilon=1e-3, parameters=net.parameters())
    losses = []
    for _ in range(3):
        loss = (net(paddle.to_tensor(X)) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(loss.detach())
    return losses, net.fc.weight.detach()


@scenario("hooks before and after `forward`")
def hooks(to_static):
    net = nn.Linear(2, 2)
    net.weight.set_value(np.eye(2, dtype="float32"))
    to_static(net)
    net.register_forward_pre_hook(lambda layer, inputs: (inputs[0] + 1,))
    handle = net.register_forward_post_hook(lambda layer, inputs, output: output * 10)
    first = net(T([[1.0, 2.0]]))
    handle.remove()
    return [first.detach(), net(T([[1.0, 2.0]])).detach()]


@scenario("a hook that gives something back in one branch only")
def deciding_hooks(to_static):
    class Double(nn.Layer):
        def forward(self, x, y=1):
            return x * 2 + y

    def some_inputs(layer, inputs):
        if inputs[0].sum() > 4:
            return inputs[0] - 1, inputs[0] + 1
        return (inputs[0], inputs[0]) if inputs[0].sum() > 2 else None

    def one_input(layer, inputs):
        if inputs[0].sum() < 0:
            return -inputs[0]

    def output(layer, inputs, outputs):
        if outputs.sum() > 9:
            return outputs - inputs[0]

    net = Double()
    net.register_forward_pre_hook(one_input)
    net.register_forward_pre_hook(lambda layer, inputs: some_inputs(layer, inputs) if inputs[0].sum() > 3 else None)
    net.register_forward_post_hook(output)
    net.forward = to_static(net.forward)
    return [net(T(values)) for values in ([1.0, 0.5], [1.0, 1.5], [2.0, 3.0], [-1.0, -4.0], [-1.0, 0.5])]


@scenario("several static methods in one layer")
def several_methods(to_static):
    class Two(Net):
        @to_static
        def features(self, x):
            return self.fc(x) if x.sum() > 0 else -self.fc(x)

        @to_static
        def forward(self, x):
            return self.features(x) * 2

    net = Two()
    return [net.features(T([[1.0, 2.0]])).detach(), net(T([[-1.0, -2.0]])).detach()]


@scenario("shared sublayers and tied weights")
def shared(to_static):
    class Tied(nn.Layer):
        def __init__(self):
            super().__init__()
            paddle.seed(1)
            self.a = nn.Linear(2, 2)
            self.b = self.a
            self.c = nn.Linear(2, 2)
            self.c.weight = self.a.weight

        def forward(self, x):
            return self.c(self.b(self.a(x)))

    net = Tied()
    to_static(net)
    out = net(T([[1.0, 2.0]])).sum()
    out.backward()
    return [out.detach(), net.a.weight.grad, len(net.parameters())]


@scenario("`LayerList`, `Sequential` and loops over sublayers")
def layer_lists(to_static):
    class Stack(nn.Layer):
        def __init__(self):
            super().__init__()
            paddle.seed(2)
            self.blocks = nn.LayerList([nn.Linear(2, 2) for _ in range(3)])
            self.head = nn.Sequential(nn.Linear(2, 2), nn.ReLU())

        def forward(self, x):
            outs = []
            for i, block in enumerate(self.blocks):
                x = block(x)
                if x.sum() > 0:
                    x = x * (i + 1)
                outs.append(x)
            return self.head(x), outs

    net = Stack()
    to_static(net)
    y, outs = net(T([[1.0, 2.0]]))
    return [y.detach(), [o.detach() for o in outs]]


@scenario("`state_dict` loaded between calls")
def state_dict(to_static):
    net, other = nn.Linear(2, 2), nn.Linear(2, 2)
    net.weight.set_value(np.eye(2, dtype="float32"))
    other.weight.set_value(np.ones((2, 2), "float32"))
    to_static(net)
    first = net(POS).detach()
    net.set_state_dict(other.state_dict())
    return [first, net(POS).detach()]


@scenario("deep copies")
def deep_copy(to_static):
    net = nn.Linear(2, 2)
    net.weight.set_value(np.eye(2, dtype="float32"))
    to_static(net)
    first = net(POS).detach()
    twin = copy.deepcopy(net)
    twin.weight.set_value(np.ones((2, 2), "float32"))
    return [first, net(POS).detach(), twin(POS).detach()]


@scenario("a layer replaced, a parameter frozen")
def changed_layer(to_static):
    net = Net()
    net.eval()
    to_static(net)
    x = paddle.to_tensor(X)
    seen = [net(x).detach()]
    net.out = nn.Linear(4, 1)
    net.out.weight.set_value(np.ones((4, 1), "float32"))
    seen.append(net(x).detach())
    net.fc.weight.stop_gradient = True
    net(x).sum().backward()
    return [*seen, net.fc.weight.grad is None, net.fc.bias.grad is None]


@scenario("`paddle.grad` inside")
def grad_inside(to_static):
    def f(x):
        x.stop_gradient = False
        y = (x * x).sum() if x.sum() > 0 else x.sum()
        (g,) = paddle.grad([y], [x])
        return g.detach()

    static = to_static(f)
    return [static(T([1.0, 2.0])), static(T([-1.0, -2.0]))]


@scenario("gradients through branches and loops")
def gradients(to_static):
    def f(x, n):
        y = x
        for i in range(n):
            if y.sum() > 3:
                y = y * 0.5
            else:
                y = y * x
        return y.sum()

    static = to_static(f)
    seen = []
    for n in (0, 1, 4):
        x = T([1.5, 2.0], stop_gradient=False)
        static(x, T(n, "int64")).backward()
        seen.append(x.grad)
    return seen


@scenario("gradients to tensors appended in a loop")
def gradients_list(to_static):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(x * (i + 1))
        return paddle.stack(out).sum()

    static = to_static(f)
    x = T([1.5, 2.0], stop_gradient=False)
    static(x, T(3, "int64")).backward()
    return [x.grad]


class Lazy(nn.Layer):
    def __init__(self):
        super().__init__()
        self.w, self.count, self.calls = T([2.0, 3.0]), 0, 0

    @functools.cached_property
    def double(self):
        self.__dict__["count"] += 1
        return self.w * 2

    def forward(self, x):
        vars(self)["calls"] = self.calls + 1
        self.__dict__["last"] = y = x * self.double
        return y * self.calls


@scenario("a `cached_property` of a Layer; attributes set in its `__dict__`")
def past_the_setter(to_static):
    net = Lazy()
    run = to_static(net)
    seen = [(run(POS + i), net.count, net.calls, net.last, "double" in vars(net)) for i in range(3)]
    net.w = T([5.0, 5.0])
    seen.append((run(POS), net.count))
    del net.double
    return [*seen, run(POS), net.count, net.double, [name for name, _ in net.named_buffers()]]


@scenario("slices of a `Sequential` up to where a tensor says, with gradients")
def sliced_sequential(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.stages = nn.Sequential(*[nn.Linear(2, 2) for _ in range(3)])

        def forward(self, x, n):
            head, tail = self.stages[: int(n)], self.stages[n:]
            return tail(paddle.tanh(head(x))) * len(head)

    paddle.seed(1)
    net = Net()
    run, found = to_static(net), []
    for n in (0, 1, 3, 2, -1, 9):
        found.append(run(T([[1.0, 2.0]]), T(n, "int64")))
    found[1].sum().backward()
    return found, [p.grad for p in net.parameters()]
