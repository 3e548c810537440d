"""Image transforms as text, which Paddle's and ours are compared by: over ``F``, ``T`` and ``x``, an image of each kind."""

from __future__ import annotations

import random

import numpy as np

EVERY = """
F.resize(x,(4,9),'nearest')
F.resize(x,(8,3))
F.resize(x,4,'bicubic')
F.pad(x,(1,2))
F.pad(x,1,padding_mode='edge')
F.pad(x,(1,2,0,1),padding_mode='reflect')
F.crop(x,1,2,3,2)
F.center_crop(x,3)
F.hflip(x)
F.vflip(x)
F.adjust_brightness(x,0.6)
F.adjust_brightness(x,1.7)
F.adjust_contrast(x,0.4)
F.adjust_contrast(x,1.6)
F.adjust_hue(x,0.2)
F.adjust_hue(x,-0.45)
F.rotate(x,30)
F.rotate(x,-100,'bilinear')
F.rotate(x,40,'bilinear',True)
F.rotate(x,75,center=(1,2))
F.perspective(x,[[0,0],[5,0],[5,4],[0,4]],[[1,0],[4,1],[5,3],[0,4]])
F.perspective(x,[[0,0],[5,0],[5,4],[0,4]],[[1,0],[4,1],[5,3],[0,4]],'bilinear')
F.to_grayscale(x)
F.to_grayscale(x,3)
T.RandomResizedCrop(4)(x)
T.RandomResizedCrop((3,5),scale=(0.3,0.6),interpolation='nearest')(x)
T.RandomRotation(60,'bilinear')(x)
T.RandomPerspective(1.0)(x)
T.RandomErasing(1.0,value=7)(x)
T.RandomErasing(1.0,value=[1,2,3])(x)
T.BrightnessTransform(0.5)(x)
T.ContrastTransform(0.5)(x)
T.HueTransform(0.3)(x)
T.ColorJitter(0.3,0.3,0,0.2)(x)
T.Grayscale(3)(x)
T.RandomCrop(3,1)(x)
T.RandomHorizontalFlip()(x)
T.RandomVerticalFlip()(x)
T.Transpose()(x)
T.Pad([1,2])(x)
T.CenterCrop((2,4))(x)
""".split()
NOT_ARRAYS = """
F.affine(x,30,(1,-1),1.2,10)
F.affine(x,-50,(0,2),0.7,(5,-15),'bilinear')
T.RandomAffine(30,(0.2,0.1),(0.8,1.2),10)(x)
T.SaturationTransform(0.5)(x)
""".split()
PILLOW = """
F.affine(x,20,(0,0),1.0,0,center=(1,1))
F.to_tensor(x)
F.to_tensor(x,'HWC')
F.resize(x,(7,4),'lanczos')
F.rotate(x,30,'bicubic',fill=9)
F.erase(x,1,1,2,3,5)
T.ColorJitter(0.3,0.3,0.3,0.2)(x)
F.normalize(x,[1,2,3],[2,3,4],'HWC')
""".split()
ARRAYS = """
F.to_tensor(x)
F.resize(x,(3,4),'area')
F.resize(x,(8,9),'area')
F.resize(x,(4,9),'area')
F.resize(x,(4,9),'lanczos')
F.resize(x.astype('float32'),(8,5),'lanczos')
F.rotate(x,30,'bicubic')
F.rotate(x,33,'nearest',True)
F.perspective(x,[[0,0],[5,0],[5,4],[0,4]],[[1,0],[4,1],[5,3],[0,4]],'bicubic')
F.rotate(x.astype('float32'),25,'bilinear')
F.rotate(x.astype('float32'),25,'bicubic')
F.erase(x,1,1,2,3,np.array([5,6,7]))
F.normalize(x,[1,2,3],[2,3,4],'HWC')
F.to_grayscale(x.astype('float32'))
""".split()
TENSORS = """
F.normalize(x,[1,2,3],[2,3,4])
F.erase(x,1,1,2,3,paddle.to_tensor(5.0))
F.rotate(x,30,fill=[1,2,3])
""".split()
CASES = [
    (kind, text)
    for kind, texts in (("pil", EVERY + NOT_ARRAYS + PILLOW), ("array", EVERY + ARRAYS), ("tensor", EVERY + NOT_ARRAYS + TENSORS))
    for text in texts
]


def image(paddle, kind):
    """5 rows of 6 pixels; a Tensor of it has numbers from 0 to 1."""
    pixels = np.random.RandomState(3).randint(0, 256, (5, 6, 3)).astype("uint8")
    if kind == "pil":
        from PIL import Image

        return Image.fromarray(pixels)
    return pixels if kind == "array" else paddle.to_tensor(pixels.transpose(2, 0, 1).astype("float32") / 255)


def result(paddle, kind, text):
    """What a case gives: the name of its kind, its dtype and an array."""
    random.seed(5)
    np.random.seed(5)
    transforms = paddle.vision.transforms
    names = {"F": transforms.functional, "T": transforms, "np": np, "paddle": paddle, "x": image(paddle, kind)}
    found = eval(text, names)
    made = "tensor" if isinstance(found, paddle.Tensor) else "array" if isinstance(found, np.ndarray) else "pil"
    array = found.numpy() if made == "tensor" else np.asarray(found)
    return made, str(array.dtype), array
