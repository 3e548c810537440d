"""Packages that others published for Paddle, unmodified, beside real PaddlePaddle 2.6.2 (`make packages`).

    python -m tests.interop.packages [--folder FOLDER] [--write PAGE] [--reuse] [--quick] [PACKAGE ...] [--case CASE ...]

``FOLDER`` holds two environments of the same Python, ``paddle`` and ``ours``, and gets the packages of `table.py`, a folder each,
what they need of third parties, and what came of the cases. Each stage that runs on Paddle and fails or differs here is printed,
then a row for each package; ``--write`` puts the rows into a page.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path

from tests.interop.packages.compare import Tally, cases, compare
from tests.interop.packages.table import PACKAGES, Package

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
SIDES = ("paddle", "ours")
COLUMNS = (
    "package",
    "version",
    "stages on Paddle",
    "equal",
    "differing",
    "failing",
    "seconds here, on Paddle",
    "what is not supported",
)
HEAD = f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|\n"
MARKS = ("<!-- the table: make packages -->\n", "<!-- end of the table -->")


def install(package: Package, folder: Path) -> Path:
    """The folder with a package alone; installed when it is not there."""
    site = folder / f"site-{package.name}"
    if not site.is_dir():
        print(f"installing {package.name} {package.version}", flush=True)
        pip(folder, site, f"{package.name}=={package.version}", "--no-deps")
    return site


def pip(folder: Path, site: Path, *words: str) -> None:
    """Install into a folder, which is there only if all went well."""
    unfinished = site.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    command = [
        str(folder / "ours" / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "-q",
        "--target",
        str(unfinished),
        *words,
    ]
    subprocess.run(command, check=True)
    unfinished.rename(site)


def third_parties(folder: Path) -> Path:
    """The folder of what the packages need of third parties."""
    site = folder / "common"
    if not site.is_dir():
        print("installing what the packages need of third parties", flush=True)
        pip(folder, site, "--no-deps", "-r", str(HERE / "third_parties.txt"))
    return site


def surroundings(package: Package, folder: Path) -> dict[str, str]:
    """The environment of both sides: one thread, so that they take the same time in any company."""
    by_name = {row.name: row for row in PACKAGES}
    sites = [install(row, folder) for row in (package, *(by_name[name] for name in package.needs.split()))]
    paths = [HERE, *sites, third_parties(folder)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1")
    quiet = {"PYTHONDONTWRITEBYTECODE": "1", "GLOG_minloglevel": "3", "MPLBACKEND": "Agg", "PYTHONHASHSEED": "0"}
    home = folder / "home"  # packages that keep things at home keep them here
    home.mkdir(exist_ok=True)
    return {
        **os.environ,
        **threads,
        **quiet,
        **package.environment,
        "HOME": str(home),
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
    }


def run(package: Package, folder: Path, only: list[str], reuse: bool, quick: bool) -> Tally:
    """Run the cases of a package on both sides, and its own tests."""
    environment = surroundings(package, folder)
    found = Tally()
    for file in package.files(HERE / "cases"):
        results = folder / "results" / package.name / file.stem
        found.add(both_sides(folder, results, reuse, quick, environment, HERE / "side.py", file, only))
    if package.tests and not only:
        site = install(package, folder)
        for file in package.test_files(site):
            results = folder / "results" / package.name / f"own-{file.stem}"
            found.add(both_sides(folder, results, reuse, quick, environment, HERE / "own_tests.py", file, []))
    return found


def both_sides(
    folder: Path,
    results: Path,
    reuse: bool,
    quick: bool,
    environment: dict[str, str],
    runner: Path,
    file: Path,
    only: list[str],
) -> Tally:
    """Run one file on both sides, and compare."""
    for side in SIDES:
        settings = {**environment, "DYNAMIC": "1"} if side == "paddle" and quick else dict(environment)
        if side == "paddle" and reuse:
            settings["REUSE"] = "1"
        for path in (results / side).glob("*.json"):
            if "REUSE" not in settings and (not only or path.stem in only):
                path.unlink()
        (results / side).mkdir(parents=True, exist_ok=True)
        command = [
            str(folder / side / "bin" / "python"),
            str(runner),
            side,
            str(ROOT),
            str(file),
            str(results / side),
            *(only or ([] if side == "paddle" else worth(results / "paddle"))),
        ]
        with open(results / f"{side}.log", "w", encoding="utf-8") as log:
            limit = float(os.environ.get("FILE_SECONDS", "3000"))
            try:
                subprocess.run(command, env=settings, stdout=log, stderr=subprocess.STDOUT, cwd=results, timeout=limit)
            except subprocess.TimeoutExpired:
                log.write(f"ended after {limit} s")
    kept = results
    if only:  # those alone
        kept = results / "only"
        shutil.rmtree(kept, ignore_errors=True)
        for side in SIDES:
            (kept / side).mkdir(parents=True)
            for path in (path for name in only for path in (results / side).glob(f"{name}*") if path.is_file()):
                if path.suffix == ".npz" or path.stem in only:
                    shutil.copy(path, kept / side)
    found = compare(kept / "ours", kept / "paddle", quick)
    if not found.runs:
        found.failing.append(f"{file.name}: nothing runs on Paddle, see {results / 'paddle.log'}")
    return found


def worth(theirs: Path) -> list[str]:
    """The cases of which some stage runs on Paddle."""
    return [name for name, record in cases(theirs) if any("error" not in stage for stage in record["stages"].values())]


def row(package: Package, found: Tally) -> str:
    """The line of the table."""
    said = [package.note] if package.note else []
    if package.reason and found.differing + found.failing:
        said.append(package.reason)
    if found.stand_ins:
        said.append("stand-ins for " + ", ".join(sorted(found.stand_ins)))
    if found.only_ours:
        said.append(f"{found.only_ours} stages run here and not on Paddle")
    counts = f"{found.runs} | {found.equal} | {len(found.differing)} | {len(found.failing)}"
    times = f"{found.seconds:.0f}, {found.their_seconds:.0f}"
    return f"| {package.name} | {package.version} | {counts} | {times} | {'; '.join(said)} |\n"


def write(page: Path, folder: Path) -> None:
    """Put the rows of all packages that were run, now or before, into a page."""
    rows = [
        (folder / "results" / package.name / "row.txt").read_text("utf-8")
        for package in PACKAGES
        if (folder / "results" / package.name / "row.txt").exists()
    ]
    text = page.read_text("utf-8")
    head, _, tail = text.partition(MARKS[0])
    _, _, foot = tail.partition(MARKS[1])
    page.write_text(f"{head}{MARKS[0]}{HEAD}{''.join(rows)}{MARKS[1]}{foot}", "utf-8")


def main() -> None:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--folder", type=Path, default=ROOT / ".venv-packages", help="environments, packages and results"
    )
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the table into this page")
    parser.add_argument("--reuse", action="store_true", help="what Paddle computed in an earlier run is taken")
    parser.add_argument(
        "--quick", action="store_true", help="Paddle runs dynamically only; static stages stand beside its dynamic ones"
    )
    parser.add_argument("--case", action="append", default=[], help="only the cases of this name")
    parser.add_argument("packages", nargs="*", help="some packages of the table, all without")
    given = parser.parse_args()
    folder = given.folder.resolve()
    unknown = {*given.packages} - {package.name for package in PACKAGES}
    if unknown:
        parser.error(f"not in the table: {', '.join(sorted(unknown))}")
    rows = []
    for package in PACKAGES:
        if given.packages and package.name not in given.packages:
            continue
        found = run(package, folder, given.case, given.reuse, given.quick)
        for kind, lines in (("differs", found.differing), ("fails", found.failing)):
            for line in lines:
                print(f"{package.name}: {kind}: {re.sub(chr(10), ' ', line)}", flush=True)
        rows.append(row(package, found))
        print(rows[-1], end="", flush=True)
        if not given.case:
            (folder / "results" / package.name / "row.txt").write_text(rows[-1], "utf-8")
            summary = {**asdict(found), "stand_ins": sorted(found.stand_ins)}
            (folder / "results" / package.name / "summary.json").write_text(json.dumps(summary, indent=1), "utf-8")
    print(HEAD + "".join(rows), end="")
    if given.write:
        write(given.write, folder)


if __name__ == "__main__":
    main()
