"""Readers and data sets that feed Programs."""

from __future__ import annotations

import numpy as np
import pytest

import to_static as paddle
from to_static import base
from to_static.core.errors import FormatError, ModeError, ShapeError
from to_static.distributed import InMemoryDataset, QueueDataset


def _samples():
    for i in range(5):
        yield np.full([4], i), [i]


@pytest.fixture
def inputs(static):
    return [static.data("x", [None, 2, 2]), static.data("y", [None, 1], "int64")]


def test_a_feeder_stacks_samples(static, inputs):
    words = static.data("w", [None, 1], "int64", lod_level=1)
    feeder = base.DataFeeder([*inputs, "w"], paddle.CPUPlace())
    fed = feeder.feed([(np.zeros(4), 3, [1, 2]), (np.ones(4), 4, [5])])
    assert [(t.shape(), str(t.dtype)) for t in fed.values()] == [([2, 2, 2], "float32"), ([2, 1], "int64"), ([3, 1], "int64")]
    assert fed["w"].lod() == [[0, 2, 3]]
    found = static.Executor().run(feed=fed, fetch_list=[inputs[0].sum(), words.sum()])
    assert [float(f) for f in found] == [4.0, 8.0]
    with pytest.raises(ShapeError, match="3 entries; expected as many items of a sample, got 2"):
        feeder.feed([(1, 2)])


@pytest.mark.parametrize("kind", ["sample", "list", "batch"])
def test_loops_over_a_generator(static, inputs, kind):
    reader = base.io.DataLoader.from_generator(feed_list=inputs, capacity=2, iterable=True, drop_last=False)
    if kind == "sample":
        reader.set_sample_generator(_samples, 2, drop_last=False)
    elif kind == "list":
        reader.set_sample_list_generator(paddle.batch(_samples, 2))
    else:
        reader.set_batch_generator(lambda: ((np.full([2, 2, 2], i, "float32"), np.full([2, 1], i)) for i in range(3)))
    exe = static.Executor()
    total = inputs[0].sum() + inputs[1].sum().astype("float32")
    found = [float(exe.run(feed=fed, fetch_list=[total])[0]) for fed in reader()]
    assert found == ([0.0, 10.0, 20.0] if kind == "batch" else [5.0, 25.0, 20.0])


def test_a_reader_that_is_started(static, inputs):
    reader = base.io.PyReader(inputs, capacity=4, iterable=False)
    reader.decorate_sample_list_generator(paddle.batch(_samples, 2))
    exe, total = static.Executor(), inputs[0].sum()
    for _ in range(2):
        found = []
        reader.start()
        with pytest.raises(base.core.EOFException):
            while True:
                found += exe.run(fetch_list=[total])
        reader.reset()
        assert [float(f) for f in found] == [4.0, 20.0, 16.0]
    with pytest.raises(ModeError, match="iterable=False"):
        next(iter(reader))


def test_in_dynamic_mode():
    reader = base.io.PyReader(capacity=2, return_list=True)
    with pytest.raises(ModeError, match="no source"):
        next(reader())
    reader.decorate_sample_list_generator(paddle.batch(_samples, 2))
    assert [(x.shape, y.shape) for x, y in reader()] == [([2, 4], [2, 1])] * 2 + [([1, 4], [1, 1])]
    with pytest.raises(ModeError, match="loop over"):
        reader.start()


@pytest.mark.parametrize("kind", [QueueDataset, InMemoryDataset])
def test_data_sets_train(static, tmp_path, kind, capsys):
    (tmp_path / "a").write_text("2 1 2 1 0.5\n1 7 1 1.5\n")
    (tmp_path / "b").write_text("3 1 1 1 1 2\n")
    words, label = static.data("w", [None, 1], "int64", lod_level=1), static.data("l", [None, 1])
    total = static.create_global_var([1], 0, "float32", persistable=True)
    sums = static.nn.sequence_pool(words.astype("float32"), "sum")
    paddle.assign(total + (sums * label).sum(), total)
    data = kind()
    data.init(batch_size=2, use_var=[words, label], pipe_command="cat", thread_num=2, fs_name="x")
    data.set_filelist([str(tmp_path / "a"), str(tmp_path / "b")])
    exe = static.Executor()
    if kind is InMemoryDataset:
        with pytest.raises(ModeError, match="load_into_memory"):
            data.local_shuffle()
        data.load_into_memory()
        data.local_shuffle()
        assert data.get_memory_data_size() == 3
    exe.train_from_dataset(dataset=data, fetch_list=[sums], print_period=1)
    assert float(total._array[0]) == 1.5 + 10.5 + 6.0
    assert capsys.readouterr().out.count(":") == 2
    assert 'name: "w"' in data.desc() and data.settings["fs_name"] == "x"
    (tmp_path / "b").write_text("3 1 1\n")
    with pytest.raises(FormatError, match="3 values"):
        list(QueueDataset.batches(_with(QueueDataset(), [words, label], tmp_path / "b")))
    with pytest.raises(FormatError, match="exit status"):
        list(_with(QueueDataset(), [words], tmp_path / "b", pipe_command="exit 3").batches())


def _with(data, slots, path, **settings):
    data.init(use_var=slots, **settings)
    data.set_filelist([str(path)])
    return data


def test_settings_and_factory():
    data = base.DatasetFactory().create_dataset("InMemoryDataset")
    data.set_pass_id(3)
    data.set_merge_by_lineid()
    assert data.get_pass_id() == 3
    with pytest.raises(AttributeError):
        data.nothing
    with pytest.raises(ValueError, match="does not exist"):
        base.DatasetFactory().create_dataset("Other")
    with pytest.raises(NotImplementedError):
        QueueDataset().local_shuffle()


def test_data_feed_desc(tmp_path):
    path = tmp_path / "data.proto"
    path.write_text('name: "M"\nbatch_size: 2\nmulti_slot_desc {\n slots {\n  name: "words"\n  is_dense: false\n }\n}')
    desc = base.DataFeedDesc(str(path))
    desc.set_batch_size(3)
    desc.set_dense_slots(["words"])
    desc.set_use_slots(["words"])
    slot = '  slots {\n    name: "words"\n    is_dense: true\n    is_used: true\n  }\n'
    assert desc.desc() == f'name: "M"\nbatch_size: 3\nmulti_slot_desc {{\n{slot}}}\npipe_command: "cat"\n'
    with pytest.raises(ValueError, match="no slot 'x'"):
        desc.set_use_slots(["x"])
    path.write_text("name: {")
    with pytest.raises(FormatError):
        base.DataFeedDesc(str(path))
