"""Help is complete and instant, and a wrong word is met with the right one."""

import resource
import subprocess
import sys

import click
import pytest

from audition.cli import COMMANDS, audition
from audition.cli.leaving import EXIT_CODES

HEAVY = ("numpy", "scipy", "numba", "matplotlib", "torch", "msgspec", "rich", "jinja2")


def seconds_of(*arguments: str, tries: int = 3) -> float:
    """The least processor time of some calls: what a command needs where nothing else runs."""
    times = []
    for _ in range(tries):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        asked = [sys.executable, "-m", "audition", *arguments]
        subprocess.run(asked, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


@pytest.mark.parametrize("arguments", [["--help"], ["select", "--help"], ["status", "FOLDER"]])
def test_help_and_status_take_less_than_three_tenths_of_a_second(arguments, played):
    folder = str(played / "shop.audition")
    assert seconds_of(*(folder if word == "FOLDER" else word for word in arguments)) < 0.3


def test_help_imports_no_heavy_package():
    program = (
        "import sys; from audition.cli import main\n"
        "try: main(['--help'])\n"
        f"except SystemExit: print([n for n in {HEAVY!r} if n in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr.strip() == "[]"


def test_every_command_is_there_and_says_what_it_does(command):
    said = command("--help")
    assert said.code == 0
    with click.Context(audition) as context:
        for name, words in COMMANDS.items():
            assert name in said.out
            found = audition.get_command(context, name)
            assert found is not None
            assert found.name == name
            assert found.help
            assert words


def test_every_option_says_what_it_is_for():
    with click.Context(audition) as context:
        for name in COMMANDS:
            found = audition.get_command(context, name)
            for option in found.params:
                if isinstance(option, click.Option):
                    assert option.help, f"{name} {option.name}"


def test_exit_codes_stand_in_the_help(command):
    words = " ".join(command("--help").out.split())
    for code, meaning in EXIT_CODES.items():
        assert f"{code} {meaning}" in words


def test_without_a_word_the_help_is_given(command):
    assert command().out == command("--help").out


def test_a_misspelt_command_is_met_with_the_nearest_one(command):
    said = command("selct")
    assert said.code == 2
    assert "Did you mean 'select'" in said.err


def test_a_misspelt_option_is_met_with_the_nearest_one(command, log):
    said = command("select", log, "--horizn", 5)
    assert said.code == 2
    assert "--horizon" in said.err
