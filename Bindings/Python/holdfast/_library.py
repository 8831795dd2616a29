"""The functions of holdfast.h."""

import ctypes
import os
import pathlib

Pointer = ctypes.c_void_p
_Size = ctypes.c_size_t
_Text = [ctypes.c_char_p, _Size]
_Number = ctypes.c_uint32

NOW = -(1 << 63)
PUBLIC = 1
HANDSHAKE = 1


class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", _Size)]


class Question(ctypes.Structure):
    _fields_ = [
        ("structure_size", _Size), ("purpose", _Number), ("flags", _Number),
        ("name", ctypes.c_char_p), ("name_size", _Size), ("time", ctypes.c_int64),
        ("chain", ctypes.POINTER(Bytes)), ("chain_count", _Size),
        ("staple", Bytes), ("timestamps", Bytes),
    ]


class Limits(ctypes.Structure):
    _fields_ = [("structure_size", _Size)] + [
        (name, _Number) for name in ("signatures", "steps", "work", "path_length", "candidates")
    ]


_FUNCTIONS = {
    "version": (ctypes.c_char_p, []),
    "status_text": (ctypes.c_char_p, [ctypes.c_int32]),
    "policy_new": (ctypes.c_int32, [ctypes.POINTER(Pointer)]),
    "policy_free": (ctypes.c_int32, [Pointer]),
    "policy_copy_problem": (_Size, [Pointer, ctypes.c_char_p, _Size]),
    "policy_trust_system": (ctypes.c_int32, [Pointer, _Number]),
    "policy_add_anchors": (ctypes.c_int32, [Pointer, *_Text, _Number]),
    "policy_add_anchor_file": (ctypes.c_int32, [Pointer, *_Text, _Number]),
    "policy_set_rules": (ctypes.c_int32, [Pointer, *_Text]),
    "policy_add_pin": (ctypes.c_int32, [Pointer, *_Text, *_Text]),
    "policy_require_pins": (ctypes.c_int32, [Pointer, _Number]),
    "policy_add_crls": (ctypes.c_int32, [Pointer, *_Text]),
    "policy_add_filter_file": (ctypes.c_int32, [Pointer, *_Text]),
    "policy_add_upki": (ctypes.c_int32, [Pointer, *_Text]),
    "policy_set_revocation": (ctypes.c_int32, [Pointer, _Number]),
    "policy_set_log_list": (ctypes.c_int32, [Pointer, *_Text, *_Text, _Number]),
    "policy_set_limits": (ctypes.c_int32, [Pointer, ctypes.POINTER(Limits)]),
    # What is passed are pointers already; to check their types takes as long as the rest of the call.
    "policy_ask": (ctypes.c_int32, None),
    "answer_is_trusted": (ctypes.c_int, [Pointer]),
    "answer_verdict": (ctypes.c_int32, [Pointer]),
    "answer_borrow_text": (Pointer, [Pointer, _Number, ctypes.POINTER(_Size)]),
    "answer_borrow_certificate": (Pointer, [Pointer, _Size, ctypes.POINTER(_Size)]),
    "answer_valid_until": (ctypes.c_int64, [Pointer]),
    "answer_holds": (ctypes.c_int, [Pointer, Pointer, *_Text, ctypes.c_int64]),
    "answer_free": (ctypes.c_int32, [Pointer]),
}


# To let other threads run meanwhile takes longer than these take.
_SHORT = ("holdfast_answer_is_trusted", "holdfast_answer_free")


def _load() -> ctypes.CDLL:
    beside = pathlib.Path(__file__).parent / "libholdfast.so.0"
    path = os.environ.get("HOLDFAST_LIBRARY") or (str(beside) if beside.exists() else "libholdfast.so.0")
    loaded = ctypes.CDLL(path)
    short = ctypes.PyDLL(path, handle=loaded._handle)
    for name in _SHORT:
        setattr(loaded, name, getattr(short, name))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(loaded, f"holdfast_{name}")
        function.restype = result
        if arguments is not None:
            function.argtypes = arguments
    return loaded


library = _load()
