"""Calls of operators of older files: ``name: (type, inputs by slot, results by slot, attributes)``.

An input is an array, or an array with the lengths of its sequences, or a list of these. Of results the number is told; one that
is negative is not compared. Attributes that are not told have Paddle's default.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_random = np.random.default_rng(36)


def f(*shape: int) -> np.ndarray:
    """Normal float32 numbers."""
    return _random.standard_normal(shape).astype("float32")


def n(high: int, *shape: int, dtype: str = "int64") -> np.ndarray:
    """Integers below ``high``."""
    return _random.integers(0, high, shape).astype(dtype)


def listed(value: Any) -> list[Any]:
    """The values of a slot."""
    return value if isinstance(value, list) else [value]


def s(array: np.ndarray, *lengths: list[int]) -> Any:
    """An array with lengths of sequences."""
    return array, [list(level) for level in lengths]


Case = tuple[str, dict[str, Any], dict[str, int], dict[str, Any]]
CASES: dict[str, Case] = {}


def case(name: str, kind: str, inputs: dict[str, Any], outputs: dict[str, int], **attrs: Any) -> None:
    """Enter a case."""
    assert name not in CASES, name
    CASES[name] = kind, inputs, outputs, attrs


# sequences -----------------------------------------------------------------------------------------------------------

LENGTHS = [3, 1, 4]
_GRU_OUT = {"Hidden": 1, "BatchGate": -1, "BatchResetHiddenPrev": -1, "BatchHidden": -1}
_LSTM_OUT = {"Hidden": 1, "Cell": 1, "BatchGate": -1, "BatchCellPreAct": -1}

for how in ("AVERAGE", "SUM", "SQRT", "MAX", "LAST", "FIRST"):
    _rows = s(f(8, 3), [3, 0, 5])
    case(f"sequence_pool {how}", "sequence_pool", {"X": _rows}, {"Out": 1, "MaxIndex": -1}, pooltype=how, pad_value=2.5)
case("sequence_pool of two levels", "sequence_pool", {"X": s(f(8, 3), [2, 1], LENGTHS)}, {"Out": 1, "MaxIndex": -1})
case("sequence_softmax", "sequence_softmax", {"X": s(f(8, 1), LENGTHS)}, {"Out": 1})
case("sequence_concat", "sequence_concat", {"X": [s(f(8, 3), LENGTHS), s(f(4, 3), [1, 2, 1])]}, {"Out": 1})
_slices = {"X": s(f(8, 3), LENGTHS), "Offset": np.int64([[1], [0], [2]]), "Length": np.int64([[2], [1], [2]])}
case("sequence_slice", "sequence_slice", _slices, {"Out": 1})
_expanded = {"X": s(f(4, 2), [1, 3]), "Y": s(f(5, 1), [2, 3], [1, 1, 1, 1, 1])}
case("sequence_expand", "sequence_expand", _expanded, {"Out": 1}, ref_level=0)
case("sequence_expand of rows", "sequence_expand", {"X": f(3, 2), "Y": s(f(8, 1), LENGTHS)}, {"Out": 1})
case("sequence_expand_as", "sequence_expand_as", {"X": f(3, 2), "Y": s(f(8, 1), LENGTHS)}, {"Out": 1})
case("sequence_pad", "sequence_pad", {"X": s(f(8, 2), LENGTHS), "PadValue": f(1)}, {"Out": 1, "Length": 1})
case("sequence_pad to 6", "sequence_pad", {"X": s(f(8, 2), LENGTHS), "PadValue": f(2)}, {"Out": 1, "Length": 1}, padded_length=6)
case("sequence_unpad", "sequence_unpad", {"X": f(3, 5, 2), "Length": np.int64([2, 5, 1])}, {"Out": 1})
case("sequence_reshape", "sequence_reshape", {"X": s(f(6, 2), [2, 4])}, {"Out": 1}, new_dim=4)
_scattered = {"X": f(3, 5), "Ids": s(n(5, 8, 1), LENGTHS), "Updates": s(f(8, 1), LENGTHS)}
case("sequence_scatter", "sequence_scatter", _scattered, {"Out": 1})
case("sequence_enumerate", "sequence_enumerate", {"X": s(n(9, 8, 1), LENGTHS)}, {"Out": 1}, win_size=3, pad_value=7)
case("sequence_erase", "sequence_erase", {"X": s(n(4, 8, 1), LENGTHS)}, {"Out": 1}, tokens=[1, 3])
case("sequence_reverse", "sequence_reverse", {"X": s(f(8, 2), LENGTHS)}, {"Y": 1})
_filter = {"X": s(f(8, 2), LENGTHS), "Filter": f(6, 4)}
case("sequence_conv", "sequence_conv", _filter, {"Out": 1}, contextLength=3, contextStart=-1, contextStride=1)
case("sequence_conv of what follows", "sequence_conv", _filter, {"Out": 1}, contextLength=3, contextStart=1, contextStride=1)
case("row_conv", "row_conv", {"X": s(f(8, 2), LENGTHS), "Filter": f(3, 2)}, {"Out": 1})
case("row_conv of a batch", "row_conv", {"X": f(2, 5, 2), "Filter": f(3, 2)}, {"Out": 1})
case("sequence_mask", "sequence_mask", {"X": n(5, 3)}, {"Y": 1}, maxlen=6, out_dtype=5)
case("im2sequence", "im2sequence", {"X": f(2, 3, 6, 5)}, {"Out": 1}, kernels=[3, 2], strides=[2, 1], paddings=[1, 0, 1, 1])
case("lod_reset by offsets", "lod_reset", {"X": s(f(8, 2), LENGTHS)}, {"Out": 1}, target_lod=[0, 5, 8])
case("lod_reset by numbers", "lod_reset", {"X": s(f(8, 2), LENGTHS), "Y": np.int32([0, 2, 8])}, {"Out": 1})
case("lod_reset by another", "lod_reset", {"X": f(8, 2), "Y": s(f(8, 1), LENGTHS)}, {"Out": 1})
case("ctc_align", "ctc_align", {"Input": s(n(3, 9, 1, dtype="int32"), [4, 1, 4])}, {"Output": 1}, blank=0, merge_repeated=True)
case("ctc_align of blanks", "ctc_align", {"Input": s(np.zeros((4, 1), "int32"), [3, 1])}, {"Output": 1})
case(
    "ctc_align of a batch", "ctc_align", {"Input": n(3, 3, 6, dtype="int32"), "InputLength": np.int32([[6], [2], [4]])},
    {"Output": 1, "OutputLength": 1}, blank=0, merge_repeated=False, padding_value=7,
)  # fmt: skip
_gru = {"Input": s(f(8, 9), LENGTHS), "Weight": f(3, 9), "Bias": f(1, 9)}
case("gru", "gru", _gru, _GRU_OUT)
case("gru from the end", "gru", {**_gru, "H0": f(3, 3)}, _GRU_OUT, is_reverse=True, origin_mode=True)
case("gru without bias", "gru", {"Input": _gru["Input"], "Weight": f(3, 9)}, _GRU_OUT, gate_activation="tanh", activation="relu")
_lstm = {"Input": s(f(8, 12), LENGTHS), "Weight": f(3, 12)}
case("lstm", "lstm", {**_lstm, "Bias": f(1, 21)}, _LSTM_OUT)
case("lstm without peepholes", "lstm", {**_lstm, "Bias": f(1, 12)}, _LSTM_OUT, use_peepholes=False, is_reverse=True)
case(
    "lstm with states", "lstm", {**_lstm, "Bias": f(1, 21), "H0": f(3, 3), "C0": f(3, 3)}, _LSTM_OUT,
    gate_activation="tanh", cell_activation="sigmoid", candidate_activation="relu",
)  # fmt: skip
case(
    "gru_unit", "gru_unit", {"Input": f(4, 9), "HiddenPrev": f(4, 3), "Weight": f(3, 9), "Bias": f(1, 9)},
    {"Gate": 1, "ResetHiddenPrev": 1, "Hidden": 1},
)  # fmt: skip
case("crf_decoding", "crf_decoding", {"Emission": s(f(8, 5), LENGTHS), "Transition": f(7, 5)}, {"ViterbiPath": 1})
case(
    "crf_decoding with labels", "crf_decoding",
    {"Emission": s(f(8, 5), LENGTHS), "Transition": f(7, 5), "Label": s(n(5, 8, 1), LENGTHS)}, {"ViterbiPath": 1},
)  # fmt: skip
case(
    "crf_decoding of a batch", "crf_decoding",
    {"Emission": f(3, 4, 5), "Transition": f(7, 5), "Length": np.int64([4, 1, 3])}, {"ViterbiPath": 1},
)  # fmt: skip
_CRF_OUT = {"Alpha": -1, "EmissionExps": -1, "TransitionExps": -1, "LogLikelihood": 1}
case(
    "linear_chain_crf", "linear_chain_crf",
    {"Emission": s(f(8, 5), LENGTHS), "Transition": f(7, 5), "Label": s(n(5, 8, 1), LENGTHS)}, _CRF_OUT,
)  # fmt: skip
case(
    "linear_chain_crf of a batch", "linear_chain_crf",
    {"Emission": f(3, 4, 5), "Transition": f(7, 5), "Label": n(5, 3, 4), "Length": np.int64([4, 1, 3])}, _CRF_OUT,
)  # fmt: skip
case("lookup_table", "lookup_table", {"Ids": s(n(6, 8, 1), LENGTHS), "W": f(6, 3)}, {"Out": 1}, padding_idx=2)
