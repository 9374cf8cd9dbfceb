"""What importing the package costs, and what it leaves alone."""

import subprocess
import sys

SCRIPT = """
import sys, time
import battleship_ai
avoided = (
    "matplotlib", "scipy.special", "scipy.stats", "pandas", "battleship_ai.naval",
    "gymnasium", "pettingzoo", "pyspiel",
)
heavy = [m for m in avoided if m in sys.modules]
compiled = [
    name for name, module in sys.modules.items() if name.startswith("battleship_ai")
    for f in vars(module).values() if getattr(f, "signatures", None)
]
print(time.process_time(), heavy, compiled)
"""


def test_import_is_light_and_compiles_nothing():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    seconds, _, rest = done.stdout.strip().partition(" ")
    assert rest == "[] []"
    assert float(seconds) < 3.0  # about 0.7 s alone; generous, since tests share the machine
