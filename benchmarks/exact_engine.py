"""One rule set's figures for `run.py exact-engine`, as JSON."""

import json
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from run import median_seconds

from battleship_ai import ExactPosterior, Record, Rules
from battleship_ai.inference import _store, exact

DRAWS = 400_000


def main() -> None:
    """Measure everything in turn."""
    rules = Rules.preset(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        _store.user_cache_path = lambda name: Path(folder) / name

        def new() -> ExactPosterior:
            exact._model_of.cache_clear()
            return ExactPosterior(rules)

        def from_nothing() -> None:
            for path in Path(folder).rglob("*.npz"):
                path.unlink()
            new()

        built = median_seconds(from_nothing)
        read = median_seconds(new)
        posterior = new()
        other = Record(rules, [(0, "miss")])
        times = []
        for _ in range(6):
            posterior.log_count(other)  # what follows is a new record to it
            times.append(seconds_of(posterior.probabilities))
        drawing = median_seconds(lambda: posterior.sample(DRAWS))
    row = {
        "rules": sys.argv[1],
        "graph_seconds": round(built, 2),
        "from_disk_seconds": round(read, 3),
        "map_seconds": round(statistics.median(times[1:]), 2),
        "draws_per_second": round(DRAWS / drawing, -3),
        "peak_gb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2),
    }
    print(json.dumps(row))


def seconds_of(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
