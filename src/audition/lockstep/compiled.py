"""How the kernels of the lock step are compiled: once, cached, and fast without losing NaN.

A NaN must stay a NaN, since that is how a diverged learner is recognised; every other liberty that
lets loops become vector instructions is granted.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")

LIBERTIES = {"contract", "reassoc", "nsz", "arcp", "afn"}


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel on its first call; divisions by zero give infinities, not exceptions."""
    kernel: Callable[P, R] = numba.njit(
        cache=True, nogil=True, error_model="numpy", fastmath=LIBERTIES
    )(function)
    return kernel


def compiled_exactly(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel in the order of operations that it is written in (running statistics)."""
    kernel: Callable[P, R] = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return kernel
