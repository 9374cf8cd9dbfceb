"""Checks of captains' parameters."""

import numpy as np

from battleship_ai.errors import RulesError

__all__ = ["check_weights"]


def check_weights(captain: object, *names: str) -> None:
    """Raise `RulesError` unless the parameters of these names are weights, numbers from 0."""
    for name in names:
        if not 0 <= getattr(captain, name) < np.inf:
            raise RulesError(f"{name} {getattr(captain, name)!r} is not a number from 0")
