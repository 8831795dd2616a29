"""Decides questions about chains by RFC 5280 §6 and the documents that update it, in plain steps.

It is an oracle for the whole decision and shares nothing with the library: every simple path is
formed, no path is left out because of a rule, and on each path every broken rule is collected, not
only the first. It reads well-formed certificates and CRLs whose keys are Ed25519, as
Scripts/oracle/oracle_questions.py makes them.

The rules have the names of `Rule` in Sources/HoldfastPaths/Reasons/Rule.swift. An index counts from the
leaf, which is 0; that of an anchor is the number of certificates below it.
"""
import base64
import functools
import hashlib
import ipaddress
import json
import re

from oracle_reading import (
    ANY_POLICY, ANY_USAGE, AUTHORITY_KEY, BASIC_CONSTRAINTS, CRL_SIGN, DIGITAL_SIGNATURE, EXTENDED_USAGE, INHIBIT_ANY_POLICY, KEY_AGREEMENT, KEY_CERT_SIGN, KEY_ENCIPHERMENT,
    MAIL_ATTRIBUTE, MAPPINGS, NAME_CONSTRAINTS, POLICY_CONSTRAINTS, PROCESSED, SUBJECT_KEY, Certificate, List, Response, content, dotted, elements, is_folded_alike, lower, name, verifies,
)  # fmt: skip

# Decisions that the library has made, because the standards leave them open or would accept more. Agreement with one
# is no evidence that it is right, so a question counts as explained by the standards only if it is explained without.
HOUSE = {
    "attribute": "an emailAddress of the subject is constrained beside alternative names, too: RFC 5280 §4.1.2.6",
    "malformed": "a name or a constraint that is not in the syntax of its form is outside of all that is permitted",
    "wide mailbox": "a constraint on mailboxes cannot be applied to one beyond ASCII; RFC 9598 §6 compares it",
    "scripts": "letters beyond ASCII keep their case; RFC 4518 §2.2 folds them",
    "anchor": "the extensions of an anchor's certificate bind as those of a CA do: RFC 5937, and more than it",
    "purposes of CAs": "an extended key usage of a CA restricts what is below it; RFC 5280 §4.2.1.12 does not say so",
    "usage of a leaf": "the key usage of a leaf is asked for what its purpose does with the key: RFC 5280 §4.2.1.3",
    "self-issued": "an authority key identifier may be missing wherever a CA certifies itself, not in what it signed alone",
    "order": "that another certificate than the first is meant is a guess",
    "unprocessed": "what a source revokes that is stale, of the future, without an end or not to be processed, counts",
    "boundary": "a source ends at the second of its nextUpdate: RFC 5280 §5.1.2.5",
    "future": "a CRL of the future, or without an end, does not show that a certificate is good",
    "contradiction": "of sources that contradict each other, the one that revokes counts",
    "unknown": "a response of unknown status is an answer, whatever CRLs say: RFC 6960 §2.2",
    "version": "a CRL for some kinds of certificates says nothing good of one of version 1, which has no kind",
    "past signer": "what a responder revoked while its certificate was valid, counts",
}
applied, are_decisions_left_out = set(), False


def house(decision):
    """Whether a decision of the library holds; without decisions it does not, and the standard alone speaks."""
    assert decision in HOUSE
    applied.add(decision)
    return not are_decisions_left_out


# Hosts, RFC 9525 §6.

def host_matches(presented, host):
    """Whether a DNS name or address is the host: 2 yes, 1 by a wildcard that is too wide, 0 no."""
    form, data = presented
    if is_address(host):
        return 2 * (form == 7 and data == ipaddress.ip_address(host).packed)
    if form != 2:
        return 0
    labels, wanted = lower(data.decode("latin1")).split("."), lower(host).rstrip(".").split(".")
    if labels == wanted:
        return 2
    if labels[0] == "*" and labels[1:] == wanted[1:] and len(wanted) > 1:
        return 2 if len(labels) > 2 else 1
    return 0


# Name constraints, RFC 5280 §4.2.1.10. Forms: 0 other, 1 mail, 2 DNS, 4 directory, 6 URI, 7 IP.

def constrained_names(certificate):
    """The names of a certificate that constraints apply to: form and content."""
    names = list(certificate.names or [])
    if certificate.subject:
        names.append((4, certificate.subject))
    mails = [(MAIL_ATTRIBUTE, data) for kind, data in certificate.subject_attributes if kind == MAIL_ATTRIBUTE]
    # Stricter: RFC 5280 asks for these only where there are no alternative names.
    if mails and (certificate.names is None or house("attribute")):
        names += mails
    return [(form, name(content(data)) if form == 4 and isinstance(data, bytes) else data) for form, data in names]


def broken_constraints(certificate, issuer):
    """The rules that the names of a certificate break because of the constraints of one issuer."""
    found = set()
    for form, data in constrained_names(certificate):
        is_attribute = form == MAIL_ATTRIBUTE
        form = 1 if is_attribute else form
        permitted = [tree for tree in issuer.permitted if tree[0] == form]
        excluded = [tree for tree in issuer.excluded if tree[0] == form]
        trees = permitted + excluded
        if not trees:
            if form == 0 and wide_mailbox(data) is not None:
                found |= broken_by_wide_mailbox(wide_mailbox(data), issuer)
            continue
        is_supported = form in (1, 2, 4, 6, 7)
        if not is_supported or any(has_bounds for _, _, has_bounds in trees):
            found.add("constraintUnsupported")
        if not is_supported:
            continue
        are_constraints = all(is_constraint(form, base) for _, base, _ in trees)
        if not are_constraints and house("malformed"):
            found.add("constraintMalformed")
        if not is_comparable(form, data):
            if house("malformed"):
                found.add("nameMalformed")
        elif are_constraints and not any(has_bounds for _, _, has_bounds in trees):
            if is_attribute:
                # The attribute ignores case, §4.1.2.6, a mailbox does not, §7.5: exclusion is by the first.
                excluded = [(form, base.lower(), False) for _, base, _ in excluded]
                found |= broken_subtrees(form, data.lower(), [], excluded)
                excluded = []
            found |= broken_subtrees(form, data, permitted, excluded)
    return found


SMTP_UTF8_MAILBOX = "1.3.6.1.5.5.7.8.9"


def wide_mailbox(data):
    """The text of a SmtpUTF8Mailbox in the content of an otherName; None if that is another one. RFC 9598 §3."""
    (_, kind, _), (_, value, _) = elements(data)
    return content(value) if dotted(kind) == SMTP_UTF8_MAILBOX else None


def broken_by_wide_mailbox(text, issuer):
    """RFC 9598 §6: a constraint on mailboxes binds one beyond ASCII."""
    permitted, excluded = ([tree for tree in trees if tree[0] == 1] for trees in (issuer.permitted, issuer.excluded))
    if not permitted + excluded:
        return set()
    return {"constraintUnsupported"} if house("wide mailbox") else broken_subtrees(1, text, permitted, excluded)


def broken_subtrees(form, data, permitted, excluded):
    found = set()
    if permitted and not any(lies_within(form, data, base) for _, base, _ in permitted):
        found.add("nameNotPermitted")
    if any(overlaps(form, data, base) for _, base, _ in excluded):
        found.add("nameExcluded")
    return found


# The preferred name syntax of RFC 1034 §3.5, which has no dot at the end, and with the underscores
# and hyphens that DNS has anywhere: RFC 2181 §11.
HOST = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


def is_constraint(form, base):
    """Whether a constraint is in the syntax of its form."""
    if form == 7:
        half = len(base) // 2
        if len(base) not in (8, 32):
            return False
        mask = int.from_bytes(base[half:], "big")
        full = (1 << 8 * half) - 1
        # RFC 4632 §3.1: ones, then zeros.
        return (mask ^ full) & ((mask ^ full) + 1) == 0
    if form == 4:
        return True
    text = base.decode("latin1")
    if form == 1 and "@" in text:
        local, _, text = text.rpartition("@")
        return bool(local) and "@" not in local and bool(HOST.fullmatch(text))
    if text == "":
        # No labels to add to: all hosts. Of mail and URIs the RFC says nothing.
        return form == 2
    return bool(HOST.fullmatch(text[1:] if text.startswith(".") else text))


def is_comparable(form, data):
    """Whether a name is in the syntax that the constraints of its form are about."""
    if form == 7:
        return len(data) in (4, 16)
    if form == 4:
        return True
    text = data.decode("latin1")
    if form == 2:
        return bool(HOST.fullmatch(text[2:] if text.startswith("*.") else text))
    if form == 1:
        local, _, host = text.rpartition("@")
        return bool(local) and "@" not in local and bool(HOST.fullmatch(host))
    # An authority with a host name; an address is none.
    host = uri_host(text)
    return bool(host and HOST.fullmatch(host)) and not is_address(host)


def uri_host(text):
    """The host of a URI, or None. RFC 3986 §3.2.2."""
    if not re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text):
        return None
    authority = re.split(r"[/?#]", text.split("://", 1)[1])[0].rpartition("@")[2]
    if authority.startswith("["):
        return None
    return re.sub(r":\d*$", "", authority)


def is_address(host):
    try:
        ipaddress.ip_address(host)
        return True
    except ValueError:
        return False


def host_lies_within(host, base):
    """Whether a host is the base or below it; below it only, if the base begins with a dot."""
    host, base = (lower(text).rstrip(".") for text in (host, base))
    if base == "":
        return True
    if base.startswith("."):
        return host.endswith(base) and host != base
    return host == base or host.endswith("." + base)


def lies_within(form, data, base):
    """Whether a name, or all that a wildcard stands for, is in the subtree of a constraint."""
    if form == 4:
        base = name(content(base))
        return data[: len(base)] == base
    if form == 7:
        half = len(base) // 2
        return len(data) == half and all(a & m == b & m for a, b, m in zip(data, base, base[half:]))
    text, base = data.decode("latin1"), base.decode("latin1")
    if form == 2:
        if text.startswith("*."):
            # Each of the names has one label in the place of the asterisk.
            return host_lies_within("x" + text[1:], base) and not host_lies_within_asterisk(text, base)
        return host_lies_within(text, base)
    if form == 1:
        local, _, host = text.rpartition("@")
        if "@" in base:
            base_local, _, base = base.rpartition("@")
            return local == base_local and lower(host) == lower(base)
    else:
        host = uri_host(text)
    if base.startswith(".") or base == "":
        return host_lies_within(host, base)
    # For mail and URIs a name without a dot in front is one host.
    return lower(host).rstrip(".") == lower(base).rstrip(".")


def host_lies_within_asterisk(text, base):
    """Whether a base names a label in the place of the asterisk, which not all of the names have."""
    return len(base.strip(".").split(".")) >= len(text.rstrip(".").split(".")) and base != ""


def overlaps(form, data, base):
    """Whether a name, or one that a wildcard stands for, is in the subtree of a constraint."""
    if form == 2 and data.startswith(b"*."):
        text, base = data.decode("latin1"), base.decode("latin1")
        first = base.strip(".").split(".")[0] if not base.startswith(".") else ""
        return host_lies_within("x" + text[1:], base) or bool(first) and host_lies_within(first + text[1:], base)
    return lies_within(form, data, base)


# Policies, RFC 9618 §5: a level of the graph for each certificate.

class PolicyGraph:
    """The valid_policy_graph: of each level, the nodes by valid_policy, with their parents and
    expected_policy_set. It is None, NULL in the RFC, when no node of the last level is left."""

    def __init__(self):
        self.levels = [{ANY_POLICY: (set(), {ANY_POLICY})}]

    def add_certificate(self, policies, allows_any):
        """RFC 9618 §5.3 (d)."""
        above, level = self.levels[-1], {}
        for policy in policies:
            if policy == ANY_POLICY:
                continue
            parents = {node for node, (_, expected) in above.items() if policy in expected}
            if not parents and ANY_POLICY in above:
                parents = {ANY_POLICY}
            if parents:
                level[policy] = parents, {policy}
        if ANY_POLICY in policies and allows_any:
            for policy in set().union(*(expected for _, expected in above.values())) - set(level):
                level[policy] = {node for node, (_, expected) in above.items() if policy in expected}, {policy}
        self.levels.append(level)
        self.prune()

    def map_policy(self, policy, targets, is_allowed):
        """RFC 9618 §5.4 (b)."""
        level = self.levels[-1]
        if not is_allowed:
            level.pop(policy, None)
        elif policy in level:
            level[policy] = level[policy][0], targets
        elif ANY_POLICY in level:
            level[policy] = {ANY_POLICY}, targets

    def prune(self):
        """Deletes the nodes above the last level that have no children."""
        for place in range(len(self.levels) - 1, 0, -1):
            parents = set().union(*(parents for parents, _ in self.levels[place].values()))
            self.levels[place - 1] = {
                node: facts for node, facts in self.levels[place - 1].items() if node in parents}

    @property
    def is_null(self):
        return not self.levels[-1]


class PolicyState:
    """The variables of RFC 5280 §6.1.2 (a), (d) to (f) on a path of `count` certificates."""

    def __init__(self, count):
        self.graph = PolicyGraph()
        self.explicit_policy = self.policy_mapping = self.inhibit_any = count + 1

    def process(self, one, is_final):
        """§6.1.3 (d) to (f)."""
        allows_any = self.inhibit_any > 0 or not is_final and one.is_self_issued
        if one.policies is None or self.graph.is_null:
            self.graph.levels.append({})
        else:
            self.graph.add_certificate(one.policies, allows_any)
        if self.explicit_policy == 0 and self.graph.is_null:
            yield "policyRequired"

    def prepare(self, one, is_anchor=False):
        """§6.1.4 (a), (b), (h) to (j). An anchor is not one of the certificates that are counted: §6.1."""
        if any(ANY_POLICY in pair for pair in one.mappings):
            yield "mappingOfAnyPolicy"
        for policy in {source for source, _ in one.mappings} - {ANY_POLICY}:
            targets = {target for source, target in one.mappings if source == policy}
            self.graph.map_policy(policy, targets, self.policy_mapping > 0)
        if one.mappings and self.policy_mapping == 0:
            self.graph.prune()
        if not one.is_self_issued and not is_anchor:
            self.explicit_policy = max(self.explicit_policy - 1, 0)
            self.policy_mapping = max(self.policy_mapping - 1, 0)
            self.inhibit_any = max(self.inhibit_any - 1, 0)
        if one.require_explicit is not None:
            self.explicit_policy = min(self.explicit_policy, one.require_explicit)
        if one.inhibit_mapping is not None:
            self.policy_mapping = min(self.policy_mapping, one.inhibit_mapping)
        if one.inhibit_any is not None:
            self.inhibit_any = min(self.inhibit_any, one.inhibit_any)

    def wrap_up(self, leaf):
        """§6.1.5 (a), (b), (g)."""
        if (self.explicit_policy <= 1 or leaf.require_explicit == 0) and self.graph.is_null:
            yield "policyRequired"


# One path, RFC 5280 §6.1 and RFC 5937.

class Question:
    def __init__(self, line):
        self.line = json.loads(line)
        read = functools.partial(map, base64.b64decode)
        self.leaf, *others = map(certificate, read(self.line["chain"]))
        self.others = list(dict.fromkeys(one for one in others if one is not self.leaf))
        self.anchors = list(dict.fromkeys(map(certificate, read(self.line["anchors"]))))
        self.lists = [crl(der) for der in read(self.line.get("crls", []))]
        self.responses = [Response(der) for der in read(self.line.get("ocsp", []))]
        self.time = re.sub(r"\D", "", self.line["time"])
        self.host, self.purpose = self.line.get("host"), self.line.get("purpose", "server")
        self.rules, self.demand = self.line.get("rules", "rfc5280"), self.line.get("revocation", "given")


@functools.lru_cache(1 << 10)
def certificate(der):
    return Certificate(der)


@functools.lru_cache(1 << 10)
def crl(der):
    return List(der)


USAGES = {
    "server": "1.3.6.1.5.5.7.3.1", "client": "1.3.6.1.5.5.7.3.2", "code": "1.3.6.1.5.5.7.3.3",
    "time": "1.3.6.1.5.5.7.3.8", "ocsp": "1.3.6.1.5.5.7.3.9", "any": None,
}  # fmt: skip
KEY_USAGES = {
    "server": {DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, KEY_AGREEMENT},
    "client": {DIGITAL_SIGNATURE, KEY_AGREEMENT}, "code": {DIGITAL_SIGNATURE}, "time": {DIGITAL_SIGNATURE, 1},
    "ocsp": {DIGITAL_SIGNATURE, 1},
}  # fmt: skip


def broken_rules(path, anchor, question):
    """Every rule that a path breaks, with the index of the certificate: leaf first in `path`."""
    found = set()
    issuers = [*path[1:], anchor]
    count = len(path)
    constrained = [anchor]
    state = PolicyState(count)
    # RFC 5937, and beyond it: the anchor's certificate constrains a path as that of a CA does.
    found |= {(rule, count) for rule in broken_by_anchor(anchor, question)}
    if anchor.policies is not None:
        state.graph.add_certificate(anchor.policies, True)
    found |= {(rule, count) for rule in state.prepare(anchor, is_anchor=True)}
    for index in range(count - 1, -1, -1):
        one, issuer, is_final = path[index], issuers[index], index == 0
        found |= {(rule, index) for rule in broken_alone(one, issuer, question)}
        # §6.1.3 (b), (c).
        if is_final or not one.is_self_issued:
            for above in constrained:
                found |= {(rule, index) for rule in broken_constraints(one, above)}
        found |= {(rule, index) for rule in state.process(one, is_final)}
        if is_final:
            break
        found |= {(rule, index) for rule in state.prepare(one)}
        constrained.append(one)
        found |= {(rule, index) for rule in broken_as_issuer(one)}
    found |= {(rule, 0) for rule in state.wrap_up(path[0])}
    # §6.1.4 (l), (m): certificates between the leaf and the issuer, self-issued ones not counted.
    for index, issuer in enumerate([*path, anchor]):
        between = sum(not one.is_self_issued for one in path[1:index])
        if index > 0 and issuer.path_length is not None and between > issuer.path_length:
            found.add(("pathLength", index))
    found |= broken_usages(path, anchor, question)
    if question.rules == "strictRFC5280":
        for index, one in enumerate([*path, anchor] if anchor is not Nowhere else path):
            above = issuers[index] if index < count else None
            found |= {(rule, index) for rule in broken_by_profile(one, above, index == 0)}
    return found


def broken_by_profile(one, issuer, is_leaf):
    """What a CA must write, of what the questions vary: RFC 5280 §4.1.2.1 and §4.2.1.1 to §4.2.1.14."""
    if one.version != 3:
        yield "version"
    # RFC 9295 §3: a key of Ed25519 signs, and does nothing else.
    if (one.key_usage or set()) - {DIGITAL_SIGNATURE, 1, KEY_CERT_SIGN, CRL_SIGN}:
        yield "keyUsageForbidden"
    criticals = {kind for kind, (critical, _) in one.extensions.items() if critical}
    if criticals & {AUTHORITY_KEY, SUBJECT_KEY}:
        yield "extensionCritical"
    if {NAME_CONSTRAINTS, POLICY_CONSTRAINTS, INHIBIT_ANY_POLICY} & set(one.extensions) - criticals:
        yield "extensionNotCritical"
    identifier = key_identifier(one)
    if AUTHORITY_KEY not in one.extensions:
        # §4.2.1.1: it may be missing where the certificate is signed with its own key.
        is_exempt = one.is_self_issued and (verifies(one.key, one.signed, one.signature) or house("self-issued"))
        if not is_exempt:
            yield "extensionMissing"
    elif identifier is None:
        yield "extensionValue"
    elif issuer is not None and SUBJECT_KEY in issuer.extensions:
        if identifier != content(issuer.extensions[SUBJECT_KEY][1]):
            yield "keyIdentifierDiffers"
    if is_leaf:
        if {NAME_CONSTRAINTS, MAPPINGS, POLICY_CONSTRAINTS, INHIBIT_ANY_POLICY} & set(one.extensions):
            yield "extensionMisplaced"
        if KEY_CERT_SIGN in (one.key_usage or ()):
            yield "certSignWithoutAuthority"
        return
    if SUBJECT_KEY not in one.extensions or one.key_usage is None:
        yield "extensionMissing"
    if BASIC_CONSTRAINTS in one.extensions and BASIC_CONSTRAINTS not in criticals:
        yield "extensionNotCritical"
    if BASIC_CONSTRAINTS not in one.extensions:
        yield "basicConstraintsMissing"


def key_identifier(one):
    """The key identifier of the authority key identifier; None if it has none."""
    for tag, data, _ in elements(content(one.extensions.get(AUTHORITY_KEY, (0, b"\x30\0"))[1])):
        if tag == 0x80:
            return data
    return None


def broken_alone(one, issuer, question):
    """§6.1.3 (a), and critical extensions: §6.1.4 (o), §6.1.5 (f)."""
    if not verifies(issuer.key, one.signed, one.signature):
        yield "signature"
    yield from broken_by_time(one, question)
    if has_unknown_critical(one):
        yield "unknownCriticalExtension"
    yield from broken_by_status(one, issuer, question)


def broken_by_time(one, question):
    if question.time < one.not_before:
        yield "notYetValid"
    if question.time > one.not_after:
        yield "expired"


def broken_by_anchor(anchor, question):
    """What the certificate of an anchor may not say. Its validity counts in one preset: §6.1.1 (d)."""
    if question.rules in ("apple", "strictRFC5280"):
        yield from broken_by_time(anchor, question)
    if anchor.has_constraints and not anchor.is_authority and house("anchor"):
        yield "notCA"
    if anchor.key_usage is not None and KEY_CERT_SIGN not in anchor.key_usage and house("anchor"):
        yield "keyUsage"
    if has_unknown_critical(anchor):
        yield "unknownCriticalExtension"


def has_unknown_critical(one):
    return any(critical and kind not in PROCESSED for kind, (critical, _) in one.extensions.items())


def broken_as_issuer(one):
    """§6.1.4 (k), (n)."""
    if one.version != 3:
        yield "issuerVersion"
    if not one.has_constraints:
        yield "basicConstraintsMissing"
    elif not one.is_authority:
        yield "notCA"
    if one.key_usage is not None and KEY_CERT_SIGN not in one.key_usage:
        yield "keyUsage"


def stands_before_another(question):
    """Whether another certificate than the first is the one asked about, RFC 8446 §4.4.2: the one with
    the name, and if none is asked for, one that has issued nothing and is no CA's."""
    others = [one for one in question.others if not one.is_authority]
    if question.purpose == "server" and question.host is not None:
        def has_name(one):
            return any(host_matches(name, question.host) == 2 for name in one.names or [])
        return not has_name(question.leaf) and any(map(has_name, others))
    issuers = {one.issuer for one in [question.leaf, *question.others]}
    return question.rules == "webPKI" and any(one.subject not in issuers for one in others)


def broken_usages(path, anchor, question):
    """What the purpose asks of the leaf, and of the CAs that restrict it: §4.2.1.3, §4.2.1.12."""
    found, leaf = set(), path[0]
    wanted = USAGES[question.purpose]
    # A CA for servers signs responses, and may not have that purpose in its own list: CA/B BR §7.1.2.10.6.
    asked = path[:1] if question.purpose == "ocsp" else [*path, anchor]
    for index, one in enumerate(asked):
        if wanted and one.usages is not None and not one.usages & {wanted, ANY_USAGE} and (
                index == 0 or house("purposes of CAs")):
            found.add(("extendedKeyUsage", index))
    if question.purpose == "server" and question.host is not None:
        names = [] if leaf.names is None else leaf.names
        best = max((host_matches(presented, question.host) for presented in names), default=0)
        if leaf.names is None:
            found.add(("noHostNames", 0))
        elif best < 2:
            found.add(("hostName" if best == 0 else "wildcardTooWide", 0))
    if question.rules == "webPKI" and leaf.is_authority:
        found.add(("leafIsCA", 0))
    if leaf.is_authority and stands_before_another(question) and house("order"):
        found.add(("leafNotFirst", 0))
    found |= {(rule, 0) for rule in broken_by_signer(leaf, question.purpose)}
    # The signer of a response is asked for it whatever the rules.
    if question.rules in ("webPKI", "apple") or question.purpose == "ocsp":
        usages = KEY_USAGES.get(question.purpose)
        if usages and leaf.key_usage is not None and not leaf.key_usage & usages and house("usage of a leaf"):
            found.add(("keyUsage", 0))
    return found


def broken_by_signer(leaf, purpose):
    """RFC 3161 §2.3: time stamping critical and alone. RFC 6960 §4.2.2.2: OCSP signing by its name."""
    if purpose not in ("time", "ocsp"):
        return
    if leaf.usages is None:
        yield "extendedKeyUsageMissing"
    elif USAGES[purpose] not in leaf.usages:
        if ANY_USAGE in leaf.usages:
            yield "extendedKeyUsageAny"
    elif purpose == "time":
        if not leaf.extensions[EXTENDED_USAGE][0]:
            yield "extensionNotCritical"
        if len(leaf.usages) > 1:
            yield "extendedKeyUsageForbidden"


# Revocation, RFC 5280 §6.3.3.

ALL_REASONS = frozenset(range(1, 9))
HOLD, REMOVED = 6, 8
OCSP_SIGNING = "1.3.6.1.5.5.7.3.9"


def broken_by_status(one, issuer, question):
    if question.demand == "ignored" or not question.lists + question.responses and question.demand == "given":
        return
    status = status_of(one, issuer, question)
    if status == "revoked":
        yield "revoked"
    is_required = question.demand == "required" or question.demand == "leaf" and one is question.leaf
    if status == "unknown" and is_required:
        yield "revocationUnknown"


def status_of(one, issuer, question):
    """The status by all sources that the issuer has signed, or has authorized.

    A revocation in any of them counts whatever others say: stricter than RFC 5280 §6.3.3 where two
    contradict each other. Only a hold ends with a newer source, and a revocation in a source past its
    end if a newer one of the same key does not have it. A source with a critical extension that cannot be
    processed shows nothing by §5.2 and §5.3; here it shows revocations. A response comes before lists.
    """
    says = Statements()
    for response in question.responses:
        for meant, kind, reason, date, this_update, next_update, has_unknown_critical in response.singles:
            signer = is_meant(meant, one, issuer) and authorized_signer(response, one, issuer, question)
            if signer:
                limit = limitation(this_update, next_update, question, has_unknown_critical)
                if not signer.not_before <= question.time <= signer.not_after and signer.key != issuer.key:
                    if not house("past signer"):
                        continue
                    # It was valid when it signed, which shows what was revoked by then.
                    limit = limit or ("future" if question.time < signer.not_before else "past")
                says.add_response(kind, reason, date, this_update, signer.key, limit, question)
    # The last paragraph: any other list of the issuer is for a point of the issuer's name.
    for point_names, point_reasons in [*one.points, ({one.issuer}, None)]:
        lists = [
            each for each in usable_lists(one, issuer, question)
            if each.names is None or point_names is not None and each.names & point_names]
        # A delta CRL of none of them shows revocations, too.
        built_on = [delta for each in lists if each.base is None for delta in deltas_of(each, issuer, question)]
        for each in lists:
            if each not in built_on:
                says.add_list(each, deltas_of(each, issuer, question), one, point_reasons, issuer, question)
    return says.status


def limitation(this_update, next_update, question, has_unknown_critical):
    """Why a source shows only revocations; None if it shows all."""
    if this_update > question.time and house("future"):
        return "future"
    if next_update is None:
        return "no end" if house("future") else "critical" if has_unknown_critical else None
    # Newer information is there at nextUpdate: §5.1.2.5.
    if next_update < this_update or next_update < question.time or next_update == question.time and house("boundary"):
        return "past"
    return "critical" if has_unknown_critical else None


def counts(reason, limit, date, question):
    """Whether a revocation counts: not a hold that may have ended, or not have begun; a source of the future
    shows what was revoked until now."""
    if reason in (None, REMOVED) or limit and not house("unprocessed"):
        return False
    return not (reason == HOLD and limit in ("past", "future") or limit == "future" and date > question.time)


def counts_in(each, one, limit, question):
    """Whether the entry of a list for a certificate counts."""
    return counts(each.entries.get(one.serial), limit, each.dates.get(one.serial), question)


def is_newer(one, other):
    """Of two from one moment, the one with the higher number: §5.2.3."""
    return one[0] > other[0] or one[0] == other[0] and None not in (one[1], other[1]) and one[1] > other[1]


class Statements:
    """What is known of a certificate: whether it is revoked for good, what sources past their end say,
    the newest response, the holds in lists, and which reasons lists cover that do not name it."""

    def __init__(self):
        self.is_revoked, self.outdated, self.response, self.holds, self.cover = False, [], None, [], []
        self.good = []

    def add_response(self, kind, reason, date, this_update, key, limit, question):
        """Of two responses the newer counts and, of two from one moment, the more severe."""
        if kind == "revoked" and not counts(reason, limit, date, question) or kind != "revoked" and limit:
            return
        if kind == "revoked" and reason != HOLD:
            self.add_revocation(reason, (this_update, None), key, limit)
        else:
            severity = ["good", "unknown", "revoked"].index(kind)
            self.response = max(self.response or (), (this_update, severity, kind))
            if kind == "good":
                self.good.append(((this_update, None), key))

    def add_revocation(self, reason, issue, key, limit):
        if reason == HOLD:
            self.holds.append(issue)
        elif limit == "past":
            self.outdated.append((issue, key))
        else:
            self.is_revoked = True

    def add_list(self, each, deltas, one, point_reasons, issuer, question):
        """RFC 5280 §6.3.3 (d), (e), (i) to (l)."""
        newest = [delta for delta in deltas if delta.number == deltas[0].number]
        limits = {
            delta: limitation(delta.this_update, delta.next_update, question, delta.has_unknown_critical)
            for delta in [each, *deltas]}
        changing = [
            delta for delta in deltas
            if delta.entries.get(one.serial) != HOLD and counts_in(delta, one, limits[delta], question)]
        changing += [
            delta for delta in newest
            if delta.entries.get(one.serial) == HOLD and counts_in(delta, one, limits[delta], question)]
        counting = [delta for delta in newest if not limits[delta]]
        reason, source = each.entries.get(one.serial), each
        if changing:
            reason, source = changing[0].entries[one.serial], changing[0]
        elif reason == HOLD and counting and all(delta.entries.get(one.serial) == REMOVED for delta in counting):
            # §5.3.1: what is removed was on hold, or the certificate has expired.
            reason = None
        if reason is not None and counts_in(source, one, limits[source], question):
            self.add_revocation(reason, source.issue, issuer.key, limits[source])
        elif (reason in (None, REMOVED) and not limits[each] and each.base is None
              and (one.version == 3 or not each.only & {"users", "authorities"} or not house("version"))):
            theirs = ALL_REASONS if each.reasons is None else each.reasons
            ours = ALL_REASONS if point_reasons is None else point_reasons
            self.cover.append((theirs & ours, each.issue, issuer.key))

    def is_superseded(self, issue, key):
        if self.response and self.response[2] == "good" and any(
                other == key and is_newer(newer, issue) for newer, other in self.good):
            return True
        return any(
            reasons == ALL_REASONS and other == key and is_newer(newer, issue) for reasons, newer, other in self.cover)

    @property
    def status(self):
        # A hold ends with a newer list that covers that reason: §5.3.1.
        held_at = [
            hold for hold in self.holds
            if not any(HOLD in reasons and is_newer(newer, hold) for reasons, newer, _ in self.cover)]
        covered = frozenset().union(*(reasons for reasons, _, _ in self.cover))
        is_good = covered >= ALL_REASONS or bool(self.response and self.response[2] == "good")
        if self.is_revoked or any(not self.is_superseded(*found) for found in self.outdated):
            return "revoked" if not is_good or house("contradiction") else "good"
        if held_at and (not self.response or self.response[0] <= max(held_at)[0]):
            return "revoked"
        if self.response and self.response[2] != "unknown":
            return self.response[2]
        if held_at:
            return "revoked"
        # A response that does not know the certificate comes before lists, too.
        return "good" if covered >= ALL_REASONS and not (self.response and house("unknown")) else "unknown"


def usable_lists(one, issuer, question):
    """The lists about a certificate that its issuer has signed: §6.3.3 (b), (f), (g)."""
    for each in question.lists:
        if each.issuer != one.issuer or not is_signed(each, issuer):
            continue
        # A certificate of version 1 does not say which it is: it is what a list says that names it.
        if "attributes" in each.only or one.version == 3 and (
                "users" in each.only and one.is_authority or "authorities" in each.only and not one.is_authority):
            continue
        yield each


def is_signed(each, issuer):
    if issuer.key_usage is not None and CRL_SIGN not in issuer.key_usage:
        return False
    return verifies(issuer.key, each.signed, each.signature)


def deltas_of(base, issuer, question):
    """The delta CRLs that build on a list, newest first: §5.2.4, §6.3.3 (c), (h)."""
    found = [
        each for each in question.lists
        if each.base is not None and each.issuer == base.issuer and each.scope == base.scope
        and base.number is not None and each.base <= base.number < each.number and is_signed(each, issuer)]
    return sorted(found, key=lambda each: -each.number)


def is_meant(meant, one, issuer):
    """RFC 6960 §4.1.1: the hashes are of the issuer's name and key, here with SHA-1."""
    name_hash, key_hash, serial = meant
    return (serial == one.serial and key_hash == hashlib.sha1(issuer.key).digest()
            and name_hash in (hashlib.sha1(one.issuer_der).digest(), hashlib.sha1(issuer.subject_der).digest()))


def authorized_signer(response, one, issuer, question):
    """RFC 6960 §4.2.2.2: the issuer signs, or one whom it has certified for that alone."""
    for signer in [issuer, *response.certificates]:
        is_named = response.by_name == signer.subject or response.by_key == hashlib.sha1(signer.key).digest()
        if not is_named or not verifies(signer.key, response.signed, response.signature):
            continue
        if signer is issuer or signer.key == issuer.key:
            return signer
        if (signer.issuer == one.issuer and verifies(issuer.key, signer.signed, signer.signature)
                and any(signer.not_before <= time <= signer.not_after for time in (question.time, response.produced_at))
                and not has_unknown_critical(signer)
                and OCSP_SIGNING in (signer.usages or ()) and signer.key != one.key):
            return signer
    return None


# All paths.

def all_paths(question):
    """Every simple path from the leaf, as far as it goes: its certificates, and its anchor or None."""
    def extended(path):
        last, is_extended = path[-1], False
        for anchor in question.anchors:
            if anchor.subject == last.issuer:
                is_extended = True
                yield path, anchor
        for one in question.others:
            # RFC 4158 §2.4.2: no certificate twice, nor a name with a key that it has already.
            is_known = any(one is other or (one.subject, one.key) == (other.subject, other.key) for other in path[1:])
            if one.subject == last.issuer and one is not path[0] and not is_known:
                is_extended = True
                yield from extended([*path, one])
        if not is_extended:
            yield path, None
    yield from extended([question.leaf])


def broken_end(path, question):
    """The rules that a path breaks which reaches no anchor; with those of its certificates."""
    last, found = path[-1], set()
    names = {one.subject for one in question.others + question.anchors}
    if last.is_self_issued or any(one.subject == last.issuer for one in path[1:]):
        found.add(("untrustedRoot", len(path) - 1))
    elif last.issuer not in names:
        found |= {("issuerNotFound", len(path) - 1), ("nameChaining", len(path) - 1)}
    # What breaks whatever the anchor is: an anchor without a key and without constraints.
    for rule, index in broken_rules(path, Nowhere, question):
        if rule not in ("signature", "revocationUnknown", "revoked") or index < len(path) - 1:
            found.add((rule, index))
    return found


class Nowhere:
    """Stands for the anchor that a path does not reach."""

    subject_der, key, extensions, mappings, permitted, excluded = b"", b"\0" * 32, {}, (), (), ()
    key_usage = usages = path_length = policies = require_explicit = inhibit_mapping = inhibit_any = None
    has_constraints, is_self_issued, not_before, not_after = False, True, "0", "9"


def decide(question):
    """The valid paths, and of each other one the rules that it breaks."""
    valid, broken = [], []
    applied.clear()
    if not all(is_folded_alike(each) for one in [question.leaf, *question.others, *question.anchors]
               for each in (one.issuer, one.subject)):
        house("scripts")
    for path, anchor in all_paths(question):
        rules = broken_end(path, question) if anchor is None else broken_rules(path, anchor, question)
        if anchor is not None and not rules:
            valid.append((path, anchor))
        else:
            broken.append((path, anchor, rules))
    return valid, broken
