"""Calls that run in Python because there is no Program: their results, what is remembered, what is told."""

import dataclasses
import pickle
import warnings

import pytest

import to_static as paddle
from to_static.compiler.frontend.function.compilation import Compilation
from to_static.compiler.frontend.function.graph_breaks import RecordedBreak, RecordedBreaks
from to_static.core.errors import SeveralValuesError, ToStaticError, TracedValueError, TranslationError

pytestmark = pytest.mark.usefixtures("graph_breaks")
X = paddle.to_tensor([1.0, 2.0])
OPTIONS = {"shows": True}
TOTAL = 0


def listed(x, n=1):
    return x * n, (x * n).numpy().tolist()


def shown(x):
    return x.numpy().tolist() if OPTIONS["shows"] else x * 3


def told(run):
    """What ``run`` gives, and the first lines of its warnings."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = run()
    return result, [str(w.message) for w in found]


@pytest.fixture
def traces(monkeypatch):
    """The names of the functions that were traced."""
    found, trace = [], Compilation.trace_target
    monkeypatch.setattr(Compilation, "trace_target", lambda self, *a, **k: found.append(self._target.name) or trace(self, *a, **k))
    return found


def test_a_kind_of_call_is_traced_once_and_told_once(traces):
    static = paddle.jit.to_static(lambda x, n=1: listed(x, n))
    results, texts = told(lambda: [static(X), static(X), static(x=X), static(X, 2), static(X, n=2)])
    assert [numbers for _, numbers in results] == [[1, 2], [1, 2], [1, 2], [2, 4], [2, 4]]
    assert len(traces) == static.graph_breaks == 2
    assert len(texts) == 1
    for part in ("runs in Python, a graph break", ".numpy()", "test_graph_breaks.py", "in listed", "rewrite:", "full_graph=True"):
        assert part in texts[0]


def test_a_place_outside_decides_it_anew(traces):
    static = paddle.jit.to_static(shown)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert static(X) == [1, 2]
    try:
        OPTIONS["shows"] = False
        assert static(X).tolist() == [3, 6]
        OPTIONS["shows"] = True
        assert static(X) == [1, 2]
    finally:
        OPTIONS["shows"] = True
    assert len(traces) == 2
    assert len(static.program_cache) == static.graph_breaks == 1


def test_calls_that_always_differ_are_not_traced_without_end(traces):
    static = paddle.jit.to_static(listed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n in range(20):
            assert static(X, n)[1] == [n, 2 * n]
    assert len(traces) == static.graph_breaks < 6
    static.program_cache.clear()
    assert static.graph_breaks == 0


def test_what_the_trace_did_is_done_once():
    class Counter:
        def __init__(self):
            self.calls, self.seen = 0, []

        def count(self, x):
            global TOTAL
            TOTAL += 1
            self.calls += 1
            self.seen.append(float(paddle.rand([1])))
            return x.numpy().tolist()

    def run(to_static):
        global TOTAL
        TOTAL, counter = 0, Counter()
        paddle.seed(3)
        function = to_static(counter.count)
        return [function(X) for _ in range(3)], counter.calls, counter.seen, TOTAL

    found, texts = told(lambda: run(paddle.jit.to_static))
    assert found == run(lambda f: f)
    assert len(texts) == 1


def test_python_raises_its_own_error(traces):
    @paddle.jit.to_static
    def f(x):
        if x > 0:
            return x
        return x + 1

    for _ in range(2):
        with warnings.catch_warnings(), pytest.raises(ValueError, match="one element") as caught:
            f(X)
        assert caught.traceback[-1].frame.code.path.name == "test_graph_breaks.py" or isinstance(caught.value, SeveralValuesError)
    assert traces == ["f"]


def test_full_graph_refuses(monkeypatch):
    from to_static.core import flags

    with pytest.raises(TracedValueError, match="numpy"):
        paddle.jit.to_static(listed, full_graph=True)(X)
    static = paddle.jit.to_static(listed, full_graph=False)
    told(lambda: static(X))
    assert static.graph_breaks == 1
    monkeypatch.setattr(flags.full_graph, "value", True)
    with pytest.raises(TracedValueError, match="numpy"):
        static(X)
    with pytest.raises(TypeError, match="full_graph must be True or False, got 3"):
        paddle.jit.to_static(listed, full_graph=3)


class Net(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = paddle.nn.Linear(2, 2)

    @paddle.jit.to_static(full_graph=True)
    def strict(self, x):
        return self.fc(x).numpy()

    def forward(self, x):
        return self.fc(x) * float(x.sum().numpy())


def test_layers_and_methods(tmp_path):
    net = Net()
    wanted = net(X)
    static = paddle.jit.to_static(net)
    (got, again), texts = told(lambda: (static(X), static(X)))
    assert got.tolist() == again.tolist() == wanted.tolist()
    got.sum().backward()
    assert net.fc.weight.grad is not None
    assert len(texts) == static.forward.graph_breaks == 1
    with pytest.raises(ToStaticError, match="numpy"):
        paddle.jit.save(static, str(tmp_path / "net"))
    with pytest.raises(ToStaticError, match="numpy"):
        static.forward.concrete_program
    with pytest.raises(ToStaticError, match="numpy"):
        net.strict(X)
    assert pickle.loads(pickle.dumps(net.strict))._target.full_graph


def test_explain_tells_of_them():
    static = paddle.jit.to_static(listed)
    assert "new Program" in static.explain(X)
    told(lambda: static(X))
    for text in (static.explain(), static.explain(X)):
        for part in ("graph break", ".numpy()", "test_graph_breaks.py", "rewrite: "):
            assert part in text
    assert "new Program" in static.explain(paddle.ones([3]))


def test_a_break_knows_its_parts():
    static = paddle.jit.to_static(listed)
    told(lambda: static(X))
    (found,) = static._fallback.breaks.values()
    assert type(found) is RecordedBreak
    assert found.reason.startswith(".numpy() needs the value")
    assert "in listed" in found.place
    assert found.rewrite.startswith("compute with the tensor")


def test_recursion_that_tensors_end():
    def total(x):
        if x.sum() < 1:
            return x
        return total(x - 1) + x

    (result, texts) = told(lambda: paddle.jit.to_static(total)(X))
    assert result.tolist() == total(X).tolist()
    assert len(texts) == 1


@pytest.mark.parametrize("full_graph", [False, True])
def test_an_error_that_every_call_ends_in_leaves_what_python_has_done_before(full_graph, capsys, graph_breaks):
    """Known while tracing: the trace takes all back, and Python does the call."""
    kept = []

    def f(x, n):
        print("begin")
        kept.append(n)
        x[0] = 5.0
        return [x][n]

    static, x = paddle.jit.to_static(f, full_graph=full_graph), paddle.ones([2])
    for n in (1, 2):
        with pytest.raises(IndexError, match="list index out of range"):
            static(x, n)
    assert (kept, x.tolist(), capsys.readouterr().out) == ([1, 2], [5.0, 1.0], "begin\nbegin\n")
    assert not static.graph_breaks


def test_only_objects_whose_items_are_taken_are_asked_for_them():
    """`__iter__` of one class is no question to another, whose list tensors decide."""

    class Log:
        def __init__(self):
            self.items = []

        def __iter__(self):
            return iter(self.items if self.items else ())

    class Pair:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def __iter__(self):
            return iter([self.a, self.b] if self.a is not self.b else [self.a])

    def f(x, both):
        log, pair = Log(), Pair(x, x + 1)
        while x < 5:
            x = x + sum(pair)
            log.items.append(x)
        return len(log.items), [v * 2 for v in (log if both else pair)]

    static, x = paddle.jit.to_static(f, full_graph=True), paddle.to_tensor(1.0)
    assert [float(v) for v in static(x, False)[1]] == [float(v) for v in f(x, False)[1]]
    with pytest.raises(TranslationError, match="`Log.__iter__` may read a list"):
        static(x, True)


class Counts(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.n, self.fc = 0, paddle.nn.Linear(2, 2)

    def forward(self, x):
        self.n += 1
        return self.fc(x) * self.n


@dataclasses.dataclass(slots=True)
class Pair:
    first: object
    second: object


class Keeps(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc, self.seen = paddle.nn.Linear(2, 2), None

    def forward(self, x):
        y = self.fc(x)
        first = self.seen is None
        self.seen = Pair(y, y * 2)
        return y if first else y + 1


def test_calls_that_change_what_the_next_one_reads_are_not_traced_for_ever(traces):
    paddle.seed(0)
    net = Keeps()
    paddle.seed(0)
    same = Keeps()
    static = paddle.jit.to_static(net)
    _, told_of = told(lambda: [check_equal(static(X), same(X)) for _ in range(20)])
    assert 12 <= traces.count("forward") <= 13
    assert net.forward.graph_breaks == 1
    assert any("attribute 'seen' of a" in text and "each of 12 calls" in text for text in told_of)
    check_equal(net.seen.second, same.seen.second)


def check_equal(a, b):
    assert a.numpy().tolist() == pytest.approx(b.numpy().tolist())


@pytest.mark.parametrize("full_graph", [True, False])
def test_numbers_that_calls_and_others_change_are_inputs(full_graph):
    net, outside = Counts(), Counts()
    static = paddle.jit.to_static(net, full_graph=full_graph)
    read = paddle.jit.to_static(lambda x: outside.fc(x) * outside.n)

    def run():
        for n in range(1, 16):
            check_equal(static(X), net.fc(X) * n)
            outside.n = n
            for _ in range(2):
                check_equal(read(X), outside.fc(X) * n)

    told(run)
    assert net.n == 15 and type(net.n) is int
    assert len(net.forward.program_cache) == len(read.program_cache) == 2 and read.graph_breaks == 0


def test_one_warning_says_that_the_limit_is_reached():
    def limited(x, name):
        return x * float(x.numpy().max()) if name else x

    static = paddle.jit.to_static(limited)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for name in "abcdefgh":
            assert static(X, name).tolist() == limited(X, name).tolist()
    texts = [str(warning.message) for warning in warned if "the limit" in str(warning.message)]
    assert len(texts) == 1 and len(static.program_cache) == 0
    for part in ("limited: 4 kinds of calls", ".numpy() needs the value", "test_graph_breaks.py", "rewrite:", "cache.clear()"):
        assert part in texts[0]


def test_a_break_that_is_forgotten_does_not_count():
    breaks = RecordedBreaks()
    for key in range(4):
        breaks.add((key,), RecordedBreak(TranslationError(str(key)), print), 0)
    assert breaks.every is breaks[(3,)]
    breaks.forget((3,))
    assert breaks.every is None and len(breaks) == 3
