"""Mean regrets and their products, summed where they were played.

A big surface has far more replications than there are numbers to keep; only the sums leave the
device. A block of threads sums for one cell, or for one pair of cells that share their draws; the
order of the sums is fixed, so the results are the same bits in every run.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numba import cuda, float64
from numpy.typing import NDArray

from audition.engine.cuda_arithmetic import piece

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
THREADS: Final = 128


@piece
def _regret(pulls: Any, gaps: Any, cell: Any, lane: Any) -> Any:
    """Pseudo-regret at the last checkpoint."""
    regret = 0.0
    for arm in range(gaps.shape[1]):
        regret += gaps[cell, arm] * pulls[cell, pulls.shape[1] - 1, arm, lane]
    return regret


@piece
def _total(sums: Any, thread: Any, threads: Any) -> Any:
    """The sum over a block, by halves."""
    cuda.syncthreads()
    half = threads // 2
    while half > 0:
        if thread < half:
            sums[thread] += sums[thread + half]
        cuda.syncthreads()
        half //= 2
    return sums[0]


@cuda.jit
def _means(pulls: Any, gaps: Any, means: Any) -> None:
    sums = cuda.shared.array(128, float64)
    thread, threads, cell = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x
    lanes = pulls.shape[3]
    own = 0.0
    for lane in range(thread, lanes, threads):
        own += _regret(pulls, gaps, cell, lane)
    sums[thread] = own
    whole = _total(sums, thread, threads)
    if thread == 0:
        means[cell] = whole / lanes


@cuda.jit
def _products(pulls: Any, gaps: Any, means: Any, pairs: Any, products: Any) -> None:
    sums = cuda.shared.array(128, float64)
    thread, threads, pair = cuda.threadIdx.x, cuda.blockDim.x, cuda.blockIdx.x
    one, other = pairs[pair, 0], pairs[pair, 1]
    own = 0.0
    for lane in range(thread, pulls.shape[3], threads):
        first = _regret(pulls, gaps, one, lane) - means[one]
        own += first * (_regret(pulls, gaps, other, lane) - means[other])
    sums[thread] = own
    whole = _total(sums, thread, threads)
    if thread == 0:
        products[pair] = whole


def spreads(
    pulls: Any, gaps: FloatArray, places: Sequence[IntArray]
) -> tuple[FloatArray, list[FloatArray]]:
    """Mean regrets by cell, and sums of products of deviations by place."""
    halves = [np.tril_indices(place.size) for place in places]
    pairs = np.concatenate(
        [
            np.stack([place[i], place[j]], axis=1)
            for place, (i, j) in zip(places, halves, strict=True)
        ]
    )
    threads = 1 << min(int(pulls.shape[3] - 1).bit_length(), 7)
    means = cuda.device_array(len(gaps), np.float64)
    products = cuda.device_array(len(pairs), np.float64)
    device_gaps = cuda.to_device(np.ascontiguousarray(gaps))
    _means[len(gaps), threads](pulls, device_gaps, means)
    _products[len(pairs), threads](pulls, device_gaps, means, cuda.to_device(pairs), products)
    sums, found, at = products.copy_to_host(), [], 0
    for place, (i, j) in zip(places, halves, strict=True):
        spread = np.zeros((place.size, place.size))
        spread[i, j] = spread[j, i] = sums[at : at + i.size]
        at += i.size
        found.append(spread)
    return means.copy_to_host(), found
