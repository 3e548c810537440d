"""Sound files and data sets of them; numbers of functions and layers are in tests/numbers/calls/sound.txt."""

from __future__ import annotations

import hashlib
import io
import wave
import zipfile

import numpy as np
import pytest

import to_static as paddle
from to_static.core.errors import DownloadError, FormatError, ShapeError


def wav(numbers, width=2, rate=8000):
    """A WAV file of samples [n, channels] of ``width`` bytes."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setparams((numbers.shape[1], width, rate, 0, "NONE", ""))
        whole = numbers.astype("<i4") + (128 if width == 1 else 0)
        writer.writeframes(whole.view(np.uint8).reshape(*numbers.shape, 4)[..., :width].tobytes())
    return file.getvalue()


def test_saved_and_loaded(tmp_path):
    path = tmp_path / "a.wav"
    sound = paddle.to_tensor([[0.0, 0.5, -1.0, 1.0], [0.25, -0.5, 0.75, -2.0]])
    paddle.audio.save(path, sound, 16000)
    found = paddle.audio.info(path)
    assert (found.sample_rate, found.num_samples, found.num_channels) == (16000, 4, 2)
    assert (found.bits_per_sample, found.encoding) == (16, "PCM_S")
    waveform, rate = paddle.audio.load(path)
    assert (rate, waveform.dtype) == (16000, paddle.float32)
    np.testing.assert_array_equal(waveform.numpy(), [[0, 0.5, -1, 1 - 2.0**-15], [0.25, -0.5, 0.75, -1]])
    assert paddle.audio.load(path, 1, 2, normalize=False, channels_first=False)[0].tolist() == [[16384, -16384], [-32768, 24576]]
    assert paddle.audio.load(str(path), 2)[0].shape == [2, 2]
    raw = paddle.to_tensor(np.int16([[1], [-7]]))
    paddle.audio.save(path, raw, 8000, channels_first=False)
    assert paddle.audio.load(path, normalize=False)[0].tolist() == [[1, -7]]


@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_samples_of_each_width(width):
    numbers = np.asarray([[0], [1], [-1], [100], [-128]])
    waveform, _ = paddle.audio.load(io.BytesIO(wav(numbers, width)), normalize=False)
    assert waveform.numpy()[0].tolist() == numbers[:, 0].tolist()
    normal, _ = paddle.audio.load(io.BytesIO(wav(numbers, width)))
    np.testing.assert_allclose(normal.numpy()[0], numbers[:, 0] / 2.0 ** (8 * width - 1))


def test_files_that_are_refused(tmp_path):
    (tmp_path / "a.wav").write_bytes(b"RIFFnothing")
    for function in (paddle.audio.load, paddle.audio.info):
        with pytest.raises(FormatError, match="WAV"):
            function(tmp_path / "a.wav")
    with pytest.raises(ShapeError):
        paddle.audio.save(tmp_path / "b.wav", paddle.zeros([3]), 8000)
    with pytest.raises(ValueError, match="16 bits"):
        paddle.audio.save(tmp_path / "b.wav", paddle.zeros([1, 3]), 8000, bits_per_sample=24)
    with pytest.raises(TypeError):
        paddle.audio.save(tmp_path / "b.wav", paddle.zeros([1, 3], "int64"), 8000)


def test_backends():
    paddle.audio.backends.set_backend(paddle.audio.backends.get_current_backend())
    with pytest.raises(NotImplementedError, match="wave_backend"):
        paddle.audio.backends.set_backend("soundfile")


@pytest.mark.parametrize("window", ["kaiser", "gaussian", 3, ("gauss", 2)])
def test_windows_that_are_refused(window):
    with pytest.raises(ValueError, match="get_window"):
        paddle.audio.functional.get_window(window, 8)


def test_features_in_a_static_function():
    paddle.seed(0)
    layer = paddle.audio.features.MFCC(8000, 4, 64, n_mels=6)
    x = paddle.randn([2, 100])
    np.testing.assert_allclose(paddle.jit.to_static(lambda x: layer(x))(x).numpy(), layer(x).numpy(), atol=1e-4)
    assert sorted(layer.state_dict()) == [
        "_log_melspectrogram._melspectrogram._spectrogram.fft_window", "_log_melspectrogram._melspectrogram.fbank_matrix",
        "dct_matrix",
    ]  # fmt: skip


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setattr("to_static.io.download.data_home.value", str(tmp_path / "data"))

    def make(files):
        path = tmp_path / "sounds.zip"
        with zipfile.ZipFile(path, "w") as file:
            for name, data in files.items():
                file.writestr(name, data)
        return {"url": path.as_uri(), "md5": hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}

    return make


def sounds(count):
    return [wav(np.arange(100)[:, None] * 20 + i) for i in range(count)]


def test_tess(archive):
    names = [f"TESS_Toronto_emotional_speech_set/OAF/OAF_{i}_{mood}.wav" for i, mood in enumerate(("angry", "ps", "sad", "happy"))]
    given = archive(dict(zip(names, sounds(4), strict=True)))
    train = paddle.audio.datasets.TESS(n_folds=2, archive=given)
    assert [label for _, label in train] == [5, 3]
    assert train[0][0].shape == [100]
    data = paddle.audio.datasets.TESS("dev", 2, 1, "mfcc", archive={**given, "md5": "not looked at again"}, n_fft=64, n_mfcc=5)
    assert [(x.shape, label) for x, label in data] == [([5, 7], 0), ([5, 7], 6)]
    with pytest.raises(ValueError, match="feat_type"):
        paddle.audio.datasets.TESS(feat_type="loud", archive=given)
    with pytest.raises(ValueError, match="split"):
        paddle.audio.datasets.TESS(split=6)


def test_esc50(archive):
    rows = (f"{i}.wav,{1 + i % 3},{i * 9},x,True,7,A\n" for i in range(4))
    table = "filename,fold,target,category,esc10,src_file,take\n" + "".join(rows)
    files = {f"ESC-50-master/audio/{i}.wav": sound for i, sound in enumerate(sounds(4))}
    given = archive({"ESC-50-master/meta/esc50.csv": table, **files})
    assert paddle.audio.datasets.ESC50(archive=given).labels == [9, 18]
    data = paddle.audio.datasets.ESC50("dev", 1, "spectrogram", archive=given, n_fft=64, hop_length=32)
    assert [(x.shape, label) for x, label in data] == [([33, 4], 0), ([33, 4], 27)]
    assert len(data.label_list) == 50


def test_an_archive_that_is_not_to_be_had(archive, tmp_path):
    with pytest.raises(DownloadError):
        paddle.audio.datasets.ESC50(archive={"url": (tmp_path / "none.zip").as_uri(), "md5": ""})
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK nothing")
    md5 = hashlib.md5(b"PK nothing", usedforsecurity=False).hexdigest()
    with pytest.raises(FormatError, match="ZIP"):
        paddle.audio.datasets.TESS(archive={"url": broken.as_uri(), "md5": md5})
