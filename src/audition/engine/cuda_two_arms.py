"""The text of one round of two arms.

Four draws come from one block of the generator, which is two rounds of two arms: the second pair
waits in registers for the second round. The pulls of the second arm are the rounds so far less
those of the first. What a cell keeps lies in small arrays; every place in them is a constant once
the functions of a cell are inlined, so it lives in registers.
"""

from collections.abc import Iterator

from audition.engine.cuda_shape import FIELDS, Shape, arm_of, nothing, of_words, place, pooled, root


def functions(shape: Shape) -> Iterator[str]:
    """What one cell does in a round, compiled once for all cells."""
    held = ", ".join(shape.kept)
    yield f"@piece\ndef turn({held}, at, hit, before, paid0, paid1, now, z0, z1):"
    lines = [*_loads(shape), *(_arms(shape) if "memory" in shape.keeps else ()), *_update(shape)]
    yield from (f"    {line}" for line in lines)
    yield f"@piece\ndef play_cell({held}, at, before, paid0, paid1, now, z0, z1):"
    lines = [*_loads(shape), *_arms(shape), *_choice(), *_update(shape)]
    yield from (f"    {line}" for line in lines)


def state(shape: Shape) -> Iterator[str]:
    """What a thread holds before the first round."""
    yield "before = ZERO"
    for simulator in range(shape.simulators):
        for arm in range(2):
            given = (f"columns[world{simulator}, {arm}, {i}]" for i in range(shape.columns))
            yield f"columns{simulator}_{arm} = Columns({', '.join(given)})"
            yield f"table{simulator}_{arm} = entries[world{simulator}, {arm}]"
    for name, kind in _drawn(shape):
        yield f"{name}2, {name}3 = {nothing(kind)}, {nothing(kind)}"
    for field in shape.kept:
        yield f"{field} = cuda.local.array({2 * shape.places}, float32)"
        yield f"for at in range({2 * shape.places}):"
        yield f"    {field}[at] = ZERO"


def opening_round(shape: Shape) -> Iterator[str]:
    """A round in which both arms take their turns."""
    yield from _draws(shape)
    yield "hit = (done + r) & 1 == 0"
    for cell, simulator, setting in shape.slots:
        yield f"turn({_given(shape, cell, simulator, setting, 'hit, before')})"
    yield "before += ONE"


def round_of(shape: Shape) -> Iterator[str]:
    """A round in which the rule chooses."""
    yield from _draws(shape)
    for cell, simulator, setting in shape.slots:
        yield f"play_cell({_given(shape, cell, simulator, setting, 'before')})"
    yield "before += ONE"


def count(arm: int) -> str:
    """The pulls of an arm, as the function that keeps a cell sees them."""
    return "pulls[at]" if arm == 0 else "before - pulls[at]"


def _given(shape: Shape, cell: int, simulator: int, setting: int, more: str) -> str:
    paid = f"paid{simulator}_0, paid{simulator}_1"
    drawn = "ZERO, ZERO" if shape.noise == "none" else "z0, z1"
    return f"{', '.join(shape.kept)}, {place(2 * cell)}, {more}, {paid}, now{setting}, {drawn}"


def _drawn(shape: Shape) -> Iterator[tuple[str, str]]:
    """Names and kinds of the draws that are made."""
    yield "x", shape.paid
    if shape.noise != "none":
        yield "z", shape.noise


def _draws(shape: Shape) -> Iterator[str]:
    words = ("q0", "q1", "q2", "q3")
    yield "if (done + r) & 1 == 0:"
    yield "    block = np.uint32((done + r) >> 1)"
    for name, kind in _drawn(shape):
        key = "worlds" if name == "x" else "own"
        yield f"    q0, q1, q2, q3 = philox(block, replication, member, {key})"
        if kind == "normal":
            yield f"    {name}0, {name}1 = normals(q0, q1)"
            yield f"    {name}2, {name}3 = normals(q2, q3)"
        else:
            yield f"    {name}0, {name}1, {name}2, {name}3 = {of_words(kind, words)}"
    yield "else:"
    for name, _ in _drawn(shape):
        yield f"    {name}0, {name}1 = {name}2, {name}3"
    for simulator in range(shape.simulators):
        for arm in range(2):
            given = f"x{arm}, columns{simulator}_{arm}, table{simulator}_{arm}"
            yield f"paid{simulator}_{arm} = single(reward({given})) - center{simulator}"


def _loads(shape: Shape) -> Iterator[str]:
    yield "pulls0 = pulls[at]"
    yield "pulls1 = before - pulls0"
    for field in shape.kept:
        if field != "pulls":
            yield f"{field}0, {field}1 = {field}[at], {field}[at + 1]"


def _arms(shape: Shape) -> Iterator[str]:
    for arm in range(2):
        known = {field: f"{field}{arm}" for field in FIELDS if field in shape.keeps}
        if "root" in shape.keeps:
            yield f"root{arm} = {root(shape, f'pulls{arm}')}"
        told = arm_of(shape, f"single({arm})", known, draw=f"z{arm}", shared="z0")
        yield f"arm{arm} = {told}"
    if shape.pooling != "none":
        one, other = (f"single(pool(arm{arm}, now))" for arm in range(2))
        yield f"both = {pooled(shape, one, other)}"
        for arm in range(2):
            fields = ("number", *FIELDS[:5], "both", "last", "draw", "shared")
            parts = (name if name == "both" else f"arm{arm}.{name}" for name in fields)
            yield f"arm{arm} = Arm({', '.join(parts)})"


def _choice() -> Iterator[str]:
    one, other = (f"single(choose(arm{arm}, now))" for arm in range(2))
    yield f"hit = {one} >= {other}"


def _update(shape: Shape) -> Iterator[str]:
    if "memory" in shape.keeps:
        yield "x = where(hit, paid0, paid1)"
        for arm, sign in enumerate(("ONE, ZERO", "ZERO, ONE")):
            told = f"arm{arm}, now, where(hit, {sign}), x"
            yield f"memory[at + {arm}] = single(update({told}))"
    yield "pulls[at] = where(hit, pulls0 + ONE, pulls0)"
    for arm in range(2):
        for field in shape.kept:
            old = f"{field}{arm}"
            grown = {
                "total": f"{old} + paid{arm}",
                "squares": f"{old} + paid{arm} * paid{arm}",
                "last": "ONE",
            }.get(field)
            if grown is not None:
                least = "ZERO" if field == "last" else old
                order = f"{grown}, {least}" if arm == 0 else f"{least}, {grown}"
                yield f"{field}[at + {arm}] = where(hit, {order})"
