"""Columns out of a data frame of any make, without depending on the package it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from audition.columns import Column
from audition.errors import LogError


def frame_columns(frame: Any, names: Sequence[str]) -> Mapping[str, Column]:
    """The named columns of a frame; the Arrow C stream follows in the next change."""
    try:
        return {name: np.asarray(frame[name]) for name in names}
    except (KeyError, TypeError, ValueError) as error:
        raise LogError(f"the frame should hold the columns {list(names)}; got {error}") from None
