"""The packages, in versions that go with Paddle 2.6.2 and Python 3.10, and what they need of third parties."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Package:
    """A row of the table.

    needs: other rows that it imports. cases: the stems of its case files, its own name without. tests: a glob for the tests that it
    ships, below the folder where it is installed. note: what of it is not run on either side, and why. reason: why stages differ.
    """

    name: str
    version: str
    needs: str = ""
    cases: str = ""
    tests: str = ""
    note: str = ""
    reason: str = ""
    environment: dict[str, str] = field(default_factory=dict)

    def files(self, folder: Path) -> list[Path]:
        """Its case files that are there."""
        stems = self.cases.split() or [self.name.replace("-", "_")]
        return [path for path in (folder / f"{stem}.py" for stem in stems) if path.exists()]

    def test_files(self, site: Path) -> list[Path]:
        """Its own tests."""
        return sorted(path for pattern in self.tests.split() for path in site.glob(pattern))


FLUID = "`paddle.fluid`, which Paddle 2.6 does not have: on both sides its names refer to today's modules"
ROUNDING = "rounding: an image changed by 1e-6 changes these gradients as much, on Paddle, too, and the peaks that TTFNet finds"
PACKAGES = [
    Package("paddlenlp", "2.8.1", cases="paddlenlp_models paddlenlp_parts", note="`AdamWDL`, which Paddle 2.6 refuses"),
    Package("paddleclas", "2.6.0"),
    Package("paddleseg", "2.8.0"),
    Package("paddledet", "2.6.0", reason=ROUNDING),
    Package("ppgan", "2.1.0"),
    Package("paddlespeech", "1.5.0", needs="paddlenlp paddleaudio", note="recognition by beams, which is C++"),
    Package(
        "ppdiffusers", "0.24.1", needs="paddlenlp paddlesde", tests="tests/schedulers/test_*.py tests/models/test_*.py",
        reason="`silu` below -88 is not exactly 0 here",
    ),
    Package("paddleslim", "2.6.0", note="distillation and pruning of static Programs"),
    Package("paddle3d", "1.0.0", needs="paddledet paddleseg"),
    Package("pgl", "2.2.6"),
    Package(
        "parl", "2.2.1", environment={"PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python", "PARL_BACKEND": "paddle"}
    ),
    Package("paddle-quantum", "2.4.0", needs="paddlenlp", note="gates with one angle, which Paddle 2.6 refuses"),
    Package("tensorlayerx", "0.5.8", note=FLUID, environment={"TL_BACKEND": "paddle"}),
    Package("gammagl", "0.4.0", needs="tensorlayerx", note=FLUID, environment={"TL_BACKEND": "paddle"}),
    Package("x2paddle", "1.6.0"),
    Package("padiff", "0.2.0", note="it compares with PyTorch, which is not installed here"),
    Package("paconvert", "3.3.1", note="the code that it writes asks for names of Paddle 3"),
    Package("deepxde", "1.11.1"),
    Package("einops", "0.8.1", tests="einops/tests/test_*.py", environment={"EINOPS_TEST_BACKENDS": "numpy,paddle"}),
    Package("visualdl", "2.5.3", reason="it reads the class name of a static function, which is different here"),
    Package("paddlets", "1.1.0"),
    Package("paddlefsl", "1.1.0", needs="pgl"),
    Package("paddle-msssim", "0.0.2"),
    Package("paddle-lpips", "0.1.2.0"),
    Package("paddle-spline-conv", "0.0.2"),
    Package("paddle-nnaudio", "0.0.3"),
    Package("paddleaudio", "1.0.2"),
    Package("paddlelibrosa", "0.0.1"),
    Package("paddle-rifle", "0.21"),
    Package("loft", "0.0.3"),
    Package("insightface-paddle", "2.0.0"),
    Package("paddlesde", "0.2.5", needs="ppdiffusers paddlenlp"),
]
