"""Figures that say how good predictions are."""

from to_static.core.diagnostics.missing_names import names_missing
from to_static.metric.accuracy import Accuracy, accuracy
from to_static.metric.binary import Auc, Precision, Recall
from to_static.metric.metric import Metric

__all__ = ["Accuracy", "Auc", "Metric", "Precision", "Recall", "accuracy"]

__getattr__ = names_missing(__name__)
