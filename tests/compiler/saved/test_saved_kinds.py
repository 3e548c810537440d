"""Files hold tensors: what a static function returns of several kinds is saved as a tensor, or refused."""

import collections
import dataclasses

import pytest
from both import T

import to_static as paddle
from to_static.core.errors import TranslationError
from to_static.static import InputSpec


class Sum(paddle.nn.Layer):
    def forward(self, x):
        total = 0
        for row in x:
            total = total + row.sum()
        return total


class Maybe(paddle.nn.Layer):
    def forward(self, x):
        if x.sum() > 0:
            return x


class Grown(paddle.nn.Layer):
    def forward(self, x):
        outs = []
        for row in x:
            outs.append(row * 2)
        return paddle.stack(outs), outs[0]


class Kept(paddle.nn.Layer):
    def forward(self, x):
        """The rows that are no part of one before: it reads the list in the loop that fills it."""
        kept = []
        for i in range(len(x)):
            row, inside = x[i], False
            for other in kept:
                if (x[other] >= row).all():
                    inside = True
                    break
            if not inside:
                kept.append(i)
        return paddle.stack(kept)


class Counts(paddle.nn.Layer):
    def forward(self, x):
        counts = {}
        for value in x.flatten():
            counts[int(value)] = counts.get(int(value), 0) + 1
        return x * len(counts)


def saved(layer, tmp_path):
    paddle.jit.save(layer, str(tmp_path / "m"), input_spec=[InputSpec([None, 2], "float32", "x")])
    return paddle.jit.load(str(tmp_path / "m"))


def test_a_number_or_a_tensor_is_saved_as_a_tensor(tmp_path):
    loaded = saved(Sum(), tmp_path)
    assert float(loaded(T([[1.0, 2.0], [3.0, 4.0]]))) == 10.0 and float(loaded(paddle.zeros([0, 2]))) == 0.0


def test_lists_are_saved_stacked(tmp_path):
    loaded = saved(Grown(), tmp_path)
    assert [t.numpy().tolist() for t in loaded(T([[1.0, 2.0], [3.0, 4.0]]))] == [[[2.0, 4.0], [6.0, 8.0]], [2.0, 4.0]]


def test_none_or_a_tensor_is_refused(tmp_path):
    with pytest.raises(TranslationError, match="a file holds tensors only"):
        saved(Maybe(), tmp_path)


def test_a_list_that_is_read_in_the_loop_that_fills_it(tmp_path):
    loaded, net = saved(Kept(), tmp_path), Kept()
    for rows in ([[1.0, 1.0], [0.0, 2.0], [1.0, 0.0]], [[3.0, 3.0], [1.0, 2.0], [2.0, 0.0]], [[0.0, 1.0]]):
        assert loaded(T(rows)).numpy().tolist() == net(T(rows)).numpy().tolist()


def test_a_dict_by_numbers_of_tensors_is_refused(tmp_path):
    with pytest.raises(TranslationError, match="a dict is looked up with a key that depends on a tensor"):
        saved(Counts(), tmp_path)


class ModelOutput(collections.OrderedDict):
    """As libraries of models have it: a dict whose keys are the fields that are not None, and which has them as attributes, too."""

    def __post_init__(self):
        for field in dataclasses.fields(self):
            if getattr(self, field.name) is not None:
                self[field.name] = getattr(self, field.name)

    def __getitem__(self, key):
        return dict(self.items())[key] if isinstance(key, str) else tuple(self[k] for k in self)[key]

    def __setattr__(self, name, value):
        if name in self and value is not None:
            super().__setitem__(name, value)
        super().__setattr__(name, value)

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        super().__setattr__(key, value)


@dataclasses.dataclass
class Output(ModelOutput):
    loss: object = None
    logits: object = None
    hidden: object = None
    again: object = None


class WithOutput(paddle.nn.Layer):
    def forward(self, x, way=0):
        if way == 0:
            return Output(logits=x * 2, hidden=(x + 1, x + 2), again=x.sum())
        if way == 1:
            out = Output(logits=x * 2)
            out["loss"] = out[0].sum()
            return out, [out.loss + 1]
        return Output(hidden={"b": x, "a": Output(logits=x * 3)}, logits=None)


@pytest.mark.parametrize(
    "way, expected",
    [(0, [3.0, [2.0, 3.0], [3.0, 4.0], [2.0, 4.0]]), (1, [[2.0, 4.0], 6.0, 7.0]), (2, [[3.0, 6.0], [1.0, 2.0]])],
)
def test_outputs_of_models_are_dicts_in_files(tmp_path, way, expected):
    net = WithOutput()
    paddle.jit.save(net, str(tmp_path / "m"), input_spec=[InputSpec([None], "float32", "x"), way])
    found = paddle.jit.load(str(tmp_path / "m"))(T([1.0, 2.0]))
    assert [t.tolist() for t in found] == expected
