"""paddleaudio: features, functions and transforms of sound."""

import numpy as np
from suite import case, image, net, older_python, record, stage, stand_ins, tensors

older_python()
stand_ins("pathos")
SOUND = (np.sin(np.arange(2000) * 0.05) + 0.1 * image(2000)).astype("float32")[None]
from paddleaudio import features as F
from paddleaudio import functional as f

for name, options in {
    "Spectrogram": {"n_fft": 128},
    "MelSpectrogram": {"sr": 8000, "n_fft": 128, "n_mels": 16, "f_min": 20.0},
    "LogMelSpectrogram": {"sr": 8000, "n_fft": 128, "n_mels": 16, "f_min": 20.0},
    "MFCC": {"sr": 8000, "n_mfcc": 8, "n_fft": 128, "n_mels": 16, "f_min": 20.0},
}.items():
    if hasattr(F, name):
        net(name, lambda n=name, o=options: getattr(F, n)(**o), [SOUND], train=False)


@case
def functions():
    record("mels", lambda: [f.hz_to_mel(440.0), f.mel_to_hz(5.0), f.mel_frequencies(8), f.fft_frequencies(8000, 64)])
    record("banks", lambda: [f.compute_fbank_matrix(8000, 64, n_mels=8), f.create_dct(4, 8)])
    record("decibels", lambda: [f.power_to_db(tensors(np.abs(image(3, 4))))])


@case
def windows():
    for name in ("hann", "hamming", "blackman", "bohman", "cosine", "triang", "tukey", "nuttall"):
        stage(name, lambda n=name: [f.get_window(n, 16).numpy()])


@case
def arrays():
    from paddleaudio import compliance

    wave = SOUND[0]
    stage(
        "librosa",
        lambda: [compliance.librosa.melspectrogram(wave, sr=8000, window_size=128, hop_length=64, n_mels=8, fmin=20)],
    )
    stage("kaldi", lambda: [compliance.kaldi.fbank(tensors(SOUND), sr=8000, n_mels=8).numpy()])
