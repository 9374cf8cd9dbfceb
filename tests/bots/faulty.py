"""A program that plays row by row, and does one wrong thing in the games of odd seeds.

Usage: faulty.py FAULT PIDFILE. It adds its process number to the file.
"""

import json
import os
import subprocess
import sys
import time

fault, pids = sys.argv[1:]


def enter(pid):
    with open(pids, "a") as file:
        print(pid, file=file)


def say(text, end="\n"):
    print(text, end=end, flush=True)


def flood(text):
    while True:
        sys.stdout.write(text)


def crash(message):
    raise RuntimeError(message)


def close_and_wait():
    os.close(1)
    time.sleep(60)


def wait_for_a_child():
    child = subprocess.Popen(["sleep", "60"])
    enter(child.pid)
    child.wait()


def add_a_thought():
    say("a2")
    time.sleep(0.1)
    say("or a3")


def complain():
    while True:
        sys.stderr.write("no " * 1000)


# What it does instead of its third shot.
FAULTS = {
    "crash": lambda: crash("lost the plot"),
    "exit": lambda: sys.exit(3),
    "kill": lambda: os.kill(os.getpid(), 9),
    "close": close_and_wait,
    "silence": lambda: time.sleep(60),
    "silence-of-a-child": wait_for_a_child,
    "garbage": lambda: say("\N{PILE OF POO} \0 what?"),
    "empty": lambda: say(""),
    "binary": lambda: os.write(1, b"\xff\xfe\n"),
    "flood": lambda: flood("x" * 1000),
    "line-flood": lambda: flood("a0\n" * 1000),
    "afterthought": add_a_thought,
    "two-lines": lambda: say("a0\na1"),
    "off-board": lambda: say("z9"),
    "complaint-flood": complain,
}

enter(os.getpid())
if fault == "crash-at-start":
    crash("no licence")
if fault == "slow-start":
    time.sleep(60)
if fault == "flood-at-start":
    flood("x" * 1000)

for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "battleship_ai":
        say("battleship_ai 2" if fault == "version" else "battleship_ai 1")
    elif word == "game":
        seed, rules = rest.split(" ", 1)
        cols = json.loads(rules)["board"][1]
        faulty, shots, told = int(seed) % 2 == 1, 0, set()
        say("steady" if fault == "not-ready" and faulty else "ready")
    elif word == "answer":
        assert rest not in told
        told.add(rest)
    elif word == "shoot":
        if fault == "slow":
            time.sleep(0.15)
        if faulty and shots == 2 and fault in FAULTS:
            FAULTS[fault]()
        else:
            say(f"{chr(ord('a') + shots // cols)}{shots % cols}")
        shots += 1
    elif word == "hide":
        say("a0-a2, b0-b1" if faulty else "a0-a2, c0-c1")
    elif word == "end" and fault == "exit-after-game":
        break
    elif word == "end" and fault == "chat-after-game":
        say("good game")

if fault == "stay":
    time.sleep(60)
