#!/usr/bin/env python3
"""Tries the job on a cluster of two workers on this machine, beside the same processes by hand.

    trial.py --holdfast PATH [--lines 2000000] [--distinct 20000]
    trial.py --holdfast PATH --growth FILE.tsv [--lines 10000000]

It makes certificates (one leaf in ten has expired, one in ten is asked for by another name, one file
of Parquet has hostile bytes in place of certificates), answers them with two `holdfast batch` by
hand, with Spark, and with Spark while an executor and a Python worker are killed, and compares all
answers byte for byte, and the summary with that of one process. It needs pyspark, pyarrow,
cryptography and Java.

--growth measures ten thousand lines, ten times as many, and so on, on one core, on two and with
Spark's two workers, and writes a table that Benchmarks/report.py draws.
"""
import argparse
import datetime
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pyarrow
import pyarrow.parquet
import pyspark
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

import holdfast_batch
import validate

AT = "2026-06-01T00:00:00Z"
NOW = datetime.datetime(2026, 6, 1)
DAY = datetime.timedelta(days=1)


def certificate(subject, key, issuer, issuer_key, end=NOW + 100 * DAY, host=None):
    def name(text):
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
    bits = [host is not None, *[False] * 4, host is None, host is None, False, False]
    builder = (
        x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer))
        .public_key(key.public_key()).serial_number(x509.random_serial_number())
        .not_valid_before(NOW - 100 * DAY).not_valid_after(end)
        .add_extension(x509.KeyUsage(*bits), True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()), False))
    if host:
        builder = (
            builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False))
    else:
        builder = builder.add_extension(x509.BasicConstraints(True, None), True)
    return builder.sign(issuer_key, hashes.SHA256())


def der(value):
    return value.public_bytes(serialization.Encoding.DER)


def hostile(number):
    """Bytes that are no certificate, or nearly none."""
    source = random.Random(number)
    return [
        b"", b"\0" * 100_000, b"\x30\x84\xff\xff\xff\xff", b"\x30\x80" * 20_000, b"\xff" * 5,
        bytes(source.randrange(256) for _ in range(source.randrange(1, 3_000)))][number % 6]


def make(folder, lines, distinct, files=16, is_hostile=True):
    """Writes anchors, Parquet and the requests of one machine; returns how many they are."""
    keys = [ec.generate_private_key(ec.SECP256R1()) for _ in range(30)]
    root = certificate("Trial Root", keys[0], "Trial Root", keys[0])
    folder.joinpath("root.pem").write_bytes(root.public_bytes(serialization.Encoding.PEM))
    issuing = [
        certificate(f"Trial CA {index}", keys[1 + index], "Trial Root", keys[0]) for index in range(8)]
    leaves = []
    for index in range(distinct):
        ca, host = index % 8, f"host{index}.example"
        leaf = certificate(
            host, keys[9 + index % 20], f"Trial CA {ca}", keys[1 + ca],
            NOW - DAY if index % 10 == 3 else NOW + 100 * DAY, host)
        leaves.append((der(leaf), "other.example" if index % 10 == 7 else host))
    folder.joinpath("leaves").mkdir()
    folder.joinpath("intermediates").mkdir()
    pyarrow.parquet.write_table(
        pyarrow.table({"certificate": [der(ca) for ca in issuing]}),
        folder / "intermediates/all.parquet")
    folder.joinpath("intermediates.pem").write_bytes(
        b"".join(ca.public_bytes(serialization.Encoding.PEM) for ca in issuing))
    number = 0
    for file in range(files):
        rows = []
        for _ in range(lines // files):
            leaf, host = leaves[number % distinct]
            if is_hostile and file == files // 2 and number % 5 == 0:
                leaf = hostile(number)
            rows.append((f"{number:010}", leaf, host))
            number += 1
        names = ["id", "leaf", "host"]
        columns = dict(zip(names, map(list, zip(*rows))))
        pyarrow.parquet.write_table(pyarrow.table(columns), folder / f"leaves/{file:02}.parquet")
        with open(folder / f"requests{file % 2}.ndjson", "a") as out:
            out.writelines(holdfast_batch.request(*row) for row in rows)
    return number


def canonical(rows):
    """Answers as lines, in the order of their requests."""
    keep = holdfast_batch.ANSWER.names
    return "".join(sorted(
        json.dumps([row[name] for name in keep], ensure_ascii=False) + "\n" for row in rows))


def by_hand(folder, command):
    start = time.monotonic()
    processes = []
    for half in range(2):
        with open(folder / f"requests{half}.ndjson") as requests, \
                open(folder / f"answers{half}.ndjson", "wb") as answers:
            processes.append(subprocess.Popen(
                [*command, "--intermediates", folder / "intermediates.pem"], stdin=requests,
                stdout=answers, stderr=subprocess.DEVNULL))
    for process in processes:
        process.wait()
    taken = time.monotonic() - start
    rows = []
    for half in range(2):
        with open(folder / f"answers{half}.ndjson") as answers:
            rows += [json.loads(line) for line in answers]
    return canonical(rows), taken


def summary_of_one(folder, command):
    """The summary of one process that answers everything."""
    subprocess.run(
        [*command, "--intermediates", folder / "intermediates.pem", "--summary",
         f"{folder}/summary.json", f"{folder}/requests0.ndjson", f"{folder}/requests1.ndjson"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads((folder / "summary.json").read_text())


def kill(pattern, after):
    """Kills one process whose command line matches, after some seconds."""
    def run():
        time.sleep(after)
        found = subprocess.run(["pgrep", "-f", pattern], capture_output=True, text=True).stdout.split()
        if found:
            os.kill(int(found[-1]), signal.SIGKILL)
            killed.append(pattern)
    killed = []
    thread = threading.Thread(target=run)
    thread.start()
    return thread, killed


def spark_session():
    from pyspark.sql import SparkSession
    return (
        SparkSession.builder.master("local-cluster[2,1,1024]").appName("holdfast trial")
        .config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false").config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1").config("spark.executor.memory", "900m")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "20000")
        .config("spark.sql.files.maxPartitionBytes", "16m")
        .config("spark.executorEnv.PYTHONPATH", str(pathlib.Path(__file__).resolve().parent))
        .getOrCreate())


def with_spark(spark, folder, command, output, leaves="leaves"):
    start = time.monotonic()
    leaves, intermediates = (
        spark.read.parquet(str(folder / name)) for name in (leaves, "intermediates"))
    validate.answers(leaves, intermediates, command).write.parquet(str(folder / output))
    return time.monotonic() - start


class Memory(threading.Thread):
    """The most memory, in MiB, that the processes below this one had together, looked at twice a
    second."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self.ended = 0, threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(0.5):
            found = subprocess.run(
                ["ps", "-e", "-o", "pid=,ppid=,rss="], capture_output=True, text=True).stdout
            rows = [tuple(map(int, line.split())) for line in found.splitlines()]
            below, count = {os.getpid()}, 0
            while len(below) > count:
                count = len(below)
                below |= {pid for pid, parent, _ in rows if parent in below}
            below.remove(os.getpid())
            self.most = max(self.most, sum(size for pid, _, size in rows if pid in below) / 1024)

    def stop(self):
        self.ended.set()
        self.join()
        return self.most


def run_alone(command):
    """Runs a program; returns the seconds it took and the most memory that it had, in MiB. The
    `ru_maxrss` of a child is that of this program if that has more."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    status, peaks = pathlib.Path(f"/proc/{process.pid}/status"), [0]

    def watch():
        while process.returncode is None:
            try:
                lines = status.read_text().splitlines()
            except OSError:
                return
            peaks.extend(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
            time.sleep(0.02)
    watching = threading.Thread(target=watch)
    watching.start()
    process.wait()
    seconds = time.monotonic() - start
    watching.join()
    return seconds, max(peaks) / 1024


def growth(tool, most, table):
    """Measures ten thousand lines, ten times as many, and so on; in larger inputs the same file
    stands many times, under other names."""
    with tempfile.TemporaryDirectory() as name, open(table, "w") as out:
        folder = pathlib.Path(name)
        unit = make(folder, 20_000, 20_000, files=2, is_hostile=False) // 2
        spark = spark_session()
        spark.sparkContext.setLogLevel("OFF")
        spark.range(100).mapInArrow(lambda batches: batches, "id long").count()
        print("lines\tby\tseconds\tMiB", file=out, flush=True)
        lines = unit
        while lines <= most:
            for kind, path in [("leaves", "leaves/00.parquet"), ("requests", "requests0.ndjson")]:
                (folder / f"{kind}{lines}").mkdir()
                for copy in range(lines // unit):
                    os.link(folder / path, folder / f"{kind}{lines}/{copy:05}.{path.split('.')[1]}")
            for cores, label in [("0", "one core"), ("0,1", "two cores")]:
                command = ["taskset", "-c", cores, tool, "batch", "--quiet", "--anchors",
                           f"{name}/root.pem", "--intermediates", f"{name}/intermediates.pem",
                           "--at", AT, f"{name}/requests{lines}"]
                print(lines, label, *run_alone(command), sep="\t", file=out, flush=True)
            memory = Memory()
            command = [tool, "batch", "--quiet", "--jobs", "1", "--anchors", f"{name}/root.pem",
                       "--at", AT]
            taken = with_spark(
                spark, folder, command, f"answers{lines}", leaves=f"leaves{lines}")
            print(lines, "Spark, two workers", taken, memory.stop(), sep="\t", file=out, flush=True)
            lines *= 10
        spark.stop()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--holdfast", required=True)
    parser.add_argument("--lines", type=int)
    parser.add_argument("--growth")
    parser.add_argument("--distinct", type=int, default=20_000)
    options = parser.parse_args()
    os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    tool = os.path.abspath(options.holdfast)
    if options.growth:
        return growth(tool, options.lines or 10_000_000, options.growth)
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        count = make(folder, options.lines or 2_000_000, options.distinct)
        command = [tool, "batch", "--quiet", "--jobs", "1", "--anchors", f"{name}/root.pem", "--at", AT]
        expected, alone = by_hand(folder, command)
        print(f"two processes by hand: {count} chains, {count / alone:,.0f} a second", flush=True)
        spark = spark_session()
        spark.sparkContext.setLogLevel("OFF")  # the log of a killed worker is long
        spark.range(100).mapInArrow(lambda batches: batches, "id long").count()  # starts the workers
        for output, patterns in [
                ("calm", []), ("killed", [r"pyspark\.daemon", "CoarseGrainedExecutorBackend"])]:
            threads = [
                kill(pattern, alone * (index + 1) / 3) for index, pattern in enumerate(patterns)]
            taken = with_spark(spark, folder, command, output)
            for thread, _ in threads:
                thread.join()
            killed = [pattern for _, found in threads for pattern in found]
            rows = pyarrow.parquet.read_table(folder / output).to_pylist()
            same = canonical(rows) == expected
            failures += not same or len(killed) != len(patterns)
            print(f"Spark, {output}: {count / taken:,.0f} a second, {taken / alone:.2f} times by hand, "
                  f"killed {len(killed)}, answers {'equal' if same else 'DIFFERENT'}", flush=True)
        found = validate.summary(
            spark.read.parquet(str(folder / "leaves")), spark.read.parquet(str(folder / "calm")),
            command)
        same = found == summary_of_one(folder, command)
        failures += not same or found["lines"] != count
        print(f"summary: {found['verdicts']}, that of one process is "
              f"{'equal' if same else 'DIFFERENT'}", flush=True)
        spark.stop()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
