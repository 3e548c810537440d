"""Collections of texts, and two of numbers that Paddle keeps beside them (``paddle.text.datasets``)."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.text.datasets.conll05 import Conll05st
from to_static.text.datasets.imdb import Imdb
from to_static.text.datasets.imikolov import Imikolov
from to_static.text.datasets.movielens import Movielens
from to_static.text.datasets.uci_housing import UCIHousing
from to_static.text.datasets.wmt14 import WMT14
from to_static.text.datasets.wmt16 import WMT16

__all__ = ["WMT14", "WMT16", "Conll05st", "Imdb", "Imikolov", "Movielens", "UCIHousing"]

__getattr__ = names_missing(__name__)
