"""Write experiments/README.md: every row of every experiment as one table, from results/*.json.

python experiments/table.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from claims import HERE, PRESETS, experiments

BEYOND = "not in the paper"
UNMEASURED = "not measured yet"  # of the paper's numbers, where a table is filled over many runs
LIMIT = "a limit, not reached"  # of theorems, where finite horizons still differ from the limit
HEAD = """# Experiments

Each folder is one claim of the paper, or one that goes beyond it: settings as data, `run.py`, the
paper's numbers in `expected.json`, and what was measured in `results/`.

    python experiments/NAME/run.py --preset quick|full [--engine auto|cpu|cuda|plain]
    python experiments/run_all.py --preset quick      # all of them

`full` is the paper's budget, and what it finds can be held against the paper. `quick` is small: it
shows that the chain works, and its numbers are too rough to confirm or refute anything. *Agrees*
means: within three standard errors, ours and the paper's together, and the rounding of what is
printed. Shown is the full run where there is one, else the quick one. Seconds are those of the last
call, which goes on from the surfaces and tables that earlier calls measured and kept. From nothing
but the robots' stored runs, `run_all.py --preset full` took 34 min 34 s on two cores of an AMD EPYC
(20 November 2026).

The full tables of the robots are some 24,000 trainings. They are filled a few at a time, on any
machine; what is stored is never done again, and a deadline is kept:

    python experiments/robots/fill.py truth surface --workers 15 --deadline-seconds 1200 --out RUNS
    python experiments/robots/fill.py --out RUNS --gather experiments/robots/stored/runs.jsonl

This page is written by `python experiments/table.py`.
"""
COLUMNS = (
    "| quantity | paper | ours | standard error | z | verdict | remark |",
    "| --- | ---: | ---: | ---: | ---: | --- | --- |",
)


def page() -> str:
    """The whole page: what was found in brief, then experiment by experiment."""
    found = [(folder, _result(folder)) for folder in experiments()]
    parts = [HEAD, *_summary(found)]
    for folder, result in found:
        parts.append(f"\n## {folder.name}\n\n{_about(folder)}\n")
        parts += [_section(folder, result)] if result else ["No results yet.\n"]
    return "\n".join(parts)


def _summary(found: list[tuple[Path, dict[str, Any] | None]]) -> list[str]:
    lines = [
        "| experiment | preset | agrees | differs | limits not reached | not measured yet "
        "| beyond the paper | seconds |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for folder, result in found:
        rows = [] if result is None else result["rows"]
        verdicts = [row["verdict"] for row in rows]
        counts = [verdicts.count(word) for word in ("agrees", "differs", LIMIT)]
        counts += [len(_unmeasured(result)), verdicts.count(BEYOND)]
        cells = [f"[{folder.name}](#{folder.name})", "none" if result is None else result["preset"]]
        seconds = "" if result is None else f"{result['seconds']:,}"
        lines.append("| " + " | ".join([*cells, *map(str, counts), seconds]) + " |")
    return [*lines, ""]


def _about(folder: Path) -> str:
    """The docstring of the experiment, up to its first blank line."""
    source = (folder / "run.py").read_text(encoding="utf-8")
    return source.partition('"""')[2].partition('"""')[0].partition("\n\n")[0].replace("\n", " ")


def _result(folder: Path) -> dict[str, Any] | None:
    """What the largest run of an experiment found."""
    for preset in reversed(PRESETS):
        place = folder / "results" / f"{preset}.json"
        if place.is_file():
            result: dict[str, Any] = json.loads(place.read_text(encoding="utf-8"))
            return result
    return None


def _made(result: dict[str, Any]) -> list[str]:
    """What made the rows below, and how many of the paper's numbers are not among them."""
    lines = [
        f"Preset `{result['preset']}`, {result['engine']} engine, {result['seconds']:,} s, "
        f"{result['machine']}, {result['date']}.\n"
    ]
    if unmeasured := len(_unmeasured(result)):
        said = f"**{unmeasured} of the paper's numbers are not measured yet**"
        lines.append(f"{said}; no row below says anything about them.\n")
    return lines


def _unmeasured(result: dict[str, Any] | None) -> list[str]:
    """The paper's numbers that are still to come, by name."""
    names: list[str] = [] if result is None else result.get(UNMEASURED, [])
    return names


def _section(folder: Path, result: dict[str, Any]) -> str:
    compared = [row for row in result["rows"] if row["verdict"] != BEYOND]
    beyond = [row for row in result["rows"] if row["verdict"] == BEYOND]
    lines = _made(result)
    if compared:
        lines += [*COLUMNS, *map(_line, compared), ""]
    figures = sorted((folder / "results").glob(f"{result['preset']}*.png"))
    place = f"{folder.name}/results"
    lines += [*(f"![{figure.stem}]({place}/{figure.name})" for figure in figures), ""]
    if beyond:
        lines += [
            f"<details><summary>{len(beyond)} numbers that the paper does not have</summary>\n",
            "| quantity | ours | standard error | remark |",
            "| --- | ---: | ---: | --- |",
            *map(_short_line, beyond),
            "\n</details>",
        ]
    return "\n".join(lines) + "\n"


def _line(row: dict[str, Any]) -> str:
    numbers = (_number(row[key]) for key in ("paper", "ours", "standard_error", "z"))
    return _row(row["quantity"], *numbers, row["verdict"], row.get("remark", ""))


def _short_line(row: dict[str, Any]) -> str:
    numbers = (_number(row[key]) for key in ("ours", "standard_error"))
    return _row(row["quantity"], *numbers, row.get("remark", ""))


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _number(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    (HERE / "README.md").write_text(page(), encoding="utf-8")
