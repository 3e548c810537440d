import random

import numpy as np
import pytest

from to_static.compiler.eager.tensor import EagerTensor
from to_static.core.errors import ShapeError
from to_static.io import DataLoader
from to_static.vision import transforms as T
from to_static.vision.datasets import mnist
from to_static.vision.transforms import functional as F

IMAGE = np.random.default_rng(0).integers(0, 256, (6, 5, 3), "uint8")


def test_the_usual_pipeline():
    transform = T.Compose(
        [T.Resize((12, 10)), T.CenterCrop(8), T.ToTensor(), T.Normalize(mean=[0.5] * 3, std=[0.5] * 3)]
    )
    tensor = transform(IMAGE)
    assert tensor.shape == [3, 8, 8]
    assert tensor.dtype.name == "float32"
    assert -1 <= tensor.numpy().min() < tensor.numpy().max() <= 1
    assert repr(transform).splitlines()[0] == "Compose("


def test_paddles_mnist_pipeline_in_a_loader():
    data = mnist.MNIST.__new__(mnist.MNIST)
    data.images, data.labels = np.full((6, 28, 28), 255, "uint8"), np.arange(6)
    data.backend, data.transform = "numpy", T.Compose([T.Normalize(mean=[127.5], std=[127.5], data_format="CHW")])
    for num_workers in (0, 2):
        [(images, labels)] = list(DataLoader(data, batch_size=6, num_workers=num_workers))
        assert images.shape == [6, 1, 28, 28]
        assert (images.numpy() == 1).all()
        assert labels.numpy().tolist() == [[i] for i in range(6)]


def test_transpose():
    assert np.array_equal(T.Transpose()(IMAGE), IMAGE.transpose(2, 0, 1))
    assert T.Transpose()(IMAGE[..., 0]).shape == (1, 6, 5)
    assert T.Transpose((1, 0, 2))(EagerTensor(np.zeros((2, 3, 4)))).shape == [3, 2, 4]


def test_flips_follow_python_random():
    assert T.RandomHorizontalFlip(0)(IMAGE) is IMAGE
    assert np.array_equal(T.RandomHorizontalFlip(1)(IMAGE), IMAGE[:, ::-1])
    assert np.array_equal(T.RandomVerticalFlip(1)(IMAGE), IMAGE[::-1])
    random.seed(0)
    flip = T.RandomHorizontalFlip()
    flipped = [not np.array_equal(flip(IMAGE), IMAGE) for _ in range(100)]
    assert 30 < sum(flipped) < 70
    with pytest.raises(ValueError, match=r"between 0 and 1, got 1\.5"):
        T.RandomHorizontalFlip(1.5)


def test_random_crop_reaches_every_place():
    image = np.arange(20).reshape(4, 5)
    corners = {int(T.RandomCrop((3, 3))(image)[0, 0]) for _ in range(200)}
    assert corners == {0, 1, 2, 5, 6, 7}
    assert np.array_equal(T.RandomCrop((4, 5))(image), image)
    top, left, height, width = T.RandomCrop(1)._get_param(image, (3, 4))  # as programs crop an image and its labels alike
    assert 0 <= top <= 1 and 0 <= left <= 1 and (height, width) == (3, 4)


def test_random_crop_with_borders():
    assert T.RandomCrop(8, padding=2)(IMAGE).shape == (8, 8, 3)
    assert T.RandomCrop(8, pad_if_needed=True, fill=3)(IMAGE).shape == (8, 8, 3)
    assert T.RandomCrop((3, 8), pad_if_needed=True)(EagerTensor(IMAGE.transpose(2, 0, 1).copy())).shape == [3, 3, 8]
    with pytest.raises(ValueError, match="6x5 is smaller than 8x8"):
        T.RandomCrop(8)(IMAGE)
    assert np.array_equal(T.Pad(1)(IMAGE), T.pad(IMAGE, 1))


def test_keys():
    class Both(T.BaseTransform):
        def _get_params(self, inputs):
            return len(inputs)

        def _apply_image(self, image):
            return image + self.params

        def _apply_mask(self, mask):
            return -mask

    assert Both()(1) == 2
    assert Both()((1, 5)) == (3, 5)
    assert Both(keys=("image", "mask"))((1, 5, 9)) == (4, -5, 9)
    assert Both(keys=("boxes", "image"))((1, 5)) == (1, 7)
    with pytest.raises(NotImplementedError, match="BaseTransform"):
        T.BaseTransform()(IMAGE)


def test_random_parts_of_every_kind():
    Image = pytest.importorskip("PIL.Image")
    for image in (IMAGE, Image.fromarray(IMAGE), EagerTensor(IMAGE.transpose(2, 0, 1).astype("float32"))):
        assert F.image_size(T.RandomResizedCrop(4, ratio=(0.1, 0.2))(image)) == (4, 4)
        assert F.image_size(T.RandomAffine(10, (0.1, 0.1), (0.9, 1.1), (1, 2, 3, 4))(image)) == (6, 5)
        assert F.image_size(T.RandomErasing(1, value="random")(image)) == (6, 5)
        assert T.RandomPerspective(0.0)(image) is image and T.RandomErasing(0)(image) is image
        assert T.ColorJitter()(image) is image
    with pytest.raises(ShapeError, match="an image with channels"):
        T.RandomErasing(1)(IMAGE[..., 0])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: T.BrightnessTransform(-1), ValueError, "brightness: a single number"),
        (lambda: T.SaturationTransform((2, 1)), ValueError, "saturation: the two numbers should rise"),
        (lambda: T.HueTransform(0.6), ValueError, "hue: the number should be at most 0.5"),
        (lambda: T.ContrastTransform("a"), TypeError, "contrast: expected a number or two"),
        (lambda: T.RandomResizedCrop(3, scale=(1, 0)), ValueError, "scale should be two numbers that rise"),
        (lambda: T.RandomRotation(-1), ValueError, "degrees: a single number"),
        (lambda: T.RandomAffine(1, (2, 0)), ValueError, "translate should be two numbers"),
        (lambda: T.RandomAffine(1, scale=(0, 1)), ValueError, "two positive numbers"),
        (lambda: T.RandomAffine(1, shear=(1, 2, 3)), ValueError, "shear should be a number or 2 or 4 numbers"),
        (lambda: T.RandomPerspective(2), ValueError, "prob should be between 0 and 1"),
        (lambda: T.RandomPerspective(1, 2), ValueError, "distortion_scale should be between"),
        (lambda: T.RandomErasing(value="other"), ValueError, "one for each channel or 'random'"),
    ],
)
def test_arguments_that_make_no_sense(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_what_packages_ask_of_images_and_ranges():
    from to_static.vision.transforms import functional as F
    from to_static.vision.transforms.transforms import _check_input

    array = np.zeros((2, 3, 3), "uint8")
    assert F._is_numpy_image(array) and F._is_tensor_image(EagerTensor(array)) and not F._is_pil_image(array)
    assert _check_input(0.2, "brightness") == [0.8, 1.2] and _check_input(2, "hue") == [0, 3] and _check_input((1, 1), "x") is None
    with pytest.raises(ValueError, match="non negative"):
        _check_input(-1, "hue")
    with pytest.raises(ValueError, match="between"):
        _check_input([2, 1], "hue")
    with pytest.raises(TypeError):
        _check_input("much", "hue")
