"""What the text of a rule's rounds depends on, and the words that every such text uses."""

from dataclasses import dataclass
from typing import Final, final

BLOCK: Final = 128  # rounds times arms in a block: draws and rewards fill half of a 32 KiB cache
REGISTERS: Final = 24  # of 32, for the state of one cell, or of four cells with two arms
ABREAST: Final = {2: 4, 3: 3}  # cells side by side, by arms; two cells with more
FIELDS: Final = ("pulls", "total", "root", "squares", "memory", "last")


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """Everything that the text of a kernel depends on."""

    arms: int
    keeps: tuple[str, ...]  # of FIELDS, in their order
    noise: str  # of the learner's draws
    opening: int
    pooling: str
    nows: int
    wide: bool  # several cells side by side with few arms too: faster, and slower to compile

    @property
    def rounds(self) -> int:
        """Rounds in a block, a multiple of sixteen."""
        return max(BLOCK // self.arms // 16, 1) * 16

    @property
    def held(self) -> bool:
        """Whether a cell's state fits into registers, with some to spare."""
        return len(self.keeps) * self.arms <= REGISTERS

    @property
    def widens(self) -> bool:
        """Whether it makes a difference to be wide."""
        return self.arms > 2 and self.held

    @property
    def abreast(self) -> int:
        """Cells that play side by side, so that the chains of dependent operations overlap."""
        many = self.arms == 2 or (self.wide and self.widens)
        return ABREAST.get(self.arms, 2) if many else 1

    @property
    def size(self) -> int:
        """Numbers of state that a cell keeps."""
        return len(self.keeps) * self.arms * 16


def arm_of(shape: Shape, number: str, names: dict[str, str], pooled: str, draw: str) -> str:
    """An arm, from the names of what is kept of it."""
    kept = [names.get(field, "ZERO") if field in shape.keeps else "ZERO" for field in FIELDS]
    pulls, total, root, squares, memory, last = kept
    parts = (number, pulls, total, root, squares, memory, pooled, last, draw, _shared(shape))
    return f"Arm({', '.join(parts)})"


def drawn_of(shape: Shape, place: str) -> str:
    """A draw of the learner's own."""
    return f"same_bits(load(noise, {place}))" if shape.noise == "bits" else f"load(noise, {place})"


def _shared(shape: Shape) -> str:
    return "ZERO" if shape.noise == "none" else "z0"


def now_of(shape: Shape, base: str) -> str:
    """What `start` said of this round."""
    parts = (f"spot(nows, {base} + {i * shape.rounds} + r)" for i in range(shape.nows))
    return f"Now({', '.join(parts)})"


def grown_of(arm: str, *, fresh: str) -> tuple[tuple[str, str], ...]:
    """What is kept of an arm beside its pulls, and what that becomes when the arm is pulled."""
    return (
        ("total", f"total{arm} + w{arm}"),
        ("squares", f"squares{arm} + w{arm} * w{arm}"),
        ("root", fresh),
        ("last", "ONE"),
    )


def combined_of(shape: Shape, one: str, other: str) -> str:
    """Two arms' shares of what is pooled, as one."""
    return f"{one} + {other}" if shape.pooling == "sum" else f"maximum({one}, {other})"
