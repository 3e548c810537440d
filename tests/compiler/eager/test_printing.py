"""Every expected text here was recorded from Paddle 2.6.2."""

import numpy as np
import pytest

from to_static.compiler.eager import printing
from to_static.compiler.eager.printing import data_text, set_printoptions, tensor_text

NAN, INF = float("nan"), float("inf")

RECORDED = [  # (values, dtype, print options, the elements as Paddle prints them)
    ([1.0, 2.0], "float32", {}, "[1., 2.]"),
    (1.5, "float32", {}, "1.50000000"),
    (3, "int64", {}, "3"),
    (True, "bool", {}, "True"),
    ([True, False], "bool", {}, "[True , False]"),
    (-2.0, "float32", {}, "-2."),
    (np.zeros([0]), "float32", {}, "[]"),
    (
        np.zeros([2, 0]),
        "float32",
        {},
        """[[],
        []]""",
    ),
    (np.zeros([0, 3]), "int64", {}, "[]"),
    ([1, -20, 300], "int64", {}, "[ 1 , -20, 300]"),
    (
        [[1, 2], [3, 4]],
        "int32",
        {},
        """[[1, 2],
        [3, 4]]""",
    ),
    (
        np.arange(24).reshape(2, 3, 4),
        "int64",
        {},
        """[[[0 , 1 , 2 , 3 ],
         [4 , 5 , 6 , 7 ],
         [8 , 9 , 10, 11]],

        [[12, 13, 14, 15],
         [16, 17, 18, 19],
         [20, 21, 22, 23]]]""",
    ),
    ([1.5, -2.25, 1e10], "float32", {}, "[ 1.50000000 , -2.25000000 , 10000000000.]"),
    ([1e-9, 1.0, NAN, INF, -INF], "float32", {}, "[0.00000000,  1.       ,  nan      ,  inf.     , -inf.     ]"),
    (np.arange(1001), "float32", {}, "[0.   , 1.   , 2.   , ..., 998. , 999. , 1000.]"),
    (
        np.arange(40 * 40).reshape(40, 40),
        "int64",
        {},
        """[[0   , 1   , 2   , ..., 37  , 38  , 39  ],
        [40  , 41  , 42  , ..., 77  , 78  , 79  ],
        [80  , 81  , 82  , ..., 117 , 118 , 119 ],
        ...,
        [1480, 1481, 1482, ..., 1517, 1518, 1519],
        [1520, 1521, 1522, ..., 1557, 1558, 1559],
        [1560, 1561, 1562, ..., 1597, 1598, 1599]]""",
    ),
    (
        np.arange(30) * 1.5,
        "float32",
        {},
        """[0.         , 1.50000000 , 3.         , 4.50000000 , 6.         ,
        7.50000000 , 9.         , 10.50000000, 12.        , 13.50000000,
        15.        , 16.50000000, 18.        , 19.50000000, 21.        ,
        22.50000000, 24.        , 25.50000000, 27.        , 28.50000000,
        30.        , 31.50000000, 33.        , 34.50000000, 36.        ,
        37.50000000, 39.        , 40.50000000, 42.        , 43.50000000]""",
    ),
    ([1.5, 2.0], "float16", {}, "[1.50000000, 2.        ]"),
    ([1.5, 2.0], "bfloat16", {}, "[1.50000000, 2.        ]"),
    ([1 + 2j, 3 - 1j], "complex64", {}, "[(1+2j), (3-1j)]"),
    ([1, 2], "uint8", {}, "[1, 2]"),
    ([1, 2], "int8", {}, "[1, 2]"),
    (
        np.arange(20).astype("float64") ** 9 * 1.5,
        "float64",
        {},
        """[0.                   , 1.50000000           , 768.                 ,
        29524.50000000       , 393216.              , 2929687.50000000     ,
        15116544.            , 60530410.50000000    , 201326592.           ,
        581130733.50000000   , 1500000000.          , 3536921536.50000000  ,
        7739670528.          , 15906749059.50000000 , 30991570176.         ,
        57665039062.50000000 , 103079215104.        , 177881814745.50000000,
        297538935552.        , 484031546668.50000000]""",
    ),
    ([0.1, 0.25], "float64", {}, "[0.10000000, 0.25000000]"),
    ([1, 2, 3, 4, 5, 6, 7, 100000], "int64", {}, "[1     , 2     , 3     , 4     , 5     , 6     , 7     , 100000]"),
    ([1, 2, 3, 100000, 5, 6, 7], "int64", {}, "[1, 2, 3, 100000, 5, 6, 7]"),
    (
        np.arange(3 * 2 * 2 * 2).reshape(3, 2, 2, 2),
        "int64",
        {},
        """[[[[0 , 1 ],
          [2 , 3 ]],

         [[4 , 5 ],
          [6 , 7 ]]],


        [[[8 , 9 ],
          [10, 11]],

         [[12, 13],
          [14, 15]]],


        [[[16, 17],
          [18, 19]],

         [[20, 21],
          [22, 23]]]]""",
    ),
    (
        [[-0.5], [0.0]],
        "float32",
        {},
        """[[-0.50000000],
        [ 0.        ]]""",
    ),
    ([-1], "int64", {}, "[-1]"),
    (
        np.arange(2000).reshape(2, 1000),
        "int64",
        {},
        """[[0   , 1   , 2   , ..., 997 , 998 , 999 ],
        [1000, 1001, 1002, ..., 1997, 1998, 1999]]""",
    ),
    ([1.5, -2.25, 1e10], "float32", {"precision": 3}, "[ 1.500      , -2.250      , 10000000000.]"),
    (
        np.arange(24).reshape(4, 6),
        "int64",
        {"precision": 3},
        """[[0 , 1 , 2 , 3 , 4 , 5 ],
        [6 , 7 , 8 , 9 , 10, 11],
        [12, 13, 14, 15, 16, 17],
        [18, 19, 20, 21, 22, 23]]""",
    ),
    (np.arange(9.0), "float64", {"precision": 3}, "[0., 1., 2., 3., 4., 5., 6., 7., 8.]"),
    (0.1, "float32", {"precision": 3}, "0.100"),
    ([1.5, -2.25, 1e10], "float32", {"precision": 3, "sci_mode": True}, "[ 1.500e+00, -2.250e+00,  1.000e+10]"),
    (
        np.arange(24).reshape(4, 6),
        "int64",
        {"precision": 3, "sci_mode": True},
        """[[0 , 1 , 2 , 3 , 4 , 5 ],
        [6 , 7 , 8 , 9 , 10, 11],
        [12, 13, 14, 15, 16, 17],
        [18, 19, 20, 21, 22, 23]]""",
    ),
    (
        np.arange(9.0),
        "float64",
        {"precision": 3, "sci_mode": True},
        """[0.000e+00, 1.000e+00, 2.000e+00, 3.000e+00, 4.000e+00, 5.000e+00,
        6.000e+00, 7.000e+00, 8.000e+00]""",
    ),
    (0.1, "float32", {"precision": 3, "sci_mode": True}, "1.000e-01"),
    ([1.5, -2.25, 1e10], "float32", {"threshold": 10, "edgeitems": 2}, "[ 1.50000000 , -2.25000000 , 10000000000.]"),
    (
        np.arange(24).reshape(4, 6),
        "int64",
        {"threshold": 10, "edgeitems": 2},
        """[[0 , 1 , ..., 4 , 5 ],
        [6 , 7 , ..., 10, 11],
        [12, 13, ..., 16, 17],
        [18, 19, ..., 22, 23]]""",
    ),
    (np.arange(9.0), "float64", {"threshold": 10, "edgeitems": 2}, "[0., 1., 2., 3., 4., 5., 6., 7., 8.]"),
    (0.1, "float32", {"threshold": 10, "edgeitems": 2}, "0.10000000"),
    (
        [1.5, -2.25, 1e10],
        "float32",
        {"linewidth": 30},
        """[ 1.50000000 ,
        -2.25000000 ,
        10000000000.]""",
    ),
    (
        np.arange(24).reshape(4, 6),
        "int64",
        {"linewidth": 30},
        """[[0 , 1 , 2 , 3 , 4 ,
         5 ],
        [6 , 7 , 8 , 9 , 10,
         11],
        [12, 13, 14, 15, 16,
         17],
        [18, 19, 20, 21, 22,
         23]]""",
    ),
    (
        np.arange(9.0),
        "float64",
        {"linewidth": 30},
        """[0., 1., 2., 3., 4.,
        5., 6., 7., 8.]""",
    ),
    (0.1, "float32", {"linewidth": 30}, "0.10000000"),
]


@pytest.fixture(autouse=True)
def default_options(monkeypatch):
    monkeypatch.setattr(printing, "options", printing.PrintOptions())


@pytest.mark.parametrize(("values", "dtype", "kwargs", "expected"), RECORDED)
def test_elements_are_printed_as_paddle_prints_them(values, dtype, kwargs, expected):
    array = np.asarray(values, "float32" if dtype == "bfloat16" else dtype)
    set_printoptions(**kwargs)
    assert data_text(array, indent=7) == expected


def test_header():
    text = tensor_text(np.float32([1, 2]), "float32", "Place(cpu)", True)
    assert text == "Tensor(shape=[2], dtype=float32, place=Place(cpu), stop_gradient=True,\n       [1., 2.])"
    text = tensor_text(np.float32(1.5), "float32", "Place(gpu:0)", False)
    assert text == "Tensor(shape=[], dtype=float32, place=Place(gpu:0), stop_gradient=False,\n       1.50000000)"


def test_a_longer_prefix_moves_the_elements():
    assert tensor_text(np.int64([[1], [2]]), "int64", "Place(cpu)", True, prefix="Variable").endswith(
        ",\n         [[1],\n          [2]])"
    )


def test_a_large_tensor_is_summarised_without_formatting_all_of_it():
    class Counting(np.ndarray):
        shown = 0

        def __getitem__(self, key):
            Counting.shown += 1
            return super().__getitem__(key)

    array = np.zeros((2000, 2000)).view(Counting)
    assert data_text(array).count("...") == 7
    assert Counting.shown < 200


def test_options_left_out_keep_their_value():
    set_printoptions(precision=3)
    set_printoptions(edgeitems=1)
    set_printoptions(threshold=2)
    assert data_text(np.float32([0.5, 1, 2])) == "[0.500, ..., 2.   ]"


@pytest.mark.parametrize(
    ("kwargs", "error"),
    [({"precision": 2.0}, TypeError), ({"sci_mode": 1}, TypeError), ({"edgeitems": True}, TypeError),
     ({"precision": -1}, ValueError)],
)  # fmt: skip
def test_wrong_options_are_refused_and_change_nothing(kwargs, error):
    with pytest.raises(error, match=next(iter(kwargs))):
        set_printoptions(threshold=5, **kwargs)
    assert printing.options == printing.PrintOptions()
