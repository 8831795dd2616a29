"""The work of the benchmarks in pyca/cryptography. Benchmarks/README.md has the protocol.
"""
import base64
import datetime
import sys
import time
import warnings

import cryptography
from cryptography import x509
from cryptography.x509 import verification


class Question:
    def __init__(self):
        self.anchors, self.leaf, self.intermediates = [], b"", []

    def validation(self, host, moment):
        """Parses the chain and makes the verifier in the loop; the store is made before."""
        moment = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc)
        store = verification.Store(self.anchors)
        builder = verification.PolicyBuilder().store(store).time(moment.replace(tzinfo=None))
        subject = x509.DNSName(host)

        def work():
            leaf = x509.load_der_x509_certificate(self.leaf)
            others = [x509.load_der_x509_certificate(der) for der in self.intermediates]
            try:
                builder.build_server_verifier(subject).verify(leaf, others)
            except verification.VerificationError:
                return "invalid"
            return "valid"
        return work

    def reading(self):
        def work():
            certificate = x509.load_der_x509_certificate(self.leaf)
            return "valid" if certificate.extensions and certificate.public_key() else "invalid"
        return work


def loading(path):
    with open(path, "rb") as file:
        text = file.read()

    def work():
        certificates = x509.load_pem_x509_certificates(text)
        verification.Store(certificates)
        return str(len(certificates))
    return work


def measure(work, expected, milliseconds):
    for share in (4, 1):
        limit = milliseconds * 1_000_000 // share
        start, count, elapsed = time.perf_counter_ns(), 0, 0
        while elapsed < limit:
            if work() != expected:
                return "a changed answer"
            count += 1
            if count & (count - 1) == 0 or count % 16 == 0:
                elapsed = time.perf_counter_ns() - start
    return f"{elapsed // count} -"


def main():
    question, work, expected = Question(), None, None
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "new":
            question, work = Question(), None
            continue
        if word in ("anchor", "leaf", "intermediate"):
            der = base64.b64decode(rest[0])
            if word == "anchor":
                question.anchors.append(x509.load_der_x509_certificate(der))
            elif word == "leaf":
                question.leaf = der
            else:
                question.intermediates.append(der)
            continue
        try:
            if word == "version":
                answer = f"pyca/cryptography {cryptography.__version__}"
            elif word == "measure":
                answer = measure(work, expected, int(rest[0]))
            else:
                if word == "validate":
                    work = question.validation(rest[0], int(rest[1]))
                elif word == "read":
                    work = question.reading()
                elif word == "load":
                    work = loading(rest[0])
                answer = expected = work()
        except Exception as error:
            answer = f"{type(error).__name__}: {error}".replace("\n", " ")
        print(answer, flush=True)


if __name__ == "__main__":
    # Some system roots have serial numbers about which pyca warns.
    warnings.simplefilter("ignore")
    main()
