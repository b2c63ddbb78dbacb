"""The rules of style that a machine can keep: sizes, names, words that promise work for later."""

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "experiments", "benchmarks", "docs", "examples")
SOURCES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
EVERY = [path for path in (*SOURCES, *TESTS) if path != Path(__file__)]
ROOMS_FOR_ANYTHING = {"utils", "util", "common", "helpers", "misc", "base"}
LATER = ("TODO", "FIXME", "XXX", "NotImplementedError", "importorskip", "pytest.skip", "xfail")
MOST_LINES, MOST_LINES_OF_A_FUNCTION = 350, 45

FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def shown(path: Path) -> str:
    """A path as people say it."""
    return str(path.relative_to(ROOT))


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function of a file."""
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, FUNCTIONS)]


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines that do something: from the first statement after the docstring to the end."""
    first = function.body[1] if ast.get_docstring(function) and function.body[1:] else None
    start = (first or function.body[0]).lineno
    return (function.end_lineno or start) - start + 1


@pytest.mark.parametrize("path", EVERY, ids=shown)
def test_a_module_is_one_idea_that_it_names_first(path):
    text = path.read_text()
    assert path.stem not in ROOMS_FOR_ANYTHING
    assert ast.get_docstring(ast.parse(text)), "say the idea of the module before anything else"
    assert text.count("\n") <= MOST_LINES


@pytest.mark.parametrize("path", SOURCES, ids=shown)
def test_a_function_fits_on_a_page(path):
    long = {node.name: body_lines(node) for node in functions(path)}
    assert {name: size for name, size in long.items() if size > MOST_LINES_OF_A_FUNCTION} == {}


@pytest.mark.parametrize("path", EVERY, ids=shown)
def test_nothing_is_left_for_later(path):
    text = path.read_text()
    assert [word for word in LATER if word in text] == []


@pytest.mark.parametrize("path", TESTS, ids=shown)
def test_every_test_asserts_something(path):
    found = functions(path)
    sure = {one.name for one in found if any(isinstance(n, ast.Assert) for n in ast.walk(one))}
    tests = {one.name: called(one) for one in found if one.name.startswith("test_")}
    assert [
        name for name, calls in tests.items() if not ({name} | calls) & sure | checks(calls)
    ] == []


def called(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The last names of what a function calls."""
    calls = (ast.unparse(node.func) for node in ast.walk(function) if isinstance(node, ast.Call))
    return {call.rpartition(".")[2] for call in calls}


def checks(calls: set[str]) -> set[str]:
    """The calls that fail a test by themselves."""
    return {call for call in calls if call in {"raises", "warns"} or call.startswith("assert_")}


def test_the_licence_is_the_one_that_the_project_declares():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert declared["license"] == "Apache-2.0"
    head = (ROOT / declared["license-files"][0]).read_text().split()[:4]
    assert head == ["Apache", "License", "Version", "2.0,"]
