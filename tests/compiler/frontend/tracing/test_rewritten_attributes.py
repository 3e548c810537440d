"""Attributes of Layers that calls set before they read them: no call is traced again for what was there."""

from __future__ import annotations

import copy
import random

import numpy as np
import pytest

import to_static as paddle
from to_static import nn

SETTINGS = {"scale": 2.0}


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def arch(self):
        return self.fc(self.inputs["x"]) * self.inputs["scale"]


def batch(scale=1.0):
    return {"x": paddle.ones([2, 3]), "scale": scale}


def traces(kind, calls, between=lambda net: None, make=batch):
    """How many traces some calls took, each checked against the same Layer in dynamic mode."""
    paddle.seed(1)
    dynamic, net = kind(), kind()
    net.set_state_dict(dynamic.state_dict())
    static = paddle.jit.to_static(net)
    counts = []
    original = type(static.forward._compilation).trace_target
    seen = []

    def counted(self, *args, **kwargs):
        seen.append(self)
        return original(self, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(static.forward._compilation), "trace_target", counted)
        for number in range(calls):
            for one in (dynamic, net):
                between(one)
            expected, got = dynamic(make()), static(make())
            np.testing.assert_allclose(got.numpy(), expected.numpy(), rtol=1e-6, err_msg=f"call {number}")
            assert sorted(vars(dynamic)) == sorted(name for name in vars(net) if name != "forward")
            counts.append(len(seen))
    return counts


class Kept(Net):
    def forward(self, inputs):
        self.inputs = inputs
        return self.arch()


class InBranch(Net):
    kept = False

    def forward(self, inputs):
        if self.kept:
            self.inputs["x"] = inputs["x"] + 1
        else:
            self.inputs = inputs
        return self.arch()


class Listed(Net):
    def forward(self, inputs):
        self.steps = [1, 2]
        self.steps.append(len(self.steps))
        return self.fc(inputs["x"]) * sum(self.steps)


@pytest.mark.parametrize("kind", [Kept, InBranch, Listed])
def test_what_a_call_sets_first_is_no_reason_to_trace_again(kind):
    assert traces(kind, 5)[1:] == [2] * 4
    assert traces(kind, 5, lambda net: setattr(net, "inputs", {"x": None}))[-1] <= 2


class ReadsFirst(Net):
    def forward(self, inputs):
        more = len(self.inputs) if hasattr(self, "inputs") else 0
        self.inputs = {**inputs, "more": more} if more < 4 else inputs
        return self.arch() + more


class ByGetattr(Net):
    def forward(self, inputs):
        before = getattr(self, "in" + "puts", None)
        self.inputs = inputs
        return self.arch() + (0 if before is None else before["scale"])


class ByCopy(Net):
    def forward(self, inputs):
        before = copy.copy(self)
        self.inputs = inputs
        return self.arch() + len(getattr(before, "inputs", ()))


class ByVars(Net):
    def forward(self, inputs):
        before = vars(self).get("inputs", {"scale": 9.0})["scale"]
        self.inputs = inputs
        return self.arch() + before


@pytest.mark.parametrize("kind", [ReadsFirst, ByGetattr, ByCopy, ByVars])
def test_what_a_call_reads_first_counts(kind):
    scales = iter([2.0, 2.0, 3.0, 3.0, 1.0, 1.0])
    traces(kind, 5)
    values: list[float] = []

    def between(net):
        values.append(values[-1] if len(values) % 2 else next(scales))
        net.inputs = batch(values[-1])

    traces(kind, 5, between)


def test_a_value_that_was_there_already_is_put_back():
    class Same(Net):
        def forward(self, inputs):
            self.settings = SETTINGS
            return self.fc(inputs["x"]) * self.settings["scale"]

    net = paddle.jit.to_static(Same())
    for value in (None, SETTINGS, {"scale": 3.0}, [1], SETTINGS, {"scale": 4.0}, {}):
        net.settings = value
        net(batch())
        assert net.settings == SETTINGS


def test_a_mode_that_reads_the_attribute_of_the_other_one():
    class Modes(Net):
        def forward(self, inputs):
            if self.training:
                self.inputs = inputs
            return self.arch()

    paddle.seed(3)
    net = Modes()
    static = paddle.jit.to_static(net)
    for scale in (1.0, 2.0, 3.0, 4.0):
        net.train()
        expected = float(static(batch(scale)).sum())
        net.eval()
        assert float(static(batch(7.0)).sum()) == pytest.approx(expected)
    net.inputs = batch(5.0)
    assert float(static(batch(7.0)).sum()) == pytest.approx(expected / 4 * 5)


STATEMENTS = (
    "self.a += [k]", "self.n += k", "y = y + self.n", "self.n = k", "self.a = self.a",
    "self.a = [k]", "self.b = {'n': k}", "self.a = self.b['n'], k", "self.b = {'n': len(self.a)}", "y = y + len(self.a)",
    "y = y * (1 + self.b['n'])", "self.a = inputs['x'], 2", "if self.flag: self.b = {'n': 2}", "self.c = self.a",
    "y = y + len(self.c)", "self.help(k)", "y = y + self.a[0]", "self.a = [*self.a][:1]", "if y.sum() > 2: y = y - self.b['n']",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(16))
def test_random_programs_of_attributes(seed, tmp_path):
    rng = random.Random(seed)
    body = [rng.choice(STATEMENTS).replace("k", str(rng.randrange(1, 4))) for _ in range(rng.randrange(2, 7))]
    helper = rng.choice(["self.b = {'n': k}", "self.a = [k, k]", "self.c = [len(self.a)]"])
    lines = ["def forward(self, inputs):", "    y = inputs['x']", *(f"    {line}" for line in body), "    return y"]
    source = "\n".join([*lines, "def help(self, k):", f"    {helper}"])
    path = tmp_path / "program.py"
    path.write_text(source, encoding="utf-8")
    space: dict[str, object] = {}
    exec(compile(source, str(path), "exec"), space)
    calls = [(rng.choice(["a", "b", "c", "n", "flag", ""]), rng.randrange(1, 4)) for _ in range(7)]

    def run(prepare):
        class Random(nn.Layer):
            forward, help = space["forward"], space["help"]

            def __init__(self):
                super().__init__()
                self.a, self.b, self.c, self.n, self.flag = [1.0], {"n": 1}, [1], 1, False

        net = prepare(Random())
        results = []
        for name, number in calls:
            if name:
                values = {"a": [number], "b": {"n": number}, "c": [number] * number, "n": number, "flag": number > 1}
                setattr(net, name, values[name])
            try:
                results.append(net({"x": paddle.ones([2])}).numpy().tolist())
            except Exception as error:
                results.append(type(error).__name__)
            results.append([plain(getattr(net, attribute)) for attribute in "abcn"])
        return results

    assert run(paddle.jit.to_static) == run(lambda net: net), source


def plain(value):
    """A value with the numbers of tensors in it."""
    if isinstance(value, paddle.Tensor):
        return value.numpy().tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value
