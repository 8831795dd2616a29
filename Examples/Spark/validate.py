#!/usr/bin/env python3
"""Validates certificates in Parquet with `holdfast batch` on Spark.

    spark-submit --py-files holdfast_batch.py validate.py --leaves DIR --intermediates DIR \\
        --anchors FILE --at TIME --output DIR [--summary FILE] [--holdfast PATH]

The leaves have the columns `id` (text), `leaf` (DER), `host` (text, or null for any) and `issuer`;
the intermediates have `issuer` and `chain`, the certificates above such leaves as an array of DER,
the nearest first. The tool and the anchors are at the same path on each machine.
"""
import argparse
import base64
import json
import pathlib

from pyspark.sql import SparkSession

import holdfast_batch

COLUMNS = "id string, verdict string, rule string, reason string, path array<string>"


def answers(leaves, intermediates, command):
    """The answer to each leaf. The intermediates are few, and each worker gets all of them once."""
    above = {
        row.issuer: "".join(f',"{base64.b64encode(der).decode()}"' for der in row.chain)
        for row in intermediates.toLocalIterator()}
    shared = leaves.sparkSession.sparkContext.broadcast(above)
    return leaves.select("id", "leaf", "host", "issuer").mapInArrow(
        holdfast_batch.validate(command, shared), COLUMNS)


def summary(found):
    """How many answers have which verdict and rule, as a dictionary."""
    counts = {"verdict": {}, "rule": {}}
    for row in found.groupBy("verdict", "rule").count().collect():
        for name in counts:
            if row[name] is not None:
                counts[name][row[name]] = counts[name].get(row[name], 0) + row["count"]
    return {"lines": sum(counts["verdict"].values()), **counts}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("leaves", "intermediates", "anchors", "at", "output"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--summary")
    parser.add_argument("--holdfast", default="holdfast")
    arguments = parser.parse_args()
    spark = SparkSession.builder.appName("holdfast").getOrCreate()
    command = [arguments.holdfast, "batch", "--quiet", "--jobs", "1", "--anchors", arguments.anchors,
               "--at", arguments.at]
    found = answers(
        spark.read.parquet(arguments.leaves), spark.read.parquet(arguments.intermediates), command)
    found.write.mode("overwrite").parquet(arguments.output)
    if arguments.summary:
        counts = summary(spark.read.parquet(arguments.output))
        pathlib.Path(arguments.summary).write_text(json.dumps(counts, indent=2, sort_keys=True) + "\n")
    spark.stop()


if __name__ == "__main__":
    main()
