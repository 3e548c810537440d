"""Calls"""

import functools
import linecache
import math
import operator

import numpy as np
from language_table import BOTH, NEG, POS, Keywords, T, case, refused, scenario

import to_static as paddle
from to_static.core.errors import ToStaticError, TracedValueError, TranslationError

applied = []


def register(function):
    applied.append(function.__name__)
    return function


def doubling(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs) * 2

    return wrapper


@register
@doubling
def decorated(x):
    if x.sum() > 0:
        return x + 1
    return x - 1


def positive(x, scale=1, *, shift=0):
    if x.sum() > 0:
        return x * scale + shift
    return x


class Tool:
    factor = 3

    def __init__(self, k=2):
        self.k = k

    def __call__(self, x):
        if x.sum() > 0:
            return x * self.k
        return x

    def method(this, x):
        if x.sum() > 0:
            return this(x) + 1
        return x

    @staticmethod
    def static(x):
        return x if x.sum() > 0 else -x

    @classmethod
    def make(cls, x):
        return x * cls.factor if x.sum() > 0 else x

    @property
    def twice(self):
        return self.k * 2

    def __matmul__(self, x):
        return x if x.sum() > 0 else x * 7

    def __getitem__(self, i):
        return i * 2


class SubTool(Tool):
    def method(self, x):
        y = super().method(x)
        return y if y.sum() > 0 else super(SubTool, self).static(x) * 9


tool = SubTool()
TEN = T([10.0, 20.0])


@case("user functions, with defaults, keywords and star arguments", *BOTH)
def functions(x):
    args, options = (x,), {"scale": 3}
    return positive(x), positive(x, 2, shift=1), positive(*args, **options)


@case("methods, static methods, class methods, callable objects, properties", *BOTH)
def methods(x):
    return tool.method(x), Tool.static(x), tool.static(x), SubTool.make(x), tool(x), x * tool.twice


@case("a method called through its class; an unbound method kept in a variable", *BOTH)
def through_class(x):
    f = Tool.method
    g = tool.method
    return f(tool, x), g(x), tool.method(x)


@case("`super()` with and without arguments", *BOTH)
def supers(x):
    return tool.method(x)


@case("operators and items of the user's objects", *BOTH)
def user_operators(x):
    return tool[3], tool.k


@case("partials and lambdas", *BOTH)
def partials(x):
    f = functools.partial(positive, scale=4)
    g = lambda v, k=2: v * k if v.sum() > 0 else v
    return f(x), g(x), (lambda: g(x, k=3))(), functools.partial(tool.method)(x)


@case("a function from a factory, a dict, a list or an attribute", *BOTH)
def factories(x):
    def make(k):
        def inner(v):
            if v.sum() > 0:
                return v * k
            return v

        return inner

    table = {"f": make(2), "g": [make(3)]}
    tool.hook = make(5)
    return table["f"](x), table["g"][0](x), tool.hook(x), make(7)(x)


@case("a decorated function: its decorators do not run again", *BOTH)
def decorators(x):
    return decorated(x), len(applied)


@case("`map`, `filter`, `functools.reduce`, `operator`", *BOTH)
def functional(x):
    return list(map(positive, [x, -x])), functools.reduce(operator.add, [x, x, x]), operator.mul(x, 2)


@case("`sorted` and `max` with a key", *BOTH)
def keys(x):
    return sorted([3, -1, 2], key=lambda n: -n), max([1, 2, 3], key=lambda n: n % 3)


@case("recursion bounded by a Python number", *BOTH)
def recursion(x, n=3):
    if n == 0:
        return x
    if x.sum() > 0:
        return recursion(x + 1, n - 1)
    return recursion(x * 2, n - 1)


def halve(x):
    if x < 1:
        return x
    return halve(x / 2)


@refused("recursion bounded by a tensor", T(8.0), error=TranslationError)
def recursion_tensor(x):
    return halve(x)


@refused("recursion of two functions in a tensor loop", T(3, "int64"), error=TranslationError)
def recursion_of_two(n):
    others = {}

    def made(answer):
        def parity(k):  # of two functions, of which either may be the one that is too deep
            return answer if k == 0 else others[answer](k - 1)

        return parity

    others[True] = made(False)
    even = others[False] = made(True)

    found = 0
    for i in range(n):
        if even(i):
            found += 1
    return found


@case("`*args`, `**kwargs` and keyword-only tensors", (POS, NEG, Keywords(k=NEG, flag=True)), (POS, Keywords(k=POS)))
def star_arguments(x, *rest, k, flag=False, **others):
    y = x if x.sum() > 0 else -x
    for r in rest:
        y = y + (r if r.sum() > 0 else r * 2)
    return y + k if flag else y - k, len(rest), sorted(others)


@case("positional-only parameters and tensor defaults", (POS,), (POS, NEG))
def positional_only(x, y=TEN, /):
    return x + y


@case("NumPy, `math` and library functions on Python values", POS)
def libraries(x):
    return x * np.float32(2.0), math.sqrt(4.0), np.arange(3).sum().item(), x + np.ones(2, "float32")


@refused("NumPy on a traced tensor", POS, error=TracedValueError)
def numpy_on_tensor(x):
    return np.sin(x)


@refused("`.numpy()` on a traced tensor", POS, error=TracedValueError)
def numpy_method(x):
    return x.numpy() + 1


@case("`*args` and `**options` of a call that a condition chooses, with other lengths and names", *BOTH)
def chosen_arguments(x):
    def f(v, *rest, k=1, **more):
        return v * k + len(rest) + sum(more.values())

    options = {"k": 2} if x.sum() > 0 else {"j": 5, "i": x}
    rest = (1, 2) if x.max() > 0 else [3]
    more = {} if x.max() > 0 else {"h": 1}
    how = dict(axis=0) if x.sum() > 0 else dict(axis=-1, keepdim=True)
    try:
        f(x, k=1, **{"k": 2})
    except TypeError as error:
        twice = "multiple values for keyword argument 'k'" in str(error)
    return f(x, *rest, **options, **more), x.sum(**how), twice


@case("`.tolist()` of a tensor with known dimensions, and Python's functions on its numbers", *BOTH)
def tolist(x):
    values = x.tolist()
    table = paddle.stack([x, x * 2]).astype("int64").tolist()
    big = "big" if max(values) > 1 else "small"
    found = [v for v in values if v > 1]
    return values, sum(values), sorted(values, reverse=True), len(values), table, x.sum().tolist(), big, found


@refused("`.tolist()` of many elements", T(np.zeros(300)), error=TracedValueError)
def many_to_list(x):
    return x.tolist()


@case("`item()`, `int()`, `float()`, `bool()`, `len()`", (T(-3.7),), (T(0.0),), (T(4.0),))
def scalar_casts(x):
    n = int(x)
    return n, float(x), bool(x), n // 2, n / 2, x.item() + 1, len([n]), n % 3, -n


@paddle.jit.not_to_static
def left_alone(x):
    return x * 2


@paddle.jit.not_to_static
def left_alone_condition(x):
    if x.sum() > 0:
        return x
    return -x


@case("`not_to_static` functions run as they are", *BOTH)
def not_translated(x):
    return left_alone(x)


@refused("a tensor condition in a `not_to_static` function", POS, error=TracedValueError)
def not_translated_condition(x):
    return left_alone_condition(x)


namespace = {}
exec("def made_by_exec(x):\n    return x * 2 if x.sum() > 0 else x\n", namespace)
made_by_exec = namespace["made_by_exec"]


@refused("a function without source that meets a tensor condition", POS, error=TracedValueError)
def without_source(x):
    return made_by_exec(x)


@case("static functions called by static functions", *BOTH)
def nested_static(x):
    return inner_static(x) + 1


@paddle.jit.to_static
def inner_static(x):
    if x.sum() > 0:
        return x * 2
    return x


@case("classes defined inside", *BOTH)
def inner_class(x):
    class Box:
        scale = 2

        def __init__(self, v):
            self.v = v

        def get(self):
            return self.v * self.scale if self.v.sum() > 0 else self.v

    return Box(x).get()


@case("`isinstance`, `hasattr`, `getattr`, `type`, `callable`, `id`", POS)
def questions(x):
    return isinstance(x, paddle.Tensor), hasattr(x, "shape"), getattr(x, "nope", 3), callable(tool), isinstance(3, (int, str))


@case("methods of tensors found by `getattr`", *BOTH)
def getattr_tensor(x):
    return x.sum(), x.abs()


@refused("`async def`", POS, error=TranslationError)
async def asynchronous(x):
    return x


@refused("`locals`", POS, error=TranslationError)
def frames(x):
    return locals()["x"]


@case("`eval`", *BOTH)
def evaluated(x):
    return eval("x * 2") if x.sum() > 0 else -x


async def waited(x):
    if x.sum() > 0:
        return x * 2
    return x


@refused("a tensor condition in a coroutine", POS, error=ToStaticError)
def coroutine(x):
    import asyncio

    return asyncio.run(waited(x))


made = []


@functools.lru_cache(maxsize=None)
def mask(size, scale=1.0):
    made.append(size)
    return paddle.tril(paddle.ones([size, size])) * scale


class Masks:
    @functools.lru_cache  # noqa: B019
    def mask(self, size):
        return mask(size) * 2


masks = Masks()


@scenario("a function that `functools.lru_cache` lets keep its results")
def cached_results(to_static):
    def f(x):
        size = x.shape[0]
        return x @ mask(size) + mask(size, scale=2.0), mask(size) is mask(size), masks.mask(size)

    made.clear()
    mask.cache_clear()
    static = to_static(f)
    seen = [static(paddle.ones([n, n])) for n in (2, 3, 2)]
    return [*seen, mask(2) + 0, made]


@refused("a function that `functools.lru_cache` lets keep its results, for tensors", POS)
def cached_for_tensors(x):
    @functools.lru_cache
    def double(v):
        return v * 2

    return double(x)


class Caller:
    def run(self, x, k=1):
        return x * k if x.sum() > 0 else x - k


@case("methods found by `operator.methodcaller`, `attrgetter` and `getattr`", *BOTH)
def found_by_name(x):
    one = Caller()
    called = operator.methodcaller("run", x)(one), operator.methodcaller("run", x, k=3)(one)
    return *called, operator.attrgetter("run")(one)(x, 2), getattr(one, "ru" + "n")(x)


WITHOUT_NAME = {}
TEXT = "def doubled(x):\n    if x.sum() > 0:\n        return x * 2\n    return x\n"
linecache.cache["<text of a test>"] = (len(TEXT), None, TEXT.splitlines(True), "<text of a test>")
exec(compile(TEXT, "<text of a test>", "exec"), WITHOUT_NAME)


@case("a function that `exec` made in a namespace without a name", *BOTH)
def without_name(x):
    return WITHOUT_NAME["doubled"](x)
