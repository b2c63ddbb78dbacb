"""The fenced blocks and the commands of the pages, read as a reader would type them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r'^```(\w+)(?: title="([^"]*)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(audition [^`]+|make [a-z]+)`")
SMALL = ("--size", "6", "--replications", "2", "--engine", "plain")


@dataclass(frozen=True)
class Block:
    """One fenced block."""

    language: str
    text: str
    title: str = ""


def pages() -> list[Path]:
    """Every page that people read, without what is generated."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("experiments/*.md")]
    return sorted(page for page in found if "reference" not in page.parts)


def blocks(page: Path, language: str = "") -> list[Block]:
    """The fenced blocks of a page, in order; those of one language, if it is named."""
    text = page.read_text(encoding="utf-8")
    found = [Block(match[1], match[3], match[2] or "") for match in FENCE.finditer(text)]
    return [block for block in found if language in ("", block.language)]


def commands(page: Path) -> Iterator[list[str]]:
    """The command lines of a page's shell blocks, as lists of words."""
    for block in blocks(page, "bash"):
        for line in block.text.replace("\\\n", " ").splitlines():
            if words := shlex.split(line, comments=True):
                yield words


def mentions(page: Path) -> Iterator[list[str]]:
    """Commands in the running text, such as `audition plan`."""
    for found in INLINE.finditer(page.read_text(encoding="utf-8")):
        yield found[1].split("|")[0].split()


def small(words: list[str]) -> list[str]:
    """The same command on a study so small that it takes a moment."""
    made = [
        "50" if before == "--horizon" else word
        for before, word in zip(["", *words], words, strict=False)
    ]
    return [*made, *SMALL] if words[1] in ("select", "init") else made
