"""The text of a kernel's parts: what `start` says, what a simulator pays, how a rule plays.

A rule plays a block of rounds with its state in local variables (two arms, several cells at a time;
few arms, one cell, and several once it is played often) or in the cache (more arms).
"""

from collections.abc import Iterator

from audition.engine.cpu_few_arms import few_arms
from audition.engine.cpu_shape import (
    FIELDS,
    Shape,
    arm_of,
    combined_of,
    drawn_of,
    grown_of,
    now_of,
)


def start_text(*, settings: int, nows: int) -> str:
    """The source of what `start` says of a setting, round by round."""
    given = ", ".join(f"spot(settings, which * {settings} + {i})" for i in range(settings))
    lines = [
        f"""@kernel("starts")
def starts(settings, nows, horizon, arms, which, block, first, count):
    given = Settings({given})
    for at in range(0, count, 16):
        now = start(given, Clock(ramp() + single(first + at), horizon, arms))"""
    ]
    for i in range(nows):
        place = f"(which * {nows} + {i}) * block + at"
        lines.append(f"        store(nows, {place}, numbers(now[{i}]))")
    return "\n".join(lines) + "\n"


def reward_text(*, columns: int) -> str:
    """The source of a simulator's rewards in a block of rounds."""
    given = ", ".join(
        f"spot(columns, (which * arms + arm) * {columns} + {i})" for i in range(columns)
    )
    return f"""@kernel("rewards")
def rewards(columns, entries, draws, paid, center, which, size, arms, count):
    for arm in range(arms):
        p = Columns({given})
        table = pointer(entries, (which * arms + arm) * size), size
        for r in range(count):
            at = (r * arms + arm) * 16
            store(paid, at, numbers(reward(load(draws, at), p, table)) - center)
"""


def rounds_text(shape: Shape) -> str:
    """The source of a rule that plays a block of rounds in cells side by side."""
    if shape.arms == 2:
        lines = _two_arms(shape)
    else:
        lines = few_arms(shape) if shape.held else _any_arms(shape)
    head = """@kernel("rounds")
def rounds(state, nows, paid, noise, at, base, slot, first, count):"""
    return "\n".join([head, *lines]) + "\n"


def _two_arms(shape: Shape) -> Iterator[str]:
    """Unrolled over the arms and over the cells abreast; the state lives in local variables."""
    cells = range(shape.abreast)
    for j in cells:
        for f, field in enumerate(shape.keeps):
            for a in range(2):
                yield f"    {field}{j}{a} = load(state, spot(at, {j}) + {(f * 2 + a) * 16})"
    yield "    for r in range(count):"
    yield "        t = first + r"
    yield "        before = numbers(single(t - 1))"
    if shape.noise != "none":
        yield f"        z0, z1 = {drawn_of(shape, 'r * 32')}, {drawn_of(shape, 'r * 32 + 16')}"
    for j in cells:
        yield from _two_arm_choice(shape, j)
    yield f"        if t <= {2 * shape.opening}:"
    for j in cells:
        yield f"            hit{j} = mask((t - 1) % 2 == 0)"
    for j in cells:
        yield from _two_arm_update(shape, j)
    for j in cells:
        yield f"    pulls{j}1 = numbers(single(first + count - 1)) - pulls{j}0"
        for f, field in enumerate(shape.keeps):
            for a in range(2):
                yield f"    store(state, spot(at, {j}) + {(f * 2 + a) * 16}, {field}{j}{a})"


def _two_arm_choice(shape: Shape, j: int) -> Iterator[str]:
    yield f"        now{j} = {now_of(shape, f'spot(base, {j})')}"
    yield f"        pulls{j}1 = before - pulls{j}0"
    draws = ["ZERO", "ZERO"] if shape.noise == "none" else ["z0", "z1"]
    names = [{field: f"{field}{j}{a}" for field in FIELDS} for a in range(2)]
    pooled = "ZERO"
    if shape.pooling != "none":
        for a in range(2):
            arm = arm_of(shape, f"single({a})", names[a], "ZERO", draws[a])
            yield f"        pool{j}{a} = numbers(pool({arm}, now{j}))"
        pooled = f"pooled{j}"
        yield f"        {pooled} = {combined_of(shape, f'pool{j}0', f'pool{j}1')}"
    for a in range(2):
        yield f"        arm{j}{a} = {arm_of(shape, f'single({a})', names[a], pooled, draws[a])}"
        yield f"        index{j}{a} = numbers(choose(arm{j}{a}, now{j}))"
    yield f"        hit{j} = index{j}0 >= index{j}1"


def _two_arm_update(shape: Shape, j: int) -> Iterator[str]:
    yield f"        w{j}0 = load(paid, spot(slot, {j}) + r * 32)"
    yield f"        w{j}1 = load(paid, spot(slot, {j}) + r * 32 + 16)"
    if "memory" in shape.keeps:
        yield f"        x{j} = where(hit{j}, w{j}0, w{j}1)"
        for a in range(2):
            sign = ("ONE, ZERO", "ZERO, ONE")[a]
            hit = f"where(hit{j}, {sign})"
            yield f"        memory{j}{a} = numbers(update(arm{j}{a}, now{j}, {hit}, x{j}))"
    if "root" in shape.keeps:
        yield f"        fresh{j} = inverse_root(where(hit{j}, pulls{j}0, pulls{j}1) + ONE)"
    yield f"        pulls{j}0 = where(hit{j}, pulls{j}0 + ONE, pulls{j}0)"
    for a in range(2):
        hit = f"hit{j}"
        for field, grown in grown_of(f"{j}{a}", fresh=f"fresh{j}"):
            if field in shape.keeps:
                old = "ZERO" if field == "last" else f"{field}{j}{a}"
                order = f"{grown}, {old}" if a == 0 else f"{old}, {grown}"
                yield f"        {field}{j}{a} = where({hit}, {order})"


def _any_arms(shape: Shape) -> Iterator[str]:
    """Loops over the arms; the state lives in the cache."""
    arms = shape.arms
    at = {f: f"spot(at, 0) + ({i * arms} + a) * 16" for i, f in enumerate(shape.keeps)}
    loads = {field: f"load(state, {at[field]})" for field in shape.keeps}
    draw = "ZERO" if shape.noise == "none" else drawn_of(shape, f"(r * {arms} + a) * 16")
    arm = arm_of(shape, "single(a)", loads, "pooled", draw)
    yield "    for r in range(count):"
    yield "        t = first + r"
    yield f"        now = {now_of(shape, 'spot(base, 0)')}"
    yield "        pooled = numbers(ZERO)"
    if shape.noise != "none":
        yield f"        z0 = {drawn_of(shape, f'r * {16 * arms}')}"
    if shape.pooling != "none":
        alone = arm_of(shape, "single(a)", loads, "ZERO", draw)
        yield "        a = 0"
        yield f"        pooled = numbers(pool({alone}, now))"
        yield f"        for a in range(1, {arms}):"
        one = f"numbers(pool({alone}, now))"
        yield f"            pooled = {combined_of(shape, 'pooled', one)}"
    yield from _any_arm_choice(shape, arm, loads)
    yield from _any_arm_update(shape, arm, loads, at)


def _any_arm_choice(shape: Shape, arm: str, loads: dict[str, str]) -> Iterator[str]:
    paid = f"load(paid, spot(slot, 0) + (r * {shape.arms} + a) * 16)"
    yield "        a = 0"
    yield f"        best = numbers(choose({arm}, now))"
    yield f"        chosen, count_of, x = numbers(ZERO), {loads['pulls']}, {paid}"
    yield f"        for a in range(1, {shape.arms}):"
    yield f"            index = numbers(choose({arm}, now))"
    yield "            better = index > best"
    yield "            best = where(better, index, best)"
    yield "            chosen = where(better, single(a), chosen)"
    yield f"            count_of = where(better, {loads['pulls']}, count_of)"
    yield f"            x = where(better, {paid}, x)"
    yield f"        if t <= {shape.arms * shape.opening}:"
    yield f"            a = (t - 1) % {shape.arms}"
    yield f"            chosen, count_of, x = numbers(single(a)), {loads['pulls']}, {paid}"


def _any_arm_update(
    shape: Shape, arm: str, loads: dict[str, str], at: dict[str, str]
) -> Iterator[str]:
    if "root" in shape.keeps:
        yield "        fresh = inverse_root(count_of + ONE)"
    yield f"        for a in range({shape.arms}):"
    yield "            hit = chosen == single(a)"
    if "memory" in shape.keeps:
        fresh = f"numbers(update({arm}, now, where(hit, ONE, ZERO), x))"
        yield f"            memory = {fresh}"
    for field, grown in (
        ("pulls", "{old} + ONE"),
        ("total", "{old} + x"),
        ("squares", "{old} + x * x"),
        ("root", "fresh"),
        ("last", "ONE"),
    ):
        if field in shape.keeps:
            old = loads[field]
            least = "ZERO" if field == "last" else old
            value = f"where(hit, {grown.format(old=old)}, {least})"
            yield f"            store(state, {at[field]}, {value})"
    if "memory" in shape.keeps:
        yield f"            store(state, {at['memory']}, memory)"
