"""The API around it"""

from language_table import NEG, POS, T, scenario

import to_static as paddle


@scenario("`to_static` with and without parentheses, on functions, methods and layers")
def decorating(to_static):
    @to_static
    def f(x):
        return x if x.sum() > 0 else -x

    @to_static()
    def g(x):
        return x if x.sum() > 0 else -x

    class Net(paddle.nn.Layer):
        def forward(self, x):
            return x * 2 if x.sum() > 0 else x

    net = Net()
    same = to_static(net)
    return [f(NEG), g(NEG), same is net, net(POS), to_static(Net().forward)(NEG)]


@scenario("a lambda")
def lambdas(to_static):
    return [to_static(lambda x: x if x.sum() > 0 else -x)(NEG)]


@scenario("a function that returns nothing, or constants")
def constants(to_static):
    def nothing(x):
        x + 1

    def some(x):
        return 1, "a", None, [2.5, (x,)], {"k": True}

    return [to_static(nothing)(POS), to_static(some)(POS)]


@scenario("results that are the arguments themselves")
def arguments_back(to_static):
    def f(x, y):
        return y, x, x

    a, b = T([1.0]), T([2.0])
    got = to_static(f)(a, b)
    return [got[0] is b, got[1] is a, got[1] is got[2]]


@scenario("`enable_to_static(False)` runs the Python")
def disabled(to_static):
    def f(x):
        return x.sum() > 0 and x

    paddle.jit.enable_to_static(False)
    try:
        return to_static(f)(POS)
    finally:
        paddle.jit.enable_to_static(True)
