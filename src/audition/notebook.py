"""A result in a notebook: the verdict, the choice beside its rivals, and one picture.

A notebook has its own colours and may be dark while the browser is light, so text takes the
notebook's colour and the marks have colours that read on both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from audition.charts import style
from audition.charts.meaning import meaning
from audition.charts.svg import escaped
from audition.charts.worth import worth_picture
from audition.report.tables import RivalRow, rival_rows
from audition.report.verdict import verdict

if TYPE_CHECKING:
    from audition.result import Result

MOST: Final = 12  # candidates in the picture
WIDTH: Final = 760.0
COLOURS: Final = """
.audition { --ink: currentColor; --muted: currentColor; --paper: transparent; --bar: #8a97a5;
  --grid: rgba(128,128,128,.25); --band: rgba(70,140,230,.14); --aware: #2b7bd0;
  --plug-in: #c4661a; --faint-aware: rgba(43,123,208,.45); --bad: #d0453b; max-width: 800px; }
.audition table { border-collapse: collapse; margin: 8px 0; }
.audition th, .audition td { text-align: right; padding: 2px 12px; font-weight: normal; }
.audition thead th { font-weight: 600; }
.audition th:first-child { text-align: left; padding-left: 0; }
.audition tbody tr:first-child th, .audition tbody tr:first-child td { font-weight: 600; }
.audition .warning { font-weight: 600; }
"""


def notebook_html(result: Result) -> str:
    """The fragment that a notebook shows."""
    told, said = verdict(result), meaning(result)
    key = f"audition-{result.prepared.log.digest[:12]}-{result.prepared.study.seed}"
    picture = worth_picture(result, width=WIDTH, key=key, most=MOST)
    left_out = len(result.verdict().candidates) - MOST
    more = f"<p>The best {MOST} are shown; {left_out} more are in .to_frame().</p>"
    return "".join(
        [
            f'<div class="audition"><style>{style()}{COLOURS}</style>',
            f"<h3>Deploy <code>{escaped(told.choice)}</code></h3>",
            f"<p>{escaped(told.setting)}. {escaped(told.lead)}</p>",
            f"<ul>{''.join(f'<li>{escaped(sentence)}</li>' for sentence in told.sure)}</ul>",
            *(f'<p class="warning">{escaped(warning)}</p>' for warning in result.warnings),
            f"<table><thead><tr><th>candidate</th><th>expected {escaped(said.quantity)}</th>",
            "<th>behind by</th><th>best in</th></tr></thead><tbody>",
            *(_line(row) for row in rival_rows(result)),
            f"</tbody></table>{picture}{more if left_out > 0 else ''}</div>",
        ]
    )


def _line(row: RivalRow) -> str:
    tag = f" ({row.kind})" if row.kind in ("choice", "rival") else ""
    cells = "".join(f"<td>{escaped(cell)}</td>" for cell in (row.value, row.behind, row.best_in))
    return f"<tr><th>{escaped(row.name)}{tag}</th>{cells}</tr>"
