"""All episodes of a log identified, in parallel, each computed once.

An episode's curve is a function of its own content, the model and the settings, whoever computes
it and when. So episodes go to threads (MuJoCo steps without the interpreter's lock) one by one, and
this process fits none of them twice. Given a cache, an identification that is stopped goes on where
it was; without one it starts anew in the next process.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from audition.errors import AuditionError, FamilyError, LogError
from audition.identification.cache import CurveCache
from audition.identification.curves import Curves, EpisodeCurve
from audition.identification.least_squares import (
    EpisodeFit,
    Transitions,
    least_squares,
    next_state_spread,
)
from audition.identification.settings import IdentificationSettings
from audition.identification.simex import simex
from audition.trajectories import Episode, Trajectories

if TYPE_CHECKING:
    from audition.mujoco_model.settings import MujocoSettings

FloatArray = NDArray[np.float64]
_DEFAULT: Final = IdentificationSettings()
_VERSION: Final = "audition-curve-1"
_REMEMBERED: Final = 20_000  # curves of about 1 kB


def identify(
    robot: MujocoSettings,
    log: Trajectories,
    *,
    settings: IdentificationSettings = _DEFAULT,
    jobs: int = 1,
    cache: CurveCache | None = None,
) -> Curves:
    """The SIMEX curve of every episode of a log; `jobs` threads, 0 for one on every core."""
    from audition.mujoco_model.sensor import sensor_scale
    from audition.mujoco_model.transitions import TransitionModel

    model = TransitionModel(robot)
    model.check(log.states, log.actions)
    noise = robot.sensor.relative * sensor_scale(robot)
    prefix = _prefix(robot, noise, settings)
    one = partial(
        _remembered,
        compute=partial(
            episode_curve, model, noise=noise, parameters=len(robot.names), settings=settings
        ),
        prefix=prefix,
        cache=cache,
    )
    box = settings.least_squares
    return Curves(robot.names, tuple(_map(one, list(log), jobs=jobs)), box.low, box.high)


def curves_of(
    model: Transitions,
    log: Trajectories,
    *,
    noise: FloatArray,
    parameters: int,
    settings: IdentificationSettings = _DEFAULT,
    jobs: int = 1,
) -> list[EpisodeCurve]:
    """The curve of every episode under any model, with nothing kept."""
    compute = partial(episode_curve, model, noise=noise, parameters=parameters, settings=settings)
    return _map(partial(_told, compute=compute), list(log), jobs=jobs)


def episode_curve(
    model: Transitions,
    episode: Episode,
    *,
    noise: FloatArray,
    parameters: int,
    settings: IdentificationSettings = _DEFAULT,
) -> EpisodeCurve:
    """One episode's curve, with what the fit to the log as it is knows of each parameter."""
    fits: list[EpisodeFit] = []
    scale = next_state_spread(episode) if settings.simex.scale == "log" else None

    def estimator(copy: Episode) -> FloatArray:
        fit = least_squares(
            model, copy, parameters=parameters, scale=scale, settings=settings.least_squares
        )
        fits.append(fit)
        return fit.values

    curve = simex(estimator, episode, noise=noise, settings=settings.simex)
    first = fits[0]
    return EpisodeCurve(
        multipliers=curve.multipliers,
        values=curve.values,
        information=first.information,
        squares=first.squares,
        residuals=first.residuals,
        evaluations=sum(fit.evaluations for fit in fits),
    )


class _Memory:
    """The curves of this process, the least recently used forgotten first."""

    def __init__(self) -> None:
        self._curves: OrderedDict[str, EpisodeCurve] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str) -> EpisodeCurve | None:
        with self._lock:
            if key in self._curves:
                self._curves.move_to_end(key)
            return self._curves.get(key)

    def put(self, key: str, curve: EpisodeCurve) -> None:
        with self._lock:
            self._curves[key] = curve
            if len(self._curves) > _REMEMBERED:
                self._curves.popitem(last=False)


_MEMORY: Final = _Memory()


def _told(numbered: tuple[int, Episode], *, compute: partial[EpisodeCurve]) -> EpisodeCurve:
    """An episode's curve, or its number in the error."""
    number, episode = numbered
    try:
        return compute(episode)
    except (LogError, FamilyError) as error:
        raise type(error)(f"episode {number}: {error}") from error


def _remembered(
    numbered: tuple[int, Episode],
    *,
    compute: partial[EpisodeCurve],
    prefix: str,
    cache: CurveCache | None,
) -> EpisodeCurve:
    number, episode = numbered
    key = hashlib.sha256(f"{prefix}/{episode.digest}".encode()).hexdigest()
    found = _MEMORY.get(key)
    stored = None if cache is None else cache.load(key)
    if found is None and stored is None:
        found = _told((number, episode), compute=compute)
    curve = stored or found
    assert curve is not None
    _MEMORY.put(key, curve)
    if cache is not None and stored is None:
        cache.save(key, curve)
    return curve


def _map(one: partial[EpisodeCurve], episodes: list[Episode], *, jobs: int) -> list[EpisodeCurve]:
    """The longest episodes first, so that no core is left with a long one at the end."""
    workers = min(jobs or os.cpu_count() or 1, len(episodes))
    order = sorted(range(len(episodes)), key=lambda number: -episodes[number].steps)
    if workers <= 1:
        return [one((number, episode)) for number, episode in enumerate(episodes)]
    found: dict[int, EpisodeCurve] = {}
    with ThreadPoolExecutor(workers) as pool:
        futures = {number: pool.submit(one, (number, episodes[number])) for number in order}
        try:
            for number in range(len(episodes)):
                found[number] = futures[number].result()
        except (AuditionError, KeyboardInterrupt):
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return [found[number] for number in range(len(episodes))]


def _prefix(robot: MujocoSettings, noise: FloatArray, settings: IdentificationSettings) -> str:
    """Everything but the episode that a curve depends on."""
    from audition.mujoco_model.source import frame_skip, model_digest, skipped_positions

    conventions = robot.conventions
    physics = (conventions.inertia, conventions.constants, conventions.islands)
    fields = tuple((parameter.name, parameter.field) for parameter in robot.parameters)
    parts = (
        _VERSION,
        model_digest(robot),
        frame_skip(robot),
        skipped_positions(robot),
        physics,
        fields,
        noise.tobytes().hex(),
        asdict(settings),
    )
    return repr(parts)
