"""Plays fixed proposals through tinycoder, as your own program could.

usage: python3 baseline.py NEW_FOLDER [PATH_OF_TINYCODER]
"""
import json
import subprocess
import sys

PROPOSALS = [
    {"action": "read", "file": "toy_math.py"},
    {"action": "test"},
    {"action": "replace", "function": "clamp", "old": "x",
     "new": "lo if x < lo else hi if x > hi else x", "version": 0},
    {"action": "replace", "function": "total", "old": "unit + qty + fee",
     "new": "unit * qty + fee", "version": 1},
    {"action": "test"},
    {"action": "finish", "version": 2},
]

program = sys.argv[2] if len(sys.argv) > 2 else "tinycoder"
run = subprocess.Popen(
    [program, "--run", sys.argv[1], "--source", "stdio", "--quiet"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
for line in run.stdout:
    message = json.loads(line)
    if message["type"] == "request":
        number = message["proposal_number"]
        proposal = json.dumps(PROPOSALS[number - 1])
        answer = {"proposal_number": number, "proposal": proposal}
        print(json.dumps(answer), file=run.stdin, flush=True)
    elif message["type"] == "final":
        final = message["final"]
        print(final["stop_reason"], final["verified_success"])
sys.exit(run.wait())
