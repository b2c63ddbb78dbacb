"""Commands, options, verbs, links and verdicts on the pages are those that there are."""

import json
import re
import runpy
import sys

import click
import page_blocks as told
import pytest

from audition.cli import COMMANDS, audition, main

README = told.ROOT / "README.md"
MAKEFILE = (told.ROOT / "Makefile").read_text(encoding="utf-8")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)")
NUMBER = re.compile(r"[-+]?\d[\d,]*\.?\d*")
WORDS = [words for page in told.pages() for words in (*told.commands(page), *told.mentions(page))]


def options_of(command: str) -> set[str]:
    with click.Context(audition) as context:
        found = audition.get_command(context, command)
    assert found is not None
    return {word for option in found.params for word in (*option.opts, *option.secondary_opts)}


def test_every_command_and_option_on_the_pages_exists():
    typed = [words for words in WORDS if words[0] == "audition" and len(words) > 1]
    assert len(typed) > 30
    for words in typed:
        given = {word for word in words[1:] if word.startswith("-")}
        if words[1].startswith("-"):
            assert given <= {"--help", "--version", "--json"}, words
            continue
        assert words[1] in COMMANDS, words
        assert given <= options_of(words[1]) | {"--help"}, words


def test_every_command_is_told_of():
    told_of = {words[1] for words in WORDS if words[0] == "audition" and len(words) > 1}
    assert set(COMMANDS) <= told_of


def test_every_verb_of_make_on_the_pages_exists():
    verbs = [words[1] for words in WORDS if words[0] == "make"]
    assert {"demo", "test", "docs", "check"} <= set(verbs)
    for verb in verbs:
        assert re.search(rf"^{verb}:", MAKEFILE, re.MULTILINE), verb


def test_the_two_commands_of_the_readme_are_those_that_ci_runs():
    runs = (told.ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert next(told.commands(README)) == ["make", "demo"]
    for verb in ("make demo", "make test"):
        assert verb in runs
    asked = next(words for words in told.commands(README) if words[:2] == ["audition", "select"])
    assert " ".join(asked[1:]) in MAKEFILE


@pytest.mark.parametrize("page", told.pages(), ids=lambda page: str(page.relative_to(told.ROOT)))
def test_links_of_the_page_lead_somewhere(page):
    for target, _ in LINK.findall(page.read_text(encoding="utf-8")):
        generated = "reference/" in target
        assert generated or (page.parent / target).exists(), target


@pytest.mark.parametrize(
    ("page", "more"), [(README, []), (told.ROOT / "docs/tutorial.md", ["--cluster", "user"])]
)
def test_the_verdict_on_the_page_is_the_one_that_is_given(page, more, tmp_path, capsys):
    log = told.ROOT / "examples" / "newsletter.csv"
    given = ["--arm", "variant", "--reward", "revenue", "--horizon", "5000", *more]
    # one kind of learner gives the same figures: candidates do not touch each other's
    given += ["--learner", "moss", "--out", str(tmp_path / "study.audition"), "--quiet"]
    with pytest.raises(SystemExit):
        main(["select", str(log), *given])
    said = capsys.readouterr().out.splitlines()
    shown = [line for block in told.blocks(page, "text") for line in block.text.splitlines()]
    kept = [line for line in shown if re.match(r"Deploy|  \w+-\w+  |moss.* does|On the same", line)]
    assert len(kept) >= 5
    for line in kept:
        words = NUMBER.sub("#", line)
        twin = next((one for one in said if NUMBER.sub("#", one) == words), "")
        assert twin, line
        for ours, theirs in zip(numbers(line), numbers(twin), strict=True):
            assert ours == pytest.approx(theirs, rel=0.01, abs=1.0), (line, twin)


def numbers(line: str) -> list[float]:
    return [float(found.replace(",", "")) for found in NUMBER.findall(line)]


def test_the_figures_of_the_explanation_are_those_that_were_measured():
    page = told.ROOT / "docs" / "explanation" / "one-simulator-or-many.md"
    text = page.read_text(encoding="utf-8")
    found = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    for rule in ("plug_in", "aware"):
        mean, error = found[f"{rule}_mean"], found[f"{rule}_error"]
        assert f"| {mean:.1f} ± {error:.2f} | {found[f'{rule}_worst_tenth']:.1f} |" in text
    for share in ("aware_explores_more", "aware_explores_less"):
        assert f"{found[share]:.0%}".replace("%", " %") in text
    assert f"{found['drawn_plug_in']:.1f} against {found['drawn_aware']:.1f}" in " ".join(
        text.split()
    )


def test_the_picture_of_the_explanation_can_be_made_again(tmp_path, monkeypatch):
    script = told.ROOT / "docs" / "pictures" / "one_simulator_or_many.py"
    small = [str(script), "--logs", "4", "--members", "4", "--runs", "2", "--out", str(tmp_path)]
    monkeypatch.setattr(sys, "argv", small)
    runpy.run_path(str(script), run_name="__main__")
    assert (tmp_path / "one-simulator-or-many.png").stat().st_size > 10_000
    assert json.loads((tmp_path / "one-simulator-or-many.json").read_text())["logs"] == 4


def test_the_table_of_experiments_is_current(monkeypatch):
    folder = told.ROOT / "experiments"
    monkeypatch.syspath_prepend(str(folder))
    page = runpy.run_path(str(folder / "table.py"))["page"]()
    written = (folder / "README.md").read_text(encoding="utf-8")
    assert written == page, "run: python experiments/table.py"


def test_every_room_that_the_architecture_names_exists():
    text = (told.ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("## Rooms")[2].partition("## Two levels")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    rooms = [room for row in rows for room in re.findall(r"`([a-z_]+/?)`", row)]
    assert len(rooms) > 60
    source = told.ROOT / "src" / "audition"
    for room in rooms:
        assert (source / (room if room.endswith("/") else f"{room}.py")).exists(), room


def test_no_page_is_left_out_of_the_site():
    listed = (told.ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in sorted((told.ROOT / "docs").rglob("*.md")):
        place = page.relative_to(told.ROOT / "docs").as_posix()
        assert place.startswith("reference/") or place in listed, place


def test_every_decision_is_in_the_list_of_decisions():
    listed = (told.ROOT / "docs/decisions/index.md").read_text(encoding="utf-8")
    for page in sorted((told.ROOT / "docs" / "decisions").glob("0*.md")):
        assert f"({page.name})" in listed, page.name


def test_the_race_in_the_readme_is_the_one_that_was_measured():
    place = told.ROOT / "experiments" / "race_of_rules" / "results" / "full.json"
    rows = json.loads(place.read_text(encoding="utf-8"))["rows"]
    excess = {row["quantity"]: row["ours"] for row in rows}
    text = " ".join(README.read_text(encoding="utf-8").split())
    plug_in, aware = (
        f"{100 * excess[f'two arms: mean excess regret, {name}']:.0f} % more"
        for name in ("Plug-In", "posterior, mean")
    )
    assert f"ended with {plug_in} regret" in text
    assert f"default with {aware}" in text


def test_every_folder_of_the_package_is_a_room_of_the_architecture():
    text = (told.ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for room in (told.ROOT / "src" / "audition").glob("*/__init__.py"):
        assert f"`{room.parent.name}/`" in text, room.parent.name
