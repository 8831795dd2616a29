"""pyca/cryptography, through cryptography.x509.verification: python3 pyca.py SUITE

It has one policy, that of the Web PKI, no revocation, and clients without a choice of names.
"""
import ipaddress

import cryptography
from cryptography import x509
from cryptography.x509 import verification

from harness import run
from cryptography.hazmat.primitives.serialization import Encoding


def readable(ders):
    found = []
    for one in ders:
        try:
            found.append(x509.load_der_x509_certificate(one))
        except Exception:  # InvalidVersion is no ValueError.
            pass
    return found


def answer(question):
    try:
        leaf = x509.load_der_x509_certificate(question.leaf)
    except Exception:
        return "FAILURE", "unreadable", None
    if question.use == "server" and not question.name:
        return "SKIPPED", "a server without a name", None
    try:
        anchors = readable(question.anchors)
        if not anchors:
            return "FAILURE", "no anchors", None
        builder = verification.PolicyBuilder().store(verification.Store(anchors)).time(question.time.replace(tzinfo=None))
        if question.use == "client":
            chain = builder.build_client_verifier().verify(leaf, readable(question.intermediates)).chain
        else:
            name = x509.IPAddress(ipaddress.ip_address(question.name)) if question.kind == "IP" else x509.DNSName(question.name)
            chain = builder.build_server_verifier(name).verify(leaf, readable(question.intermediates))
        return "SUCCESS", None, [one.public_bytes(Encoding.DER) for one in chain]
    except verification.VerificationError as error:
        return "FAILURE", str(error), None
    except (ValueError, TypeError) as error:
        return "FAILURE", f"unreadable: {error}", None
    except BaseException as error:  # Its library in Rust may panic.
        return "FAILURE", f"{type(error).__name__}: {error}", None


run(f"pyca/cryptography {cryptography.__version__}", [], answer)
