"""The report: one page of HTML that needs nothing else, no script and no network.

Every name in it comes from a stranger's file. The template escapes all that it is given, control
and bidirectional characters are spelt out, and the page's own policy lets a browser load nothing
and apply no style but the one whose hash it states.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from audition.charts import charts, style
from audition.charts.meaning import RULES, meaning
from audition.harmless import harmless
from audition.report.data_card import data_card
from audition.report.reproduction import reproduction
from audition.report.tables import candidate_rows, rival_rows, rule_rows
from audition.report.verdict import verdict
from audition.study import PLUG_IN, UNCERTAINTY_AWARE

if TYPE_CHECKING:
    from jinja2 import Template

    from audition.result import Result

MOST_FAILURES: Final = 20  # that are told one by one


def report_html(result: Result) -> str:
    """The whole page."""
    from markupsafe import Markup

    css = style() + _read("page.css")
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    drawn = {
        chart.key: {"wide": Markup(chart.wide), "narrow": Markup(chart.narrow)}
        for chart in charts(result)
    }
    return _template().render(
        css=Markup(css),
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; "
        "form-action 'none'",
        charts=drawn,
        **_found(result),
    )


def _found(result: Result) -> dict[str, Any]:
    """What the template tells."""
    prepared = result.prepared
    return {
        "verdict": verdict(result),
        "meaning": meaning(result),
        "rules": RULES,
        "plug_in": result.selection.choices[PLUG_IN],
        "aware": result.choice,
        "rivals": rival_rows(result),
        "candidates": candidate_rows(result),
        "other_rules": rule_rows(result),
        "warnings": result.warnings,
        "failures": result.failures[:MOST_FAILURES],
        "failure_count": len(result.failures),
        "card": data_card(result),
        "family": prepared.family_sentence,
        "ensemble": prepared.ensembles[UNCERTAINTY_AWARE],
        "runs": prepared.replications,
        "horizon": prepared.study.horizon,
        "engine": result.engine,
        "reproduction": reproduction(result),
    }


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        finalize=_spelt,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["breakable"] = _breakable
    return environment.from_string(_read("page.html"))


def _spelt(value: Any) -> Any:
    """Plain strings with whatever could steer a page spelt out; pictures are safe as they are."""
    return harmless(value) if type(value) is str else value


def _breakable(name: str) -> Any:
    """A candidate's name that a narrow column breaks where a reader would."""
    from markupsafe import Markup, escape

    parts = (escape(part) for part in harmless(name).replace("(", "(\0").split("\0"))
    return Markup("<wbr>").join(parts)


def _read(name: str) -> str:
    return (files("audition.report") / name).read_text("utf-8")


__all__ = ["report_html"]
