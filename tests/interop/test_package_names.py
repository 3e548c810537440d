"""The tool that lists the names that packages use: what it reads in a text, and what it calls missing."""

from tests.interop.package_names import missing, read

TEXT = """
import paddle.nn.functional as F
from paddle import _C_ops, nn as layers
def f(x, paddle_like):
    import paddle
    y = layers.Linear(in_features=2, out_features=3)(x)
    return _C_ops.relu(y), F.gelu(y, approximate=True), paddle.base.core.ops, y.local_value(), paddle_like.zeros()
class A:
    def own(self): return self.own()
"""


def test_paths_attributes_and_keywords(tmp_path):
    (tmp_path / "a.py").write_text(TEXT)
    (tmp_path / "old.py").write_text("print 'Python 2'")
    found = read(tmp_path)
    whole = {"paddle.nn", "paddle._C_ops.relu", "paddle.nn.functional.gelu", "paddle.base.core.ops", "paddle.nn.Linear"}
    assert whole < found.paths and "paddle.zeros" not in found.paths
    assert {"local_value", "zeros", "own"} <= found.attributes and found.defined >= {"own"}
    assert ("paddle.nn.functional.gelu", "approximate") in found.keywords


def test_only_what_the_other_side_has_is_missing(tmp_path):
    (tmp_path / "a.py").write_text(TEXT)
    gelu, linear = "paddle.nn.functional.gelu", "paddle.nn.Linear"
    theirs = {"paths": {gelu: ["x", "approximate"], linear: [], "paddle._C_ops.relu": None, "paddle._C_ops": None}}
    theirs["attributes"] = {"Tensor": ["local_value", "own", "unused"]}
    ours = {"paths": {gelu: ["x"], linear: [], "paddle._C_ops": None}, "attributes": {}}
    found = missing({"package": read(tmp_path)}, theirs, ours)
    assert {part: sorted(names) for part, names in found.items()} == {
        "paths": ["paddle._C_ops.relu"],
        "attributes": ["Tensor.local_value"],
        "keywords": [f"{gelu}(approximate=)"],
    }
