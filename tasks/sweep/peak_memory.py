"""Runs a program and writes down the most memory that it had.

usage: python3 tasks/sweep/peak_memory.py FILE PROGRAM [ARGUMENT …]

The program keeps this one's streams, and this one ends with its exit code. FILE
gets the peak of its resident memory, in bytes, as the kernel tells it at the end.
"""
import os
import sys

if len(sys.argv) < 3:
    print(
        "FILE or PROGRAM is missing.\n"
        "usage: python3 tasks/sweep/peak_memory.py FILE PROGRAM [ARGUMENT …]",
        file=sys.stderr,
    )
    sys.exit(2)

child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w") as file:
    file.write(str(usage.ru_maxrss * 1024))
sys.exit(os.waitstatus_to_exitcode(status))
