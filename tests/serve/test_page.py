"""The server's page in a browser: the models, the button, the figures that follow, and the token."""

import json

import pytest

import to_static as paddle
from tests.chromium import CHROMIUM, page
from tests.serve.running import running
from to_static.static import InputSpec

pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")]


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    paddle.seed(0)
    path = str(tmp_path_factory.mktemp("model") / "net")
    paddle.jit.save(paddle.nn.Linear(4, 2), path, input_spec=[InputSpec([None, 4], "float32", "x")])
    return path


def text(tab, selector):
    return tab.run(f"document.querySelector({selector!r})?.textContent ?? ''")


def test_the_button_sends_the_example(prefix):
    with running(prefix) as server, page() as tab:
        tab.open(f"http://127.0.0.1:{server.port}/")
        tab.wait("document.querySelector('#models button')")
        assert text(tab, "h2") == "net" and "FP32" in text(tab, "tbody") and "[-1, 4]" in text(tab, "tbody")
        tab.press("#models button")
        tab.wait("document.querySelector('.answer').textContent")
        answer = json.loads(text(tab, ".answer"))
        expected = paddle.jit.load(prefix)(paddle.ones([1, 4])).numpy()
        assert answer["outputs"][0]["data"] == pytest.approx(expected.ravel().tolist(), abs=1e-5)
        assert text(tab, ".latency").endswith(" ms")
        tab.wait("document.querySelector('.live').textContent.startsWith('1 requests, 1 rows, 0 failed')")
        tab.run("document.querySelector('#models textarea').value = '{\"inputs\": []}'")
        tab.press("#models button")
        tab.wait("document.querySelector('.answer.error')?.textContent.includes('input')")
        assert not tab.errors


def test_the_page_asks_for_the_token(prefix, tmp_path):
    (tmp_path / "token").write_text("sesame\n")
    with running(prefix, "--token-file", str(tmp_path / "token")) as server, page() as tab:
        tab.open(f"http://127.0.0.1:{server.port}/")
        tab.wait("document.querySelector('#token-field')?.hidden === false")
        assert "token" in text(tab, "#models")
        tab.run("(t => { t.value = 'sesame'; t.dispatchEvent(new Event('change')) })(document.getElementById('token'))")
        tab.wait("document.querySelector('#models button')")
        tab.press("#models button")
        tab.wait("document.querySelector('.answer').textContent.startsWith('{')")
        assert not tab.errors
