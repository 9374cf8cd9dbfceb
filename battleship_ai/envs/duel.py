"""A PettingZoo environment: two agents in turn, each shooting at the other's fleet."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from battleship_ai._extras import extra
from battleship_ai.contest import check_starter
from battleship_ai.envs.observation import observe, plane_names, unasked
from battleship_ai.envs.solo import check_layout
from battleship_ai.errors import IllegalMove, LayoutError
from battleship_ai.game import Duel, shot_limit
from battleship_ai.layouts import Layout
from battleship_ai.placers import place
from battleship_ai.record import Record
from battleship_ai.rules import Rules

with extra("pettingzoo", __name__):
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

__all__ = ["DuelEnv", "env"]

_AGENTS = ("player_0", "player_1")

Observation = npt.NDArray[np.float32]


class DuelEnv(AECEnv):
    """Two agents, ``player_0`` and ``player_1``, shoot in turn until one fleet is sunk.

    An action is the index of a square, row by row. Under rules with ``again-on-hit`` an
    agent that hits is selected again. The winner is rewarded with 1 and the loser with -1
    when the game ends; every other reward is 0.

    An agent observes the planes of `observe` for its own shots, then its own ships and
    the squares that the other has asked. ``infos[agent]["action_mask"]`` is `unasked`: 1
    at each square that the agent has not asked yet. It is advice: to ask a square again
    is legal, and costs the turn. A shot off the board is illegal and loses the game, as
    does one more shot after twice as many as the board has squares.

    Parameters
    ----------
    rules : Rules or str
        Rules, or the name of a preset.
    placer : str
        Who hides both fleets, a name in `PLACERS`.
    starter : {0, 1}
        Who shoots first.
    render_mode : {"ansi"}, optional
        What `render` does: both records as text.

    Raises
    ------
    IllegalMove
        If the starter is no player.

    Examples
    --------
    >>> duel = DuelEnv(Rules(board=(2, 2), fleet=(1,), turn="again-on-hit"))
    >>> ours, theirs = (Layout.parse(duel.rules, ship) for ship in ("a0", "b1"))
    >>> duel.reset(options={"layouts": (ours, theirs)})
    >>> duel.step(0)
    >>> duel.agent_selection, duel.infos["player_0"]["action_mask"].tolist()
    ('player_1', [0, 1, 1, 1])
    >>> duel.step(0)
    >>> duel.rewards
    {'player_0': -1.0, 'player_1': 1.0}
    """

    metadata = {  # noqa: RUF012  (PettingZoo reads it here)
        "name": "ship_bombing_duel_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: Rules | str = "ship-bombing",
        placer: str = "uniform",
        starter: int = 0,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_starter(starter)
        self.rules = Rules.preset(rules) if isinstance(rules, str) else rules
        self.placer = placer
        self.starter = starter
        self.render_mode = render_mode
        self.possible_agents = list(_AGENTS)
        board = self.rules.board
        shape = (len(plane_names(self.rules)) + 2, board.rows, board.cols)
        self.observation_spaces = {a: gymnasium.spaces.Box(0.0, 1.0, shape) for a in _AGENTS}
        self.action_spaces = {a: gymnasium.spaces.Discrete(board.n_squares) for a in _AGENTS}
        self._rng = np.random.default_rng()
        self._duel: Duel | None = None
        self._layouts: tuple[Layout, ...] = ()

    def observation_space(self, agent: str) -> gymnasium.spaces.Box:
        """The same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """The same for both agents."""
        return self.action_spaces[agent]

    def record(self, agent: str) -> Record:
        """The shots of an agent so far: what `Strategy.choose` and the posteriors take."""
        return self._game().record(_AGENTS.index(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Hide both fleets.

        Parameters
        ----------
        seed : int, optional
            Decides the fleets of this game and of those that follow without a seed.
        options : dict, optional
            ``{"layouts": (layout, layout)}`` hides these instead, the first that of
            ``player_0``.

        Raises
        ------
        LayoutError
            If they are not two layouts of these rules.
        """
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        layouts = (options or {}).get("layouts")
        if layouts is None:
            layouts = place(self.rules, 2, placer=self.placer, seed=self._rng)
        self._layouts = self._checked(layouts)
        self._duel = Duel(self.rules, (self._layouts[0], self._layouts[1]), starter=self.starter)
        self.agents = list(_AGENTS)
        self.agent_selection = _AGENTS[self._duel.to_move]
        self.rewards = dict.fromkeys(_AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(_AGENTS, 0.0)
        self.terminations = dict.fromkeys(_AGENTS, False)
        self.truncations = dict.fromkeys(_AGENTS, False)
        self.infos = {agent: self._info(agent) for agent in _AGENTS}

    def _checked(self, layouts: Any) -> tuple[Layout, ...]:
        for layout in layouts:
            check_layout(layout, self.rules)
        if len(layouts) != 2:
            raise LayoutError(f"layouts has {len(layouts)} layouts; a duel has 2")
        return tuple(layouts)

    def observe(self, agent: str) -> Observation:
        """What an agent knows."""
        player = _AGENTS.index(agent)
        game = self._game()
        own = self._layouts[player].squares.to_array()
        asked = game.record(1 - player).asked.to_array()
        both = np.array([own, asked], dtype=np.float32)
        return np.concatenate([observe(game.record(player)), both])

    def step(self, action: Any) -> None:
        """The selected agent shoots at a square; None takes it off after the end."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        game = self._game()
        player = game.to_move
        limit = shot_limit(self.rules)
        if len(game.record(player)) < limit:
            game.shoot(action)
        else:
            game.forfeit(f"not won after {limit} shots")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos[agent] = self._info(agent)
        if game.over:
            self.rewards = {a: 1.0 if i == game.winner else -1.0 for i, a in enumerate(_AGENTS)}
            self.terminations = dict.fromkeys(_AGENTS, True)
        self.agent_selection = _AGENTS[game.to_move]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Both records as text under the render mode ``ansi``, else nothing."""
        if self.render_mode != "ansi":
            return None
        return "\n\n".join(f"shots of {a}\n{self.record(a).picture()}" for a in _AGENTS)

    def close(self) -> None:
        """Nothing is held."""

    def _info(self, agent: str) -> dict[str, Any]:
        return {"action_mask": unasked(self.record(agent))}

    def _game(self) -> Duel:
        if self._duel is None:
            raise IllegalMove("no game has begun; call reset")
        return self._duel


def env(**settings: Any) -> OrderEnforcingWrapper:
    """A `DuelEnv` in PettingZoo's wrapper that reports calls in the wrong order.

    Examples
    --------
    >>> duel = env(rules="hasbro")
    >>> duel.reset(seed=1)
    >>> for agent in duel.agent_iter():
    ...     observation, reward, termination, truncation, info = duel.last()
    ...     over = termination or truncation
    ...     duel.step(None if over else int(info["action_mask"].argmax()))
    >>> duel.agents
    []
    """
    return OrderEnforcingWrapper(DuelEnv(**settings))
