"""What code may read from outside is watched between calls: items, attributes, classes, however deep; and what that costs."""

import collections
import copy
import dataclasses
import functools
import multiprocessing
import operator
import queue
import string
import sys
import threading
import types
import weakref

import numpy as np
import pytest

import to_static as paddle
from to_static import nn
from to_static.core.errors import TranslationError
from to_static.jit import to_static

Space = types.SimpleNamespace


class Base:
    k = 2
    items = [1, 2]

    def go(self, x):
        return x + 1


class Derived(Base):
    def go(self, x):
        return super().go(x) * 2


class Slotted:
    __slots__ = ("__weakref__", "v")

    def __init__(self, v):
        self.v = v


class Held:
    def __init__(self, v):
        self.v = v

    @property
    def twice(self):
        return self.v * 2

    def __call__(self, x):
        return x * self.v

    def __len__(self):
        return self.v

    def __getattr__(self, name):
        return self.__dict__["table"][name]


@dataclasses.dataclass
class Fields:
    a: int = 1
    b: int = 2


Pair = collections.namedtuple("Pair", "held items")


def helper(space, x):
    return x * space.k + space.inner.v


@paddle.jit.not_to_static
def native(x):
    return hidden(x)


def hidden(x):
    return x * SETTINGS.k


SETTINGS = Space(k=2)


def attributes():
    space = Space(k=1, inner=Space(v=2))
    yield lambda x: helper(space, x)
    yield lambda: setattr(space, "k", 5)
    yield lambda: setattr(space.inner, "v", 7)
    yield lambda: setattr(space, "inner", Space(v=0))


def deep_attributes():
    space = Space(a=Space(b=Space(c=Space(d=Space(e=1)))))
    yield lambda x: x * space.a.b.c.d.e
    yield lambda: setattr(space.a.b.c.d, "e", 5)


def names_made_up():
    space = Space(v_1=1, v_2=2)
    yield lambda x: sum(x * getattr(space, f"v_{i}") for i in (1, 2)) + (1 if hasattr(space, "w_" + "1") else 0)
    yield lambda: setattr(space, "v_2", 5)
    yield lambda: setattr(space, "w_1", 5)


def all_attributes():
    space, fields = Space(a=1), Fields()
    yield lambda x: x * sum(vars(space).values()) + sum(dataclasses.asdict(fields).values()) + operator.attrgetter("b")(fields)
    yield lambda: setattr(space, "a", 5)
    yield lambda: setattr(space, "b", 5)
    yield lambda: setattr(fields, "b", 7)


def comparison_and_text():
    one, other = Fields(), Fields()
    yield lambda x: (x * 2 if one == other else x, f"{one}", repr([other]))
    yield lambda: setattr(one, "b", 5)
    yield lambda: setattr(other, "b", 5)


def of_the_class():
    made, sub = Derived(), Derived
    yield lambda x: x * made.k + sum(made.items) + sub.k
    yield lambda: setattr(Base, "k", 5)
    yield lambda: Base.items.append(9)
    yield lambda: setattr(Derived, "k", 7)
    yield lambda: setattr(made, "k", 8)
    yield lambda: delattr(made, "k")
    yield lambda: (setattr(Base, "k", 2), delattr(Derived, "k"), Base.items.pop())


def methods_of_the_class():
    made = Derived()
    old = Base.go
    yield lambda x: made.go(x)
    yield lambda: setattr(Base, "go", lambda self, x: x - 4)
    yield lambda: setattr(made, "go", lambda x: x * 9)
    yield lambda: delattr(made, "go")
    yield lambda: setattr(made, "__class__", Base)
    yield lambda: setattr(Base, "go", old)


def slots():
    held, outer = Slotted(2), Held(Slotted(3))
    yield lambda x: x * held.v + outer.v.v
    yield lambda: setattr(held, "v", 5)
    yield lambda: setattr(outer.v, "v", 7)


def special_methods():
    held = Held(2)
    held.table = {"k": 3}
    method = held.__call__
    yield lambda x: held(x) + held.twice + len(held) + held.k + method(x)
    yield lambda: setattr(held, "v", 5)
    yield lambda: held.table.update(k=7)
    yield lambda: held.__dict__.update(k=8)


def items():
    held, table, pair = [Held(1), Held(2)], {"a": {"b": [Held(3), 4]}}, Pair(Held(5), [6])
    yield lambda x: x * sum(h.v for h in held) + table["a"]["b"][0].v + table["a"]["b"][1] + pair.held.v + pair.items[0]
    yield lambda: setattr(held[1], "v", 10)
    yield lambda: setattr(table["a"]["b"][0], "v", 10)
    yield lambda: operator.setitem(table["a"]["b"], 1, 10)
    yield lambda: setattr(pair.held, "v", 10)
    yield lambda: operator.setitem(pair.items, 0, 10)
    yield lambda: table.update(a={"b": [Held(0), 0]})


def many_items():
    numbers = list(range(500))
    yield lambda x: x * numbers[400]
    yield lambda: operator.setitem(numbers, 400, 5)


def tensors_in_containers():
    held, table = Held(paddle.to_tensor(2.0)), [paddle.to_tensor(3.0)]
    yield lambda x: x * held.v + table[0]
    yield lambda: setattr(held, "v", paddle.to_tensor(5.0))
    yield lambda: held.v.set_value(paddle.to_tensor(6.0))
    yield lambda: operator.setitem(table, 0, paddle.to_tensor(7.0))
    yield lambda: setattr(held, "v", 3)


def defaults_and_partials():
    held = Held(2)

    def function(x, scale=held, numbers=([1], 2), *, shift=held):
        return x * scale.v + shift.v + function.more + numbers[0][0]

    function.more = 1
    part = functools.partial(function, shift=Held(3))
    yield lambda x: function(x) + part(x)
    yield lambda: setattr(held, "v", 5)
    yield lambda: setattr(part.keywords["shift"], "v", 7)
    yield lambda: setattr(function, "more", 9)
    yield lambda: operator.setitem(function.__defaults__[1][0], 0, 4)
    yield lambda: setattr(function, "__defaults__", (Held(0), ([0], 0)))


def module():
    made = types.ModuleType("some_module_of_a_user")
    made.k, made.inner = 2, Space(v=3)
    sys.modules[made.__name__] = made
    yield lambda x: x * made.k + made.inner.v
    yield lambda: setattr(made, "k", 5)
    yield lambda: setattr(made.inner, "v", 7)
    yield lambda: sys.modules.pop(made.__name__)


def functions_that_are_not_translated():
    yield lambda x: native(x)
    yield lambda: setattr(SETTINGS, "k", 5)


def copies():
    space = Space(k=2)
    yield lambda x: x * copy.copy(space).k
    yield lambda: setattr(space, "k", 5)


def of_a_layer():
    class Net(nn.Layer):
        settings, temperature = Space(k=2), 1.0

        def __init__(self):
            super().__init__()
            self.function, self.drop, self.held = paddle.sin, nn.Dropout(0.0), Held(1)
            self.register_buffer("scale", paddle.ones([1]))

        def helper(self, x):
            return x * self.settings.k / self.temperature

        def forward(self, x):
            return self.drop(self.helper(self.function(x))) * self.held.v * self.scale

    net = Net()
    net.drop.eval()
    yield net
    yield lambda: setattr(net, "function", paddle.cos)
    yield lambda: setattr(net.held, "v", 5)
    yield lambda: setattr(Net.settings, "k", 5)
    yield lambda: setattr(Net, "temperature", 2.0)
    yield lambda: setattr(net, "temperature", 4.0)
    yield lambda: setattr(Net, "helper", lambda self, x: x - 3)
    yield lambda: setattr(net, "helper", lambda x: x + 3)
    yield lambda: net._buffers.update(scale=paddle.full([1], 9.0))
    yield lambda: (setattr(net.drop, "p", 1.0), net.drop.train())
    yield lambda: setattr(net.drop, "mode", "downscale_in_infer")
    yield lambda: net.drop.eval()


def containers_of_layers():
    class Name(str):
        __slots__ = ()

    class Net(nn.Layer):
        def __init__(self):
            super().__init__()
            self.sizes, self.more, self.none = [1, 2], [2, 3], []
            self.options, self.others = {"a": 1, "b": 2.0}, {"c": "relu"}

        def forward(self, x):
            for k in (*self.sizes, 10, *self.more, *self.none):
                x = x * 2 + k
            words = [*self.options, *self.others, type(self.others["c"]).__name__]
            return x + self.options["b"], " ".join(words), str([*self.options.values(), self.sizes])

    net = Net()
    yield net
    yield lambda: net.sizes.append(net.more.pop(0))  # as many items in all, the same ones in the same order
    yield lambda: net.sizes.__setitem__(0, True)
    yield lambda: net.sizes.__setitem__(0, 1.0)
    yield lambda: net.none.append(5)
    yield lambda: net.options.__setitem__("a", net.options.pop("a"))  # last now
    yield lambda: net.options.__setitem__("b", 2)
    yield lambda: net.others.__setitem__("d", net.options.pop("a"))  # as many keys in all
    yield lambda: net.others.__setitem__("c", Name("relu"))
    yield lambda: net.more.clear()


PROGRAMS = [
    attributes, deep_attributes, names_made_up, all_attributes, comparison_and_text, of_the_class, methods_of_the_class, slots,
    special_methods, items, many_items, tensors_in_containers, defaults_and_partials, module, functions_that_are_not_translated,
    copies, of_a_layer, containers_of_layers,
]  # fmt: skip


def shown(value):
    return [shown(v) for v in value] if isinstance(value, tuple) else value if isinstance(value, str) else value.numpy().tolist()


@pytest.mark.filterwarnings("ignore:.* has more than 10 static Programs")
@pytest.mark.parametrize("program", PROGRAMS, ids=[p.__name__ for p in PROGRAMS])
def test_changes_between_calls_are_seen(program):
    function, *changes = program()
    dynamic = function.forward if isinstance(function, nn.Layer) else function
    static = to_static(function)
    x = paddle.to_tensor([2.0])
    for change in [lambda: None, *changes]:
        change()
        assert [shown(static(x)), shown(static(x))] == [shown(dynamic(x))] * 2
    assert len(static.forward.program_cache if isinstance(function, nn.Layer) else static.program_cache) <= len(changes) + 1


@pytest.mark.parametrize(
    ("made", "read", "change"),
    [
        (lambda: Held(2), lambda o, x: o(x) + o.twice, lambda o: setattr(o, "v", 5)),
        (lambda: Slotted(2), lambda o, x: x * o.v, lambda o: setattr(o, "v", 5)),
        (lambda: Derived(), lambda o, x: o.go(x) * o.k, lambda o: setattr(o, "k", 5)),
        (lambda: Space(inner=Space(v=1), k=2), lambda o, x: helper(o, x), lambda o: setattr(o.inner, "v", 5)),
        (lambda: [Held({"a": Held(1)})], lambda o, x: x * o[0].v["a"].v, lambda o: setattr(o[0].v["a"], "v", 5)),
        (lambda: {1, 2}, lambda o, x: x * len(o), lambda o: o.add(5)),
    ],
)
def test_changes_of_arguments_are_seen(made, read, change):
    static, o, x = to_static(lambda x, o: read(o, x)), made(), paddle.to_tensor([2.0])
    found = [static(x, o), static(x, o)]
    change(o)
    found += [static(x, o), static(x, o)]
    wanted = [read(o, x)] * 2
    assert [f.numpy().tolist() for f in found[2:]] == [w.numpy().tolist() for w in wanted]
    assert len(static.program_cache) == 2
    np.testing.assert_array_equal(found[0], found[1])


@pytest.mark.parametrize(
    ("new", "read", "change"),
    [
        (queue.Queue, lambda o, x: x * o.qsize(), lambda o: o.put(1)),
        (threading.Event, lambda o, x: x * 2 if o.is_set() else x, threading.Event.set),
        (weakref.WeakValueDictionary, lambda o, x: x * len(o), lambda o: o.update(a=Base)),
        (lambda: memoryview(bytearray(3)), lambda o, x: x * o[0], lambda o: o.__setitem__(0, o[0] + 1)),
        (lambda: multiprocessing.Value("i"), lambda o, x: x * o.value, lambda o: setattr(o, "value", o.value + 1)),
        (lambda: string.Template("a"), lambda o, x: x * len(o.template), lambda o: setattr(o, "template", "ab")),
    ],
)
def test_objects_of_the_standard_library_that_methods_read_are_watched(new, read, change):
    outside, x = new(), paddle.to_tensor([2.0])
    static = to_static(lambda x: read(outside, x))
    for _ in range(2):
        assert shown(static(x)) == shown(static(x)) == shown(read(outside, x))
        change(outside)
    assert shown(static(x)) == shown(read(outside, x))


def test_a_queue_that_shows_nothing_is_a_graph_break():
    outside = queue.SimpleQueue()
    with pytest.raises(TranslationError, match="qsize"):
        to_static(lambda x: x * outside.qsize())(paddle.ones([1]))


def test_what_the_code_does_not_mention_may_change():
    space = Space(k=1, step=0)
    static, x = to_static(lambda x: x * space.k), paddle.to_tensor([2.0])
    for step in range(3):
        space.step = step
        space.other = step
        static(x)
    assert len(static.program_cache) == 1


def test_other_values_that_come_back_find_their_programs():
    space = Space(inner=Space(v=1))
    first, other = space.inner, Space(v=2)
    static, x = to_static(lambda x: x * space.inner.v), paddle.to_tensor([2.0])
    for inner in (first, other, first, other):
        space.inner = inner
        assert static(x).item() == 2 * inner.v
    assert len(static.program_cache) == 2


def test_layers_cost_nothing_in_a_call():
    kind = type("Net", (nn.Sequential,), {})  # that looks at nothing which an instance of another test looked at
    net = to_static(kind(*(nn.Linear(2, 2) for _ in range(20))))
    net(paddle.ones([1, 2]))
    guards = net.forward._surroundings.guards
    assert guards.same() and not guards._check.__code__.co_names


def test_an_equal_number_is_the_same_and_a_number_of_another_kind_is_not():
    space, x = Space(k=1000.5), paddle.to_tensor([2.0])
    static = to_static(lambda x: x * space.k)
    for k, programs in ((1000.5, 1), (float("1000.5"), 1), (7, 2), (7.0, 3), (True, 4), (1, 5), (1000.5, 5)):
        space.k = k
        assert static(x).item() == 2 * k and len(static.program_cache) == programs


def test_what_a_later_trace_reads_first_is_not_in_the_keys_of_others():
    space, x = Space(k=1), paddle.to_tensor([2.0])

    def second(x):
        return x * 2 + LATER

    static = to_static(lambda x, other: second(x) if other else x * space.k)
    for _ in range(2):
        assert static(x, False).item() == 2.0 and static(x, True).item() == 5.0
    assert len(static.program_cache) == 2


LATER = 1


def test_of_much_a_sample_is_compared():
    items, numbers = [1] * 5000, np.ones(50_000, "float32")
    static, x = to_static(lambda x: x * sum(items) + float(numbers.sum())), paddle.to_tensor([1.0])
    assert static(x).item() == 55_000
    items.append(1)
    numbers[:] = 2
    assert static(x).item() == 105_001


def test_a_weak_reference_is_a_graph_break():
    space = Held(2)
    reference = weakref.ref(space)
    with pytest.raises(TranslationError, match="a weak reference is dereferenced"):
        to_static(lambda x: x * reference().v, full_graph=True)(paddle.to_tensor([1.0]))
