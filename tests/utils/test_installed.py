"""Versions, deprecations, files of weights, exchange with other libraries."""

import sys

import numpy as np
import pytest

import to_static as paddle

utils = paddle.utils


def test_versions_are_compared():
    utils.require_version("2.0")
    utils.require_version("2.6.2", "2.6.2")
    with pytest.raises(RuntimeError, match="3.0 or higher is required"):
        utils.require_version("3.0")
    with pytest.raises(RuntimeError, match="from 1.0 to 2.5"):
        utils.require_version("1.0", "2.5")
    with pytest.raises(ValueError, match="must look like"):
        utils.require_version("two")
    with pytest.raises(TypeError, match="min_version must be text"):
        utils.require_version(2)


def test_version_of_the_interface(capsys):
    assert paddle.version.full_version == "2.6.2" and paddle.version.cuda() == "False"
    paddle.version.show()
    assert "minor: 6" in capsys.readouterr().out


def test_try_import_says_how_to_get_it():
    assert utils.try_import("numpy") is np
    with pytest.raises(ImportError, match="pip install no_such_module"):
        utils.try_import("no_such_module")


def test_run_check(capsys):
    utils.run_check()
    assert "works well on 1 CPU" in capsys.readouterr().out


def test_deprecated_functions_say_so():
    @utils.deprecated(update_to="paddle.new", since="2.0", reason="it is slow")
    def old(x):
        """Doc."""
        return x

    with pytest.warns(DeprecationWarning, match='since 2.0.*use "paddle.new" instead. Reason: it is slow'):
        assert old(3) == 3
    assert "deprecated" in old.__doc__ and "Doc." in old.__doc__
    with pytest.raises(RuntimeError, match="deprecated"):
        utils.deprecated(level=2)(lambda: None)()


def test_weights_are_found_where_they_are(tmp_path, monkeypatch):
    file = tmp_path / "net.pdparams"
    file.write_bytes(b"abc")
    assert utils.download.get_weights_path_from_url(str(file)) == str(file)
    monkeypatch.setattr(utils.download, "WEIGHTS_HOME", str(tmp_path))
    url = "https://example.com/models/net.pdparams"
    assert utils.download.get_weights_path_from_url(url, "900150983cd24fb0d6963f7d28e17f72") == str(file)
    with pytest.raises(ValueError, match="MD5"):
        utils.download.get_weights_path_from_url(url, "0")
    with pytest.raises(FileNotFoundError, match="nothing is fetched: get https://example.com/other yourself"):
        utils.download.get_weights_path_from_url("https://example.com/other")


def test_dlpack_shares_memory():
    x = paddle.to_tensor([1.0, 2.0])
    assert utils.dlpack.from_dlpack(utils.dlpack.to_dlpack(x)).tolist() == [1.0, 2.0]
    array = np.arange(3.0)
    tensor = utils.dlpack.from_dlpack(array)
    array[0] = 7
    assert tensor.tolist() == [7.0, 1.0, 2.0]
    with pytest.raises(TypeError, match="to_dlpack"):
        utils.dlpack.to_dlpack(array)
    with pytest.raises(TypeError, match="from_dlpack"):
        utils.dlpack.from_dlpack(3)


def test_hub_loads_a_folder(tmp_path):
    (tmp_path / "beside.py").write_text("scale = 3\n")
    (tmp_path / "hubconf.py").write_text(
        "import beside\ndependencies = ['numpy']\n"
        "def model(k=1):\n    'Scales.'\n    return beside.scale * k\ndef _hidden(): pass\n"
    )
    hub, folder = paddle.hub, str(tmp_path)
    assert hub.list(folder, source="local") == ["model"]
    assert hub.help(folder, "model", source="local") == "Scales."
    assert hub.load(folder, "model", source="local", k=2) == 6
    assert folder not in sys.path
    sys.modules.pop("beside")
    with pytest.raises(RuntimeError, match="no entry point 'other'"):
        hub.load(folder, "other", source="local")
    with pytest.raises(RuntimeError, match="github is not asked"):
        hub.list("someone/models")
    with pytest.raises(ValueError, match="unknown source"):
        hub.list(folder, source="here")
    with pytest.raises(FileNotFoundError):
        hub.list(str(tmp_path / "none"), source="local")
    (tmp_path / "hubconf.py").write_text("dependencies = ['no_such_module']\n")
    with pytest.raises(RuntimeError, match="no_such_module"):
        hub.list(folder, source="local")
