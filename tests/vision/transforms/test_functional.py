import numpy as np
import pytest

import to_static as paddle
from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import ShapeError
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
    for box in ((-1, 0, 3, 1), (0, -1, 1, 1), (0, 3, 1, -3)):
        for image in (RGB, CHW):
            with pytest.raises(ValueError, match="not inside an image"):
                F.crop(image, *box)
    with pytest.raises(ValueError):
        F.center_crop(RGB, 7)


def test_arrays_are_cut_off_where_they_end():
    assert np.array_equal(F.crop(RGB, 4, 2, 5, 9), RGB[4:, 2:])
    assert np.array_equal(pixels(F.crop(CHW, 4, 2, 5, 9)), RGB[4:, 2:])
    assert F.crop(RGB, 9, 0, 2, 2).shape == (0, 2, 3)


def test_what_is_filled_and_where_the_center_is():
    """Where Paddle's kinds of images differ from each other; see docs/differences.md."""
    whole = np.full((4, 6, 3), 200, "uint8")
    tensor = EagerTensor(whole.transpose(2, 0, 1).astype("float32"))
    for turn in (lambda x: F.affine(x, 45, (0, 0), 1.0, 0, fill=9), lambda x: F.rotate(x, 45, fill=9)):
        for found in (turn(whole), pixels(turn(tensor))):
            assert set(map(tuple, found.reshape(-1, 3).tolist())) == {(9, 9, 9), (200, 200, 200)}
    half = F.affine(RGB, 180, (0, 0), 1.0, 0)
    assert np.array_equal(half, RGB[::-1, ::-1])
    assert np.array_equal(pixels(F.affine(CHW, 180, (0, 0), 1.0, 0)), half)
    about = F.affine(RGB, 180, (0, 0), 1.0, 0, center=(2, 3))  # the other half of the image comes from outside
    assert np.array_equal(about[:, :4], RGB[::-1, :4][:, ::-1]) and not about[:, 4:].any()
    assert np.array_equal(pixels(F.affine(CHW, 180, (0, 0), 1.0, 0, center=(2, 3))), about)
    Image = pytest.importorskip("PIL.Image")
    picture = Image.fromarray(whole)
    assert F.affine(picture, 0, (1, 0), 1.0, 0, fill=(1, 2, 3)).getpixel((0, 0)) == (1, 2, 3)
    assert F.rotate(picture.convert("L"), 90, fill=7).getpixel((0, 0)) == 7
    assert np.array_equal(F.affine(Image.fromarray(RGB), 180, (0, 0), 1.0, 0), half)


def test_saturation_of_arrays():
    assert np.array_equal(F.adjust_saturation(RGB, 1), RGB)
    grey = F.adjust_saturation(RGB, 0)
    assert (grey == grey[..., :1]).all() and grey.dtype == np.uint8


def test_images_of_one_channel():
    Image = pytest.importorskip("PIL.Image")
    for image in (Image.fromarray(GREY), GREY, EagerTensor(GREY[None].astype("float32"))):
        F.adjust_brightness(image, 0.5), F.adjust_contrast(image, 0.5), F.rotate(image, 10), F.resize(image, (3, 3))
    assert np.array_equal(F.adjust_hue(Image.fromarray(GREY), 0.3), GREY)
    assert F.to_tensor(Image.fromarray(GREY).convert("1")).numpy().max() == 1
    assert F.pad(Image.fromarray(RGB).convert("P"), 1).mode == "P"


def test_batches_and_static_functions():
    batch = EagerTensor(np.random.default_rng(0).random((2, 3, 6, 5)).astype("float32"))

    def changed(x):
        x = F.rotate(F.adjust_hue(F.hflip(x), 0.2), 20, "bilinear")
        return F.normalize(F.perspective(F.resize(x, (4, 4)), *CORNERS), 0.5, [1.0, 2.0, 4.0])

    found = changed(batch)
    assert found.shape == [2, 3, 4, 4]
    np.testing.assert_allclose(paddle.jit.to_static(changed)(batch).numpy(), found.numpy(), rtol=1e-6)
    np.testing.assert_allclose(changed(batch[1]).numpy(), found[1].numpy(), rtol=1e-6)


def test_a_tensor_is_erased_in_place_or_not():
    image = EagerTensor(np.ones((3, 4, 4), "float32"))
    assert F.erase(image, 0, 0, 2, 2, 0.0).numpy().sum() == 36 and image.numpy().sum() == 48
    assert F.erase(image, 0, 0, 2, 2, 0.0, inplace=True) is image and image.numpy().sum() == 36


CORNERS = [[0, 0], [3, 0], [3, 3], [0, 3]], [[0, 1], [3, 0], [2, 3], [0, 3]]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: F.adjust_brightness(RGB, -1), "adjust_brightness: the factor should not be negative"),
        (lambda: F.adjust_hue(RGB, 0.6), "between -0.5 and 0.5"),
        (lambda: F.adjust_hue(GREY, 0.1), "adjust_hue: expected an array"),
        (lambda: F.to_grayscale(RGB, 2), "should be 1 or 3"),
        (lambda: F.affine(RGB, 0, (1,), 1, 0), "translate should be"),
        (lambda: F.affine(RGB, 0, (1, 1), 0, 0), "scale should be positive"),
        (lambda: F.affine(RGB, 0, (1, 1), 1, (1, 2, 3)), "shear should be"),
        (lambda: F.affine(RGB, 0, (1, 1), 1, 0, "cubic"), "one of nearest, bilinear, bicubic, got 'cubic'"),
        (lambda: F.rotate(CHW, 0, "bicubic"), "'nearest' or 'bilinear', got 'bicubic'"),
        (lambda: F.perspective(RGB, [[0, 0]], [[0, 0]]), "four points each"),
        (lambda: F.adjust_contrast(CHW[:2], 0.1), "1 or 3 channels"),
    ],
)
def test_what_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
