"""The recorded models of PaddlePaddle 3: an archive, and how numbers are compared with Paddle's."""

import tarfile
from pathlib import Path

import numpy as np

ARCHIVE = Path(__file__).with_name("recorded.tar.xz")
RANDOM = (
    "gaussian", "uniform", "randint", "randperm", "bernoulli", "multinomial", "poisson", "dirichlet", "exponential",
    "gumbel_softmax", "class_center_sample", "rrelu", "standard_gamma", "binomial", "truncated_gaussian_random",
)  # fmt: skip


def unpack(path):
    """Write the models of the archive into a folder."""
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            target = path / member.name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(archive.extractfile(member).read())
    return path


def names():
    """The models of the archive: ``331/NAME`` and ``300/NAME``."""
    with tarfile.open(ARCHIVE) as archive:
        return sorted(name.removesuffix(".npz") for name in archive.getnames() if name.endswith(".npz"))


def numbers(path):
    """Inputs by name, and outputs."""
    with np.load(f"{path}.npz") as record:
        inputs = {key[3:]: record[key] for key in record.files if key.startswith("in_")}
        return inputs, [record[f"out_{i}"] for i in range(len(record.files) - len(inputs))]


def is_random(path):
    text = Path(f"{path}.json").read_text()
    return any(f'"1.{name}' in text for name in RANDOM)


def check(results, expected, path):
    """Results are Paddle's."""
    assert len(results) == len(expected)
    for result, value in zip(results, expected, strict=True):
        if value.dtype == np.uint16:  # bfloat16
            value = (value.astype("uint32") << 16).view("float32")
        assert result.shape == value.shape
        assert result.dtype == value.dtype
        if is_random(path):
            continue
        finite = np.atleast_1d(value)[np.isfinite(np.atleast_1d(value))]
        scale = float(np.abs(finite).max()) if finite.size and value.dtype.kind in "fc" else 0.0
        step = 1e-2 if path.name == "half" else 2e-6  # bfloat16 is computed in float32 here
        np.testing.assert_allclose(result, value, rtol=10 * step, atol=step + step * scale)
