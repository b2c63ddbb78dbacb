"""The rounds of a rule on three to eight arms: unrolled, with one cell's state in registers."""

from collections.abc import Iterator

from audition.engine.cpu_shape import FIELDS, Shape, arm_of, combined_of, drawn_of, now_of


def few_arms(shape: Shape) -> Iterator[str]:
    """The body of `rounds`, arm by arm."""
    arms = range(shape.arms)
    for f, field in enumerate(shape.keeps):
        for a in arms:
            yield f"    {field}{a} = load(state, spot(at, 0) + {(f * shape.arms + a) * 16})"
    yield "    for r in range(count):"
    yield "        t = first + r"
    yield f"        now = {now_of(shape, 'spot(base, 0)')}"
    if shape.noise != "none":
        for a in arms:
            yield f"        z{a} = {drawn_of(shape, f'(r * {shape.arms} + {a}) * 16')}"
    yield from _choice(shape)
    yield from _hits(shape)
    yield from _update(shape)
    for f, field in enumerate(shape.keeps):
        for a in arms:
            yield f"    store(state, spot(at, 0) + {(f * shape.arms + a) * 16}, {field}{a})"


def _choice(shape: Shape) -> Iterator[str]:
    """Every arm's index, and whether it is larger than all before it."""
    arms = range(shape.arms)
    names = [{field: f"{field}{a}" for field in FIELDS} for a in arms]
    draws = ["ZERO" if shape.noise == "none" else f"z{a}" for a in arms]
    pooled = "ZERO"
    if shape.pooling != "none":
        pooled = "pooled"
        for a in arms:
            one = f"numbers(pool({arm_of(shape, f'single({a})', names[a], 'ZERO', draws[a])}, now))"
            yield f"        pooled = {combined_of(shape, 'pooled', one) if a else one}"
    for a in arms:
        yield f"        arm{a} = {arm_of(shape, f'single({a})', names[a], pooled, draws[a])}"
        yield f"        index{a} = numbers(choose(arm{a}, now))"
    yield "        best = index0"
    for a in arms[1:]:
        yield f"        hit{a} = index{a} > best"
        yield f"        best = where(hit{a}, index{a}, best)"


def _hits(shape: Shape) -> Iterator[str]:
    """Which arm is pulled: the last that was larger than all before it; in the opening its turn."""
    arms = range(shape.arms)
    yield f"        taken = hit{arms[-1]}"
    for a in reversed(arms[1:-1]):
        yield f"        hit{a} = hit{a} & ~taken"
        yield f"        taken = taken | hit{a}"
    yield "        hit0 = ~taken"
    yield f"        if t <= {shape.arms * shape.opening}:"
    for a in arms:
        yield f"            hit{a} = mask((t - 1) % {shape.arms} == {a})"


def _update(shape: Shape) -> Iterator[str]:
    """What is kept of every arm."""
    arms = range(shape.arms)
    for a in arms:
        yield f"        w{a} = load(paid, spot(slot, 0) + (r * {shape.arms} + {a}) * 16)"
    if "memory" in shape.keeps:
        yield f"        x = {_picked(shape, 'w')}"
        for a in arms:
            hit = f"where(hit{a}, ONE, ZERO)"
            yield f"        memory{a} = numbers(update(arm{a}, now, {hit}, x))"
    if "root" in shape.keeps:
        yield f"        fresh = inverse_root({_picked(shape, 'pulls')} + ONE)"
    for a in arms:
        for field, grown in (
            ("pulls", f"pulls{a} + ONE"),
            ("total", f"total{a} + w{a}"),
            ("squares", f"squares{a} + w{a} * w{a}"),
            ("root", "fresh"),
            ("last", "ONE"),
        ):
            if field in shape.keeps:
                old = "ZERO" if field == "last" else f"{field}{a}"
                yield f"        {field}{a} = where(hit{a}, {grown}, {old})"


def _picked(shape: Shape, name: str) -> str:
    """The pulled arm's number."""
    picked = f"{name}0"
    for a in range(1, shape.arms):
        picked = f"where(hit{a}, {name}{a}, {picked})"
    return picked
