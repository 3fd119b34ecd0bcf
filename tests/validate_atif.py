"""Validates ATIF trajectories with somebody else's models.

validate_atif.py atif|harbor    one trajectory a line on stdin, one verdict a
line on stdout: {"ok": true, "same": …} or {"ok": false, "why": …}. `same` says
whether the models give back exactly what they were given.
"""

import json
import sys


def models(name):
    if name == "atif":
        from atif import Trajectory

        return Trajectory
    from harbor.models.trajectories import Trajectory

    return Trajectory


def main():
    trajectory = models(sys.argv[1])
    for line in sys.stdin:
        given = json.loads(line)
        try:
            parsed = trajectory.model_validate(given)
        except ValueError as error:
            print(json.dumps({"ok": False, "why": str(error)[:500]}))
            continue
        back = parsed.model_dump(mode="json", exclude_none=True)
        print(json.dumps({"ok": True, "same": back == without_nulls(given)}))


def without_nulls(value):
    """Models leave absent what is null; what is ours under `extra` keeps it."""
    if not isinstance(value, dict):
        return value
    return {
        key: one if key == "extra" else without_nulls(one)
        for key, one in value.items()
        if one is not None
    }


main()
