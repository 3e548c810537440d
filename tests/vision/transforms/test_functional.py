import numpy as np
import pytest

from to_static.core.errors import ShapeError
from to_static.eager.tensor import EagerTensor
from to_static.vision.transforms import functional as F

RGB = np.random.default_rng(0).integers(0, 256, (6, 5, 3), "uint8")
GREY = RGB[..., 0]
CHW = EagerTensor(np.ascontiguousarray(RGB.transpose(2, 0, 1)).astype("float32"))


def pixels(tensor):
    return tensor.numpy().transpose(1, 2, 0)


def test_to_tensor():
    tensor = F.to_tensor(RGB)
    assert tensor.shape == [3, 6, 5]
    assert tensor.dtype.name == "float32"
    assert pixels(tensor) == pytest.approx(RGB / 255)
    assert F.to_tensor(GREY).shape == [1, 6, 5]
    assert F.to_tensor(RGB, "HWC").shape == [6, 5, 3]
    assert F.to_tensor(GREY * 1.0).numpy().max() == GREY.max()  # only uint8 is scaled


def test_to_tensor_keeps_nothing_of_the_image():
    image = np.zeros((2, 2), "float32")
    tensor = F.to_tensor(image)
    image[:] = 1
    assert tensor.numpy().sum() == 0


def test_pillow_images_are_arrays():
    Image = pytest.importorskip("PIL.Image")
    assert F.to_tensor(Image.fromarray(RGB)).numpy() == pytest.approx(F.to_tensor(RGB).numpy())
    assert np.array_equal(F.hflip(Image.fromarray(GREY)), GREY[:, ::-1])


@pytest.mark.parametrize(
    ("image", "error"), [("x.png", TypeError), (np.zeros(3), ShapeError), (np.zeros((1, 2, 3, 4)), ShapeError)]
)
def test_what_is_no_image(image, error):
    with pytest.raises(error, match="image"):
        F.to_tensor(image)


def test_normalize():
    mean, std = [1.0, 2, 3], [2.0, 4, 8]
    expected = (RGB - np.array(mean)) / std
    assert F.normalize(RGB, mean, std, "HWC") == pytest.approx(expected, rel=1e-5)
    assert F.normalize(RGB, mean, std, "HWC").dtype == np.float32
    assert pixels(F.normalize(CHW, mean, std)) == pytest.approx(expected, rel=1e-5)
    assert F.normalize(RGB, 127.5, 127.5, "HWC").min() >= -1
    assert F.normalize(RGB, 0, 1, "HWC", to_rgb=True)[0, 0].tolist() == RGB[0, 0, ::-1].tolist()


def test_normalize_takes_a_flat_image_for_one_channel():
    assert F.normalize(GREY, [127.5], [127.5]).shape == (1, 6, 5)
    assert F.normalize(GREY, 127.5, 127.5, "HWC").shape == (6, 5, 1)


@pytest.mark.parametrize(
    ("args", "error"),
    [
        ((GREY, [1, 2, 3], 1), ShapeError),
        ((RGB, [1, 2], 1, "HWC"), ShapeError),
        ((GREY, 0, 0), ValueError),
        ((GREY, 0, 1, "NCHW"), ValueError),
    ],
)
def test_normalize_refuses(args, error):
    with pytest.raises(error, match="normalize"):
        F.normalize(*args)


def test_resize():
    assert F.resize(RGB, (3, 4)).shape == (3, 4, 3)
    assert F.resize(RGB, 10).shape == (12, 10, 3)  # the shorter side
    assert F.resize(GREY.T, 10).shape == (10, 12)
    assert F.resize(CHW, (3, 4)).shape == [3, 3, 4]
    assert pixels(F.resize(CHW, 4)) == pytest.approx(F.resize(RGB.astype("float32"), 4))
    for size in (0, (3, -1)):
        with pytest.raises(ValueError, match="positive"):
            F.resize(RGB, size)
    with pytest.raises(TypeError):
        F.resize(RGB, (1, 2, 3))


@pytest.mark.parametrize("mode", F.PAD_MODES)
def test_pad(mode):
    padded = F.pad(GREY, (1, 2, 3, 0), padding_mode=mode)
    assert padded.shape == (8, 9)
    assert np.array_equal(padded[2:, 1:6], GREY)
    assert np.array_equal(pixels(F.pad(CHW, 1, padding_mode=mode)), F.pad(RGB, 1, padding_mode=mode))


def test_pad_values_and_widths():
    assert F.pad(GREY, 1, fill=9)[0, 0] == 9
    assert F.pad(RGB, (1, 0), fill=(1, 2, 3))[0, 0].tolist() == [1, 2, 3]
    assert F.pad(RGB, (1, 0)).shape == (6, 7, 3)
    for wrong in ({"padding": (1, 2, 3)}, {"padding": -1}, {"padding": 1, "padding_mode": "wrap"}):
        with pytest.raises(ValueError, match="pad"):
            F.pad(GREY, **wrong)


def test_crops_and_flips():
    assert np.array_equal(F.crop(RGB, 1, 2, 3, 2), RGB[1:4, 2:4])
    assert np.array_equal(F.center_crop(RGB, (4, 3)), RGB[1:5, 1:4])
    assert np.array_equal(F.center_crop(GREY, 2), GREY[2:4, 2:4])
    assert np.array_equal(F.hflip(RGB), RGB[:, ::-1])
    assert np.array_equal(F.vflip(RGB), RGB[::-1])
    assert np.array_equal(pixels(F.hflip(CHW)), RGB[:, ::-1])
    assert np.array_equal(pixels(F.crop(CHW, 1, 2, 3, 2)), RGB[1:4, 2:4])
    for box in ((4, 0, 3, 1), (0, -1, 1, 1), (0, 3, 1, 3)):
        with pytest.raises(ValueError, match="not inside an image of 6x5"):
            F.crop(RGB, *box)
    with pytest.raises(ValueError):
        F.center_crop(RGB, 7)
