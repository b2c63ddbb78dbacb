"""Commands, options, verbs, links and verdicts on the pages are those that there are."""

import re

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
