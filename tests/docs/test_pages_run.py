"""What the pages tell a reader to type is typed here, in order, on small studies."""

import re
import shutil
import sys
import tomllib
from pathlib import Path

import page_blocks as told
import pytest

from audition.cli import main

DOCS = told.ROOT / "docs"
SHELL = ("source", "mkdir", "cp", "cd", "make", "pip")  # what pages use besides audition
RUN = (
    "tutorial.md",
    "how-to/bring-your-log.md",
    "how-to/write-a-learner.md",
    "how-to/write-a-family-ensemble-or-rule.md",
    "how-to/run-on-many-machines.md",
)
SURFACES = "how-to/many-logs-one-surface.md"  # Python only
SIZES = {  # what the pages say, and what is tried
    "horizon=5000": "horizon=50, size=6, replications=2, engine='plain'",
    "size=20": "size=6, replications=2, engine='plain'",
    "horizon=300_000, size=12": "horizon=1024, size=2",
    "(1.0, 3.0, 10.0)": "(1.0, 3.0)",
    "episodes=20": "episodes=2",
}
PYTHON = [
    page
    for page in (told.ROOT / "README.md", *(DOCS / page for page in (*RUN, SURFACES)))
    if told.blocks(page, "python")
]


@pytest.fixture
def reader(tmp_path, monkeypatch) -> Path:
    """A folder that holds what a reader of any page has at hand."""
    shutil.copytree(
        told.ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("*.audition")
    )
    for name in ("newsletter.csv", "log.csv"):
        shutil.copy(told.ROOT / "examples" / "newsletter.csv", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", RUN)
def test_every_command_of_the_page_works_in_order(page, reader, capsys):
    for block in told.blocks(DOCS / page):
        if block.title.endswith(".csv"):
            (reader / block.title).write_text(block.text, encoding="utf-8")
    typed = [words for words in told.commands(DOCS / page) if words[0] not in SHELL]
    assert typed
    for words in typed:
        assert words[0] == "audition"
        with pytest.raises(SystemExit) as left:
            main(told.small(words)[1:])
        said = capsys.readouterr()
        assert left.value.code in (0, None), f"{' '.join(words)}: {said.err}"


@pytest.mark.parametrize("page", PYTHON, ids=lambda page: page.name)
def test_every_python_block_of_the_page_runs(page, reader):
    programs = [block.text for block in told.blocks(page, "python")]
    assert programs
    for program in programs:
        sized = program
        for told_size, tried_size in SIZES.items():
            sized = sized.replace(told_size, tried_size)
        exec(compile(sized, page.name, "exec"), {"__name__": "page"})


def test_the_page_on_logs_names_every_format_that_is_read():
    from audition.readers import suffixes

    text = (DOCS / "how-to" / "bring-your-log.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(\.[a-z]+)`", text)) == {*suffixes(), ".gz"}


def test_study_files_on_the_pages_are_studies(reader):
    from audition.study import read

    found = [
        block.text
        for page in told.pages()
        for block in told.blocks(page, "toml")
        if "entry-points" not in block.text
    ]
    assert len(found) >= 3
    for text in found:
        whole = text if "[log]" in text else f'{text}\n[log]\npath = "log.csv"\n'
        assert read(whole).log.path


def test_entry_points_on_the_page_make_the_plugin_known(reader, monkeypatch):
    from audition.plugins import discover

    page = DOCS / "how-to" / "write-a-learner.md"
    text = next(b.text for b in told.blocks(page, "toml") if "entry-points" in b.text)
    declared = tomllib.loads(text)["project"]["entry-points"]
    package = reader / "your_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    shutil.copy(reader / "examples/plugins/fading_bonus.py", package)
    about = reader / "your_package-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: your-package\nVersion: 1.0\n")
    lines = [f"[{group}]\n{name} = {place}" for group, points in declared.items()
             for name, place in points.items()]  # fmt: skip
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(sys, "path", [str(reader), *sys.path])
    from audition import plugins

    plugins._discover.cache_clear()
    found = discover().find("learners", "fading_bonus")
    plugins._discover.cache_clear()
    assert found.origin == "package your-package 1.0"


@pytest.mark.parametrize(
    "name", ["fading_bonus", "forgetful", "laplace", "half_samples", "hurwicz"]
)
def test_the_files_on_the_pages_are_whole_and_keep_their_promises(name, capsys):
    file = told.ROOT / "examples" / "plugins" / f"{name}.py"
    shown = [block.text for page in told.pages() for block in told.blocks(page, "python")]
    assert file.read_text(encoding="utf-8") in shown, f"the page shows another {file.name}"
    with pytest.raises(SystemExit) as left:
        main(["checks", str(file)])
    assert left.value.code == 0
    assert f"{name} " in capsys.readouterr().out
