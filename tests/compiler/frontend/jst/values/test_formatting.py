"""Strings made of tensors by ``%``, ``format`` and ``join`` are Python's, character by character."""

import pytest

import to_static as paddle

X = paddle.to_tensor([1.0, -2.5, 30.0])


def _pieces(x):
    """A tensor, and numbers that it decides."""
    return x, x[1], float(x[1]), int(x[2]), x.shape[0]


TEMPLATES = [
    "%s|%.2f|%5.1f|%d|%o|%%", "%r|%e|%+.3g|%05d|%i", "%s|%-8.2f|%08.2f|%-5d|%x", "%s|% .1f|%G|%+d|%u", "%s|%d|%d|%#x|%o",
]  # fmt: skip


@pytest.mark.parametrize("template", TEMPLATES)
def test_percent(template, capsys):
    def show(x):
        t, one, number, whole, size = _pieces(x)
        print(template % (t, one, number, whole, whole))
        return size

    show(X)
    wanted = capsys.readouterr().out
    paddle.jit.to_static(show)(X)
    assert capsys.readouterr().out == wanted


def test_percent_of_a_dict_and_its_errors():
    @paddle.jit.to_static
    def named(x):
        return "%(loss).3f after %(step)d" % {"loss": x.sum(), "step": 3}

    @paddle.jit.to_static
    def few(x):
        return "%s %s" % (x,)  # noqa: F507

    @paddle.jit.to_static
    def many(x):
        return "%s" % (x, x)  # noqa: F507

    assert named(X) == "28.500 after 3"
    with pytest.raises(TypeError, match="not enough arguments for format string"):
        few(X)
    with pytest.raises(TypeError, match="not all arguments converted"):
        many(X)


def test_braces_of_none_or_a_tensor():
    @paddle.jit.to_static
    def shown(x):
        loss = None
        if x.sum() > 0:
            loss = x[1]
        return f"loss {loss}"

    assert shown(X) == f"loss {X[1]}" and shown(-X) == "loss None"


def test_percent_of_none_or_a_tensor_must_rerun_in_python(graph_breaks):
    @paddle.jit.to_static
    def shown(x):
        loss = None
        if x.sum() > 0:
            loss = x[1]
        return "loss %s" % loss

    with pytest.warns(UserWarning, match="a `%` format of a value whose type a tensor decides"):
        assert shown(X) == f"loss {X[1]}" and shown(-X) == "loss None"


def test_format_and_join():
    @paddle.jit.to_static
    def made(x):
        one = "{:.2f} {last!r:>6} {} and so on".format(x[0], x.shape, last=int(x[2]))
        return one, ", ".join(f"{v:.1f}" for v in x), "-".join([str(int(x[0])), "b"])

    assert made(X) == ("1.00     30 [3] and so on", "1.0, -2.5, 30.0", "1-b")


def test_join_takes_strings_only():
    @paddle.jit.to_static
    def wrong(x):
        return ", ".join([x])

    with pytest.raises(TypeError, match="sequence item 0: expected str instance, Tensor found"):
        wrong(X)
