"""How the hits that the reports tell of may have fallen on the ships of each class."""

from collections.abc import Iterator, Sequence
from itertools import product

from battleship_ai.naval.record import NavalRecord
from battleship_ai.naval.rules import NavalRules
from battleship_ai.naval.salvos import Salvo, ShipHits, Track
from battleship_ai.naval.ship_classes import NavalClass

__all__ = ["History", "agreeing", "class_histories"]

History = tuple[Track, ...]
"""One way to deal the reports' hits on a class: the tracks of its ships, undamaged ones last."""


def class_histories(record: NavalRecord) -> list[list[History]]:
    """The histories of each class that its own entries in the reports allow.

    Under ``tracks`` each class has one, its ships in the order of their letters. Under
    ``literal`` ships of one track are interchangeable, so a history is a multiset, sorted
    but for the undamaged; an entry that does not name its ship may be of any ship, where the
    rules name none. A class without a history has reports that contradict each other. The
    guns left couple the classes: see `agreeing`.

    Examples
    --------
    >>> from battleship_ai.naval import NavalRules
    >>> lines = "1: K7 K9 -> Dy: 1; 24 guns left", "2: L7 L9 -> Dy: 1; 24 guns left"
    >>> record = NavalRecord.parse(NavalRules(identify="literal"), chr(10).join(lines))
    >>> class_histories(record)[4]
    [((1,), (2,), ()), ((1, 2), (), ())]
    """
    rules = record.rules
    if rules.identify == "literal":
        return [_dealt(ship_class, record.salvos) for ship_class in rules.classes]
    damaged = record.tracks
    return [[damaged[c.short] + ((),) * (c.count - len(damaged[c.short]))] for c in rules.classes]


def agreeing(
    rules: NavalRules, histories: Sequence[Sequence[History]], salvos: Sequence[Salvo]
) -> Iterator[tuple[int, ...]]:
    """The choices of one history for each class that give the guns left of every report.

    Yields
    ------
    tuple of int
        For each class the number of its history.

    Examples
    --------
    A destroyer hit twice would have lost a gun:

    >>> from battleship_ai.naval import NavalRules
    >>> lines = "1: K7 K9 -> Dy: 1; 24 guns left", "2: L7 L9 -> Dy: 1; 24 guns left"
    >>> record = NavalRecord.parse(NavalRules(identify="literal"), chr(10).join(lines))
    >>> list(agreeing(record.rules, class_histories(record), record.salvos))
    [(0, 0, 0, 0, 0, 0)]
    """
    told = []
    before = rules.guns
    for salvo in salvos:
        told += [salvo.round] * (before - salvo.guns_left)
        before = salvo.guns_left
    losses = [
        [_losses(ship_class, history) for history in group]
        for ship_class, group in zip(rules.classes, histories, strict=True)
    ]
    for choice in product(*(range(len(group)) for group in losses)):
        lost = (n for group, i in zip(losses, choice, strict=True) for n in group[i])
        if sorted(lost) == told:
            yield choice


def _losses(ship_class: NavalClass, history: History) -> list[int]:
    """The salvo in which each gun was lost."""
    return [
        track[loss - 1] for track in history for loss in ship_class.gun_losses if loss <= len(track)
    ]


def _dealt(ship_class: NavalClass, salvos: Sequence[Salvo]) -> list[History]:
    histories: set[History] = {((),) * ship_class.count}
    for salvo in salvos:
        entries = [entry for entry in salvo.report if entry.ship_class == ship_class.short]
        histories = {
            tuple(sorted(tracks, key=lambda track: (not track, track)))
            for history in histories
            for tracks in _deals(ship_class, history, entries, salvo.round)
        }
    return sorted(histories)


def _deals(
    ship_class: NavalClass, history: History, entries: list[ShipHits], number: int
) -> Iterator[list[Track]]:
    """The tracks after a salvo, for each way to give its entries to different ships."""
    named = sum(map(bool, history)) >= 2
    if all((entry.earlier is not None) == named for entry in entries):
        yield from _given(ship_class, list(history), entries, number)


def _given(
    ship_class: NavalClass, unhit: list[Track], entries: list[ShipHits], number: int
) -> Iterator[list[Track]]:
    if not entries:
        yield unhit
        return
    entry, *others = entries
    for track in set(unhit):
        meant = entry.earlier is None or tuple(sorted(entry.earlier)) == track
        if meant and len(track) + entry.hits <= ship_class.size:
            rest = unhit.copy()
            rest.remove(track)
            for given in _given(ship_class, rest, others, number):
                yield [track + (number,) * entry.hits, *given]
