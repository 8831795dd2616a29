"""A `holdfast batch` process for each Python worker of Spark: chains in, answers out, in order."""
import base64
import json
import os
import subprocess
import threading

import pyarrow

# What is kept of an answer.
ANSWER = pyarrow.schema([
    ("id", pyarrow.string()), ("verdict", pyarrow.string()), ("rule", pyarrow.string()),
    ("reason", pyarrow.string()), ("path", pyarrow.list_(pyarrow.string()))])

_process = None


class Batch:
    """A process that answers all partitions of a worker: starting one takes as long as some hundred
    chains, and it remembers the issuers."""

    def __init__(self, command):
        self.command = command
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def answers(self, lines):
        """The answers to some lines of JSON, each a line of JSON.

        A thread writes while this one reads: otherwise both processes could wait for each other."""
        def write():
            try:
                self.process.stdin.write("".join(lines).encode())
                self.process.stdin.flush()
            except OSError:
                pass  # the process has ended, and the reader says so

        writer = threading.Thread(target=write)
        writer.start()
        found = [answer for _, answer in zip(lines, self.process.stdout)]
        if len(found) != len(lines):
            self.process.kill()
            raise RuntimeError(
                f"{' '.join(self.command)}: {len(found)} answers to {len(lines)} lines, status "
                f"{self.process.wait()}")
        writer.join()
        return found


def batch(command):
    """The process of this worker."""
    global _process
    if _process is None or _process.command != command or _process.process.poll() is not None:
        _process = Batch(command)
    return _process


def request(id, leaf, host, above):
    """A line of `holdfast batch`; `above` is the certificates above the leaf as JSON."""
    chain = base64.b64encode(leaf).decode()
    return f'{{"id":{json.dumps(id)},"host":{json.dumps(host)},"chain":["{chain}"{above}]}}\n'


def validate(command, intermediates):
    """A function for `mapInArrow`: from batches with `id`, `leaf`, `host` and `issuer` to answers.

    `intermediates` is a broadcast dictionary: the certificates above a leaf, as JSON, by its
    `issuer`."""
    def run(batches):
        for part in batches:
            above = intermediates.value
            columns = [part.column(name).to_pylist() for name in ("id", "leaf", "host", "issuer")]
            lines = [
                request(id, leaf, host, above.get(issuer, ""))
                for id, leaf, host, issuer in zip(*columns)]
            answers = [json.loads(answer) for answer in batch(command).answers(lines)]
            yield pyarrow.RecordBatch.from_arrays(
                [pyarrow.array([answer[field.name] for answer in answers], field.type)
                 for field in ANSWER], schema=ANSWER)
    return run
