"""Files of weights and archives that are here already."""

import tarfile
import zipfile

import pytest

from to_static.core.errors import FormatError
from to_static.utils import download


def test_addresses():
    assert download.is_url("https://example.org/a") and not download.is_url("/tmp/a")


def test_sums(tmp_path):
    (tmp_path / "a").write_bytes(b"abc")
    assert download.md5file(str(tmp_path / "a")) == "900150983cd24fb0d6963f7d28e17f72"


@pytest.mark.parametrize("kind", ["zip", "tar"])
@pytest.mark.parametrize(
    ("files", "whole"), [(["only.txt"], "only.txt"), (["d/a.txt", "d/b.txt"], "d"), (["a.txt", "d/b.txt"], "pack")]
)
def test_archives_are_unpacked_beside_themselves(tmp_path, kind, files, whole):
    source, target = tmp_path / "source", tmp_path / "target"
    target.mkdir()
    pack = target / f"pack.{kind}"
    archive = zipfile.ZipFile(pack, "w") if kind == "zip" else tarfile.open(pack, "w")
    with archive:
        for name in files:
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(name)
            (archive.write if kind == "zip" else archive.add)(source / name, name)
    assert download._decompress(str(pack)) == str(target / whole)
    found = {str(path.relative_to(target)) for path in target.rglob("*.txt")}
    assert found == {f"pack/{name}" if whole == "pack" else name for name in files}


def test_other_files_are_refused(tmp_path):
    (tmp_path / "a").write_text("x")
    with pytest.raises(TypeError, match="Unsupport compress file type"):
        download._decompress(str(tmp_path / "a"))


@pytest.mark.skipif(not hasattr(tarfile, "data_filter"), reason="the first releases of Python 3.10 and 3.11 have no filters")
def test_members_for_other_folders_are_refused(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (tmp_path / "a").write_text("x")
    with tarfile.open(folder / "pack.tar", "w") as archive:
        archive.add(tmp_path / "a", "../outside.txt")
    with pytest.raises(FormatError, match="outside"):
        download._decompress(str(folder / "pack.tar"))
    assert not (tmp_path / "outside.txt").exists()
