"""Text (``paddle.text``): the likeliest sequence of tags, and data sets."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.text import datasets
from to_static.text.datasets import WMT14, WMT16, Conll05st, Imdb, Imikolov, Movielens, UCIHousing
from to_static.text.viterbi import ViterbiDecoder, viterbi_decode

__all__ = [
    "Conll05st", "Imdb", "Imikolov", "Movielens", "UCIHousing", "ViterbiDecoder", "WMT14", "WMT16", "datasets", "viterbi_decode",
]  # fmt: skip

__getattr__ = names_missing(__name__)
