"""paddle-nnaudio: spectrograms by convolutions, without the padding that Paddle 2.6 refuses."""

import numpy as np
from ppAudio import features as F
from suite import image, net, older_python

older_python()
SOUND = (np.sin(np.arange(4096) * 0.05) + 0.1 * image(4096)).astype("float32")[None]
for name, options in {
    "STFT": {"n_fft": 128, "hop_length": 64},
    "MelSpectrogram": {"sr": 8000, "n_fft": 128, "n_mels": 16, "hop_length": 64},
    "MFCC": {"sr": 8000, "n_mfcc": 8, "n_fft": 512},
    "Gammatonegram": {"sr": 8000, "n_fft": 128, "n_bins": 16, "hop_length": 64},
    "CQT1992v2": {"sr": 8000, "hop_length": 64, "fmin": 220, "n_bins": 12},
    "CQT2010v2": {"sr": 8000, "hop_length": 64, "fmin": 220, "n_bins": 12},
    "CQT1992": {"sr": 8000, "hop_length": 64, "fmin": 220, "n_bins": 12},
}.items():
    if hasattr(F, name):
        net(name, lambda n=name, o=options: getattr(F, n)(center=False, **o), [SOUND], train=False)
