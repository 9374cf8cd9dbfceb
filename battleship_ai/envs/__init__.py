"""Ship bombing for reinforcement learning: Gymnasium and PettingZoo environments.

Importing this package needs the extra ``gymnasium`` and registers
``battleship_ai/ShipBombing-v0`` with Gymnasium; the duel of two agents,
`battleship_ai.envs.duel`, needs the extra ``pettingzoo``.

Examples
--------
>>> import gymnasium
>>> import battleship_ai.envs
>>> env = gymnasium.make("battleship_ai/ShipBombing-v0", rules="hasbro")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((12, 10, 10), 100)

A policy learnt here plays in tournaments as a strategy. This one stands for a network
that scores each square:

>>> from battleship_ai import run_tournament
>>> from battleship_ai.envs import observe, unasked
>>> class Learnt:
...     def choose(self, record, rng):
...         scores = 1.0 + observe(record)[2].ravel()
...         return int((scores * unasked(record)).argmax())
>>> run_tournament("hasbro", {"learnt": Learnt()}, games=5).summaries()[0].lost
0
"""

from battleship_ai._extras import extra
from battleship_ai.envs.observation import observe, plane_names, unasked

with extra("gymnasium", __name__):
    import gymnasium

    from battleship_ai.envs.solo import ShipBombingEnv

__all__ = ["ShipBombingEnv", "observe", "plane_names", "unasked"]

gymnasium.register(
    "battleship_ai/ShipBombing-v0", entry_point="battleship_ai.envs.solo:ShipBombingEnv"
)
