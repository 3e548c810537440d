"""The API around it"""

import functools
import inspect

from language_table import NEG, POS, scenario

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


@scenario("`enable_to_static(False)` runs the Python")
def disabled(to_static):
    def f(x):
        return x.sum() > 0 and x

    paddle.jit.enable_to_static(False)
    try:
        return to_static(f)(POS)
    finally:
        paddle.jit.enable_to_static(True)


@scenario("decorators around and inside: staticmethod, classmethod, property, partialmethod, caches, wrappers, dispatch")
def decorators(to_static):
    def doubled(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return function(*args, **kwargs) * 2

        return wrapper

    def body(x, k=1):
        return x * k if x.sum() > 0 else -x

    class Tool:
        k = 3

        @to_static
        @staticmethod
        def a(x):
            return x if x.sum() > 0 else -x

        @staticmethod
        @to_static
        def b(x):
            return x if x.sum() > 0 else -x

        @to_static
        @classmethod
        def c(cls, x):
            return x * cls.k if x.sum() > 0 else -x

        @classmethod
        @to_static
        def d(cls, x):
            return x * cls.k if x.sum() > 0 else -x

        @to_static
        @property
        def e(self):
            return POS * self.k if POS.sum() > 0 else NEG

        @property
        @to_static
        def f(self):
            return NEG * self.k if NEG.sum() > 0 else POS

        @to_static
        @functools.cached_property
        def g(self):
            return NEG * self.k if NEG.sum() > 0 else POS

        def plain(self, x, k):
            return x * k * self.k if x.sum() > 0 else -x

        h = to_static(functools.partialmethod(plain, k=7))
        i = functools.partialmethod(to_static(plain), k=7)

    @functools.singledispatch
    def dispatched(x):
        return "something else"

    @dispatched.register(paddle.Tensor)
    def _(x):
        return x * 2 if x.sum() > 0 else -x

    tool = Tool()
    seen = [getattr(owner, name)(x) for owner in (Tool, tool) for name in "abcd" for x in (POS, NEG)]
    seen += [tool.e, tool.f, tool.g, tool.g is tool.g, tool.h(POS), tool.h(NEG), tool.i(POS), tool.i(NEG)]
    seen += [to_static(doubled(body))(NEG), doubled(to_static(body))(NEG), to_static(functools.partial(body, k=5))(POS)]
    return [*seen, functools.lru_cache(to_static(body))(NEG), to_static(dispatched)(NEG), to_static(dispatched)("a")]


@scenario("what functions tell of themselves")
def metadata(to_static):
    def f(x: paddle.Tensor, k: int = 2, *rest, m=1, **others) -> paddle.Tensor:
        """Doc."""
        return x

    class Net(paddle.nn.Layer):
        def forward(self, x, scale=2):
            return x

    static = to_static(f)
    shown = [inspect.signature(static), inspect.signature(to_static(Net()).forward)]
    return [*map(str, shown), static.__doc__, static.__name__, static.__annotations__["k"]]


@scenario("builtins and operators given to `to_static`")
def builtins_static(to_static):
    return [to_static(abs)(NEG), to_static(paddle.concat)([POS, NEG]), to_static(len)(POS), to_static(print)("text", POS)]
