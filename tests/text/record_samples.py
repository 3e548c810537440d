"""Record what real Paddle 2.6.2 reads from the archives of `archives_made`: ``python -m tests.text.record_samples``."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests.text.archives_made import samples

if __name__ == "__main__":
    from paddle import dataset, text

    with tempfile.TemporaryDirectory() as folder:
        dataset.common.DATA_HOME = folder
        Path(folder, "wmt16").mkdir()
        found = samples(text, Path(folder))
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in found)
    Path(__file__).with_name("paddle_samples.json").write_text(f"[\n{lines}\n]\n")
