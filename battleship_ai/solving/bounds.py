"""What no strategy can beat: lower bounds of the expected shots, every layout equally likely.

**Misses.** A game takes as many shots as the fleet has squares, k, and its misses. So the
expected misses of the best strategy are to be bounded.

**Transcripts.** Let a deterministic strategy play against all N layouts, and write for each game
the answers in order. Games of different layouts have different transcripts, if the last one tells
the layout (see below). A transcript with m misses is a *word*, the answers to its k hits, with m
misses put in before its last letter. With W words there are at most W C(k - 1 + m, m) of them,
so that the N games have together at least as many misses as the N transcripts with the fewest,
a sum F(N). A strategy that decides by lot is a mixture of deterministic ones.

**Revealed ships.** A strategy that is told where some of the ships lie does no worse than one
that is not. It still has to hit all squares, without a miss for the ships it knows. For a position
r of these let n(r) be the number of ways to add the hidden ones; N is the sum of the n(r) over
the R positions. By the argument above the misses are together at least the sum of the F(n(r)),
and this is at least R F(N / R), since F is a sum of ever larger terms and so convex (between
integers let it be linear). Hence the expected number of misses is at least F(N / R) / (N / R),
where F belongs to the hidden ships alone. Positions to which no ship can be added only make R
larger, and the bound smaller.

**One hidden ship.** As long as it was not hit, a shot can hit it in at most c of its positions,
the most that any square of the board has. So at most c games have their first hit at the first
shot for it, c more at the second, and so on; with t misses before the first hit, and m after it,
there are W C(k - 2 + m, m) transcripts.

**Entropy.** The transcript tells the layout, so its entropy is at least log N. Given its length T
it is one of at most W C(T - 1, k - 1) words; T with a mean of s adds most where T is the time of
the k-th success of trials with the chance k / s, and then both together are s h(k / s) + log W
with the binary entropy h. It follows that s h(k / s) + log W >= log N.

**When the transcript tells the layout.** At the end all squares of ships are known. Where ships may
not touch these tell the ships, and where hits name their ships the answers do. One hidden ship is
always told, since the others are known. Else two layouts may have one transcript: four squares in
a block, cut into two ships of two squares across or down. Of straight ships whose sinkings tell
sizes few layouts are so (`battleship_ai.solving.ambiguous`): let there be at most A. Those of the
others, N - A at least, are told, so the misses are together at least F(N - A). And the transcript
leaves at most a mean of (A / N) log A open, so its entropy is at least log N less that. On `hasbro`
A is 47,040, of 30 thousand million.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count
from math import comb, log2, perm

import numpy as np

from battleship_ai.inference.counting import count_layouts
from battleship_ai.placements import placements
from battleship_ai.rules import Rules
from battleship_ai.solving.ambiguous import MOST_SQUARES, ambiguous_layouts
from battleship_ai.solving.words import count_words, ship_labels

__all__ = ["Bound", "lower_bounds", "tells_layout"]

# The clusters of larger fleets may take minutes.
_MOST_SHIPS = 5


@dataclass(frozen=True)
class Bound:
    """A number of expected shots that no strategy is below.

    Attributes
    ----------
    method : str
        ``squares``, ``entropy``, ``transcripts`` or ``revealed``.
    shots : float
    hidden : tuple of int
        The sizes of the ships that were not revealed.

    Examples
    --------
    >>> best = max(lower_bounds(Rules(board=(4, 4), fleet=(3, 2))), key=lambda bound: bound.shots)
    >>> best.method, round(best.shots, 2), best.hidden
    ('transcripts', 7.19, (3, 2))
    """

    method: str
    shots: float
    hidden: tuple[int, ...]


def lower_bounds(rules: Rules) -> list[Bound]:
    """Bounds of the expected shots of the best strategy, each by the method it names.

    Parameters
    ----------
    rules : Rules

    Returns
    -------
    list of Bound
        ``squares``; where the transcript tells nearly all layouts, ``entropy`` and
        ``transcripts``;
        and the best that revealing all but the j smallest ships gives, for any j.

    Raises
    ------
    RulesError
        If the layouts cannot be counted.

    Examples
    --------
    >>> for bound in lower_bounds(Rules(board=(4, 4), fleet=(3, 2), announce="sunk-size")):
    ...     print(bound.method, round(bound.shots, 4), bound.hidden)
    squares 5.0 (3, 2)
    entropy 6.1931 (3, 2)
    transcripts 6.6635 (3, 2)
    revealed 6.4615 (2,)
    """
    fleet, squares = rules.fleet, rules.ship_squares
    layouts = count_layouts(rules)
    bounds = [Bound("squares", float(squares), fleet)]
    untold = _not_told(rules)
    if untold is not None and untold < layouts:
        words, namings = _words(rules, len(fleet)), _namings(rules, len(fleet))
        ways, untold = layouts * namings, untold * namings
        bounds.append(Bound("entropy", _by_entropy(ways, untold, words, squares), fleet))
        told = Fraction(ways - untold)
        misses = _least_mean_misses(told, words, squares) * told / ways
        bounds.append(Bound("transcripts", float(squares + misses), fleet))
    revealed = [
        Bound("revealed", float(squares + misses), fleet[-hidden:])
        for hidden, misses in _by_revealing(rules, layouts)
    ]
    return [*bounds, *([max(revealed, key=lambda bound: bound.shots)] if revealed else [])]


def _by_revealing(rules: Rules, layouts: int) -> Iterator[tuple[int, Fraction]]:
    """The least mean misses where all but so many of the smallest ships are known."""
    n = len(rules.fleet)
    for hidden in range(1, n):
        if hidden > 1 and not tells_layout(_part(rules, n - hidden, n)):
            return
        positions = count_layouts(_part(rules, 0, n - hidden))
        # Which ones of ships of a kind are revealed is decided by lot.
        ways = Fraction(layouts, positions) * _namings(rules, hidden)
        squares = sum(rules.fleet[-hidden:])
        most = _most_through_a_square(rules, rules.fleet[-1]) if hidden == 1 else None
        yield hidden, _least_mean_misses(ways, _words(rules, hidden), squares, most)


def _part(rules: Rules, first: int, stop: int) -> Rules:
    """The rules with a part of the fleet."""
    return replace(rules, fleet=rules.fleet[first:stop], names=rules.names[first:stop])


def _words(rules: Rules, hidden: int) -> int:
    """Words of the answers to the hits on so many of the smallest ships."""
    if rules.announce == "hit-only":
        return 1
    return count_words(rules.fleet[-hidden:], ship_labels(rules)[-hidden:])


def _namings(rules: Rules, hidden: int) -> int:
    """In how many ways the hidden ships may be dealt among those of their size.

    Among ships without names any of a size may be the hidden ones; with names only these
    may, but in every order.
    """
    ways = 1
    for size in set(rules.fleet[-hidden:]):
        in_all, of_these = rules.fleet.count(size), rules.fleet[-hidden:].count(size)
        ways *= perm(in_all, of_these) if rules.names_ships else comb(in_all, of_these)
    return ways


def _most_through_a_square(rules: Rules, size: int) -> int:
    table = placements(rules.board, size, rules.shape, rules.contact)
    return int(np.bincount(table.squares.ravel()).max())


def _least_mean_misses(
    ways: Fraction, words: int, squares: int, most_at_once: int | None = None
) -> Fraction:
    """F(ways) / ways: the mean misses of so many games with the fewest misses.

    With `most_at_once`, no more games than that have their first hit after t misses.
    """
    left, total = ways, Fraction(0)
    rooms: list[Fraction] = []  # for first hits after t misses
    for misses in count():
        if most_at_once is None:
            taken = min(left, Fraction(words * comb(squares - 1 + misses, misses)))
        else:
            rooms.append(Fraction(most_at_once))
            taken = Fraction(0)
            for before in range(misses + 1):
                after = misses - before
                slots = words * comb(squares - 2 + after, after) if squares > 1 else int(not after)
                part = min(rooms[before], left - taken, Fraction(slots))
                rooms[before] -= part
                taken += part
        total += misses * taken
        left -= taken
        if left == 0:
            return total / ways
    raise AssertionError("the transcripts do not run out")


def _by_entropy(ways: int, untold: int, words: int, squares: int) -> float:
    """The s of s h(squares / s) + log2(words) = the bits told, or `squares` if words suffice."""
    told = log2(ways) - (untold / ways * log2(untold) if untold else 0.0)
    missing = told - log2(words)
    if missing <= 0:
        return float(squares)

    from scipy.optimize import brentq  # takes long to load

    def bits(shots: float) -> float:
        p = squares / shots
        return -shots * (p * log2(p) + (1 - p) * log2(1 - p)) if p < 1 else 0.0

    high = 2.0 * squares
    while bits(high) < missing:
        high *= 2
    return float(brentq(lambda shots: bits(shots) - missing, squares, high))


def tells_layout(rules: Rules) -> bool:
    """Whether the transcript of a finished game always tells the layout.

    Examples
    --------
    >>> tells_layout(Rules.preset("german")), tells_layout(Rules.preset("openspiel"))
    (True, False)
    """
    return _not_told(rules) == 0


def _not_told(rules: Rules) -> int | None:
    """At most so many layouts that the transcript does not tell; None where that is not known."""
    if rules.contact == "none" or rules.announce == "hit-name":
        return 0
    if rules.shape == "straight" and rules.contact == "corners":
        return 0  # what hangs together by edges is a ship
    small = len(rules.fleet) <= _MOST_SHIPS and rules.ship_squares <= MOST_SQUARES
    if rules.shape == "straight" and rules.tells_class and small:
        return ambiguous_layouts(rules)
    return None
