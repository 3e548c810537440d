"""The calls in which this package does not do what Paddle 2.6.2 does, by reason. ``docs/differences.md`` has the same headings.

Each text is a regular expression that the whole of a recorded call must match.
"""

from __future__ import annotations

import re

_BAD = r".*\b(inf|nan)\b.*"

DIFFERENCES: dict[str, list[str]] = {
    "Numbers that are not finite": [
        rf"F\.(relu|leaky_relu|silu|swish|log_sigmoid|softshrink|selu|elu|celu|max_pool2d)\({_BAD}",
        rf"paddle\.(max|min|amax|amin|maximum|minimum|argmax|argmin|logsumexp|logaddexp|prod|median|quantile)\({_BAD}",
        rf"paddle\.(abs|digamma|divide|logit|multiply|atan2|hypot|pow|heaviside)\({_BAD}",
        r"F\.(silu|swish|celu)\(c\(\[(-100|1e-30).*",
        r"F\.log_softmax\(c\(\[\[?(100|1e-30).*",
        r"paddle\.(sqrt|rsqrt)\(c\(\[-1\.,-0\.5.*",
    ],
    "Gradients that Paddle gets wrong": [
        r"paddle\.pow\(c\(.*",
        r"paddle\.logaddexp\(c\(.*",
        r"paddle\.gather\(.*axis=1\)",
        r"\(f\(2,3\)\*1\)\.floor_divide_\(.*",
        r"F\.softmax_with_cross_entropy\(.*return_softmax=True\)",
        r"F\.batch_norm\(.*training=False,use_global_stats=False\)",
        r"F\.poisson_nll_loss\(.*full=True\)",
        r"F\.normalize\(.*epsilon=0\.5\)",
        r"paddle\.kthvalue\(f\(\),1\)",
        r"paddle\.(cummax|cummin)\(f\(\),axis=0\)",
        r"paddle\.mode\(f\(\)\)",
        r"paddle\.trapezoid\(z\('float64',3,4\)\)",
        r"paddle\.unfold\(z\('float64',6\),0,3,1\)",
        r"paddle\.(angle\(f\(3,4\)\)|frexp\(f\(\)\)|cdist\(f\(0,4\),f\(2,4\)\))",
    ],
    "Values that Paddle gets wrong": [
        r"[ib]\(3\)/[fi]\(3\)",
        r"paddle\.equal\(i\(3\),1\.5\)",
        r"paddle\.pow\(i\(3\),0\.5\)",
        r"f\(3\)\.astype\('float16'\)\.astype\('float32'\)",
        r"F\.avg_pool3d\(f\(1,1,4,5,5\),3,padding=1,ceil_mode=True\)",
        r"nn\.MaxPool2D\(2,return_mask=True,ceil_mode=True\)\(.*",
        r"paddle\.(heaviside|nextafter)\(f\(\),f\(3,4\)\)",
        r"paddle\.add_n\(\[(f\(0,3\)|f\(\),f\(3,4\))\]\)",
        r"paddle\.(mean|matmul)\(x\('int32'.*",
        r"x\('int64',3\)\.frac_\(\)",
        r"F\.(adaptive_)?avg_pool2d\(f\(1,2,\d,0\).*",
        r"paddle\.linalg\.cov\(z\('int32',3,4\)\)",
        r"paddle\.audio\.functional\.hz_to_mel\(z\('int32',5\) \* 1500\)",
        r"(f\(\) \*\* np\.float32\(2\)|i\(\) // True|b\(\) == True|paddle\.where\(b\(\),d\(\),0\.0\))",
        r"F\.pairwise_distance\(f\(\),f\(\),.*keepdim=True\)",
        r"F\.multi_margin_loss\(z\(.*weight=z\(.*",
        r"F\.cross_entropy\(z\('float64'.*weight=n\(p,3\)\)",
        r"F\.max_pool3d\(z\('float64'.*",
    ],
    "Which of equal elements comes first": [r"paddle\.median\(c\(\[1\.,3\.,3\.,2\.\]\).*", r"paddle\.topk\(i\(5\),3\)"],
    "Calls that are refused": [
        r"paddle\.(deg2rad|rad2deg|neg)\(b\(4\)\)",
        r"-b\(3\)",
        r"paddle\.increment\(f\(\)\)",
        r"i\(3\)\.pow_\(2\.5\)",
        r"F\.upsample\(z\('uint8'.*",
        r"paddle\.gcd\(z\('float64'.*",
        r"z\('uint8',3\) \* -2",
        r"(7 - z|paddle\.neg\(z)\('bool',3\)\)?",
        r"F\.(grid_sample\(f\(1,1,3,0\)|conv3d_transpose\(f\(1,2,2,3,0\)).*",
        r"paddle\.signal\.overlap_add\(f\(4,0\),2\)",
        r".*F\.batch_norm\(z\('float64',4,3\),m,v,training=True\).*",
        r"i\(\)\.pow_\(2\.5\)",
    ],
}

# not there yet: nothing is claimed of these
LACKING = [
    r"nn\.\w+\(\)\(x=f\(2,3\)\)",
    r"paddle\.crop\(.*",
    r"paddle\.index_put\(f\(3\),\(n\(b,3\),\),f\(1\)\)",
]


def reason(text: str) -> str | None:
    """Why a call differs from Paddle, or None."""
    return next((why for why, texts in DIFFERENCES.items() if any(re.fullmatch(t, text) for t in texts)), None)


def lacking(text: str) -> bool:
    """Whether a call needs something that is not there yet."""
    return any(re.fullmatch(t, text) for t in LACKING)
