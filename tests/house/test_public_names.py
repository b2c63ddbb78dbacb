"""What `from audition import ...` offers is a pinned list, and costs nothing before it is used."""

import subprocess
import sys
from importlib import resources
from inspect import getdoc

import pytest

import audition

PUBLIC = [
    "AuditionError",
    "Candidate",
    "Log",
    "Result",
    "Study",
    "Surface",
    "Trajectories",
    "select",
]
HEAVY = ("numpy", "scipy", "numba", "matplotlib", "torch", "mujoco", "msgspec", "click")


def test_the_public_names_are_these():
    assert audition.__all__ == PUBLIC
    assert dir(audition) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_documented_and_found_under_its_own_name(name):
    found = getattr(audition, name)
    assert found.__name__ == name
    assert getdoc(found)


def test_another_name_is_refused():
    with pytest.raises(AttributeError, match="no attribute 'selct'"):
        audition.selct  # noqa: B018 - reading it is the test


def test_importing_the_package_imports_no_other():
    program = f"import sys, audition; print([n for n in {HEAVY!r} if n in sys.modules])"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert said.stdout.strip() == "[]", said.stderr


def test_the_package_says_that_it_is_typed():
    assert resources.files(audition).joinpath("py.typed").is_file()
