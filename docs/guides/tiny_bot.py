"""Shoots in a random order."""

import json
import random

while True:
    try:
        word, _, rest = input().partition(" ")
    except EOFError:
        break
    if word == "battleship_ai":
        print("battleship_ai 1", flush=True)
    elif word == "game":
        seed, _, rules = rest.partition(" ")
        rows, cols = json.loads(rules)["board"]
        order = [f"{chr(ord('a') + row)}{col}" for row in range(rows) for col in range(cols)]
        random.Random(int(seed)).shuffle(order)
        print("ready", flush=True)
    elif word == "shoot":
        print(order.pop(), flush=True)
