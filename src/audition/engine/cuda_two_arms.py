"""The text of one round of two arms: everything is a local variable, so it lives in registers.

Four draws come from one block of the generator, which is two rounds of two arms: the second pair
waits in registers for the second round. The pulls of the second arm are the rounds so far less
those of the first.
"""

from collections.abc import Iterator

from audition.engine.cuda_shape import FIELDS, Shape, arm_of, nothing, of_words, pooled, root


def state(shape: Shape) -> Iterator[str]:
    """What a thread holds before the first round."""
    yield "    before = ZERO"
    for simulator in range(shape.simulators):
        for arm in range(2):
            given = (f"columns[world{simulator}, {arm}, {i}]" for i in range(shape.columns))
            yield f"    columns{simulator}_{arm} = Columns({', '.join(given)})"
            yield f"    table{simulator}_{arm} = entries[world{simulator}, {arm}]"
    for name, kind in _drawn(shape):
        yield f"    {name}2, {name}3 = {nothing(kind)}, {nothing(kind)}"
    for cell, _, _ in shape.slots:
        for field in shape.kept:
            for arm in range(2):
                yield f"    {field}{cell}_{arm} = ZERO"


def opening_round(shape: Shape) -> Iterator[str]:
    """A round in which both arms take their turns."""
    yield from _draws(shape)
    yield "hit = (done + r) & 1 == 0"
    for cell, simulator, setting in shape.slots:
        if "memory" in shape.keeps:  # only `update` looks at the arms of such a round
            yield from _arms(shape, cell, setting)
        yield from _update(shape, cell, simulator, setting)
    yield "before += ONE"


def round_of(shape: Shape) -> Iterator[str]:
    """A round in which the rule chooses."""
    yield from _draws(shape)
    for cell, simulator, setting in shape.slots:
        yield from _arms(shape, cell, setting)
        yield from _choice(setting)
        yield from _update(shape, cell, simulator, setting)
    yield "before += ONE"


def kept(shape: Shape, cell: int, arm: int) -> tuple[str, str]:
    """The pulls and the total of an arm, at a checkpoint."""
    first = f"pulls{cell}_0"
    return first if arm == 0 else f"before - {first}", f"total{cell}_{arm}"


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
        yield f"    q0, q1, q2, q3 = philox(block, replication, member, {_key(name)})"
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


def _key(name: str) -> str:
    return "worlds" if name == "x" else "own"


def _arms(shape: Shape, cell: int, setting: int) -> Iterator[str]:
    yield f"pulls{cell}_1 = before - pulls{cell}_0"
    for arm in range(2):
        known = {field: f"{field}{cell}_{arm}" for field in FIELDS if field in shape.keeps}
        if "root" in shape.keeps:
            known["root"] = f"root{arm}"
            yield f"root{arm} = {root(shape, f'pulls{cell}_{arm}')}"
        told = arm_of(shape, f"single({arm})", known, draw=f"z{arm}", shared="z0")
        yield f"arm{arm} = {told}"
    if shape.pooling != "none":
        one, other = (f"single(pool(arm{arm}, now{setting}))" for arm in range(2))
        yield f"both = {pooled(shape, one, other)}"
        for arm in range(2):
            fields = ("number", *FIELDS[:5], "both", "last", "draw", "shared")
            parts = (name if name == "both" else f"arm{arm}.{name}" for name in fields)
            yield f"arm{arm} = Arm({', '.join(parts)})"


def _choice(setting: int) -> Iterator[str]:
    one, other = (f"single(choose(arm{arm}, now{setting}))" for arm in range(2))
    yield f"hit = {one} >= {other}"


def _update(shape: Shape, cell: int, simulator: int, setting: int) -> Iterator[str]:
    w0, w1 = f"paid{simulator}_0", f"paid{simulator}_1"
    if "memory" in shape.keeps:
        yield f"x = where(hit, {w0}, {w1})"
        for arm, sign in enumerate(("ONE, ZERO", "ZERO, ONE")):
            told = f"arm{arm}, now{setting}, where(hit, {sign}), x"
            yield f"memory{cell}_{arm} = single(update({told}))"
    pulls = f"pulls{cell}_0"
    yield f"{pulls} = where(hit, {pulls} + ONE, {pulls})"
    for arm, paid in enumerate((w0, w1)):
        for field in shape.kept:
            name = f"{field}{cell}_{arm}"
            grown = {
                "total": f"{name} + {paid}",
                "squares": f"{name} + {paid} * {paid}",
                "last": "ONE",
            }.get(field)
            if grown is not None:
                old = "ZERO" if field == "last" else name
                order = f"{grown}, {old}" if arm == 0 else f"{old}, {grown}"
                yield f"{name} = where(hit, {order})"
