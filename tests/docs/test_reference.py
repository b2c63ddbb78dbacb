"""The generated reference tells of everything that there is."""

import importlib.util

import page_blocks as told
import pytest

from audition.cli import COMMANDS
from audition.cli.leaving import EXIT_CODES
from audition.plugins import discover


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    spec = importlib.util.spec_from_file_location("generate", told.ROOT / "docs" / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    place = tmp_path_factory.mktemp("reference")
    generate.PAGES = place
    generate.main()
    return {page.stem: page.read_text(encoding="utf-8") for page in place.iterdir()}


def test_every_command_and_exit_code_has_its_place(reference):
    assert all(f"## audition {name}\n" in reference["cli"] for name in COMMANDS)
    assert all(f"| {code} | {words} |" in reference["cli"] for code, words in EXIT_CODES.items())


def test_every_built_in_plugin_has_its_place(reference):
    names = [p.name for p in discover().plugins if p.origin == "built in"]
    assert len(names) > 30
    assert all(f"### {name}\n" in reference["plugins"] for name in names)


def test_the_public_names_have_their_place(reference):
    import audition

    assert all(f"`{name}`" in reference["python"] for name in audition.__all__)


def test_every_module_has_its_place_and_opens_with_a_sentence(reference):
    rows = [line.split("|") for line in reference["modules"].splitlines() if line.startswith("| `")]
    files = list((told.ROOT / "src" / "audition").rglob("*.py"))
    assert len(rows) == len(files) - 1  # the package itself is not among its modules
    assert all(row[2].strip() for row in rows)


def test_every_page_of_the_reference_is_on_the_site(reference):
    listed = (told.ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert all(f"reference/{name}.md" in listed for name in reference)
