"""Policies and answers."""

from __future__ import annotations

import ctypes
import datetime
import functools
import json
import os
import ssl
import typing

from . import _library
from ._library import Bytes, Limits, Pointer, Question, library

Purpose = typing.Literal["server", "client", "peer", "email", "code", "time", "any"]
Demand = typing.Literal["ignored", "given", "leaf", "required"]
LogDemand = typing.Literal["report", "require-soft-fail", "require"]
Time = typing.Union[datetime.datetime, int, None]
Chain = typing.Union[typing.Sequence[bytes], bytes, str]

_PURPOSES = {"server": 1, "client": 2, "peer": 3, "email": 4, "code": 5, "time": 6, "any": 7}
_DEMANDS = {"ignored": 1, "given": 2, "leaf": 3, "required": 4}
_LOG_DEMANDS = {"report": 1, "require-soft-fail": 2, "require": 3}
# Looked up once, because a warm verdict takes microseconds.
_ask, _is_trusted = library.holdfast_policy_ask, library.holdfast_answer_is_trusted
_VERDICTS = {1: "trusted", 2: "rejected", 3: "pinMismatch", 4: "exhausted", 5: "unreadable"}


class Error(Exception):
    """A policy cannot be made, or a question not be asked. `status` is the name in holdfast.h."""

    def __init__(self, status: int, problem: str = "") -> None:
        self.status = library.holdfast_status_text(status).decode()
        super().__init__(problem or self.status)


def version() -> str:
    """The version of the library."""
    return str(library.holdfast_version(), "ascii")


class Policy:
    """What is trusted, and how strictly. It does not change; any thread may ask it.

    anchors: nothing for the system's roots, the path of a file, or certificates: PEM or DER as bytes.
    public: whether the anchors are roots of the web, as the system's are.
    rules: webPKI, rfc5280 (CAs of your own), apple, strict or strictRFC5280.
    pins: the pins of each pattern of hosts, in any notation.
    require_pins: whether hosts without pins are rejected.
    crls, filters, upki, revocation: what is known of revocations, and which status must be known.
    log_list, logs, logs_demand: the log list in JSON, whose policy, and what happens without timestamps.
    limits: signatures, steps, work, path_length, candidates.
    """

    def __init__(
        self,
        anchors: str | os.PathLike[str] | bytes | None = None,
        *,
        public: bool = False,
        rules: str = "webPKI",
        pins: typing.Mapping[str, typing.Iterable[str]] | None = None,
        require_pins: bool = False,
        crls: typing.Iterable[bytes] = (),
        filters: typing.Iterable[str | os.PathLike[str]] = (),
        upki: bool | str = False,
        revocation: Demand | None = None,
        log_list: bytes | None = None,
        logs: str = "chrome",
        logs_demand: LogDemand = "report",
        limits: typing.Mapping[str, int] | None = None,
    ) -> None:
        self._policy = Pointer()
        self._check(library.holdfast_policy_new(ctypes.byref(self._policy)))
        if anchors is None:
            self._set("trust_system", 0)
        elif isinstance(anchors, bytes):
            self._set("add_anchors", anchors, len(anchors), int(public))
        else:
            self._set("add_anchor_file", *_text(os.fspath(anchors)), int(public))
        self._set("set_rules", *_text(rules))
        for pattern, texts in (pins or {}).items():
            if isinstance(texts, str):
                raise TypeError(f"pins of {pattern}: a list of texts, not one text")
            for text in texts:
                self._set("add_pin", *_text(pattern), *_text(text))
        self._set("require_pins", int(require_pins))
        for crl in crls:
            self._set("add_crls", crl, len(crl))
        for path in filters:
            self._set("add_filter_file", *_text(os.fspath(path)))
        if upki is not False:
            self._set("add_upki", *(_text(upki) if isinstance(upki, str) else (None, 0)))
        if revocation is not None:
            self._set("set_revocation", _DEMANDS[revocation])
        if log_list is not None:
            self._set("set_log_list", log_list, len(log_list), *_text(logs), _LOG_DEMANDS[logs_demand])
        if limits:
            self._set("set_limits", ctypes.byref(Limits(ctypes.sizeof(Limits), **limits)))

    def __del__(self, free: typing.Callable[..., int] = library.holdfast_policy_free) -> None:
        if getattr(self, "_policy", None):
            free(self._policy)

    def verify(
        self,
        chain: Chain,
        *,
        host: str | None = None,
        purpose: Purpose = "server",
        email: str | None = None,
        time: Time = None,
        staple: bytes | None = None,
        timestamps: bytes | None = None,
        handshake: bool = False,
    ) -> Answer:
        """Judges a chain: certificates in DER, the leaf first, the others in any order; or a text in PEM.

        host: the server; a server without a name is an error.
        time: when, as seconds since 1970 or as a datetime with a time zone; now if it is None.
        staple: an OCSP response; timestamps: the data of TLS extension 18.
        handshake: whether the chain was sent in a handshake that is going on, and the staple with it.
        """
        ders = _ders(chain)
        try:
            form = _forms.pop()
        except IndexError:
            form = _Form(8)
        if form.chain != ders:
            if len(ders) > len(form.parts):
                form = _Form(len(ders))
            form.put(ders)
        asked = (purpose, email if purpose == "email" else host, time, handshake)
        if form.asked != asked:
            form.ask(*asked)
        if staple is not None or timestamps is not None:
            form.question.staple = Bytes(staple, len(staple or b""))
            form.question.timestamps = Bytes(timestamps, len(timestamps or b""))
        status = _ask(self._policy, form.question_place, form.answer_place)
        if status != 0:
            self._check(status)
        answer = Answer(form.answer.value)
        if staple is None and timestamps is None:
            _forms.append(form)
        return answer

    def _set(self, name: str, *arguments: object) -> None:
        self._check(getattr(library, f"holdfast_policy_{name}")(self._policy, *arguments))

    def _check(self, status: int) -> None:
        if status == 0:
            return
        size = library.holdfast_policy_copy_problem(self._policy, None, 0)
        buffer = ctypes.create_string_buffer(size + 1)
        library.holdfast_policy_copy_problem(self._policy, buffer, size + 1)
        raise Error(status, buffer.value.decode())


class _Form:
    """A question as C reads it. To make one takes half as long as a warm verdict, so it is used again, by one call at a
    time: a form in the list is in use by none. What the next question has in common with the last is not written again.
    A form with a staple or timestamps, and that of a call that fails, is not used again."""

    __slots__ = ("parts", "question", "answer", "question_place", "answer_place", "chain", "asked")

    def __init__(self, count: int) -> None:
        array = (Bytes * count)()
        self.parts = list(array)
        self.question = Question(ctypes.sizeof(Question), chain=array)
        self.answer = Pointer()
        self.question_place = ctypes.byref(self.question)
        self.answer_place = ctypes.byref(self.answer)
        self.chain: list[bytes] | None = None
        self.asked: tuple[Purpose, str | None, Time, bool] | None = None

    def put(self, ders: typing.Sequence[bytes]) -> None:
        chain, self.chain = list(ders), None
        for part, der in zip(self.parts, chain):
            part.data, part.size = der, len(der)
        self.question.chain_count = len(chain)
        self.chain = chain

    def ask(self, purpose: Purpose, name: str | None, time: Time, handshake: bool) -> None:
        question = self.question
        self.asked = None
        question.purpose, question.flags = _PURPOSES[purpose], _library.HANDSHAKE if handshake else 0
        question.name, question.name_size = _text(name)
        question.time = _seconds(time)
        self.asked = (purpose, name, time, handshake)


_forms: list[_Form] = []


class Answer:
    """Whether a chain is trusted, and why not.

    trusted: whether it is.
    """

    __slots__ = ("_answer", "trusted", "__dict__")

    def __init__(self, answer: int | None) -> None:
        self._answer = answer
        self.trusted: bool = _is_trusted(answer) == 1

    def __del__(self, free: typing.Callable[..., int] = library.holdfast_answer_free) -> None:
        free(self._answer)

    @property
    def verdict(self) -> str:
        """trusted, rejected, pinMismatch, exhausted or unreadable."""
        return _VERDICTS.get(library.holdfast_answer_verdict(self._answer), "rejected")

    @functools.cached_property
    def reason(self) -> str:
        """What an engineer would say, in one sentence."""
        return self._text(1)

    @functools.cached_property
    def summary(self) -> str:
        """What the users of a program can be told, in one sentence."""
        return self._text(2)

    @functools.cached_property
    def log_line(self) -> str:
        """One line with the host and the code."""
        return self._text(3)

    @functools.cached_property
    def code(self) -> str:
        """A stable identifier, such as "expired"; empty if trusted."""
        return self._text(4)

    @functools.cached_property
    def document(self) -> str:
        """The JSON document that `holdfast verify --json` prints."""
        return self._text(5)

    @functools.cached_property
    def json(self) -> dict[str, typing.Any]:
        """The same document, read."""
        document: dict[str, typing.Any] = json.loads(self.document)
        return document

    @functools.cached_property
    def page(self) -> str:
        """Every path that was tried, as the page that `holdfast verify --html` writes, with times in UTC."""
        return self._text(6)

    @functools.cached_property
    def path(self) -> list[bytes]:
        """The certificates of the path in DER, the leaf first."""
        path: list[bytes] = []
        size = ctypes.c_size_t()
        while True:
            start = library.holdfast_answer_borrow_certificate(self._answer, len(path), ctypes.byref(size))
            if not start:
                return path
            path.append(ctypes.string_at(start, size.value))

    @property
    def valid_until(self) -> int | None:
        """Until when the verdict may be used again, in seconds since 1970; None if not at all."""
        end = library.holdfast_answer_valid_until(self._answer)
        return None if end == _library.NOW else end

    def holds(self, policy: Policy, host: str, time: Time = None) -> bool:
        """Whether the verdict may be used again, for example for a resumed session."""
        return bool(
            library.holdfast_answer_holds(self._answer, policy._policy, *_text(host), _seconds(time)) == 1)

    def __repr__(self) -> str:
        return f"<holdfast.Answer {self.verdict}: {self.reason}>"

    def _text(self, which: int) -> str:
        size = ctypes.c_size_t()
        start = library.holdfast_answer_borrow_text(self._answer, which, ctypes.byref(size))
        return ctypes.string_at(start, size.value).decode()


def _text(text: str | None) -> tuple[bytes | None, int]:
    if text is None:
        return None, 0
    encoded = text.encode("utf-8", "surrogateescape")
    return encoded, len(encoded)


def _seconds(time: Time) -> int:
    if time is None:
        return _library.NOW
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            raise ValueError("the time has no time zone")
        return int(time.timestamp())
    return time


def _ders(chain: Chain) -> typing.Sequence[bytes]:
    if isinstance(chain, (bytes, str)):
        text = chain if isinstance(chain, str) else chain.decode("ascii", "replace")
        parts = text.split("-----BEGIN CERTIFICATE-----")[1:]
        if not parts:
            raise ValueError("the chain is neither a list of certificates in DER nor PEM")
        return [ssl.PEM_cert_to_DER_cert("-----BEGIN CERTIFICATE-----" + part.split("-----END")[0].rstrip()
                                         + "\n-----END CERTIFICATE-----\n") for part in parts]
    return chain
