"""paddlets: forecasting, anomalies, classification and representations of series."""

import logging

import numpy as np
from suite import case, older_python, record, stand_ins

older_python()
stand_ins("docx")
logging.disable(logging.CRITICAL)


def val(r):
    r = getattr(r, "target", None) or getattr(r, "observed_cov", None) or r if type(r).__name__ == "TSDataset" else r
    return r.to_dataframe().values


def ds(n=80, known=False):
    import pandas as pd
    from paddlets import TimeSeries, TSDataset

    t = np.arange(n)
    ix = pd.date_range("2022-01-01", periods=n, freq="h")
    f = pd.DataFrame(
        {
            "y": (np.sin(t * 0.3) + 0.1 * np.random.RandomState(0).standard_normal(n)).astype("float32"),
            "o": np.cos(t * 0.3).astype("float32"),
            "k": (t % 24 / 24).astype("float32"),
        },
        index=ix,
    )
    if known:
        return TSDataset(
            target=TimeSeries.load_from_dataframe(f[["y"]][:-12]),
            observed_cov=TimeSeries.load_from_dataframe(f[["o"]][:-12]),
            known_cov=TimeSeries.load_from_dataframe(f[["k"]]),
        )
    return TSDataset(
        target=TimeSeries.load_from_dataframe(f[["y"]]), observed_cov=TimeSeries.load_from_dataframe(f[["o"]])
    )


def fc(name, **k):
    def f():
        import paddlets.models.forecasting as F

        d = ds(known=name == "TFTModel")
        if name in ("SCINetModel",):
            from paddlets import TSDataset

            d = TSDataset(target=d.target)
        m = getattr(F, name)(
            **dict(
                dict(
                    in_chunk_len=8,
                    out_chunk_len=4,
                    max_epochs=2,
                    batch_size=16,
                    seed=1,
                    optimizer_params=dict(learning_rate=1e-3),
                ),
                **k,
            )
        )
        m.fit(d)
        r = m.predict(d)
        a = [val(r).astype("float32")] if hasattr(r, "target") else [np.asarray(r)]
        return a

    def g():
        import paddlets.models.forecasting as F
        from paddlets.models.model_loader import load

        d = ds(known=name == "TFTModel")
        if name in ("SCINetModel",):
            from paddlets import TSDataset

            d = TSDataset(target=d.target)
        m = getattr(F, name)(**dict(dict(in_chunk_len=8, out_chunk_len=4, max_epochs=1, batch_size=16, seed=1), **k))
        m.fit(d)
        m.save("./" + name)
        a = val(m.predict(d))
        b = val(load("./" + name).predict(d))
        return [float(np.abs(a - b).max())]

    def h():
        # the same weights on both sides: the numbers themselves
        import paddlets.models.forecasting as F
        from suite import fill

        d = ds(known=name == "TFTModel")
        if name in ("SCINetModel",):
            from paddlets import TSDataset

            d = TSDataset(target=d.target)
        C = getattr(F, name)
        m = C(
            **dict(
                dict(
                    in_chunk_len=8,
                    out_chunk_len=4,
                    max_epochs=2,
                    batch_size=200,
                    seed=1,
                    optimizer_params=dict(learning_rate=1e-3),
                ),
                **k,
            )
        )
        o = m._init_network

        def init():
            n = o()
            fill(n)
            [setattr(l, "p", 0.0) for l in n.sublayers() if type(l).__name__ == "Dropout"]
            return n

        m._init_network = init
        m.fit(d)
        r = m.predict(d)
        return [
            val(r).astype("float32"),
            np.array([v for v in m._history._history.get("loss", [])], "float32")
            if hasattr(m, "_history")
            else np.zeros(1),
        ]

    record("shape", lambda: [np.asarray(f()[0].shape)])
    record("numbers", h)
    record("save", g)


def add(n, **k):
    def c():
        fc(n, **k)

    c.__name__ = n
    case(c)


add("MLPRegressor", hidden_config=[8])
add("RNNBlockRegressor", hidden_size=4)
add("LSTNetRegressor", channels=4, kernel_size=2, rnn_num_cells=3, skip_rnn_cells=2, skip_size=2)
add("NBEATSModel", layer_widths=8, num_blocks=2)
add("TCNRegressor", hidden_config=[4, 4])
add("NHiTSModel", layer_widths=8, num_blocks=2)
add("TransformerModel", d_model=8, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=8)
add("InformerModel", d_model=8, nhead=2, ffn_channels=8, num_encoder_layers=1, num_decoder_layers=1, start_token_len=4)
add("DeepARModel", rnn_type="LSTM", hidden_size=4)
add("TFTModel", hidden_size=4, lstm_layers_num=1)
add("SCINetModel", hidden_size=1, kernel_size=3, num_levels=1, num_stacks=1, num_decoder_layer=1)


def an(n, **k):
    def c():
        import paddlets.models.anomaly as A
        import pandas as pd
        from paddlets import TimeSeries, TSDataset
        from suite import fill

        f = pd.DataFrame(
            np.random.RandomState(0).standard_normal((60, 2)).astype("float32"),
            columns=["a", "b"],
            index=pd.date_range("2022-01-01", periods=60, freq="h"),
        )
        d = TSDataset(observed_cov=TimeSeries.load_from_dataframe(f))

        def run(fixed):
            m = getattr(A, n)(**dict(dict(in_chunk_len=8, max_epochs=2, batch_size=200 if fixed else 16, seed=1), **k))
            o = m._init_network

            def init():
                w = o()
                fill(w)
                [setattr(l, "p", 0.0) for l in w.sublayers() if type(l).__name__ == "Dropout"]
                return w

            if fixed:
                m._init_network = init
            m.fit(d)
            return val(m.predict_score(d)).astype("float32")

        record("shape", lambda: [np.asarray(run(False).shape)])
        record("numbers", lambda: [run(True)])

    c.__name__ = n
    case(c)


an("AutoEncoder")
an("VAE")
an("USAD")
an("AnomalyTransformer", d_model=8, nhead=2, encoder_layers=1, dim_feedforward=8) if False else an("AnomalyTransformer")
an("MTADGAT")


@case
def classify():
    import pandas as pd
    from paddlets import TimeSeries, TSDataset
    from paddlets.models.classify import CNNClassifier, InceptionTimeClassifier
    from suite import fill

    R = np.random.RandomState(0)
    X = [
        TSDataset(
            target=TimeSeries.load_from_dataframe(
                pd.DataFrame(
                    R.standard_normal((64, 2)).astype("float32") + i % 2,
                    columns=["a", "b"],
                    index=pd.date_range("2022-01-01", periods=64, freq="h"),
                )
            )
        )
        for i in range(12)
    ]
    y = np.array([i % 2 for i in range(12)])
    for C in (CNNClassifier, InceptionTimeClassifier):

        def f():
            m = C(max_epochs=2, batch_size=12, seed=1)
            o = m._init_network

            def init():
                w = o()
                fill(w)
                return w

            m._init_network = init
            m.fit(X, y)
            return [m.predict_proba(X), m.predict(X)]

        record(C.__name__, f)


@case
def representation():
    from paddlets.models.representation import CoST, TS2Vec

    for C, k in (
        (TS2Vec, dict(segment_size=16, repr_dims=8, hidden_dims=4, num_layers=2)),
        (CoST, dict(segment_size=16, repr_dims=8, hidden_dims=4, num_layers=2)),
    ):

        def f():
            m = C(max_epochs=1, batch_size=4, seed=1, **k)
            m.fit(ds(60))
            return [np.asarray(m.encode(ds(60)).shape)]

        record(C.__name__, f)


@case
def metrics_transforms():
    from paddlets import metrics as M
    from paddlets.transform import MinMaxScaler, StandardScaler

    d = ds()
    r = StandardScaler().fit_transform(d)
    record("scaler", lambda: [val(r), val(MinMaxScaler().fit_transform(d))])
    record("mse", lambda: [list(M.MSE()(d, r).values())[0], list(M.MAE()(d, r).values())[0]])


@case
def backtest_pipeline():
    from paddlets.models.forecasting import MLPRegressor
    from paddlets.pipeline import Pipeline
    from paddlets.transform import StandardScaler
    from paddlets.utils import backtest

    def f():
        m = MLPRegressor(in_chunk_len=8, out_chunk_len=4, max_epochs=1, seed=1, hidden_config=[8])
        a, _ = ds().split(0.7)
        m.fit(a)
        s = backtest(ds(), m, start=0.8)
        return [1 if s is not None else 0]

    record("backtest", f)

    def g():
        p = Pipeline(
            [
                (StandardScaler, {}),
                (MLPRegressor, dict(in_chunk_len=8, out_chunk_len=4, max_epochs=1, seed=1, hidden_config=[8])),
            ]
        )
        p.fit(ds())
        return [np.asarray(val(p.predict(ds())).shape)]

    record("pipeline", g)
