"""insightface-paddle: pictures of faces made ready, predictors of saved models, and what they find."""

import numpy as np
import paddle
from suite import case, fill, image, older_python, record, stage, stand_ins

older_python()
stand_ins("imghdr")
from insightface_paddle import insightface_paddle as face

SHAPES = {"image": [None, 3, 64, 64], "im_shape": [None, 2], "scale_factor": [None, 2]}
PICTURE = (np.abs(image(40, 50, 3)) * 90).clip(0, 255).astype("uint8")
SETTINGS = {"use_gpu": False, "cpu_threads": 1, "enable_mkldnn": False}


class Boxes(paddle.nn.Layer):
    """Something that gives boxes as a detector does: [class, score, x, y, x, y]."""

    def __init__(self):
        super().__init__()
        self.conv = paddle.nn.Conv2D(3, 6, 8, stride=16)

    def forward(self, image, im_shape, scale_factor):
        rows = self.conv(image).transpose([0, 2, 3, 1]).reshape([-1, 6])
        size = paddle.concat([im_shape, im_shape], 1) / paddle.concat([scale_factor, scale_factor], 1)
        corners = paddle.nn.functional.sigmoid(rows[:, 2:]).sort(1) * size
        return paddle.concat([rows[:, :1].abs(), paddle.nn.functional.sigmoid(rows[:, 1:2] * 4), corners], 1)


class Features(paddle.nn.Layer):
    def __init__(self):
        super().__init__()
        self.conv, self.fc = paddle.nn.Conv2D(3, 4, 7, stride=7), paddle.nn.Linear(4, 8)

    def forward(self, image):
        return self.fc(paddle.nn.functional.relu(self.conv(image)).mean([2, 3]))


def saved(net, name, **shapes):
    fill(net)
    net.eval()
    spec = [paddle.static.InputSpec(shape, "float32", key) for key, shape in shapes.items()]
    paddle.jit.save(net, name, input_spec=spec)
    return {"model_file": f"{name}.pdmodel", "params_file": f"{name}.pdiparams", **SETTINGS}


def detector(threshold=0.3):
    config = {"target_size": (64, 64), "thresh": threshold}
    return face.Detector(config, saved(Boxes(), "boxes", **SHAPES))


def recognizer(**more):
    config = {"max_batch_size": 2, "cdd_num": 2, "thresh": 0.1, "index": None, "build_index": "index.bin", **more}
    return face.Recognizer(config, saved(Features(), "features", image=[None, 3, 112, 112]))


@case
def pictures():
    stage("normalized", lambda: [face.normalize_image(PICTURE, 1 / 255, [0.5] * 3, [0.2] * 3, "hwc")])
    stage("channels first", lambda: [face.to_CHW_image(PICTURE)])
    stage("colours", lambda: [np.array(face.ColorMap(10).get_color_map_list(5))])
    stage("options", lambda: [np.array(sorted(vars(face.parser().parse_args([]))))])


@case
def detection():
    stage("prepared", lambda: [value for _, value in sorted(detector().preprocess(PICTURE).items())])
    stage("boxes", lambda: [detector().predict(PICTURE)])
    stage("fewer boxes", lambda: [detector(0.55).predict(PICTURE)])


@case
def names():
    record("inputs", lambda: [np.array(sorted(detector().input_names)), np.array(len(detector().output_names))])


@case
def recognition():
    boxes = [np.array([0, 0.9, 3, 4, 30, 36]), np.array([0, 0.8, -2, 0, 20, 20]), np.array([0, 0.7, 10, 5, 45, 38])]
    stage("batches", lambda: recognizer().preprocess(PICTURE, [box.copy() for box in boxes]))
    stage("whole picture", lambda: recognizer().preprocess(PICTURE))
    stage("features", lambda: recognizer().predict(PICTURE, [box.copy() for box in boxes]))

    def labels():
        found = recognizer()
        features = found.predict(PICTURE, [box.copy() for box in boxes])
        found.index_feature, found.label = np.concatenate(features), np.array(["a", "b", "c"])
        return [np.array(name) for name in found.retrieval(features)]

    stage("labels", labels)


@case
def both():
    def run():
        boxes = detector(0.4).predict(PICTURE)
        return recognizer().predict(PICTURE, list(boxes[:3].copy()))

    stage("features of found faces", run)
