"""Lines of text that generators of samples write: those that PaddlePaddle 2.6.2 writes for the same samples."""

import io
import sys

import pytest

from to_static.distributed import fleet

ROWS = [
    ("MultiSlotDataGenerator", [[("a", [1, 2]), ("b", [0.5])], None, [("a", [3]), ("b", [1])]], "2 1 2 1 0.5\n1 3 1 1\n", None),
    ("MultiSlotStringDataGenerator", [[("a", ["1", "x"]), ("b", ["y"])]], "2 1 x 1 y\n", None),
    ("MultiSlotDataGenerator", [zip(["a"], [[1]], strict=True)], "1 1\n", None),
    ("MultiSlotDataGenerator", [[("a", [])]], "", "has no values"),
    ("MultiSlotDataGenerator", [[("a", ["x"])]], "", "must be ints or floats"),
    ("MultiSlotDataGenerator", [[("a", (1,))]], "", "must be a list"),
    ("MultiSlotDataGenerator", [[(1, [1])]], "", "must be text"),
    ("MultiSlotDataGenerator", ["abc"], "", "must yield a list or tuple of pairs"),
    ("MultiSlotDataGenerator", [[("a", [1])], [("b", [1])]], "1 1\n", "field 0 is 'a' in the first sample"),
    ("MultiSlotDataGenerator", [[("a", [1])], [("a", [1]), ("b", [1])]], "1 1\n", "1 fields, this one 2"),
]


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_lines(row, capsys):
    kind, samples, written, error = row

    class Made(getattr(fleet, kind)):
        def generate_sample(self, line):
            return lambda: iter(samples)

    made = Made()
    made.set_batch(1)
    if error is None:
        made.run_from_memory()
    else:
        with pytest.raises(ValueError, match=error):
            made.run_from_memory()
    assert capsys.readouterr().out == written


def test_batches_of_standard_input(capsys, monkeypatch):
    class Words(fleet.MultiSlotDataGenerator):
        def generate_sample(self, line):
            def samples():
                yield [("words", [int(word) for word in line.split()])]

            return samples

        def generate_batch(self, samples):
            return lambda: reversed(samples)

    words = Words()
    words.set_batch(2)
    monkeypatch.setattr(sys, "stdin", io.StringIO("1 2\n3\n4\n"))
    words.run_from_stdin()
    assert capsys.readouterr().out == "1 3\n2 1 2\n1 4\n"


def test_one_worker(capsys):
    assert fleet.util is fleet.fleet.util and isinstance(fleet.util, fleet.UtilBase)
    assert fleet.util.get_file_shard(["a", "b"]) == ["a", "b"] and fleet.util.all_gather(3) == [3]
    assert fleet.util.all_reduce([1, 2], "max").tolist() == [1, 2]
    fleet.util.barrier()
    fleet.util.print_on_rank("here", 0)
    fleet.util.print_on_rank("there", 1)
    assert capsys.readouterr().out == "here\n"
    with pytest.raises(TypeError):
        fleet.util.get_file_shard("a")
    with pytest.raises(ValueError, match="mode"):
        fleet.util.all_reduce(1, "mean")
