# usage: python3 proposer.py NEW_FOLDER PROPOSALS
import json, subprocess, sys

proposals = open(sys.argv[2], encoding="utf-8").read().splitlines()
run = subprocess.Popen(
    ["tinycoder", "--run", sys.argv[1], "--source", "stdio", "--quiet"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
for line in run.stdout:
    message = json.loads(line)
    if message["type"] == "request":
        number = message["proposal_number"]
        answer = {"proposal_number": number, "proposal": proposals[number - 1]}
        print(json.dumps(answer), file=run.stdin, flush=True)
    elif message["type"] == "final":
        print(line, end="")
sys.exit(run.wait())
