"""Games to step through: a page that needs nothing but a browser, or the same in a notebook."""

from battleship_ai.replay.viewer import Replay

__all__ = ["Replay"]
