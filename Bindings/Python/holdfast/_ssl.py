"""A context for TLS whose servers a policy judges, before anything else is sent.

OpenSSL makes the handshake without verifying. Then the certificates that the server has sent are judged; so are
those of a resumed session, which may no longer be trusted. Only a client is verified here: a context for servers is
one of the standard library.
"""

from __future__ import annotations

import ssl
import sys
import threading
import typing

from ._policy import Answer, Policy

_Original = ssl.SSLContext
# Properties of ssl.SSLContext find their base by the global name, which inject_into_ssl replaces.
_Base: typing.Any = _Original.__mro__[1]

#: How many chains a context keeps for resumed sessions.
_MAXIMUM_CHAINS = 1_000

_lock = threading.Lock()
_default: Policy | None = None


def _default_policy() -> Policy:
    global _default
    with _lock:
        if _default is None:
            _default = Policy()
        return _default


class _Verified:
    """What sockets and objects have in common. Nothing is read or written before the verdict."""

    #: The answer about the server; None before the handshake, and of a context that does not verify.
    holdfast_answer: Answer | None = None
    _is_judged = False

    def _judge(self) -> None:
        this: typing.Any = self
        context = this.context
        if this.server_side or not isinstance(context, SSLContext) or context.verify_mode == ssl.CERT_NONE:
            self._is_judged = True
            return
        self._is_judged = False
        if not context.check_hostname:
            raise _error("the host is not compared: set check_hostname, or verify nothing with CERT_NONE")
        host = this.server_hostname
        if not host:
            raise _error("there is no host to compare with the server's certificate")
        answer = context.policy.verify(context._chain(this), host=host)
        self.holdfast_answer = answer
        if not answer.trusted:
            raise _error(answer.reason, answer)
        self._is_judged = True

    def _must_be_judged(self) -> None:
        if not self._is_judged:
            # OpenSSL would make the handshake, and send, without asking.
            typing.cast(typing.Any, self).do_handshake()

    def read(self, *arguments: typing.Any) -> typing.Any:
        self._must_be_judged()
        return typing.cast(typing.Any, super()).read(*arguments)

    def write(self, data: typing.Any) -> typing.Any:
        self._must_be_judged()
        return typing.cast(typing.Any, super()).write(data)


class _Socket(_Verified, ssl.SSLSocket):
    def do_handshake(self, block: bool = False) -> None:
        super().do_handshake(block)
        try:
            self._judge()
        except BaseException:
            self.close()
            raise

    def send(self, data: typing.Any, flags: int = 0) -> int:
        if typing.cast(typing.Any, self)._sslobj is not None:
            self._must_be_judged()
        return super().send(data, flags)


class _Object(_Verified, ssl.SSLObject):
    def do_handshake(self) -> None:
        if self._is_rejected:
            raise _error("the server was rejected")
        super().do_handshake()
        try:
            self._judge()
        except BaseException:
            self._is_rejected = True
            raise

    _is_rejected = False


def _error(reason: str, answer: Answer | None = None) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, f"certificate verify failed: {reason}")
    error.verify_code = 1
    error.verify_message = reason
    error.reason = "CERTIFICATE_VERIFY_FAILED"
    typing.cast(typing.Any, error).holdfast_answer = answer
    return error


def _der(certificate: typing.Any) -> bytes:
    # Since Python 3.13 the chain is bytes.
    return certificate if isinstance(certificate, bytes) else certificate.public_bytes(2)


class SSLContext(_Original):
    """A context for clients. Roots come from the policy alone: what is loaded with load_verify_locations and its
    like is not trusted."""

    sslsocket_class = _Socket
    sslobject_class = _Object
    _mode: ssl.VerifyMode
    _compares: bool
    _policy: Policy | None
    #: The chain of each leaf, the last ones.
    _chains: dict[bytes, list[bytes]]

    def __new__(cls, protocol: int | None = None, *, policy: Policy | None = None) -> typing.Any:
        if protocol == ssl.PROTOCOL_TLS_SERVER:
            return _Original(protocol)
        context: typing.Any = _Base.__new__(cls, ssl.PROTOCOL_TLS_CLIENT)
        _Base.check_hostname.__set__(context, False)
        _Base.verify_mode.__set__(context, ssl.CERT_NONE)
        # Another certificate in the middle of a connection would be judged by nobody.
        options = _Base.options.__get__(context) | ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
        _Base.options.__set__(context, options)
        context._compares = True
        context._mode = ssl.CERT_REQUIRED
        context._policy = policy
        context._chains = {}
        return context

    def __init__(self, protocol: int | None = None, *, policy: Policy | None = None) -> None:
        pass

    @property
    def policy(self) -> Policy:
        """What judges servers."""
        if self._policy is None:
            self._policy = _default_policy()
        return self._policy

    @property  # type: ignore[override]
    def verify_mode(self) -> ssl.VerifyMode:
        return self._mode

    @verify_mode.setter
    def verify_mode(self, value: ssl.VerifyMode) -> None:
        if value == ssl.CERT_NONE and self._compares:
            raise ValueError("Cannot set verify_mode to CERT_NONE when check_hostname is enabled.")
        self._mode = ssl.CERT_NONE if value == ssl.CERT_NONE else ssl.CERT_REQUIRED

    @property
    def check_hostname(self) -> bool:
        return self._compares

    @check_hostname.setter
    def check_hostname(self, value: bool) -> None:
        if value:
            self._mode = ssl.CERT_REQUIRED
        self._compares = bool(value)

    def _chain(self, connection: typing.Any) -> list[bytes]:
        """The certificates that the server has sent. Of a resumed session the standard library may keep the leaf
        alone; the others are those that came with it before."""
        sent = [_der(certificate) for certificate in connection._sslobj.get_unverified_chain() or []]
        leaf = sent[0] if sent else connection._sslobj.getpeercert(True)
        if not leaf:
            return []
        with _lock:
            if sent and not connection.session_reused:
                self._chains.pop(leaf, None)
                self._chains[leaf] = sent
                if len(self._chains) > _MAXIMUM_CHAINS:
                    del self._chains[next(iter(self._chains))]
            return self._chains.get(leaf) or sent or [leaf]

    def load_verify_locations(self, cafile: typing.Any = None, capath: typing.Any = None,
                              cadata: typing.Any = None) -> None:
        pass

    def load_default_certs(self, purpose: typing.Any = None) -> None:
        pass

    def set_default_verify_paths(self) -> None:
        pass

    def get_ca_certs(self, binary_form: bool = False) -> list[typing.Any]:
        return []


def _forwarded(name: str) -> property:
    base = getattr(_Base, name)
    convert = {"options": ssl.Options, "verify_flags": ssl.VerifyFlags,
               "minimum_version": ssl.TLSVersion, "maximum_version": ssl.TLSVersion}[name]
    return property(lambda self: convert(base.__get__(self)), lambda self, value: base.__set__(self, value))


for _name in ("options", "verify_flags", "minimum_version", "maximum_version"):
    setattr(SSLContext, _name, _forwarded(_name))


def inject_into_ssl(policy: Policy | None = None) -> None:
    """Makes this the context of everything that makes one from now on. The policy is the system's roots if None."""
    global _default
    if policy is not None:
        with _lock:
            _default = policy
    ssl.SSLContext = SSLContext  # type: ignore[misc]
    _replace_in_packages(SSLContext)


def extract_from_ssl() -> None:
    """Undoes inject_into_ssl."""
    ssl.SSLContext = _Original  # type: ignore[misc]
    _replace_in_packages(_Original)


def _replace_in_packages(context: type) -> None:
    """Packages that were imported before have the class by a name of their own, or a context that they have made."""
    urllib3 = sys.modules.get("urllib3.util.ssl_")
    if urllib3 is not None:
        setattr(urllib3, "SSLContext", context)
    requests = sys.modules.get("requests.adapters")
    if urllib3 is not None and getattr(requests, "_preloaded_ssl_context", None) is not None:
        setattr(requests, "_preloaded_ssl_context", urllib3.create_urllib3_context())
    aiohttp = sys.modules.get("aiohttp.connector")
    make = getattr(aiohttp, "_make_ssl_context", None)
    if make is not None:
        setattr(aiohttp, "_SSL_CONTEXT_VERIFIED", make(True))
