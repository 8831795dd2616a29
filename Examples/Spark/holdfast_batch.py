"""A `holdfast batch` process for each Python worker of Spark: chains in, answers out, in order."""
import binascii
import io
import itertools
import json
import os
import subprocess
import threading

import pyarrow
import pyarrow.json

# What is kept of an answer, and of a certificate that was listed.
ANSWER = pyarrow.schema([
    ("id", pyarrow.string()), ("verdict", pyarrow.string()), ("rule", pyarrow.string()),
    ("reason", pyarrow.string()), ("path", pyarrow.list_(pyarrow.string()))])
LISTED = pyarrow.schema([
    ("issuer", pyarrow.string()), ("notBefore", pyarrow.string()), ("key", pyarrow.string())])

text = json.encoder.encode_basestring_ascii
_processes = {}


class Batch:
    """A process that answers all partitions of a worker: starting one takes as long as some hundred
    chains, and it remembers the issuers."""

    def __init__(self, command, intermediates):
        # A file without a name, which goes when the process does.
        issuers = os.memfd_create("intermediates")
        with os.fdopen(issuers, "w", closefd=False) as file:
            file.write(intermediates)
        self.command = [*command, "--intermediates", f"/dev/fd/{issuers}"]
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, pass_fds=[issuers])
        os.close(issuers)

    def answers(self, lines, count):
        """The answers to some lines of JSON, of which there are `count`: as many lines, as bytes.

        A thread reads while this one writes: otherwise both processes could wait for each other."""
        parts, missing = [], [count]

        def read():
            while missing[0] > 0 and (part := os.read(self.process.stdout.fileno(), 1 << 20)):
                parts.append(part)
                missing[0] -= part.count(b"\n")

        reader = threading.Thread(target=read)
        reader.start()
        try:
            # The process works on some lines while the next are made.
            while some := "".join(itertools.islice(lines, 256)):
                self.process.stdin.write(some.encode())
            self.process.stdin.flush()
        except OSError:
            pass  # the process has ended, and so have its answers
        reader.join()
        if missing[0] > 0:
            self.process.kill()
            raise RuntimeError(
                f"{' '.join(self.command)}: {missing[0]} of {count} lines have no answer, status "
                f"{self.process.wait()}")
        return b"".join(parts)


def batch(command, intermediates):
    """The process of this worker with a command."""
    known = _processes.get(tuple(command))
    if known is None or known.process.poll() is not None:
        known = _processes[tuple(command)] = Batch(command, intermediates)
    return known


def read(answers, schema):
    """Lines of JSON as a batch with the columns of a schema; what they lack is null."""
    table = pyarrow.json.read_json(
        io.BytesIO(answers), pyarrow.json.ReadOptions(use_threads=False, block_size=len(answers)),
        pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"))
    return table.select(schema.names).combine_chunks().to_batches()[0]


def request(id, leaf, host):
    """A line of `holdfast batch`."""
    chain = binascii.b2a_base64(leaf, newline=False).decode()
    host = "null" if host is None else text(host)
    return f'{{"id":{text(id)},"host":{host},"chain":["{chain}"]}}\n'


def validate(command, intermediates):
    """A function for `mapInArrow`: from batches with `id`, `leaf` and `host` to answers.
    `intermediates` is broadcast: the text of their PEM."""
    def run(batches):
        process = batch(command, intermediates.value)
        for part in batches:
            columns = [part.column(name).to_pylist() for name in ("id", "leaf", "host")]
            if part.num_rows > 0:
                lines = map(request, *columns)
                yield read(process.answers(lines, part.num_rows), ANSWER)
    return run


def listed(command):
    """A function for `mapInArrow`: from batches with `leaf` to what the certificates say; nulls for
    what cannot be parsed. `command` has `--list`."""
    def run(batches):
        process = batch(command, "")
        for part in batches:
            if part.num_rows > 0:
                lines = (request("", leaf, None) for leaf in part.column("leaf").to_pylist())
                yield read(process.answers(lines, part.num_rows), LISTED)
    return run
