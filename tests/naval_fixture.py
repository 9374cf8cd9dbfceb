"""A layout of the preset that several tests fire at, and the naval rules on small boards."""

from battleship_ai.naval import NavalClass, NavalLayout, NavalRules

FIXTURE = """
FS E10-L17
BS C14-I20
HC F5-K5 K10-P15
LC D7-H7 M4-Q4
Dy B6-E3 L2-O2 R15-R18
Cv O18-O20 N10-P10 S5-S7 R1-T3
high-explosive B18 O8 C12 T20
ordinary H3 F14 K7 Q20 C10 M7 G1 B1
"""


def fixture(identify: str = "tracks") -> NavalLayout:
    return NavalLayout.parse(NavalRules(identify=identify), FIXTURE)


def small_rules(identify: str = "tracks", board: str = "6x7", max_rounds: int = 1000) -> NavalRules:
    """A sloop and three boats with eight guns, one ordinary and two high-explosive mines."""
    sloop = NavalClass("Sloop", 3, 1, "Sp", (2, 3))
    boat = NavalClass("Boat", 2, 3, "Bt", (1, 2))
    return NavalRules(board, [sloop, boat], 1, 2, identify, max_rounds)
