"""Callbacks: what each does around the steps of a `Model`, and what the progress bar writes where."""

import io
import sys
import types

import numpy as np
import pytest

import to_static as paddle
from to_static import callbacks, nn
from to_static.callbacks.progress import ProgressBar


class Data(paddle.io.Dataset):
    def __getitem__(self, i):
        return np.full((8,), i, "float32"), np.asarray([i % 2])

    def __len__(self):
        return 8


def model_of(rate=0.1):
    net = nn.Linear(8, 2)
    model = paddle.Model(net)
    model.prepare(paddle.optimizer.SGD(rate, parameters=net.parameters()), nn.CrossEntropyLoss(), paddle.metric.Accuracy())
    return model


def test_every_moment_in_order():
    seen = []

    class All(callbacks.Callback):
        def __getattribute__(self, name):
            if name.startswith("on_"):
                seen.append(name[3:])
            return super().__getattribute__(name)

    model = model_of()
    model.fit(Data(), Data(), batch_size=8, verbose=0, callbacks=All())
    assert seen == [
        "train_begin", "epoch_begin", "train_batch_begin", "train_batch_end", "epoch_end", "eval_begin", "eval_batch_begin",
        "eval_batch_end", "eval_end", "train_end",
    ]  # fmt: skip
    seen.clear()
    model.predict(Data(), batch_size=8, verbose=0, callbacks=[All()])
    assert seen == ["predict_begin", "predict_batch_begin", "predict_batch_end", "predict_end"]


def test_checkpoints(tmp_path, capsys):
    model_of().fit(Data(), epochs=3, save_dir=str(tmp_path), save_freq=2, verbose=0)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["0.pdparams", "2.pdparams", "final.pdparams"]
    assert capsys.readouterr().out.count("save checkpoint at") == 3


def test_schedules_step_by_step_or_by_epoch():
    for by_epoch, steps in ((False, 8), (True, 2)):
        rate = paddle.optimizer.lr.StepDecay(0.1, 100)
        around = callbacks.LRScheduler(by_step=not by_epoch, by_epoch=by_epoch)
        model_of(rate).fit(Data(), batch_size=2, epochs=2, verbose=0, callbacks=around)
        assert rate.last_epoch == steps
    with pytest.raises(ValueError, match="mutually exclusive"):
        callbacks.LRScheduler(True, True)


def watching(callback, values, model=None):
    callback.set_model(model or types.SimpleNamespace(stop_training=False))
    callback.on_train_begin()
    for value in values:
        callback.on_eval_end({"loss": [value], "acc": -value})
    return callback


def test_early_stopping(capsys):
    for monitor, values, stops in [
        ("loss", [3.0, 2.0, 2.5, 2.4], True),
        ("loss", [3.0, 2.0, 2.5, 1.9], False),
        ("acc", [3.0, 2.0, 2.5, 2.4], True),
    ]:
        stopper = watching(callbacks.EarlyStopping(monitor, patience=2), values)
        assert stopper.model.stop_training is stops
        assert abs(stopper.best_value) == (2.0 if stops else 1.9)
    assert "Epoch 4: Early stopping." in capsys.readouterr().out
    assert watching(callbacks.EarlyStopping(patience=1, baseline=1.0), [3.0]).model.stop_training
    with pytest.warns(UserWarning, match="should be loss or metric name"):
        callbacks.EarlyStopping("f1").on_eval_end({"loss": 1})
    with pytest.warns(UserWarning, match="fallback to auto"):
        callbacks.EarlyStopping(mode="best")
    with pytest.warns(UserWarning, match="needs validation data"):
        model_of().fit(Data(), verbose=0, callbacks=[callbacks.EarlyStopping()])


def test_the_best_model_is_kept(tmp_path, capsys):
    stopper = callbacks.EarlyStopping(patience=1)
    model_of(0.0).fit(Data(), Data(), epochs=5, verbose=0, save_dir=str(tmp_path), callbacks=stopper)
    assert (tmp_path / "best_model.pdparams").exists()
    assert stopper.stopped_epoch == 2
    assert "Best checkpoint has been saved at" in capsys.readouterr().out


def test_rates_on_a_plateau(capsys):
    model = model_of(0.5)
    reduce = callbacks.ReduceLROnPlateau(factor=0.5, patience=2, cooldown=1, min_lr=0.2)
    rates = []
    reduce.set_model(model)
    reduce.on_train_begin()
    for value in [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]:
        reduce.on_eval_end({"loss": value})
        rates.append(model._optimizer.get_lr())
    assert rates == [0.5, 0.5, 0.25, 0.25, 0.2, 0.2, 0.2, 0.2]
    assert "reducing learning rate to 0.25" in capsys.readouterr().out
    with pytest.raises(ValueError, match="factor >= 1.0"):
        callbacks.ReduceLROnPlateau(factor=1.0)
    reduce.set_model(model_of(paddle.optimizer.lr.StepDecay(0.1, 2)))
    with pytest.warns(UserWarning, match="a float, but got StepDecay"):
        reduce.on_eval_end({"loss": 1.0})


class Terminal(io.StringIO):
    def isatty(self):
        return True


def bar_on(stream, monkeypatch, verbose=1):
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", "120")
    bar = ProgressBar(12, verbose=verbose)
    bar.update(3, [("loss", [0.25]), ("acc", np.float32(1e-5))])
    bar.update(12, [("loss", [0.125])])
    return stream.getvalue()


def test_the_bar_moves_in_terminals_only(monkeypatch):
    moving = bar_on(Terminal(), monkeypatch)
    first, second = moving.split("\r")[1:]
    assert first.startswith("step  3/12 [======>.......................] - loss: 0.2500 - acc: 1.0000e-05 - ETA: 0s")
    assert second.startswith("step 12/12 [==============================] - loss: 0.1250 - ") and second.endswith("\n")
    assert len(second.rstrip("\n")) >= len(first)  # nothing of the line before is left
    assert moving.count("\n") == 1
    plain = bar_on(io.StringIO(), monkeypatch)
    assert "\r" not in plain and len(plain.splitlines()) == 2
    lines = bar_on(Terminal(), monkeypatch, verbose=2)
    assert "\r" not in lines and "[" not in lines and len(lines.splitlines()) == 2


def test_the_bar_of_programs():
    out = io.StringIO()
    bar = paddle.hapi.progressbar.ProgressBar(num=2, verbose=2, start=False, file=out)
    bar.start()
    bar.update(2, [("loss", 0.5)])
    assert out.getvalue().startswith("step 2/2 - loss: 0.5000 - ")


def test_times_are_shown_when_asked_for(capsys):
    model_of().fit(Data(), batch_size=4, verbose=3, log_freq=1)
    assert "avg_reader_cost" in capsys.readouterr().out


def test_writers(monkeypatch):
    written, closed = [], []

    class Writer:
        def __init__(self, log_dir):
            self.log_dir = log_dir

        def add_scalar(self, tag, value, step):
            written.append((tag, step))

        def close(self):
            closed.append(1)

    for name, attribute in (("tensorboardX", "SummaryWriter"), ("visualdl", "LogWriter")):
        monkeypatch.setitem(sys.modules, "visualdl", None)
        monkeypatch.setitem(sys.modules, name, types.SimpleNamespace(**{attribute: Writer}))
        written.clear()
        model_of().fit(Data(), Data(), batch_size=4, verbose=0, callbacks=callbacks.VisualDL("log"))
        assert written == [
            ("train/loss", 1), ("train/acc", 1), ("train/loss", 2), ("train/acc", 2), ("eval/loss", 0), ("eval/acc", 0),
        ]  # fmt: skip
    assert closed == [1, 1]
    for name in ("visualdl", "tensorboardX", "wandb"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="pip install tensorboardX"):
        model_of().fit(Data(), verbose=0, callbacks=callbacks.VisualDL("log"))
    with pytest.raises(ImportError, match="pip install wandb"):
        callbacks.WandbCallback()
    sent = []
    run = types.SimpleNamespace(log=sent.append, finish=lambda: sent.append("end"))
    monkeypatch.setitem(sys.modules, "wandb", types.SimpleNamespace(run=None, init=lambda **kw: run))
    model_of().fit(Data(), batch_size=8, verbose=0, callbacks=callbacks.WandbCallback("p"))
    assert sent[0]["train/step"] == 1 and "train/loss" in sent[0] and sent[-1] == "end"
