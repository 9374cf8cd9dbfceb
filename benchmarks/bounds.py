"""Lower bounds of the expected shots of the best strategy, for every preset.

    python benchmarks/bounds.py [PRESET ...]

prints each bound with its method, and the ships that the best of them leaves hidden.
"""

import sys

from battleship_ai import PRESETS, Rules, RulesError, Table
from battleship_ai.solving import lower_bounds

METHODS = ("squares", "entropy", "transcripts", "revealed")


def main() -> None:
    rows = []
    for name in sys.argv[1:] or PRESETS:
        try:
            bounds = {bound.method: bound for bound in lower_bounds(Rules.preset(name))}
        except RulesError as error:
            print(f"{name}: {error}")
            continue
        shots = [bounds[m].shots if m in bounds else None for m in METHODS]
        rows.append([name, *shots, " ".join(map(str, bounds["revealed"].hidden))])
    print(Table(["rules", *METHODS, "hidden"], rows).markdown())


if __name__ == "__main__":
    main()
