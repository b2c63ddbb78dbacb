"""What the text of a CUDA kernel depends on, and the words that its parts share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, final

FIELDS: Final[tuple[str, ...]] = ("pulls", "total", "root", "squares", "memory", "last")


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """Everything that the text of a kernel depends on."""

    arms: int
    keeps: frozenset[str]  # of FIELDS
    noise: str  # of the learner's draws
    paid: str  # of the family's draws
    opening: int
    pooling: str
    settings: int  # how many numbers
    columns: int
    nows: int
    steady: bool  # whether `start` says the same in every round
    simulators: int  # side by side in a thread
    cells: int  # of each simulator

    @property
    def kept(self) -> tuple[str, ...]:
        """What a cell holds of every arm; the root is taken anew in every round."""
        return tuple(field for field in FIELDS if field in self.keeps and field != "root")

    @property
    def places(self) -> int:
        """How many cells a thread carries."""
        return self.simulators * self.cells

    @property
    def slots(self) -> Iterator[tuple[int, int, int]]:
        """(cell, simulator, setting) of everything that a thread carries."""
        for number in range(self.places):
            yield number, number // self.cells, number % self.cells

    @property
    def first_rounds(self) -> int:
        """Rounds in which nothing is chosen, because every arm is pulled in order."""
        return self.opening * self.arms


def arm_of(shape: Shape, number: str, known: Mapping[str, str], *, draw: str, shared: str) -> str:
    """What a rule is told of one arm; `known` may hold `pooled` beside what a cell keeps."""
    parts = [number, *(known.get(field, "ZERO") for field in FIELDS[:5])]
    parts += [known.get("pooled", "ZERO"), known.get("last", "ZERO")]
    parts += ["ZERO", "ZERO"] if shape.noise == "none" else [draw, shared]
    return f"Arm({', '.join(parts)})"


def pooled(shape: Shape, one: str, other: str) -> str:
    """How what `pool` says of two arms is put together."""
    return f"{one} + {other}" if shape.pooling == "sum" else f"maximum({one}, {other})"


def root(shape: Shape, pulls: str) -> str:
    """1 / sqrt(pulls), and 0 before the first pull where a rule could see that."""
    taken = f"inverse_root({pulls})"
    seen = shape.opening == 0 or "memory" in shape.keeps
    return f"where({pulls} > ZERO, {taken}, ZERO)" if seen else taken


def of_words(kind: str, words: tuple[str, ...]) -> str:
    """Four draws of a kind from four random words."""
    if kind == "normal":
        return f"*normals({words[0]}, {words[1]}), *normals({words[2]}, {words[3]})"
    if kind == "uniform":
        return ", ".join(f"uniform({word})" for word in words)
    return ", ".join(words)


def place(number: int) -> str:
    """A constant place, as an argument.

    A bare number would have a type of its own, and the function be compiled for every number.
    """
    return f"np.int64({number})"


def nothing(kind: str) -> str:
    """What a draw of a kind is before the first."""
    return "NO_BITS" if kind == "bits" else "ZERO"
