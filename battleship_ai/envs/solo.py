"""A Gymnasium environment: one shooter against a placer."""

from typing import Any

import gymnasium as gym
import numpy as np
import numpy.typing as npt

from battleship_ai.envs.observation import observe, plane_names, unasked
from battleship_ai.errors import IllegalMove, LayoutError
from battleship_ai.game import Target, shot_limit
from battleship_ai.layouts import Layout
from battleship_ai.placers import place
from battleship_ai.record import Record
from battleship_ai.rules import Rules

__all__ = ["ShipBombingEnv", "check_layout"]

Observation = npt.NDArray[np.float32]


def check_layout(layout: object, rules: Rules) -> None:
    """Raise `LayoutError` unless a layout is one of the environment's rules."""
    if not isinstance(layout, Layout) or layout.rules != rules:
        raise LayoutError(f"layout {layout!r} is not a Layout of the environment's rules")


class ShipBombingEnv(gym.Env[Observation, np.int64]):
    """Shoot at a hidden fleet until every ship is sunk.

    The action is the index of a square, row by row. The observation is `observe` of the
    record. Each shot is rewarded with -1, so that the return is minus the number of shots
    to win; the episode is terminated by the last sinking, and truncated after twice as
    many shots as the board has squares.

    ``info["action_mask"]`` is `unasked`: 1 at each square not asked yet. It is advice: to
    ask a square again is legal, and costs a shot. ``info["answer"]`` is the answer to the
    shot as text.

    Parameters
    ----------
    rules : Rules or str
        Rules, or the name of a preset.
    placer : str
        Who hides the fleet, a name in `PLACERS`.
    render_mode : {"ansi"}, optional
        What `render` does: the record as text.

    Examples
    --------
    >>> env = ShipBombingEnv(Rules(board=(2, 2), fleet=(2,)), render_mode="ansi")
    >>> layout = Layout.parse(env.rules, "b0-b1")
    >>> observation, info = env.reset(options={"layout": layout})
    >>> observation, reward, terminated, truncated, info = env.step(np.int64(2))
    >>> reward, terminated, info["answer"], info["action_mask"].tolist()
    (-1.0, False, 'hit', [1, 1, 0, 1])
    >>> print(env.render())
      0 1
    a . .
    b x .
    >>> env.step(np.int64(3))[2]
    True
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  (Gymnasium reads it here)

    def __init__(
        self,
        rules: Rules | str = "ship-bombing",
        placer: str = "uniform",
        render_mode: str | None = None,
    ) -> None:
        self.rules = Rules.preset(rules) if isinstance(rules, str) else rules
        self.placer = placer
        self.render_mode = render_mode
        board = self.rules.board
        planes = len(plane_names(self.rules))
        self.action_space = gym.spaces.Discrete(board.n_squares)
        self.observation_space = gym.spaces.Box(0.0, 1.0, (planes, board.rows, board.cols))
        self._target: Target | None = None

    @property
    def record(self) -> Record:
        """The shots so far: what `Strategy.choose` and the posteriors take."""
        return self._game().record

    @property
    def layout(self) -> Layout:
        """The hidden layout, which no shooter may see."""
        return self._game().layout

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Hide a fleet.

        Parameters
        ----------
        seed : int, optional
            Decides the fleets of this episode and of those that follow without a seed.
        options : dict, optional
            ``{"layout": layout}`` hides that Layout instead.

        Raises
        ------
        LayoutError
            If the layout is none of these rules.
        """
        super().reset(seed=seed)
        layout = (options or {}).get("layout")
        if layout is None:
            (layout,) = place(self.rules, placer=self.placer, seed=self.np_random)
        check_layout(layout, self.rules)
        self._target = Target(layout)
        return observe(self.record), {"action_mask": unasked(self.record)}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Shoot at a square.

        Raises
        ------
        IllegalMove
            If the square is off the board, or the game is won or not begun.
        """
        game = self._game()
        if game.all_sunk:
            raise IllegalMove("the game is over: every ship is sunk; call reset")
        answer = game.shoot(int(action))
        won = game.all_sunk
        truncated = not won and len(game.record) >= shot_limit(self.rules)
        info = {"action_mask": unasked(game.record), "answer": str(answer)}
        return observe(game.record), -1.0, won, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The mask under the name that sb3-contrib's MaskablePPO calls, shape (n_squares,)."""
        return unasked(self.record).astype(np.bool_)

    def render(self) -> str | None:
        """The record as text under the render mode ``ansi``, else nothing."""
        return self.record.picture() if self.render_mode == "ansi" else None

    def _game(self) -> Target:
        if self._target is None:
            raise IllegalMove("no game has begun; call reset")
        return self._target
