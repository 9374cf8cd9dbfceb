"""What every statistic asks of its input."""

import numpy as np
import numpy.typing as npt

from battleship_ai.errors import BattleshipError


def check_fraction(what: str, value: float) -> None:
    """A level, a power or the place of a quantile lies between 0 and 1."""
    if not 0 < value < 1:
        raise BattleshipError(f"{what} {value!r} is not between 0 and 1")


def check_positive(what: str, value: float) -> None:
    """A width, a spread or a difference to be found is a positive number."""
    if not 0 < value < np.inf:
        raise BattleshipError(f"{what} {value!r} is not a positive number")


def checked_sample(
    values: npt.ArrayLike, counts: npt.ArrayLike | None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """The values of a sample and how often each occurs, both of shape (n,)."""
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1:
        raise BattleshipError(f"values have shape {sample.shape}; a sample has one axis")
    if not np.isfinite(sample).all():
        raise BattleshipError(f"value {sample[~np.isfinite(sample)][0]} is not finite")
    times = np.ones(len(sample), dtype=np.int64) if counts is None else np.asarray(counts)
    if times.shape != sample.shape:
        raise BattleshipError(
            f"counts have shape {times.shape}, values {sample.shape}; each value has one count"
        )
    if len(times) and (times.dtype.kind not in "iu" or times.min() < 0):
        raise BattleshipError(f"counts {times} are not all whole numbers of at least 0")
    if not times.any():
        raise BattleshipError("the sample is empty; an estimate needs at least one value")
    return sample, times.astype(np.int64)
