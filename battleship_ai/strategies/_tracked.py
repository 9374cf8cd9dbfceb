"""The placement belief, registered for compiled games."""

from battleship_ai.inference._tracker import Tracker, reset_tracker, track
from battleship_ai.strategies._play import register_belief

register_belief(Tracker, reset_tracker, track)
