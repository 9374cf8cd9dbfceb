"""One game between you and an opponent, without input and output."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from battleship_ai.board import Board, SquareSet
from battleship_ai.contest import Contest
from battleship_ai.errors import BattleshipError, IllegalMove, StrategyError
from battleship_ai.play.setup import OPPONENT, YOU, Setup
from battleship_ai.tournament.seats import Seat

__all__ = ["Move", "Session"]

C = TypeVar("C", bound=Contest)
S = TypeVar("S", bound=Seat)

AGAIN = "!"  # after a square that was called before and is meant

# An opponent that hangs shall not hang for ever; Ctrl-C ends the wait at any time.
OPPONENT_SECONDS = 3600.0


class Move(NamedTuple):
    """What one of the two called, and what came of it."""

    player: int
    squares: tuple[int, ...]
    outcome: Any
    """An Answer or a Salvo."""


class Session(ABC, Generic[C, S]):
    """A game as it goes on: whose move it is, and what both have done.

    Parameters
    ----------
    setup : Setup
    contest : Contest
        The referee; you are player 0.
    seat : Seat or None
        The opponent's; None if nobody shoots back.

    Attributes
    ----------
    setup : Setup
    moves : list of Move
    given_up : bool
    """

    def __init__(self, setup: Setup, contest: C, seat: S | None) -> None:
        self.setup = setup
        self.moves: list[Move] = []
        self.given_up = False
        self._contest = contest
        self._seat = seat

    @classmethod
    def try_out(cls, setup: Setup) -> None:
        """Let the opponent make its first move in a game that does not count.

        Raises
        ------
        BattleshipError
            If it cannot play under these rules.
        """
        try:
            cls._first_choice(setup)
        except BattleshipError:
            raise
        except Exception as error:  # a strategy may raise anything
            raise StrategyError(
                f"opponent {setup.opponent!r} cannot play: {type(error).__name__}: {error}"
            ) from error

    @property
    def board(self) -> Board:
        """The board, the same for both."""
        board: Board = self.setup.rules.board
        return board

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.given_up or self._contest.over

    @property
    def your_turn(self) -> bool:
        """Whether the next move is yours."""
        return not self.over and self._contest.to_move == YOU

    @property
    def won(self) -> bool:
        """Whether you have won."""
        return not self.given_up and self._contest.winner == YOU

    @property
    def lost(self) -> bool:
        """Whether the opponent has won."""
        return self.given_up or self._contest.winner == OPPONENT

    @property
    def fault(self) -> str | None:
        """By what fault the opponent has lost, if it has."""
        return self._contest.fault

    @property
    def revealed(self) -> Any:
        """The hidden layout, once the game is over.

        Raises
        ------
        IllegalMove
            If it goes on.
        """
        if not self.over:
            raise IllegalMove("the layout is hidden until the game is over")
        return self.setup.hidden

    @staticmethod
    @abstractmethod
    def layout(rules: Any, listed: Any) -> Any:
        """A layout from plain values, as `battleship_ai.tournament.game.Game.listed` gives it."""

    @staticmethod
    @abstractmethod
    def parse(rules: Any, text: str) -> Any:
        """A layout from text, as the class of layouts reads it."""

    @abstractmethod
    def record_of(self, player: int) -> Any:
        """What a player has called, and the answers."""

    @property
    @abstractmethod
    def shots_due(self) -> int:
        """The most squares that your next move may have."""

    @abstractmethod
    def read(self, text: str) -> tuple[int, ...]:
        """The squares of your next move from what you have typed.

        Raises
        ------
        SquareError
            If a square is malformed or off the board.
        IllegalMove
            If there are none or too many, or one was called before and has no ``!``.
        """

    def play(self, squares: Sequence[int]) -> Move:
        """Your move.

        Raises
        ------
        IllegalMove
            If it is not your turn.
        """
        if not self.your_turn:
            raise IllegalMove("it is not your turn")
        return self._enter(YOU, squares)

    def reply(self, known: Sequence[int] | None = None) -> Move | None:
        """The opponent's move; None if it has made none that is legal, which loses.

        Parameters
        ----------
        known : sequence of int, optional
            The squares that it called when the game was played first. It is asked again
            only to get its random numbers and its memory to where they were.

        Raises
        ------
        IllegalMove
            If it is not the opponent's turn.
        """
        if self.over or self.your_turn or self._seat is None:
            raise IllegalMove("it is not the opponent's turn")
        try:
            squares = self._choice(self._seat)
        except Exception as error:  # whatever it does wrong costs it the game
            if known is None:
                self._contest.forfeit(f"{type(error).__name__}: {error}")
                return None
        move = self._enter(OPPONENT, squares if known is None else known)
        return None if move.outcome is None else move

    def give_up(self) -> None:
        """End the game as lost."""
        self.given_up = True

    def close(self) -> None:
        """Let the opponent go."""
        if self._seat is not None:
            self._seat.close()

    @staticmethod
    @abstractmethod
    def _first_choice(setup: Setup) -> None:
        """Let the opponent choose its first move."""

    @abstractmethod
    def _choice(self, seat: S) -> Sequence[Any]:
        """What the opponent calls."""

    @abstractmethod
    def _fire(self, squares: Sequence[Any]) -> Any:
        """What comes of it if the player to move calls these squares; None if it is illegal."""

    def _enter(self, player: int, squares: Sequence[Any]) -> Move:
        outcome = self._fire(squares)
        called = () if outcome is None else tuple(map(self.board.index, squares))
        move = Move(player, called, outcome)
        if outcome is not None:
            self.moves.append(move)
        return move

    def _fresh(self, words: Iterable[str], called: SquareSet) -> list[int]:
        """The squares of words, each of them new or with the mark that it is meant."""
        squares = []
        for word in words:
            square = self.board.square(word.removesuffix(AGAIN))
            if square in called and not word.endswith(AGAIN):
                name = self.board.name(square)
                raise IllegalMove(
                    f"{name} was called before; type {name}{AGAIN} to call it once more"
                )
            squares.append(square)
        return squares
