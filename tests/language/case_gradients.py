"""Gradients"""

from language_table import BOTH, T, case, refused, scenario

import to_static as paddle
from to_static import nn
from to_static.core.errors import AutogradError


def inputs(count):
    return [T([1.5, 2.0], stop_gradient=False) for _ in range(count)]


def seen(function, count, *calls):
    """For each call: whether its results need a gradient, and after each one's `backward` the gradients of the inputs."""
    found = []
    for rest in calls:
        xs = inputs(count)
        results = function(*xs, *rest)
        for result in results if isinstance(results, (list, tuple)) else [results]:
            found.append(result.stop_gradient)
            if not result.stop_gradient:
                result.sum().backward(retain_graph=True)
                found.append([x.grad for x in xs])
    return found


YES, NO = T(1.0), T(-1.0)
NONE, ONE, THREE = (T(n, "int64") for n in (0, 1, 3))


@scenario("what only the other branch uses gets no gradient: its `grad` stays `None`")
def other_branch(to_static):
    def f(a, b, t):
        return a * 2 if t > 0 else b * 3

    return seen(to_static(f), 2, (YES,), (NO,))


@scenario("what a loop of no trips does not reach gets no gradient")
def no_trips(to_static):
    def f(a, b, c, n, t):
        y, z = a.detach(), b
        for i in range(n):
            if (i > 0) and (t > 0):
                y, z = z, y
            else:
                y = y * c
        return y, z

    return seen(to_static(f), 3, *[(n, t) for n in (NONE, ONE, THREE) for t in (YES, NO)])


@scenario("an optimizer leaves alone what was not reached: moments and weight decay too")
def optimizer(to_static):
    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            paddle.seed(3)
            self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)

        def forward(self, x):
            return self.a(x) if x.sum() > 0 else self.b(x)

    net = Net()
    to_static(net)
    adam = paddle.optimizer.AdamW(0.1, parameters=net.parameters(), weight_decay=0.1, grad_clip=nn.ClipGradByGlobalNorm(0.5))
    found = []
    for sign in (1.0, -1.0, -1.0, 1.0, 1.0):
        loss = (net(T([[1.0, 2.0]]) * sign) ** 2).mean()
        loss.backward()
        adam.step()
        found += [loss.detach(), *[p.grad for p in net.parameters()]]
        adam.clear_grad(set_to_zero=False)
    return found, [p.detach() for p in net.parameters()]


@scenario("results that need a gradient on one path only: `stop_gradient` is of the path taken")
def stops(to_static):
    def f(a, t):
        with paddle.no_grad():
            y = a if t > 0 else a * 2  # the same object, or a new one without history
        z = a * 2 if t > 0 else t * 3
        return y, z, z.detach()

    return seen(to_static(f), 1, (YES,), (NO,))


@scenario("a result that takes no part in the loss leads to no gradient")
def unused_result(to_static):
    def f(a, b):
        return a * 2, b * 3

    static = to_static(f)
    a, b = inputs(2)
    static(a, b)[0].sum().backward()
    return a.grad, b.grad


@scenario("a parameter frozen after the first call: results that depend on nothing else need no gradient")
def frozen(to_static):
    w, v = inputs(2)

    def f(x):
        return x * w, x * v

    static = to_static(f)
    found = [r.stop_gradient for r in static(YES)]
    w.stop_gradient = True
    return found, [r.stop_gradient for r in static(YES)]


@scenario("elements of a returned list, each with the gradient that it has")
def list_elements(to_static):
    def f(a, b, n):
        out = []
        for i in range(n):
            if i > 0:
                out.append(a * i)
            else:
                out.append(b.detach() + i)
        if n > 1:
            out[0] = b * 2
        return out

    return seen(to_static(f), 2, (NONE,), (ONE,), (THREE,))


@scenario("elements read from a list that grew in a loop, and the list stacked")
def list_reads(to_static):
    def f(a, b, n):
        out = [a * 3]
        for i in range(n):
            if i > 0:
                out.append(a * i)
            else:
                out.append(b * i)
        last = out.pop()
        out.insert(0, a.detach())
        return last, out[0], out[1], paddle.stack(out)

    return seen(to_static(f), 2, (ONE,), (THREE,))


@scenario("`backward` twice, accumulated gradients, `retain_graph`")
def accumulated(to_static):
    def f(a, t):
        return a * a if t > 0 else a * 3

    static = to_static(f)
    (a,) = inputs(1)
    found = []
    for t in (YES, NO):
        static(a, t).sum().backward()
        found.append(a.grad.detach())
    loss = static(a, YES).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    found.append(a.grad)
    try:
        loss.backward()
    except Exception as error:
        found.append(type(error).__name__)
    return found


@scenario("`paddle.grad` of a static result: unused inputs, and gradients of gradients through branches and loops")
def higher_orders(to_static):
    def f(a, b, n):
        y = a
        for _ in range(n):
            y = y * a * b
        return y * y if y.sum() > 0 else y

    static = to_static(f)
    found = []
    for n in (NONE, ONE, THREE):
        a, b = inputs(2)
        loss = static(a, b, n).sum()
        first = paddle.grad(loss, [a, b], create_graph=True, allow_unused=True)
        found += [first, paddle.grad(first[0].sum(), [a, b], allow_unused=True)]
    return found


@scenario("hooks of inputs and of results, outside of the static function")
def tensor_hooks(to_static):
    def f(a, b, t):
        return a * 2 if t > 0 else b * 3

    static = to_static(f)
    heard = []

    def listen(tensor, name):
        tensor.register_hook(lambda g: heard.append((name, g)))

    for t in (YES, NO):
        a, b = inputs(2)
        listen(a, "a")
        b.register_hook(lambda g: g * 10)
        y = static(a, b, t)
        listen(y, "y")
        y.sum().backward()
        heard += [a.grad, b.grad]
    return heard


@case("`paddle.grad` inside, of a value that both branches make of the input", *BOTH)
def grad_decided(x):
    x.stop_gradient = False
    y = x * x if x.sum() > 0 else x * 3
    (g,) = paddle.grad([y.sum()], [x])
    return g.detach()


@case("a detached tensor that wants a gradient is a leaf of its own", *BOTH)
def own_leaf(x):
    y = x * 2
    z = y.detach()
    z.stop_gradient = False
    (g,) = paddle.grad([(y * z * z).sum()], [z], retain_graph=True)
    return y * z, g.detach()


@refused("`paddle.grad` inside, of a value that one branch makes of the input", *BOTH)
def grad_undecided(x):
    x.stop_gradient = False
    w = x * 1
    y = w * x if x.sum() > 0 else x * 3
    return paddle.grad([y.sum()], [w], allow_unused=True)


@scenario("`register_hook` inside, of a tensor that a branch makes: the gradient of the branch that ran goes through it")
def hook_inside(to_static):
    def f(x, t):
        if t > 0:
            y = x * 2
            y.register_hook(lambda g: g * 3 + x)
        else:
            y = x * 5
        return y * y

    return seen(to_static(f), 1, (YES,), (NO,))


@case("`backward()` inside", *BOTH)
def backward_inside(x):
    x.stop_gradient = False
    y = (x * x).sum()
    y.backward()
    return y


@case("`.grad` of a tensor inside", *BOTH)
def grad_attribute(x):
    return x if x.grad is None else x.grad


@case("no gradient flows through `paddle.to_tensor` of a list of tensors, or of a tensor", *BOTH)
def copies_are_constants(x):
    a = paddle.to_tensor([x.sum(), x.max()]) * x
    b = x - paddle.to_tensor([x.sum(), x.min()])
    return a + b * paddle.to_tensor(x)


@case("lists that change under `no_grad`: what is moved keeps its gradient, what is computed has none", *BOTH)
def moved_without_gradients(x):
    kept = [x]
    with paddle.no_grad():
        if x.sum() > 0:
            kept.append(x * 2)
        else:
            kept.insert(0, x)
        for _ in range(int(x.sum()) + 4):
            kept[0] = kept.pop()
            kept.append(x)
        first = kept[0]
    return first * x + kept.pop() * 3


@scenario("`backward` from one result after the other: it fails only where the two share a computation")
def one_after_the_other(to_static):
    def separate(x, y):
        return (x * 2).sum(), (y * y).sum()

    def shared(x, y):
        z = x * y
        return z.sum(), (z * z).sum()

    def branches(x, y):
        if x.sum() > 0:
            return (x * 3).sum(), (y * y).sum()
        return (x * y).sum(), (y * y).sum()

    def cut(x, y):
        z = x * y
        return z.sum(), (z.detach() * y).sum(), z

    seen = []
    for function in map(to_static, (separate, shared, branches, cut)):
        for retain in (False, True):
            for order in ((0, 1, -1), (1, 0), (0, 0)):
                x, y = T([1.0, 2.0], stop_gradient=False), T([3.0, 4.0], stop_gradient=False)
                results = function(x, y)
                for i in order:
                    try:
                        results[i].sum().backward(retain_graph=retain)
                        seen.append((x.grad, y.grad))
                    except AutogradError as error:
                        seen.append("freed" in str(error))
    return seen


@scenario("objects that a loop replaces: the gradient goes through those that are read")
def replaced_objects(to_static):
    class Box:
        def __init__(self, value):
            self.value = value

    def f(a, b, n, t):
        box, other = Box(a), Box(b)
        for i in range(n):
            box = Box(box.value * a) if (i < 1) and (t > 0) else other
            box.value = box.value + 1
        return box.value, other.value

    return seen(to_static(f), 2, *[(n, t) for n in (NONE, ONE, THREE) for t in (YES, NO)])


@scenario("a parameter changed inside of `no_grad` goes on as the leaf that it is")
def changed_parameter(to_static):
    class Net(nn.Layer):
        def __init__(self, kind):
            super().__init__()
            self.kind = kind
            self.weight = self.create_parameter([2], default_initializer=nn.initializer.Constant(2.0))

        def forward(self, x):
            y = x * self.weight
            if self.kind == "value":
                self.weight.set_value(self.weight * 0.5)
            with paddle.no_grad():
                if self.kind == "clip":
                    self.weight.clip_(0.0, 1.0)
                if self.kind == "item":
                    self.weight[0] = 3.0
                if self.kind == "branch" and x.sum() > 0:
                    self.weight.scale_(0.5)
                if self.kind == "loop":
                    for _ in range(x.astype("int64").max()):
                        self.weight.scale_(0.5)
            return y + x * x * self.weight

    seen = []
    for kind in ("value", "clip", "item", "branch", "loop"):
        net = Net(kind)
        run = to_static(net)
        for value in ([1.0, 2.0], [-3.0, 2.0], [1.0, 2.0]):
            x = T(value, stop_gradient=False)
            result = run(x)
            result.sum().backward()
            seen.append([result, net.weight, net.weight.stop_gradient, net.weight.grad, x.grad])
            net.clear_gradients()
    return seen


@scenario("a tensor changed inside of `no_grad` is a leaf of its own that needs a gradient")
def changed_tensor(to_static):
    @to_static
    def f(x, z):
        y = x * 1
        with paddle.no_grad():
            y.add_(z)
            z.add_(z)
        return y, y.stop_gradient, y.is_leaf, x * z

    seen = []
    for stops in ((False, False), (False, True), (True, False), (True, True)):
        x, z = T([1.0, 2.0], stop_gradient=stops[0]), T([3.0, 4.0], stop_gradient=stops[1])
        y, *flags, product = f(x, z)
        if not product.stop_gradient:
            product.sum().backward()
        seen.append([y, y.stop_gradient, flags, z, z.stop_gradient, x.grad, z.grad])
    return seen


@case("`stop_gradient` that a condition decides", *[T([v], stop_gradient=False) for v in (1.0, -1.0)])
def asked_stop(x):
    y = x * 2 if x.sum() > 0 else x.detach()
    return y.stop_gradient


@case("`stop_gradient` and `trainable` where conditions make no difference", *[T([v], stop_gradient=False) for v in (1.0, -1.0)])
def known_stop(x):
    y = x * 2 if x.sum() > 0 else x * 3
    z = paddle.ones([1])
    if x.sum() > 0:
        z = z + 1
    return x.stop_gradient, y.stop_gradient, y.trainable, z.stop_gradient, y.detach().stop_gradient


def called_with(static, *stops):
    """What calls with all combinations of `stop_gradient` give and leave behind, twice."""
    found = []
    for x_stops, z_stops in [*stops, *stops]:
        x, z = T([1.0, 2.0], stop_gradient=x_stops), T([3.0, 4.0], stop_gradient=z_stops)
        results = static(x, z)
        flags = [r.stop_gradient for r in results]
        if not all(flags):
            sum(r.sum() for r in results if not r.stop_gradient).backward()
        found.append([results, flags, x.stop_gradient, z.stop_gradient, x.grad, z.grad])
    return found


ALL_STOPS = [(a, b) for a in (True, False) for b in (True, False)]


@scenario("`stop_gradient` of an argument set inside is that of the caller's tensor, and what is computed then has a gradient")
def argument_opened(to_static):
    def opened(x, z):
        before = z * 3
        z.stop_gradient = False
        return before, x * z

    def penalty(x, z):
        z.stop_gradient = False
        (g,) = paddle.grad((z**3).sum(), [z], create_graph=True)
        return [((g - x) ** 2).sum()]

    return [called_with(to_static(f), *ALL_STOPS) for f in (opened, penalty)]


@scenario("`stop_gradient` of an argument set to True inside, and put back")
def argument_closed(to_static):
    def closed(x, z):
        before = z * 3
        z.stop_gradient = True
        return before, x * z

    def between(x, z):
        kept, z.stop_gradient = z.stop_gradient, False
        (g,) = paddle.grad((z**3).sum(), [z], create_graph=True)
        z.stop_gradient = kept
        return g, z + x

    def changed(x, z):
        z.stop_gradient = True
        z.add_(x.detach())
        return z * x, z

    return [called_with(to_static(f), *ALL_STOPS) for f in (closed, between, changed)]


@scenario("a tensor that becomes a leaf in all branches, or in every trip of a loop")
def leaf_on_all_paths(to_static):
    def branches(x, z):
        y = (x * z).detach()
        if x.sum() > 0:
            y = y + 1
            y.stop_gradient = False
        else:
            y = y - 1
            y.stop_gradient = False
        return y, y * 2, x * y

    def descent(x, z):
        w = z.detach().clone()
        w.stop_gradient = False
        for _ in range(int(x.sum())):
            (g,) = paddle.grad(((w - 1) ** 2).sum(), [w])
            with paddle.no_grad():
                w.subtract_(g * 0.1)
        return w, w * x

    return [called_with(to_static(f), *ALL_STOPS) for f in (branches, descent)]


@refused("`stop_gradient = False` in one branch", *BOTH)
def leaf_on_one_path(x):
    y = x * 2
    if x.sum() > 0:
        y.stop_gradient = False
    return y


@case("an in-place change under `no_grad` in one branch", (T([1.0], stop_gradient=False),), (T([-1.0], stop_gradient=False),))
def changed_on_one_path(x):
    y = x * 2
    if x.sum() > 0:
        with paddle.no_grad():
            y.add_(x)
    return y


@refused("`stop_gradient` of an argument set in a branch", *BOTH)
def argument_in_branch(x):
    if x.sum() > 0:
        x.stop_gradient = False
    return x * 2


class Hidden(nn.Layer):
    """A cell that keeps its state."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(2, 2, weight_attr=paddle.ParamAttr(initializer=nn.initializer.Constant(0.5)))
        self.register_buffer("h", paddle.zeros([1, 2]))
        self.register_buffer("total", paddle.zeros([1, 2]))

    def forward(self, x):
        self.h = self.h * 0.5 + self.linear(x)
        self.total.add_(self.h)
        if x.sum() > 3:
            self.total[:] = self.total * 2
        return (self.h + self.total).sum()


@scenario("the gradient through a buffer that an earlier call has set")
def through_buffers(to_static):
    net, seen = Hidden(), []
    call = to_static(net.forward)
    for cut in (False, True, False):
        for value in (1.0, 2.0, -1.0):
            loss = call(T([[value, value]]))
        held = net.h
        loss.backward()
        seen += [float(loss), net.linear.weight.grad.numpy(), net.h.stop_gradient, net.total.stop_gradient]
        net.clear_gradients()
        net.h = net.h.detach()
        net.total = net.total.detach()
        if cut:
            with paddle.no_grad():
                seen += [float(call(T([[1.0, 1.0]]))), net.h.stop_gradient]
        seen.append(held.numpy())
    return seen


@refused("a gradient in a branch, of a gradient that was computed before it", *BOTH, error=AutogradError)
def second_in_branch(x):
    x = x.detach()
    x.stop_gradient = False
    (first,) = paddle.grad((x**3).sum(), [x], create_graph=True)
    if first.sum() > 3:
        (second,) = paddle.grad(first.sum(), [x])
    else:
        second = first
    return first.detach(), second.detach()
