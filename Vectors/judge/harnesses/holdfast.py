"""Holdfast, through `holdfast-conformance judge`: python3 holdfast.py SUITE [PROGRAM]"""
import json
import subprocess
import sys

program = sys.argv[2] if len(sys.argv) > 2 else ".build/release/holdfast-conformance"
print(json.dumps({"peer": "Holdfast", "does": ["everything"]}))
with subprocess.Popen([program, "judge", sys.argv[1], "--json", "--times"], stdout=subprocess.PIPE, text=True) as run:
    for row in map(json.loads, run.stdout):
        result, *rest = row["actual"].split(" ")
        path = rest[0].split(",") if result == "SUCCESS" and rest else None
        reason = rest[0] if result == "FAILURE" and rest else None
        print(json.dumps({
            "id": row["id"], "result": result, "reason": reason, "certificate": rest[1] if reason and len(rest) > 1 else None,
            "path": path, "microseconds": row["microseconds"]}))
