"""Packages that only some users need: one error for those that are not installed."""

from collections.abc import Iterator
from contextlib import contextmanager

from battleship_ai.errors import MissingExtra

__all__ = ["extra"]


@contextmanager
def extra(name: str, user: str) -> Iterator[None]:
    """Import here what an extra of this package installs.

    Parameters
    ----------
    name : str
        The extra.
    user : str
        What needs it.

    Raises
    ------
    MissingExtra
        If an import fails.

    Examples
    --------
    >>> with extra("gymnasium", "battleship_ai.envs"):
    ...     import no_such_package
    Traceback (most recent call last):
    ...
    battleship_ai.errors.MissingExtra: battleship_ai.envs needs the package no_such_package, \
which comes with: pip install 'battleship_ai[gymnasium]'
    """
    try:
        yield
    except ImportError as error:
        raise MissingExtra(
            f"{user} needs the package {error.name}, which comes with: "
            f"pip install 'battleship_ai[{name}]'"
        ) from error
