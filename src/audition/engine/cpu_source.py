"""The text of a CPU kernel: how one rule is played in one family with a number of arms.

A kernel plays tasks. A task is sixteen replications of one member in a run of cells; it walks
through the horizon in blocks of rounds so short that draws, rewards and state stay in the
nearest cache. In a block the draws are made once for all cells, the rewards once for all cells of
a simulator, what `start` says once for all cells of a setting; then every cell plays the block
with its state in registers (two arms, several cells at a time, so that the chains of dependent
operations overlap) or in the cache (more arms).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, final

BLOCK: Final = 128  # rounds times arms in a block: draws and rewards fill half of a 32 KiB cache
FIELDS: Final = ("pulls", "total", "root", "squares", "memory", "last")


@final
@dataclass(frozen=True, slots=True)
class Shape:
    """Everything that the text of a kernel depends on."""

    arms: int
    keeps: tuple[str, ...]  # of FIELDS, in their order
    noise: str  # of the learner's draws
    paid: str  # of the family's draws
    opening: int
    pooling: str
    settings: int  # how many numbers
    columns: int
    nows: int
    abreast: int  # cells that play side by side

    @property
    def rounds(self) -> int:
        """Rounds in a block, a multiple of sixteen."""
        return max(BLOCK // self.arms // 16, 1) * 16

    @property
    def size(self) -> int:
        """Numbers of state that a cell keeps."""
        return len(self.keeps) * self.arms * 16


def text(shape: Shape) -> str:
    """The source of the kernel `play`."""
    rounds = _two_arms(shape) if shape.arms == 2 else _any_arms(shape)
    return "\n".join([*_starts(shape), *_rewards(shape), *rounds, *_play(shape)]) + "\n"


def _starts(shape: Shape) -> Iterator[str]:
    given = ", ".join(
        f"spot(settings, which * {shape.settings} + {i})" for i in range(shape.settings)
    )
    yield f"""
@piece
def starts(settings, which, nows, ramp, first, count, horizon):
    given = Settings({given})
    for at in range(0, count, 16):
        rounds = load(ramp, 0) + single(first + at)
        now = start(given, Clock(rounds, single(horizon), single({shape.arms})))"""
    for i in range(shape.nows):
        place = f"(which * {shape.nows} + {i}) * {shape.rounds} + at"
        yield f"        store(nows, {place}, numbers(now[{i}]))"


def _rewards(shape: Shape) -> Iterator[str]:
    base = f"(which * {shape.arms} + arm) * {shape.columns}"
    given = ", ".join(f"spot(columns, {base} + {i})" for i in range(shape.columns))
    yield f"""
@piece
def rewards(columns, entries, which, center, draws, paid, slot, count):
    for arm in range({shape.arms}):
        p = Columns({given})
        table = entries[which, arm]
        for r in range(count):
            at = (r * {shape.arms} + arm) * 16
            drawn = numbers(reward(load(draws, at), p, table))
            store(paid, slot + at, drawn - center)"""


def _arm(shape: Shape, number: str, names: dict[str, str], pooled: str, draw: str) -> str:
    kept = [names.get(field, "ZERO") if field in shape.keeps else "ZERO" for field in FIELDS]
    pulls, total, root, squares, memory, last = kept
    parts = (number, pulls, total, root, squares, memory, pooled, last, draw, _shared(shape))
    return f"Arm({', '.join(parts)})"


def _shared(shape: Shape) -> str:
    return "ZERO" if shape.noise == "none" else "z0"


def _now(shape: Shape, base: str) -> str:
    parts = (f"spot(nows, {base} + {i * shape.rounds} + r)" for i in range(shape.nows))
    return f"Now({', '.join(parts)})"


def _combined(shape: Shape, one: str, other: str) -> str:
    return f"{one} + {other}" if shape.pooling == "sum" else f"maximum({one}, {other})"


def _two_arms(shape: Shape) -> Iterator[str]:
    """Unrolled over the arms and over the cells abreast; the state lives in local variables."""
    cells = range(shape.abreast)
    yield "\n@piece\ndef rounds(state, nows, paid, noise, at, base, slot, first, count):"
    for j in cells:
        for f, field in enumerate(shape.keeps):
            for a in range(2):
                yield f"    {field}{j}{a} = load(state, at[{j}] + {(f * 2 + a) * 16})"
    yield "    for r in range(count):"
    yield "        t = first + r"
    yield "        before = numbers(single(t - 1))"
    if shape.noise != "none":
        yield "        z0, z1 = load(noise, r * 32), load(noise, r * 32 + 16)"
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
                yield f"    store(state, at[{j}] + {(f * 2 + a) * 16}, {field}{j}{a})"


def _two_arm_choice(shape: Shape, j: int) -> Iterator[str]:
    yield f"        now{j} = {_now(shape, f'base[{j}]')}"
    yield f"        pulls{j}1 = before - pulls{j}0"
    draws = ["ZERO", "ZERO"] if shape.noise == "none" else ["z0", "z1"]
    names = [{field: f"{field}{j}{a}" for field in FIELDS} for a in range(2)]
    pooled = "ZERO"
    if shape.pooling != "none":
        for a in range(2):
            arm = _arm(shape, f"single({a})", names[a], "ZERO", draws[a])
            yield f"        pool{j}{a} = numbers(pool({arm}, now{j}))"
        pooled = f"pooled{j}"
        yield f"        {pooled} = {_combined(shape, f'pool{j}0', f'pool{j}1')}"
    for a in range(2):
        yield f"        arm{j}{a} = {_arm(shape, f'single({a})', names[a], pooled, draws[a])}"
        yield f"        index{j}{a} = numbers(choose(arm{j}{a}, now{j}))"
    yield f"        hit{j} = index{j}0 >= index{j}1"


def _two_arm_update(shape: Shape, j: int) -> Iterator[str]:
    yield f"        w{j}0, w{j}1 = load(paid, slot[{j}] + r * 32), load(paid, slot[{j}] + r * 32 + 16)"
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
        for field, grown in (
            ("total", f"total{j}{a} + w{j}{a}"),
            ("squares", f"squares{j}{a} + w{j}{a} * w{j}{a}"),
            ("root", f"fresh{j}"),
            ("last", "ONE"),
        ):
            if field in shape.keeps:
                old = "ZERO" if field == "last" else f"{field}{j}{a}"
                order = f"{grown}, {old}" if a == 0 else f"{old}, {grown}"
                yield f"        {field}{j}{a} = where({hit}, {order})"


def _any_arms(shape: Shape) -> Iterator[str]:
    """Loops over the arms; the state lives in the cache."""
    arms = shape.arms
    at = {f: f"at[0] + ({i * arms} + a) * 16" for i, f in enumerate(shape.keeps)}
    loads = {field: f"load(state, {at[field]})" for field in shape.keeps}
    draw = "ZERO" if shape.noise == "none" else f"load(noise, (r * {arms} + a) * 16)"
    arm = _arm(shape, "single(a)", loads, "pooled", draw)
    yield "\n@piece\ndef rounds(state, nows, paid, noise, at, base, slot, first, count):"
    yield "    for r in range(count):"
    yield "        t = first + r"
    yield f"        now = {_now(shape, 'base[0]')}"
    yield "        pooled = numbers(ZERO)"
    if shape.noise != "none":
        yield f"        z0 = load(noise, r * {16 * arms})"
    if shape.pooling != "none":
        alone = _arm(shape, "single(a)", loads, "ZERO", draw)
        yield "        a = 0"
        yield f"        pooled = numbers(pool({alone}, now))"
        yield f"        for a in range(1, {arms}):"
        one = f"numbers(pool({alone}, now))"
        yield f"            pooled = {_combined(shape, 'pooled', one)}"
    yield from _any_arm_choice(shape, arm, loads)
    yield from _any_arm_update(shape, arm, loads, at)


def _any_arm_choice(shape: Shape, arm: str, loads: dict[str, str]) -> Iterator[str]:
    paid = f"load(paid, slot[0] + (r * {shape.arms} + a) * 16)"
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


def _play(shape: Shape) -> Iterator[str]:
    arms, rounds, size = shape.arms, shape.rounds, shape.size
    block = rounds * arms * 16
    learner = KIND_NUMBERS[shape.noise]
    raw = "raw" if shape.noise == "bits" else "noise"
    yield f"""
@piece
def keep(job, state, at, cell, mark, lane):
    center = job.centers[job.simulator[cell]]
    target = job.target[cell]
    for arm in range({arms}):
        pulls = load(state, at + arm * 16)
        total = load(state, at + ({arms} + arm) * 16) + center * pulls
        for i in range(16):
            if lane + i < job.pulls.shape[3]:
                job.pulls[target, mark, arm, lane + i] = part(pulls, i)
                job.totals[target, mark, arm, lane + i] = part(total, i)


@kernel
def play(job, begin, end):
    most = 0
    for task in range(begin, end):
        most = max(most, job.tasks[task, 2] - job.tasks[task, 1])
    ramp = np.arange(16).astype(np.float32)
    who = np.empty(17, np.uint32)
    draws, paid = np.empty({block}, np.float32), np.empty({block * shape.abreast}, np.float32)
    noise = np.empty({block if shape.noise in ("normal", "uniform") else 1}, np.float32)
    raw = np.empty({block if shape.noise == "bits" else 1}, np.uint32)
    nows = np.empty(max(job.count * {shape.nows * rounds}, 1), np.float32)
    made = np.empty(job.count, np.int64)
    state = np.empty(most * {size}, np.float32)
    held = np.empty({shape.abreast}, np.int64)
    at, base, slot = np.empty({shape.abreast}, np.int64), np.empty({shape.abreast}, np.int64), np.empty({shape.abreast}, np.int64)
    for task in range(begin, end):
        cell0, cell1, lane = job.tasks[task, 1], job.tasks[task, 2], job.tasks[task, 3]
        who[:16] = job.replications[lane : lane + 16]
        who[16] = job.tasks[task, 0]
        state[: (cell1 - cell0) * {size}] = single(0.0)
        done, mark = 0, 0
        while done < job.horizon:
            count = min(min({rounds}, job.horizon - done), job.marks[mark] - done)
            fill(draws, raw, {KIND_NUMBERS[shape.paid]}, done * {arms}, (done + count) * {arms}, who, job.world)
            if {learner}:
                fill(noise, raw, {learner}, done * {arms}, (done + count) * {arms}, who, job.own)
            made[:] = 0
            held[:] = -1
            for cell in range(cell0, cell1, {shape.abreast}):
                for j in range({shape.abreast}):
                    mine = min(cell + j, cell1 - 1)
                    which, setting = job.simulator[mine], job.setting[mine]
                    s = which % {shape.abreast}
                    at[j], base[j], slot[j] = (mine - cell0) * {size}, setting * {shape.nows * rounds}, s * {block}
                    if held[s] != which:
                        rewards(job.columns, job.entries, which, job.centers[which], draws, paid, slot[j], count)
                        held[s] = which
                    if made[setting] == 0:
                        starts(job.settings, setting, nows, ramp, done + 1, count, job.horizon)
                        made[setting] = 1
                rounds(state, nows, paid, {raw}, at, base, slot, done + 1, count)
            done += count
            if done == job.marks[mark]:
                for cell in range(cell0, cell1):
                    keep(job, state, (cell - cell0) * {size}, cell, mark, lane)
                mark += 1"""


KIND_NUMBERS: Final = {"none": 0, "normal": 1, "uniform": 2, "bits": 3}
