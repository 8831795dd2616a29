"""GnuTLS, through gnutls_x509_trust_list_verify_crt2: python3 gnutls.py SUITE

The purpose is given, and the host where there is one; the other settings are its defaults. It does not
say which path it took. Its list verifies CRLs of its own CAs alone, so cases with CRLs are left out.
"""
import ctypes
import ctypes.util
import ipaddress

from harness import run

lib = ctypes.CDLL(ctypes.util.find_library("gnutls"))
lib.gnutls_check_version.restype = ctypes.c_char_p
CLOCK = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)
now = 0
clock = CLOCK(lambda _: now)
lib.gnutls_global_set_time_function(clock)
OIDS = {"server": b"1.3.6.1.5.5.7.3.1", "client": b"1.3.6.1.5.5.7.3.2", "codeSigning": b"1.3.6.1.5.5.7.3.3",
        "email": b"1.3.6.1.5.5.7.3.4", "timeStamping": b"1.3.6.1.5.5.7.3.8", "ocspSigning": b"1.3.6.1.5.5.7.3.9",
        "any": b"2.5.29.37.0"}
HOST, PURPOSE, MAILBOX, ADDRESS = 1, 2, 3, 4
BITS = {5: "revoked", 6: "signer not found", 7: "signer not CA", 8: "insecure algorithm", 9: "not activated", 10: "expired",
        11: "signature failure", 12: "revocation data superseded", 14: "unexpected owner", 15: "revocation data issued in future",
        16: "signer constraints failure", 17: "mismatch", 18: "purpose mismatch", 21: "unknown critical extensions"}


class Datum(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_uint)]


class Detail(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("data", ctypes.c_char_p), ("size", ctypes.c_uint)]


def read(kind, ders):
    found = []
    for one in ders:
        item = ctypes.c_void_p()
        getattr(lib, f"gnutls_x509_{kind}_init")(ctypes.byref(item))
        if getattr(lib, f"gnutls_x509_{kind}_import")(item, ctypes.byref(Datum(one, len(one))), 0) == 0:
            found.append(item)
        else:
            getattr(lib, f"gnutls_x509_{kind}_deinit")(item)
    return found


def array(items):
    return (ctypes.c_void_p * len(items))(*[item.value for item in items])


def answer(question):
    global now
    now = int(question.time.timestamp())
    leaf = read("crt", [question.leaf])
    if not leaf:
        return "FAILURE", "unreadable", None
    # Its list takes no more than 16 certificates of a peer.
    chain = leaf + read("crt", question.intermediates)[:15]
    store, output = ctypes.c_void_p(), ctypes.c_uint()
    lib.gnutls_x509_trust_list_init(ctypes.byref(store), 0)
    anchors = read("crt", question.anchors)
    if anchors:
        lib.gnutls_x509_trust_list_add_cas(store, array(anchors), len(anchors), 0)
    details = [Detail(PURPOSE, OIDS[question.use], 0)]
    if question.name and question.kind == "IP":
        address = ipaddress.ip_address(question.name).packed
        details.append(Detail(ADDRESS, address, len(address)))
    elif question.name:
        details.append(Detail(MAILBOX if question.kind == "RFC822" else HOST, question.name.encode(), 0))
    status = lib.gnutls_x509_trust_list_verify_crt2(
        store, array(chain), len(chain), (Detail * len(details))(*details), len(details), 0, ctypes.byref(output), None)
    lib.gnutls_x509_trust_list_deinit(store, 1)
    for one in chain:
        lib.gnutls_x509_crt_deinit(one)
    if status == 0 and output.value == 0:
        return "SUCCESS", None, None
    words = [word for bit, word in BITS.items() if output.value >> bit & 1]
    return "FAILURE", ", ".join(words) or None, None


run(f"GnuTLS {lib.gnutls_check_version(None).decode()}", ["rules:rfc5280", *(f"purpose:{use}" for use in OIDS)], answer)
