"""Start-up: what `import to_static` loads, and that every public name is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import to_static


def loaded_by(code: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


def test_importing_the_package_loads_nothing_heavy():
    modules = loaded_by("import to_static")
    heavy = {"gast", "astor", "google.protobuf", "inspect", "dataclasses", "multiprocessing", "cupy", "matplotlib", "sklearn"}
    heavy |= {"json", "difflib", "pkgutil"}
    assert not heavy & modules - loaded_by("import numpy")
    for room in ("nn", "jit", "static", "optimizer", "io", "vision", "cli"):
        assert f"to_static.{room}" not in modules
    for room in ("formats", "passes", "runtime", "frontend.transpile"):
        assert f"to_static.compiler.{room}" not in modules
    assert "to_static.compiler.ops.layers.conv" not in modules


def test_using_an_operator_loads_its_family():
    modules = loaded_by("import to_static; to_static.ones([1]).softmax()")
    assert "to_static.compiler.ops.layers.softmax" in modules and "to_static.compiler.ops.layers.conv" not in modules


def test_a_static_layer_loads_what_it_uses():
    """Neither families of operators that it has none of, nor classes that it can hold no objects of."""
    net = "p.nn.Sequential(p.nn.Conv2D(1, 2, 3), p.nn.BatchNorm2D(2), p.nn.ReLU())"
    modules = loaded_by(f"import to_static as p; p.jit.to_static({net})(p.ones([1, 1, 4, 4])).sum().backward()")
    assert "to_static.compiler.frontend.function.static_function" in modules and "to_static.compiler.ops.layers.norm" in modules
    assert not modules & {"to_static.compiler.ops.spectral.fft_family", "to_static.optimizer", "to_static.metric"}


def test_a_loaded_model_loads_what_it_uses(tmp_path):
    """Nothing asks its tensors for what none has, which looks through all operators for a method."""
    net = to_static.nn.Sequential(to_static.nn.Linear(3, 4), to_static.nn.BatchNorm1D(4), to_static.nn.ReLU())
    to_static.jit.save(net, str(tmp_path / "net"), input_spec=[to_static.static.InputSpec([None, 3])])
    modules = loaded_by(f"import to_static as p; net = p.jit.load({str(tmp_path / 'net')!r}); net.eval(); net(p.ones([2, 3]))")
    assert "to_static.compiler.ops.layers.norm" in modules
    assert not modules & {
        "to_static.compiler.ops.spectral.fft_family",
        "to_static.compiler.ops.detection.boxes",
        "to_static.compiler.ops.losses.cross_entropy",
    }


@pytest.mark.parametrize("name", sorted(set(to_static._WHERE) | set(to_static._INPLACE.split())))
def test_public_names_resolve(name):
    assert getattr(to_static, name) is not None


def test_unknown_names_are_refused():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        to_static.nothing
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        to_static.ones([1]).nothing
    with pytest.raises(KeyError):
        to_static.compiler.ir.registry.FUNCTIONS["nothing"]


def test_dir_lists_public_names():
    assert {"Tensor", "to_tensor", "nn", "jit", "tanh", "multiply_", "float32"} <= set(dir(to_static))
    assert {"save", "load", "ignore_module", "TranslatedLayer"} <= set(dir(to_static.jit))
