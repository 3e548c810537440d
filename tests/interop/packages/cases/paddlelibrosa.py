"""paddlelibrosa: spectrograms as layers, their inverse, and augmentation."""

import numpy as np
import paddlelibrosa as L
from suite import case, image, net, older_python, record, tensors

older_python()
SOUND = (np.sin(np.arange(1024) * 0.05) + 0.1 * image(1024)).astype("float32")[None]
net("STFT", lambda: L.STFT(n_fft=128, hop_length=32), [SOUND], train=False)
net("Spectrogram", lambda: L.Spectrogram(n_fft=128, hop_length=32), [SOUND], train=False)
net(
    "LogmelFilterBank",
    lambda: L.LogmelFilterBank(sr=8000, n_fft=128, n_mels=8),
    [np.abs(image(1, 1, 6, 65))],
    train=False,
)
net("Frames", lambda: L.Enframe(frame_length=128, hop_length=32), [SOUND], train=False)


@case
def inverse():
    def run():
        real, imaginary = L.STFT(n_fft=128, hop_length=32)(tensors(SOUND))
        return [L.ISTFT(n_fft=128, hop_length=32)(real, imaginary, 1024), *L.magphase(real, imaginary)]

    record("sound", run)


@case
def transform():
    record("dft", lambda: list(L.DFT(n=16, norm=None).dft(tensors(image(16)), tensors(image(16, seed=1)))))


@case
def augmentation():
    from paddlelibrosa.augmentation import SpecAugmentation

    layer = SpecAugmentation(4, 2, 4, 2)
    layer.eval()
    record("evaluation", lambda: [layer(tensors(image(1, 1, 8, 8)))])
