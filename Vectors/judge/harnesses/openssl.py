"""OpenSSL, through X509_verify_cert of libcrypto: python3 openssl.py SUITE

The settings are what its manual advises: the purpose, the host without partial wildcards and common names, any
anchor as the end of a path, and security level 2, as Debian's TLS has it. A CRL is demanded of the leaf
where a case gives CRLs; deltas, indirect CRLs and policies are switched on.
"""
import ctypes
import ctypes.util

from harness import run

lib = ctypes.CDLL(ctypes.util.find_library("crypto"))
POINTER, INT, LONG, TEXT = ctypes.c_void_p, ctypes.c_int, ctypes.c_long, ctypes.c_char_p
for name, result, *arguments in [
    ("OpenSSL_version", TEXT, INT), ("d2i_X509", POINTER, POINTER, POINTER, LONG), ("d2i_X509_CRL", POINTER, POINTER, POINTER, LONG),
    ("X509_STORE_new", POINTER), ("X509_STORE_free", None, POINTER), ("X509_STORE_add_cert", INT, POINTER, POINTER),
    ("X509_STORE_CTX_set0_crls", None, POINTER, POINTER), ("X509_STORE_CTX_new", POINTER), ("X509_STORE_CTX_free", None, POINTER),
    ("X509_STORE_CTX_init", INT, POINTER, POINTER, POINTER, POINTER), ("X509_STORE_CTX_get0_param", POINTER, POINTER),
    ("X509_VERIFY_PARAM_set_time", None, POINTER, LONG), ("X509_VERIFY_PARAM_set1_host", INT, POINTER, TEXT, ctypes.c_size_t),
    ("X509_VERIFY_PARAM_set1_ip_asc", INT, POINTER, TEXT), ("X509_VERIFY_PARAM_set1_email", INT, POINTER, TEXT, ctypes.c_size_t),
    ("OBJ_txt2obj", POINTER, TEXT, INT), ("X509_VERIFY_PARAM_add0_policy", INT, POINTER, POINTER),
    ("X509_VERIFY_PARAM_set_purpose", INT, POINTER, INT), ("X509_VERIFY_PARAM_set_flags", INT, POINTER, ctypes.c_ulong),
    ("X509_VERIFY_PARAM_set_hostflags", None, POINTER, ctypes.c_uint), ("X509_VERIFY_PARAM_set_auth_level", None, POINTER, INT),
    ("X509_verify_cert", INT, POINTER), ("X509_STORE_CTX_get_error", INT, POINTER), ("X509_STORE_CTX_get0_chain", POINTER, POINTER),
    ("X509_verify_cert_error_string", TEXT, LONG), ("OPENSSL_sk_new_null", POINTER), ("OPENSSL_sk_push", INT, POINTER, POINTER),
    ("OPENSSL_sk_num", INT, POINTER), ("OPENSSL_sk_value", POINTER, POINTER, INT), ("OPENSSL_sk_free", None, POINTER),
    ("i2d_X509", INT, POINTER, POINTER), ("X509_free", None, POINTER), ("X509_CRL_free", None, POINTER), ("ERR_clear_error", None),
]:
    function = getattr(lib, name)
    function.restype, function.argtypes = result, arguments
CRL_CHECK, EXTENDED_CRLS, DELTAS, PARTIAL_CHAIN, POLICIES = 0x4, 0x1000, 0x2000, 0x80000, 0x80
NO_PARTIAL_WILDCARDS, NEVER_SUBJECT = 0x4, 0x20
PURPOSES = {"client": 1, "server": 2, "email": 4, "any": 7, "timeStamping": 9}


def read(function, bytes_):
    buffer = ctypes.create_string_buffer(bytes_, len(bytes_))
    return function(None, ctypes.byref(ctypes.c_void_p(ctypes.addressof(buffer))), len(bytes_))


def written(certificate):
    buffer = ctypes.create_string_buffer(lib.i2d_X509(certificate, None))
    lib.i2d_X509(certificate, ctypes.byref(ctypes.c_void_p(ctypes.addressof(buffer))))
    return buffer.raw


def answer(question):
    leaf = read(lib.d2i_X509, question.leaf)
    if not leaf:
        lib.ERR_clear_error()
        return "FAILURE", "unreadable", None
    store, context, owned, lists = lib.X509_STORE_new(), lib.X509_STORE_CTX_new(), [leaf], []
    stack, crls = lib.OPENSSL_sk_new_null(), lib.OPENSSL_sk_new_null()
    try:
        for anchor in filter(None, (read(lib.d2i_X509, one) for one in question.anchors)):
            lib.X509_STORE_add_cert(store, anchor)
            owned.append(anchor)
        for one in filter(None, (read(lib.d2i_X509, one) for one in question.intermediates)):
            lib.OPENSSL_sk_push(stack, one)
            owned.append(one)
        for one in filter(None, (read(lib.d2i_X509_CRL, one) for one in question.crls)):
            lib.OPENSSL_sk_push(crls, one)
            lists.append(one)
        lib.X509_STORE_CTX_init(context, store, leaf, stack)
        lib.X509_STORE_CTX_set0_crls(context, crls)
        settings = lib.X509_STORE_CTX_get0_param(context)
        lib.X509_VERIFY_PARAM_set_time(settings, int(question.time.timestamp()))
        lib.X509_VERIFY_PARAM_set_purpose(settings, PURPOSES[question.use])
        lib.X509_VERIFY_PARAM_set_auth_level(settings, 2)
        lib.X509_VERIFY_PARAM_set_hostflags(settings, NO_PARTIAL_WILDCARDS | NEVER_SUBJECT)
        flags = CRL_CHECK | EXTENDED_CRLS | DELTAS if question.crls else 0
        lib.X509_VERIFY_PARAM_set_flags(settings, PARTIAL_CHAIN | POLICIES | flags)
        # Without a set of policies it takes none for acceptable.
        lib.X509_VERIFY_PARAM_add0_policy(settings, lib.OBJ_txt2obj(b"2.5.29.32.0", 1))
        if question.name:
            name = question.name.encode()
            if question.kind == "IP":
                lib.X509_VERIFY_PARAM_set1_ip_asc(settings, name)
            elif question.kind == "RFC822":
                lib.X509_VERIFY_PARAM_set1_email(settings, name, len(name))
            else:
                lib.X509_VERIFY_PARAM_set1_host(settings, name, len(name))
        is_valid = lib.X509_verify_cert(context) == 1
        error = lib.X509_STORE_CTX_get_error(context)
        if not is_valid:
            return "FAILURE", lib.X509_verify_cert_error_string(error).decode(), None
        chain = lib.X509_STORE_CTX_get0_chain(context)
        return "SUCCESS", None, [written(lib.OPENSSL_sk_value(chain, index)) for index in range(lib.OPENSSL_sk_num(chain))]
    finally:
        lib.X509_STORE_CTX_free(context)
        lib.OPENSSL_sk_free(stack)
        lib.OPENSSL_sk_free(crls)
        lib.X509_STORE_free(store)
        for one in owned:
            lib.X509_free(one)
        for one in lists:
            lib.X509_CRL_free(one)
        lib.ERR_clear_error()


run(lib.OpenSSL_version(0).decode().rsplit(" ", 3)[0], ["crl", "policies", "status", "rules:rfc5280", *(f"purpose:{use}" for use in PURPOSES)], answer)
