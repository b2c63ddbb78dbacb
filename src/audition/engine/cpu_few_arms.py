"""The rounds of a rule on few arms, at least three: unrolled over arms and cells abreast."""

from collections.abc import Iterator

from audition.engine.cpu_shape import (
    FIELDS,
    Shape,
    arm_of,
    combined_of,
    drawn_of,
    grown_of,
    now_of,
)


def few_arms(shape: Shape) -> Iterator[str]:
    """The body of `rounds`, cell by cell and arm by arm; the state lives in local variables."""
    arms, cells = range(shape.arms), range(shape.abreast)
    for j in cells:
        for name, place in _state(shape, j):
            yield f"    {name} = load(state, {place})"
    yield "    for r in range(count):"
    yield "        t = first + r"
    if shape.noise != "none":
        for a in arms:
            yield f"        z{a} = {drawn_of(shape, f'(r * {shape.arms} + {a}) * 16')}"
    for j in cells:
        yield from _choice(shape, j)
    for j in cells:
        yield from _hits(shape, j)
    yield f"        if t <= {shape.arms * shape.opening}:"
    for j in cells:
        for a in arms:
            yield f"            hit{j}{a} = mask((t - 1) % {shape.arms} == {a})"
    for j in cells:
        yield from _update(shape, j)
    for j in cells:
        for name, place in _state(shape, j):
            yield f"    store(state, {place}, {name})"


def _state(shape: Shape, j: int) -> Iterator[tuple[str, str]]:
    """The names of what is kept of a cell, and where it lies between two blocks."""
    for f, field in enumerate(shape.keeps):
        for a in range(shape.arms):
            yield f"{field}{j}{a}", f"spot(at, {j}) + {(f * shape.arms + a) * 16}"


def _choice(shape: Shape, j: int) -> Iterator[str]:
    """Every arm's index, and whether it is larger than all before it."""
    arms = range(shape.arms)
    names = [{field: f"{field}{j}{a}" for field in FIELDS} for a in arms]
    draws = ["ZERO" if shape.noise == "none" else f"z{a}" for a in arms]
    yield f"        now{j} = {now_of(shape, f'spot(base, {j})')}"
    pooled = "ZERO"
    if shape.pooling != "none":
        pooled = f"pooled{j}"
        for a in arms:
            alone = arm_of(shape, f"single({a})", names[a], "ZERO", draws[a])
            one = f"numbers(pool({alone}, now{j}))"
            yield f"        {pooled} = {combined_of(shape, pooled, one) if a else one}"
    for a in arms:
        yield f"        arm{j}{a} = {arm_of(shape, f'single({a})', names[a], pooled, draws[a])}"
        yield f"        index{j}{a} = numbers(choose(arm{j}{a}, now{j}))"
    yield f"        best{j} = index{j}0"
    for a in arms[1:]:
        yield f"        hit{j}{a} = index{j}{a} > best{j}"
        yield f"        best{j} = maximum(index{j}{a}, best{j})"


def _hits(shape: Shape, j: int) -> Iterator[str]:
    """Which arm is pulled: the last that was larger than all before it."""
    arms = range(shape.arms)
    yield f"        taken{j} = hit{j}{arms[-1]}"
    for a in reversed(arms[1:-1]):
        yield f"        hit{j}{a} = hit{j}{a} & ~taken{j}"
        yield f"        taken{j} = taken{j} | hit{j}{a}"
    yield f"        hit{j}0 = ~taken{j}"


def _update(shape: Shape, j: int) -> Iterator[str]:
    """What is kept of every arm."""
    arms = range(shape.arms)
    for a in arms:
        yield f"        w{j}{a} = load(paid, spot(slot, {j}) + (r * {shape.arms} + {a}) * 16)"
    if "memory" in shape.keeps:
        yield f"        x{j} = {_picked(shape, 'w', j)}"
        for a in arms:
            hit = f"where(hit{j}{a}, ONE, ZERO)"
            yield f"        memory{j}{a} = numbers(update(arm{j}{a}, now{j}, {hit}, x{j}))"
    if "root" in shape.keeps:
        yield f"        fresh{j} = inverse_root({_picked(shape, 'pulls', j)} + ONE)"
    for a in arms:
        pulled = ("pulls", f"pulls{j}{a} + ONE")
        for field, grown in (pulled, *grown_of(f"{j}{a}", fresh=f"fresh{j}")):
            if field in shape.keeps:
                old = "ZERO" if field == "last" else f"{field}{j}{a}"
                yield f"        {field}{j}{a} = where(hit{j}{a}, {grown}, {old})"


def _picked(shape: Shape, name: str, j: int) -> str:
    """The pulled arm's number."""
    picked = f"{name}{j}0"
    for a in range(1, shape.arms):
        picked = f"where(hit{j}{a}, {name}{j}{a}, {picked})"
    return picked
