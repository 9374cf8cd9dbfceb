"""A person at the terminal against a strategy or captain, in every game of the package.

`command` reads the options; `loop` asks, shows and keeps; `session` holds a game, without input
and output; what differs from game to game is in `bombing` and `naval`, entered in `games`.
"""
