"""The text of one round of any number of arms: loops over the arms, unrolled by the compiler.

What a thread holds is in small arrays of its own; where the loops unroll, they become registers.
"""

from collections.abc import Iterator
from typing import Final

from audition.engine.cuda_shape import Shape, arm_of, nothing, of_words, pooled, root

MADE: Final = ("m0", "m1", "m2", "m3")


def state(shape: Shape) -> Iterator[str]:
    """What a thread holds before the first round."""
    size = shape.simulators * shape.cells * shape.arms
    for field in shape.kept:
        yield f"    {field} = cuda.local.array({size}, float32)"
        yield f"    for a in range({size}):"
        yield f"        {field}[a] = ZERO"
    yield f"    paid = cuda.local.array({shape.simulators * shape.arms}, float32)"
    for name, kind in _drawn(shape):
        held = "uint32" if kind == "bits" else "float32"
        yield f"    {name} = cuda.local.array({shape.arms}, {held})"
        yield f"    {', '.join(name + m for m in MADE)} = {', '.join([nothing(kind)] * 4)}"


def opening_round(shape: Shape) -> Iterator[str]:
    """A round in which an arm takes its turn."""
    yield from _draws(shape)
    yield f"turn = (done + r) % {shape.arms}"
    for cell, simulator, setting in shape.slots:
        yield from _pool(shape, cell, setting)
        yield from _first(shape, simulator)
        yield f"for a in range(1, {shape.arms}):"
        yield "    better = a == turn"
        yield from _taken(shape, simulator)
        yield from _update(shape, cell, setting)


def round_of(shape: Shape) -> Iterator[str]:
    """A round in which the rule chooses."""
    yield from _draws(shape)
    for cell, simulator, setting in shape.slots:
        yield from _choice(shape, cell, simulator, setting)
        yield from _update(shape, cell, setting)


def kept(shape: Shape, cell: int, arm: int) -> tuple[str, str]:
    """The pulls and the total of an arm, at a checkpoint."""
    at = cell * shape.arms + arm
    return f"pulls[{at}]", f"total[{at}]"


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


def _arm(shape: Shape, cell: int, *, both: str = "ZERO", number: str = "a") -> str:
    at = f"{cell * shape.arms} + {number}"
    known = {field: f"{field}[{at}]" for field in shape.kept}
    if "root" in shape.keeps:
        known["root"] = root(shape, f"pulls[{at}]")
    known["pooled"] = both
    return arm_of(shape, f"single({number})", known, draw=f"z[{number}]", shared="z[0]")


def _pool(shape: Shape, cell: int, setting: int) -> Iterator[str]:
    yield "both = ZERO"
    if shape.pooling != "none":
        first = _arm(shape, cell, number="0")
        yield f"both = single(pool({first}, now{setting}))"
        yield f"for a in range(1, {shape.arms}):"
        more = f"single(pool({_arm(shape, cell)}, now{setting}))"
        yield f"    both = {pooled(shape, 'both', more)}"


def _choice(shape: Shape, cell: int, simulator: int, setting: int) -> Iterator[str]:
    yield from _pool(shape, cell, setting)
    first = _arm(shape, cell, both="both", number="0")
    yield f"best = single(choose({first}, now{setting}))"
    yield from _first(shape, simulator)
    yield f"for a in range(1, {shape.arms}):"
    yield f"    index = single(choose({_arm(shape, cell, both='both')}, now{setting}))"
    yield "    better = index > best"
    yield "    best = where(better, index, best)"
    yield from _taken(shape, simulator)


def _first(shape: Shape, simulator: int) -> Iterator[str]:
    """The first arm is the one to pull, so far."""
    yield f"chosen, x_of = 0, paid[{simulator * shape.arms}]"


def _taken(shape: Shape, simulator: int) -> Iterator[str]:
    """Another arm instead, where it is better."""
    yield "    chosen = where(better, a, chosen)"
    yield f"    x_of = where(better, paid[{simulator * shape.arms} + a], x_of)"


def _update(shape: Shape, cell: int, setting: int) -> Iterator[str]:
    yield f"for a in range({shape.arms}):"
    yield "    hit = chosen == a"
    at = f"{cell * shape.arms} + a"
    if "memory" in shape.keeps:
        told = f"{_arm(shape, cell, both='both')}, now{setting}, where(hit, ONE, ZERO), x_of"
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
