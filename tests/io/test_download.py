import hashlib
import http.server
import threading

import pytest

from to_static.core.errors import DownloadError
from to_static.core.flags import set_flags
from to_static.io import download

CONTENT = b"some data " * 1000
MD5 = hashlib.md5(CONTENT).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    asked: list[str] = []

    def do_GET(self):
        self.asked.append(self.path)
        if self.path != "/data.gz":
            self.send_error(404)
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(CONTENT)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    Handler.asked = []
    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


def test_a_file_is_fetched_once(server, tmp_path):
    where = tmp_path / "deep" / "cache"
    for _ in range(2):
        path = download.fetch(f"{server}/data.gz", MD5, where)
        assert path == where / "data.gz"
        assert path.read_bytes() == CONTENT
    assert Handler.asked == ["/data.gz"]


def test_a_damaged_local_file_is_fetched_again(server, tmp_path):
    (tmp_path / "data.gz").write_bytes(CONTENT[:-1])
    assert download.fetch(f"{server}/data.gz", MD5, tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("name", "md5", "match"), [("data.gz", "0" * 32, "expected a file with MD5 000"), ("no.gz", MD5, "404")]
)
def test_nothing_is_left_behind_on_failure(server, tmp_path, name, md5, match):
    with pytest.raises(DownloadError, match=match):
        download.fetch(f"{server}/{name}", md5, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_offline_says_what_to_do(tmp_path):
    with pytest.raises(DownloadError, match=r"cannot download http://127.0.0.1:9/data.gz.*put it into"):
        download.fetch("http://127.0.0.1:9/data.gz", MD5, tmp_path)


def test_cache_directory_follows_the_flag(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert download.cache_directory("mnist") == tmp_path / ".cache/to_static/dataset/mnist"
    set_flags({"TO_STATIC_DATA": "/elsewhere"})
    try:
        assert str(download.cache_directory("mnist")) == "/elsewhere/mnist"
    finally:
        set_flags({"TO_STATIC_DATA": ""})
