"""What a call does after its plan: which parts there are, and that an entry does what the parts do."""

from __future__ import annotations

from typing import Any

import pytest
from both import T

import to_static as paddle
from to_static.compiler.frontend.function.program.completion import CompletionText, tensors_of

X = T([1.0, 2.0])


class Net(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.w = self.create_parameter([2])
        self.register_buffer("b", paddle.zeros([2]))
        self.last: Any = None


class Writes(Net):
    def forward(self, x: Any) -> Any:
        self.last = x * self.w
        return x * 2, [x * 3]


class Binds(Net):
    def forward(self, x: Any) -> Any:
        self.b = self.b * 0.5 + x
        return x * 2


class Changes(Net):
    def forward(self, x: Any) -> Any:
        return x.add_(self.b)


class Chooses(Net):
    def forward(self, x: Any) -> Any:
        return self.b if x.sum() > 0 else x * 2


class Trains(Net):
    def forward(self, x: Any) -> Any:
        loss = (x * self.w).sum()
        loss.backward()
        return loss.detach()


CASES = {
    Net: (lambda x: x * 2, ["Result"]),
    Writes: (None, ["Result", "ObjectWrites"]),
    Binds: (None, ["Result", "BufferBindings"]),
    Changes: (None, ["Identities", "Result", "ChangedArguments"]),
    Chooses: (None, ["Identities", "Result"]),
    Trains: (None, ["GradientAssignments", "Result"]),
}


@pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.__name__)
def test_parts_of_a_call(kind: Any) -> None:
    function, names = CASES[kind]
    static: Any = paddle.jit.to_static(function or kind().forward, full_graph=True)
    with paddle.set_grad_enabled(kind is Trains):
        static(X.clone())
    program = static.concrete_program
    assert [type(part).__name__ for part in program.completions] == names
    # a part without text keeps the Program from having an entry that runs its plan
    assert program.runs_in_entry == (all(part.derived for part in program.completions) and not program.roots.slots)


def test_an_entry_assigns_in_one_step_unless_a_test_says_otherwise() -> None:
    text = CompletionText([True, False], {}, "q_")
    assert text.lines() == [
        "y0 = Tensor(r[0], True)", "y1 = Tensor(r[1], False)", "y1._node = node", "y1._index = 1",
    ]  # fmt: skip
    text.steps, text.tests = ["*write0(t0, y0)"], ["t0._grad is None"]
    text.targets, text.names, text.values = [X], ["_grad"], ["y0"]
    change, otherwise = text.lines()[-2:]
    assert change == "if t0._grad is None: set_all(q_objects, q_attributes, (y0,))"
    assert otherwise == "else: commit((*write0(t0, y0),))"
    assert text.space["q_objects"] == (X,) and text.space["q_attributes"] == ("_grad",)


def test_outputs_that_have_a_gradient_come_from_the_node_of_the_run() -> None:
    node = object()
    one, two = tensors_of([X._array, X._array, X._array], [True, False], node)
    assert one.stop_gradient and one._node is None
    assert not two.stop_gradient and two._node is node and two._index == 1
