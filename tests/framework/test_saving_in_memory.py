"""Saving into memory: several objects one after the other."""

from io import BytesIO

import to_static as paddle


def test_objects_follow_one_another():
    net, x = paddle.nn.Linear(2, 3), paddle.to_tensor([1.0, 2.0])
    memory = BytesIO()
    paddle.save(net.state_dict(), memory)
    paddle.save(x, memory)
    paddle.save({"step": 3}, memory)
    memory.seek(0)
    state = paddle.load(memory)
    assert state["weight"].tolist() == net.weight.tolist() and state["weight"].name == net.weight.name
    assert paddle.load(memory).tolist() == [1.0, 2.0]
    assert paddle.load(memory) == {"step": 3}


def test_one_tensor_in_binary_form():
    memory = BytesIO()
    paddle.save(paddle.to_tensor([1, 2]), memory, use_binary_format=True)
    memory.seek(0)
    assert paddle.load(memory).tolist() == [1, 2]
