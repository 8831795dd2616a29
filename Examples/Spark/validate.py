#!/usr/bin/env python3
"""Validates certificates in Parquet with `holdfast batch` on Spark.

    spark-submit --py-files holdfast_batch.py validate.py --leaves DIR --intermediates DIR \\
        --anchors FILE --at TIME --output DIR [--summary FILE] [--holdfast PATH]

The leaves have the columns `id` (text), `leaf` (DER) and `host` (text, or null for any); the
intermediates have `certificate` (DER). The tool and the anchors are at the same path on each machine.
"""
import argparse
import json
import pathlib
import ssl

from pyspark.sql import SparkSession
from pyspark.sql.functions import substring

import holdfast_batch

COLUMNS = "id string, verdict string, rule string, reason string, path array<string>"
VERDICTS = ["trusted", "rejected", "pinMismatch", "exhausted", "unreadable", "unreachable"]
# How many names of each kind a summary counts on their own.
MAXIMUM_NAMES = 1000


def answers(leaves, intermediates, command):
    """The answer to each leaf. The intermediates are few, and each worker gets all of them once."""
    pem = "".join(
        ssl.DER_cert_to_PEM_cert(row.certificate) for row in intermediates.toLocalIterator())
    shared = leaves.sparkSession.sparkContext.broadcast(pem)
    return leaves.select("id", "leaf", "host").mapInArrow(
        holdfast_batch.validate(command, shared), COLUMNS)


def summary(leaves, found, command):
    """What `holdfast batch --summary` counts, as a dictionary. Of many names the most frequent are
    counted on their own."""
    verdicts = {row["verdict"]: row["count"] for row in found.groupBy("verdict").count().collect()}
    certificates = leaves.select("leaf").mapInArrow(
        holdfast_batch.listed([*command, "--list"]), "issuer string, notBefore string, key string")
    # One pass over the leaves: issuers, months and keys are few together, too.
    groups = certificates.groupBy(
        "issuer", substring("notBefore", 1, 7).alias("month"), "key").count().collect()
    return {
        "version": 1, "lines": sum(verdicts.values()), "listed": 0,
        "verdicts": {name: verdicts.get(name, 0) for name in VERDICTS},
        "rules": tally((row["rule"], row["count"]) for row in found.groupBy("rule").count().collect()),
        "issuers": tally((row["issuer"], row["count"]) for row in groups),
        "months": tally(((row["month"], row["count"]) for row in groups), key=lambda item: item[0]),
        "keys": tally((row["key"], row["count"]) for row in groups)}


def tally(counts, key=lambda item: (-item[1], item[0])):
    """Counts by name, as the tool writes them."""
    sums = {}
    for name, count in counts:
        if name is not None:
            sums[name] = sums.get(name, 0) + count
    frequent = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    others = sum(count for _, count in frequent[MAXIMUM_NAMES:])
    rows = [{"name": name, "count": count} for name, count in sorted(frequent[:MAXIMUM_NAMES], key=key)]
    return rows + ([{"name": None, "count": others}] if others else [])


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
    leaves = spark.read.parquet(arguments.leaves)
    found = answers(leaves, spark.read.parquet(arguments.intermediates), command)
    found.write.mode("overwrite").parquet(arguments.output)
    if arguments.summary:
        counts = summary(leaves, spark.read.parquet(arguments.output), command)
        pathlib.Path(arguments.summary).write_text(json.dumps(counts, indent=2) + "\n")
    spark.stop()


if __name__ == "__main__":
    main()
