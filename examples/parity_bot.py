"""A program that plays by the line protocol of battleship_ai, in plain Python.

It shoots at every second square in a random order until it hits, and then around its hits.
Try it with ``battleship-ai tournament --strategies "program:python3 examples/parity_bot.py"``.
"""

import json
import random
import sys


class Game:
    """What the program knows of a game."""

    def __init__(self, seed, rules):
        self.random = random.Random(seed)
        self.rules = rules
        self.rows, self.cols = rules["board"]
        squares = [(row, col) for row in range(self.rows) for col in range(self.cols)]
        self.random.shuffle(squares)
        # A ship of two squares or more covers squares of both colours.
        self.order = sorted(squares, key=lambda square: sum(square) % 2)
        self.steps = EDGES + CORNERS if rules["shape"] == "any" else EDGES
        self.margin = MARGINS[rules["contact"]]
        self.asked = set()
        self.open_hits = set()
        self.water = set()

    def around(self, square, steps):
        """The squares of the board that are some steps away."""
        row, col = square
        for down, right in steps:
            if 0 <= row + down < self.rows and 0 <= col + right < self.cols:
                yield row + down, col + right

    def answer(self, square, kind):
        """Note what a shot came to."""
        self.asked.add(square)
        if kind == "miss":
            return
        self.open_hits.add(square)
        if kind == "sunk":
            self.sink(square)

    def sink(self, square):
        """Close the hits that are joined to a sunk square; no ship is beside them."""
        if square in self.open_hits:
            self.open_hits.remove(square)
            self.water.update(self.around(square, self.margin))
            for near in self.around(square, self.steps):
                self.sink(near)

    def shoot(self):
        """The first free square next to an open hit, or else the first free one."""
        near = {s for hit in self.open_hits for s in self.around(hit, self.steps)}
        free = [square for square in self.order if square not in self.asked]
        free = [square for square in free if square not in self.water] or free
        return next((square for square in free if square in near), free[0])

    def hide(self):
        """Straight ships, tried at random until all of them fit."""
        while True:
            ships, closed = [], set()
            for size in self.rules["fleet"]:
                for _ in range(200):
                    ship = self.random_ship(size)
                    if not closed.intersection(ship):
                        break
                else:
                    break
                ships.append(ship)
                closed.update(ship)
                for square in ship:
                    closed.update(self.around(square, self.margin))
            else:
                return ships

    def random_ship(self, size):
        """A straight ship, wherever the board has room for it."""
        down, right = self.random.choice(
            [(d, r) for d, r, side in ((1, 0, self.rows), (0, 1, self.cols)) if size <= side]
        )
        row = self.random.randrange(self.rows - down * (size - 1))
        col = self.random.randrange(self.cols - right * (size - 1))
        return [(row + down * i, col + right * i) for i in range(size)]


EDGES = [(-1, 0), (1, 0), (0, -1), (0, 1)]
CORNERS = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
MARGINS = {"none": EDGES + CORNERS, "corners": EDGES, "allowed": []}


def name(square):
    """A square as the protocol writes it."""
    row, col = square
    return f"{chr(ord('a') + row)}{col}"


def main():
    """Answer the lines of the referee until there are no more."""
    game = None
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        if word == "battleship_ai":
            print("battleship_ai 1", flush=True)
        elif word == "game":
            seed, rules = rest.split(" ", 1)
            game = Game(int(seed), json.loads(rules))
            print("ready", flush=True)
        elif word == "answer":
            square, answer = rest.split(" ", 1)
            game.answer((ord(square[0]) - ord("a"), int(square[1:])), answer.split(":")[0])
        elif word == "shoot":
            print(name(game.shoot()), flush=True)
        elif word == "hide":
            print(", ".join(" ".join(map(name, ship)) for ship in game.hide()), flush=True)


if __name__ == "__main__":
    main()
