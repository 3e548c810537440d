"""Numbers and tensors in lists, tuples and dicts outside of the arguments are inputs once they have varied; so are lone tensors."""

import collections
import dataclasses
import gc
import types

import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.eager.tape import Node

X = paddle.to_tensor(np.arange(8, dtype="float32").reshape(2, 4))
Pair = collections.namedtuple("Pair", "a b")
ONE, OTHER = [1.0], [2.0]
TABLE = {"rate": 1.0}
BANK = paddle.ones([4])


def tensor(i):
    return paddle.full([4], 1.0 + i / 7)


class Net(paddle.nn.Layer):
    """Calls ``how(self, x)``."""

    def __init__(self, how, value):
        super().__init__()
        self.how, self.value, self.gain = how, value, self.create_parameter([4])

    def forward(self, x):
        return self.how(self, x) + self.gain


def networks(how, value):
    """A network, and a static one like it."""
    made = []
    for _ in range(2):
        paddle.seed(0)
        made.append(Net(how, value()))
    paddle.jit.to_static(made[1])
    return made


def same_at_each_call(how, value, change, calls=20):
    """Static calls give what dynamic ones give, with gradients, and leave the same; gives the network."""
    both = networks(how, value)
    for i in range(calls):
        results = []
        for net in both:
            change(net, i)
            y = net(X)
            y.sum().backward()
            results.append((y.numpy(), net.gain.grad.numpy(), str(net.value)))
            net.clear_gradients()
        assert np.allclose(results[0][0], results[1][0]) and np.allclose(results[0][1], results[1][1]), i
        assert results[0][2] == results[1][2], i
    return both[1]


def replaced(of):
    return lambda net, i: setattr(net, "value", of(i))


ROWS = {
    "a new dict": (lambda s, x: x * s.value["a"], replaced(lambda i: {"a": 1.0 + i / 7})),
    "an item of a dict": (lambda s, x: x * s.value["a"], lambda net, i: net.value.update(a=1.0 + i / 7)),
    "a tuple of tensors": (lambda s, x: x * s.value[0] + s.value[1], replaced(lambda i: (tensor(i), tensor(2 * i)))),
    "a list of tensors": (lambda s, x: x * s.value[0] + s.value[1], replaced(lambda i: [tensor(i), tensor(2 * i)])),
    "an item of a list": (lambda s, x: x * s.value[0], lambda net, i: net.value.__setitem__(0, tensor(i))),
    "a tuple of numbers": (lambda s, x: x * s.value[0] + s.value[1], replaced(lambda i: (1.0 + i / 7, i))),
    "a named tuple": (lambda s, x: x * s.value.a + s.value.b, replaced(lambda i: Pair(1.0 + i, tensor(i)))),
    "a nested dict": (lambda s, x: x * s.value["a"]["b"], replaced(lambda i: {"a": {"b": 1.0 + i / 7}})),
    "an item of a nested dict": (lambda s, x: x * s.value["a"]["b"], lambda net, i: net.value["a"].update(b=1.0 + i)),
    "a tuple in a dict": (
        lambda s, x: x * s.value["h"][0] + s.value["h"][1] * s.value["k"],
        replaced(lambda i: {"h": (tensor(i), tensor(-i)), "k": i, "name": "n"}),
    ),
    "a list of dicts": (lambda s, x: sum(d["w"] * x for d in s.value), replaced(lambda i: [{"w": 1.0 + i}, {"w": 2.0 * i}])),
    "an OrderedDict": (lambda s, x: x * s.value["a"], replaced(lambda i: collections.OrderedDict(a=tensor(i)))),
}  # fmt: skip
VALUES = {
    "an item of a dict": lambda: {"a": 1.0},
    "an item of a list": lambda: [tensor(0), None],
    "an item of a nested dict": lambda: {"a": {"b": 1.0}},
}


@pytest.mark.parametrize("row", ROWS)
def test_what_varies_in_containers_is_an_input(row):
    how, change = ROWS[row]
    net = same_at_each_call(how, VALUES.get(row, lambda: None), change)
    assert len(net.forward.program_cache) == 2 and net.forward.graph_breaks == 0


def test_conditions_and_types_make_programs_of_their_own():
    net = same_at_each_call(lambda s, x: x * 2 if s.value["k"] > 5 else x, dict, replaced(lambda i: {"k": i % 11}))
    assert len(net.forward.program_cache) == 3
    same_at_each_call(lambda s, x: x * s.value["k"], dict, replaced(lambda i: {"k": (1, 2.5, True, tensor(i))[i % 4]}))


def statistics(net, x):
    net.value["n"] += 1
    net.value["mean"] = x.mean() * net.gain.sum()
    return x * net.value["n"]


def recurrent(net, x):
    h, c = net.value
    net.value = (h * 0.9 + 0.1, x.mean(0))
    return x * h + c


def adds(net, x):
    net.value[0].add_(x.mean(0))
    return x + net.value[0] + net.value[-1]


def ring(net, x):
    net.value.append(net.value.pop(0))
    net.value[-1] = (x * net.gain).mean()
    return x * net.gain


@pytest.mark.parametrize(
    ("how", "value", "change"),
    [
        (statistics, lambda: {"n": 0, "mean": None}, lambda net, i: None),
        (recurrent, lambda: (tensor(0), tensor(1)), lambda net, i: None),
        (recurrent, lambda: None, lambda net, i: setattr(net, "value", (tensor(i), tensor(1))) if i % 5 == 0 else None),
        (adds, lambda: None, replaced(lambda i: [tensor(i)])),
        (adds, lambda: None, replaced(lambda i: [tensor(i), 1.0 + i])),
    ],
)
def test_runs_write_into_containers(how, value, change):
    net = same_at_each_call(how, value, change)
    assert len(net.forward.program_cache) <= 3 and net.forward.graph_breaks == 0


def test_tensors_that_are_one_are_told_from_several():
    def change(net, i):
        one = tensor(i)
        net.value = [one, one if i % 3 == 0 else tensor(i)]

    same_at_each_call(adds, list, change)


def test_a_container_may_be_one_that_has_another_name():
    def change(net, i):
        net.value = ([float(i)], ONE, OTHER)[i % 3 if i > 6 else 0]

    same_at_each_call(lambda s, x: x * s.value[0] * (3 if s.value is ONE else 1), list, change)


def test_a_tensor_may_be_one_that_has_another_name():
    def change(net, i):
        net.value = {"k": BANK if i % 3 == 2 else tensor(i)}

    same_at_each_call(lambda s, x: x * 2 if s.value["k"] is BANK else x * s.value["k"], dict, change)
    static = paddle.jit.to_static(lambda x: x * 2 if x is BANK else x, full_graph=True)
    for x, result in [(tensor(0), 1), (BANK, 2)] * 3:
        assert static(x).tolist() == [result] * 4


def test_an_attribute_that_was_a_number_may_be_anything():
    def how(net, x):
        return x * net.value if isinstance(net.value, float) else x + len(net.value)

    same_at_each_call(how, float, replaced(lambda i: ([1.0, 2.0, 3.0, "a", "bb", "a", 2.5, (1,), (1, 2)] * 3)[i]))


def test_gradients_flow_into_containers():
    both = networks(lambda s, x: x * s.value["w"], dict)
    for i in range(5):
        grads = []
        for net in both:
            net.value = {"w": paddle.to_tensor([1.0, 2.0, 3.0, 4.0 + i], stop_gradient=False)}
            (net(X) ** 2).sum().backward()
            grads.append(net.value["w"].grad.numpy())
        assert np.allclose(*grads)


def test_results_that_are_kept_in_a_list_do_not_keep_what_they_came_from():
    for how, value in [(ring, lambda: [None] * 4), (statistics, lambda: {"n": 0, "mean": None})]:
        net = networks(how, value)[1]
        counts = []
        for _ in range(3):
            for _ in range(20):
                net(X)
            gc.collect()
            counts.append(sum(isinstance(thing, Node) for thing in gc.get_objects()))
        assert counts[1] == counts[2]


def test_other_places_of_tensors_and_dicts():
    box = type("Box", (), {})()
    box.value = tensor(0)
    cell = tensor(0)

    def read(x):
        return x * BANK * TABLE["rate"] + box.value + cell

    static = paddle.jit.to_static(read)
    before = BANK, dict(TABLE)
    try:
        for i in range(8):
            globals()["BANK"], TABLE["rate"], box.value, cell = tensor(i), 1.0 + i, tensor(-i), tensor(2 * i)
            assert np.allclose(static(X), read(X))
    finally:
        globals()["BANK"], TABLE["rate"] = before[0], before[1]["rate"]
    assert len(static.program_cache) == 2 and static.graph_breaks == 0


def test_a_file_has_the_values_of_now(tmp_path):
    net = networks(lambda s, x: x * s.value["a"] + s.value["t"], dict)[1]
    for i in range(4):
        net.value = {"a": 1.0 + i, "t": tensor(i)}
        now = net(X).numpy()
    paddle.jit.save(net, str(tmp_path / "net"))
    assert np.allclose(paddle.jit.load(str(tmp_path / "net"))(X), now)


@dataclasses.dataclass(frozen=True)
class Settings:
    rate: float = 1.0
    names: tuple = ("a",)
    bank: object = None


DEFAULT = Settings()


@pytest.mark.parametrize(
    ("how", "change"),
    [
        (lambda s, x: x * s.value.rate if "a" in s.value.names else x, replaced(lambda i: Settings(1.0 + i / 7))),
        (lambda s, x: x * s.value.rate + s.value.bank, replaced(lambda i: Settings(1.0 + i, bank=tensor(i)))),
        (lambda s, x: x * s.value.rate, replaced(lambda i: types.SimpleNamespace(rate=1.0 + i / 7, unread=i))),
        (lambda s, x: x * s.value["deep"].rate, replaced(lambda i: {"deep": Settings(1.0 + i / 7)})),
        (lambda s, x: x * s.value["n"], replaced(lambda i: collections.defaultdict(int, n=i))),
    ],
)
def test_settings_that_are_replaced_are_inputs(how, change):
    net = same_at_each_call(how, lambda: None, change)
    assert len(net.forward.program_cache) <= 3 and net.forward.graph_breaks == 0


@pytest.mark.filterwarnings("ignore")
def test_settings_that_count_as_objects():
    def change(net, i):
        net.value = DEFAULT if i % 3 == 2 else Settings(1.0 + i)

    same_at_each_call(lambda s, x: x * 5 if s.value is DEFAULT else x * s.value.rate, lambda: None, change)
    same_at_each_call(lambda s, x: x * 5 if s.value == DEFAULT else x * s.value.rate, lambda: None, change)

    def counts(net, x):
        net.value.calls += 1
        return x * net.value.calls

    def another(net, i):
        if i % 4 == 0:
            net.value = types.SimpleNamespace(calls=i)

    same_at_each_call(counts, lambda: None, another)


def test_an_attribute_that_an_object_lacks():
    def change(net, i):
        net.value = types.SimpleNamespace(rate=1.0 + i) if i % 3 else types.SimpleNamespace(rate=2.0 + i, more=1.0 * i)

    same_at_each_call(lambda s, x: x * s.value.rate + getattr(s.value, "more", 0.0), lambda: None, change)


def test_two_tensors_from_outside_that_vary_may_be_one():
    bank, other = tensor(0), tensor(1)

    def read(x):
        return x * 2 if cache["k"] is bank else x + bank

    cache, static = {"k": other}, paddle.jit.to_static(read)
    for i in range(12):
        if i % 4 == 0:
            bank = tensor(i)
        cache["k"] = bank if i % 3 == 2 else other
        for _ in range(2):
            assert static(tensor(1)).tolist() == read(tensor(1)).tolist(), i
