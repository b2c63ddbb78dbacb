"""Write experiments/README.md: every row of every experiment as one table, from results/*.json.

python experiments/table.py
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from claims import HERE, PRESETS, experiments

HEAD = """# Experiments

Each folder is one claim of the paper, or one that goes beyond it: settings as data, `run.py`, the
paper's numbers in `expected.json`, and what was measured in `results/`.

    python experiments/NAME/run.py --preset quick|full [--engine auto|cpu|cuda|plain]
    python experiments/run_all.py --preset quick      # all of them, under a minute for the bandits

`quick` is small and shows that the chain works; `full` is the paper's budget. *Agrees* means:
within three standard errors, ours and the paper's together, and the rounding of what is printed.
This page is written by `experiments/table.py`.
"""


def page() -> str:
    """The whole page, the full results where there are any."""
    parts = [HEAD]
    for folder in experiments():
        parts.append(f"\n## {folder.name}\n\n{_about(folder)}\n")
        parts += [_section(path) for path in _results(folder)]
    return "\n".join(parts)


def _about(folder: Path) -> str:
    """The docstring of the experiment, up to its first blank line."""
    source = (folder / "run.py").read_text(encoding="utf-8")
    return source.partition('"""')[2].partition('"""')[0].partition("\n\n")[0].replace("\n", " ")


def _results(folder: Path) -> list[Path]:
    found = [folder / "results" / f"{preset}.json" for preset in reversed(PRESETS)]
    return [path for path in found if path.is_file()][:1]


def _section(path: Path) -> str:
    plain = json.loads(path.read_text(encoding="utf-8"))
    lines = [
        f"Preset `{plain['preset']}`, {plain['engine']} engine, {plain['seconds']:,} s, "
        f"{plain['machine']}, {plain['date']}.\n",
        "| quantity | paper | ours | standard error | z | verdict | remark |",
        "| --- | ---: | ---: | ---: | ---: | --- | --- |",
    ]
    lines += [_line(row) for row in plain["rows"]]
    figures = sorted((path.parent).glob(f"{plain['preset']}*.png"))
    place = path.parent.relative_to(HERE)
    lines += ["", *(f"![{figure.stem}]({place / figure.name})" for figure in figures)]
    return "\n".join(lines) + "\n"


def _line(row: dict[str, Any]) -> str:
    cells = [
        row["quantity"],
        *(_number(row[key]) for key in ("paper", "ours", "standard_error", "z")),
    ]
    return "| " + " | ".join([*cells, row["verdict"], row.get("remark", "")]) + " |"


def _number(value: Any) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    (HERE / "README.md").write_text(page(), encoding="utf-8")
