"""The text of one round of any number of arms: loops over the arms, unrolled by the compiler.

What a thread holds is in small arrays of its own; where the loops unroll, they become registers.
"""

from collections.abc import Iterator
from typing import Final

from audition.engine.cuda_shape import Shape, arm_of, nothing, of_words, place, pooled, root

MADE: Final = ("m0", "m1", "m2", "m3")
TAKEN: Final = (
    "    chosen = where(better, a, chosen)",
    "    x_of = where(better, paid[first + a], x_of)",
)


def functions(shape: Shape) -> Iterator[str]:
    """What one cell does in a round, compiled once for all cells."""
    held, more = ", ".join(shape.kept), "paid, first, now, z"
    yield f"@piece\ndef turn({held}, at, due, {more}):"
    lines = [*_pool(shape), *_turn(shape), *_update(shape)]
    yield from (f"    {line}" for line in lines)
    yield f"@piece\ndef play_cell({held}, at, {more}):"
    lines = [*_pool(shape), *_choice(shape), *_update(shape)]
    yield from (f"    {line}" for line in lines)


def state(shape: Shape) -> Iterator[str]:
    """What a thread holds before the first round."""
    size = shape.places * shape.arms
    for field in shape.kept:
        yield f"{field} = cuda.local.array({size}, float32)"
        yield f"for a in range({size}):"
        yield f"    {field}[a] = ZERO"
    yield f"paid = cuda.local.array({shape.simulators * shape.arms}, float32)"
    for name, kind in _drawn(shape):
        held = "uint32" if kind == "bits" else "float32"
        yield f"{name} = cuda.local.array({shape.arms}, {held})"
        yield f"{', '.join(name + m for m in MADE)} = {', '.join([nothing(kind)] * 4)}"


def opening_round(shape: Shape) -> Iterator[str]:
    """A round in which an arm takes its turn."""
    yield from _draws(shape)
    yield f"due = (done + r) % {shape.arms}"
    for cell, simulator, setting in shape.slots:
        yield f"turn({_given(shape, cell, 'due, ', simulator, setting)})"


def round_of(shape: Shape) -> Iterator[str]:
    """A round in which the rule chooses."""
    yield from _draws(shape)
    for cell, simulator, setting in shape.slots:
        yield f"play_cell({_given(shape, cell, '', simulator, setting)})"


def count(arm: int) -> str:
    """The pulls of an arm, as the function that keeps a cell sees them."""
    return f"pulls[at + {arm}]"


def _given(shape: Shape, cell: int, more: str, simulator: int, setting: int) -> str:
    drawn = "x" if shape.noise == "none" else "z"
    held, first = ", ".join(shape.kept), place(simulator * shape.arms)
    return f"{held}, {place(cell * shape.arms)}, {more}paid, {first}, now{setting}, {drawn}"


def _drawn(shape: Shape) -> Iterator[tuple[str, str]]:
    yield "x", shape.paid
    if shape.noise != "none":
        yield "z", shape.noise


def _draws(shape: Shape) -> Iterator[str]:
    arms, words = shape.arms, ("q0", "q1", "q2", "q3")
    yield f"for a in range({arms}):"
    yield f"    phase = ((done + r) * {arms} + a) & 3"
    yield "    if phase == 0:"
    yield f"        block = np.uint32(((done + r) * {arms} + a) >> 2)"
    for name, kind in _drawn(shape):
        key = "worlds" if name == "x" else "own"
        yield f"        q0, q1, q2, q3 = philox(block, replication, member, {key})"
        if kind == "normal":
            yield f"        {name}m0, {name}m1 = normals(q0, q1)"
            yield f"        {name}m2, {name}m3 = normals(q2, q3)"
        else:
            made = ", ".join(name + m for m in MADE)
            yield f"        {made} = {of_words(kind, words)}"
    for name, _ in _drawn(shape):
        low, high = (f"where(phase & 1 == 0, {name}m{i}, {name}m{i + 1})" for i in (0, 2))
        yield f"    {name}[a] = where(phase < 2, {low}, {high})"
    for s in range(shape.simulators):
        given = ", ".join(f"columns[world{s}, a, {i}]" for i in range(shape.columns))
        drawn = f"reward(x[a], Columns({given}), entries[world{s}, a])"
        yield f"    paid[{s * arms} + a] = single({drawn}) - center{s}"


def _arm(shape: Shape, *, both: str = "ZERO", number: str = "a") -> str:
    known = {field: f"{field}[at + {number}]" for field in shape.kept}
    if "root" in shape.keeps:
        known["root"] = root(shape, f"pulls[at + {number}]")
    known["pooled"] = both
    return arm_of(shape, f"single({number})", known, draw=f"z[{number}]", shared="z[0]")


def _pool(shape: Shape) -> Iterator[str]:
    yield "both = ZERO"
    if shape.pooling != "none":
        yield f"both = single(pool({_arm(shape, number='0')}, now))"
        yield f"for a in range(1, {shape.arms}):"
        more = f"single(pool({_arm(shape)}, now))"
        yield f"    both = {pooled(shape, 'both', more)}"


def _turn(shape: Shape) -> Iterator[str]:
    """The arm that is due is taken."""
    yield "chosen, x_of = 0, paid[first]"
    yield f"for a in range(1, {shape.arms}):"
    yield "    better = a == due"
    yield from TAKEN


def _choice(shape: Shape) -> Iterator[str]:
    yield f"best = single(choose({_arm(shape, both='both', number='0')}, now))"
    yield "chosen, x_of = 0, paid[first]"
    yield f"for a in range(1, {shape.arms}):"
    yield f"    index = single(choose({_arm(shape, both='both')}, now))"
    yield "    better = index > best"
    yield "    best = where(better, index, best)"
    yield from TAKEN


def _update(shape: Shape) -> Iterator[str]:
    yield f"for a in range({shape.arms}):"
    yield "    hit = chosen == a"
    at = "at + a"
    if "memory" in shape.keeps:
        told = f"{_arm(shape, both='both')}, now, where(hit, ONE, ZERO), x_of"
        yield f"    memory_of = single(update({told}))"
    for field in shape.kept:
        old = f"{field}[{at}]"
        grown = {
            "pulls": f"{old} + ONE",
            "total": f"{old} + x_of",
            "squares": f"{old} + x_of * x_of",
            "last": "ONE",
        }.get(field)
        if field == "memory":
            yield f"    {old} = memory_of"
        else:
            yield f"    {old} = where(hit, {grown}, {'ZERO' if field == 'last' else old})"
