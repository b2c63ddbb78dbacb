"""Randomness with names: every draw is a function of what it is for, never of who asked or when.

Two kinds of randomness, one root seed. `stream` gives a NumPy generator for work that is done
once (a bootstrap, a fit). `Draws` gives counter-based draws, the same number for the same
(root, purpose, replication, member, round, column) on every engine, so that candidates meet
common random numbers and a trial can be run again anywhere, in any order.

The counter generator is Philox4x32-10. Flat index `i = (round - 1) * width + column` lives in word
`i % 4` of block `i // 4`; the counter is (block, replication, member, 0) and the key comes from
the root seed and the purpose. Words 0, 1 and 2, 3 make two Box-Muller pairs.
"""

import hashlib
from dataclasses import dataclass
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

UintArray = NDArray[np.uint32]
FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

MULTIPLIERS: Final = (0xD2511F53, 0xCD9E8D57)
WEYL: Final = (0x9E3779B9, 0xBB67AE85)
ROUNDS: Final = 10
LOW: Final = np.uint64(0xFFFFFFFF)


def stream(seed: int, purpose: str, *indices: int) -> np.random.Generator:
    """A NumPy generator named by what it is for and where in the study it stands."""
    named = f"{seed}/{purpose}/{'/'.join(str(index) for index in indices)}"
    entropy = int.from_bytes(hashlib.sha256(named.encode()).digest()[:16], "little")
    return np.random.Generator(np.random.PCG64(entropy))


def key(seed: int, purpose: str) -> tuple[int, int]:
    """The Philox key of one purpose under one root seed."""
    digest = hashlib.sha256(f"{seed}/{purpose}".encode()).digest()
    return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:8], "little")


def philox(counter: tuple[UintArray, ...], keys: tuple[int, int]) -> tuple[UintArray, ...]:
    """Four random 32-bit words for every counter (Philox4x32-10)."""
    c0, c1, c2, c3 = (np.asarray(word, dtype=np.uint64) for word in counter)
    k0, k1 = keys
    for _ in range(ROUNDS):
        p0 = c0 * np.uint64(MULTIPLIERS[0])
        p1 = c2 * np.uint64(MULTIPLIERS[1])
        c0, c1, c2, c3 = (
            (p1 >> np.uint64(32)) ^ c1 ^ np.uint64(k0),
            p1 & LOW,
            (p0 >> np.uint64(32)) ^ c3 ^ np.uint64(k1),
            p0 & LOW,
        )
        k0, k1 = (k0 + WEYL[0]) & 0xFFFFFFFF, (k1 + WEYL[1]) & 0xFFFFFFFF
    return tuple(word.astype(np.uint32) for word in (c0, c1, c2, c3))


def uniform(words: UintArray) -> FloatArray:
    """Numbers strictly between 0 and 1, on the grid of 2^23 midpoints that float32 holds."""
    return (words >> np.uint32(9)).astype(np.float64) * 2.0**-23 + 2.0**-24


@final
@dataclass(frozen=True, slots=True)
class Lanes:
    """Which replication of which member each lane of a world is: the address of its randomness."""

    replications: IntArray  # [lane]
    members: IntArray  # [lane]

    @property
    def size(self) -> int:
        """How many lanes there are."""
        return int(self.replications.size)

    @staticmethod
    def of(replications: "IntArray | range | list[int]", *, member: int = 0) -> "Lanes":
        """Lanes that are replications of one member."""
        numbers = np.asarray(replications, dtype=np.int64)
        return Lanes(numbers, np.full(numbers.shape, member, dtype=np.int64))


@final
@dataclass(frozen=True, slots=True)
class Draws:
    """The random numbers of one purpose, by lane and round: asked again, it gives the same."""

    seed: int
    purpose: str
    lanes: Lanes

    def words(self, round_number: int, width: int) -> UintArray:  # [lane, column]
        """Raw 32-bit words for one round (rounds count from 1)."""
        flat, words = self._span(round_number, width)
        return np.ascontiguousarray(words[flat // 4 - flat[0] // 4, :, flat % 4].T)

    def uniforms(self, round_number: int, width: int) -> FloatArray:  # [lane, column]
        """Uniform numbers in (0, 1) for one round."""
        return uniform(self.words(round_number, width))

    def normals(self, round_number: int, width: int) -> FloatArray:  # [lane, column]
        """Standard normal numbers for one round."""
        flat, words = self._span(round_number, width)
        u = uniform(words)  # [block, lane, word]
        radius = np.sqrt(-2.0 * np.log(u[..., 0::2]))
        angle = 2.0 * np.pi * u[..., 1::2]
        pairs = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=-1)
        normals = pairs.reshape(*words.shape[:2], 4)
        return np.ascontiguousarray(normals[flat // 4 - flat[0] // 4, :, flat % 4].T)

    def generator(self, lane: int) -> np.random.Generator:
        """A NumPy generator of one lane's own, for learners that are black boxes."""
        where = int(self.lanes.replications[lane]), int(self.lanes.members[lane])
        return stream(self.seed, f"{self.purpose}/generator", *where)

    def _span(self, round_number: int, width: int) -> tuple[IntArray, UintArray]:
        flat = np.arange((round_number - 1) * width, round_number * width, dtype=np.int64)
        blocks = np.arange(flat[0] // 4, flat[-1] // 4 + 1, dtype=np.uint32)[:, None]
        replications = self.lanes.replications.astype(np.uint32)[None, :]
        members = self.lanes.members.astype(np.uint32)[None, :]
        zeros = np.zeros((1, 1), dtype=np.uint32)
        counter = np.broadcast_arrays(blocks, replications, members, zeros)
        words = philox(tuple(counter), key(self.seed, self.purpose))
        return flat, np.stack(words, axis=-1)
