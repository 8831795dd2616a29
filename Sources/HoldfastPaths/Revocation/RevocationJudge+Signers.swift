internal import HoldfastCertificates
internal import HoldfastSignatures

/// Who signed, and whether the signature is right. RFC 5280 §6.3.3 (f), (g).
extension RevocationJudge {
  /// What a list or an answer is worth.
  enum Worth {
    case full
    /// Only what it says against a certificate counts, for this reason.
    case onlyAgainst(CertificateRevocation.Finding)
    case nothing(CertificateRevocation.Finding)

    var isNothing: Bool { if case .nothing = self { true } else { false } }

    /// The same, though at most what is said against a certificate.
    func limited(to finding: CertificateRevocation.Finding) -> Worth {
      isNothing ? self : .onlyAgainst(finding)
    }
  }

  /// What a list is worth and the key that signed it, if that key may sign lists of this issuer.
  mutating func findSigner(
    of index: Int, _ subject: Subject
  ) throws(Stop) -> (worth: Worth, key: PublicKey?) {
    let list = revocation.lists[index].list
    var finding = CertificateRevocation.Finding.noSigner
    try spend(for: list.issuer.der)
    try spend(for: list.issuer.der)
    if list.issuer.matches(subject.issuerName) {
      if subject.issuer?.maySignLists == false {
        finding = .keyUsage
      } else {
        let worth = try worth(of: index, under: subject.issuerKey)
        guard case .nothing(let problem) = worth else { return (worth, subject.issuerKey) }
        finding = problem
      }
    }
    if list.issuer.matches(anchor.name), anchor.publicKey.der != subject.issuerKey.der {
      if anchor.certificate?.maySignLists == false {
        finding = .keyUsage
      } else {
        let worth = try worth(of: index, under: anchor.publicKey)
        if !worth.isNothing { return (worth, anchor.publicKey) }
      }
    }
    let identifier = list.extensions.authorityKeyIdentifier?.keyIdentifier
    for signer in try signers(named: list.issuer, hash: revocation.lists[index].issuerHash) {
      // Departs: off the path, where RFC 5280 takes a certificate without key usage, cRLSign must
      // be there: the name alone does not make anybody an issuer of lists.
      guard signer.publicKey.der != subject.issuerKey.der,
        signer.extensions.keyUsage?.contains(.cRLSign) == true
      else { continue }
      if let identifier, let own = signer.extensions.subjectKeyIdentifier, own != identifier {
        continue
      }
      let worth = try worth(of: index, under: signer.publicKey)
      if case .nothing(let problem) = worth {
        finding = problem
        continue
      }
      if try isSound(signer, for: subject) { return (worth, signer.publicKey) }
      finding = .noSigner
    }
    return (.nothing(finding), nil)
  }

  /// The certificates of the pool with a name.
  private mutating func signers(
    named name: DistinguishedName, hash: UInt64
  ) throws(Stop) -> [Certificate] {
    let places: [UInt64: [Int]]
    if let known = poolPlaces {
      places = known
    } else {
      var made: [UInt64: [Int]] = [:]
      for index in pool.indices {
        try spend(for: pool[index].subject.der)
        made[pool[index].subjectHash, default: []].append(index)
      }
      poolPlaces = made
      places = made
    }
    var signers: [Certificate] = []
    for index in places[hash] ?? [] {
      try spend(for: name.der)
      if pool[index].subject.matches(name) { signers.append(pool[index]) }
    }
    return signers
  }

  /// What a list is worth, if a key has signed it.
  mutating func worth(of index: Int, under key: PublicKey) throws(Stop) -> Worth {
    let source = revocation.lists[index]
    let list = source.list
    if list.signatureAlgorithm.der != list.innerSignatureAlgorithm.der,
      configuration.rules.requiresEqualSignatureParameters
        || !list.signatureAlgorithm.isEquivalent(to: list.innerSignatureAlgorithm)
    {
      return .nothing(.algorithm)
    }
    return try worth(
      list.tbs, list.signatureAlgorithm, list.signature, source.verdicts, under: key)
  }

  /// What something is worth, if a key has signed it. The work is done once for each key.
  ///
  /// Departs: RFC 5280 §6.3.3 (g) knows only right and wrong. Where the rules do not take SHA-1, what
  /// rests on it shows only that a certificate is revoked: a collision needs the authority to sign
  /// what the attacker chose, and would do no more than revoke; to pass over it would trust what its
  /// issuer has revoked.
  mutating func worth(
    _ message: Octets, _ algorithm: SignatureAlgorithm, _ signature: Octets,
    _ verdicts: SignatureVerdicts, under key: PublicKey
  ) throws(Stop) -> Worth {
    let checks = CertificateChecks(configuration: configuration, purpose: .any, time: time)
    let isTaken = checks.takes(algorithm)
    guard isTaken || isTakenButForSHA1(algorithm), checks.takes(key),
      let scheme = SignatureChecks.scheme(algorithm.scheme, for: key.kind)
    else { return .nothing(.algorithm) }
    let worth = isTaken ? Worth.full : .onlyAgainst(.algorithm)
    if let known = verdicts.verdict(under: key) { return known ? worth : .nothing(.signature) }
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: key.kind))
    let prepared = preparedKey(key)
    guard let verification = prepared.take() else { return .nothing(.algorithm) }
    let isRight =
      verification.verify(
        scheme, message: message.input.span.extracting(message.range),
        signature: signature.input.span.extracting(signature.range)) == .valid
    verdicts.keep(isRight, under: key)
    if isRight { learned.keys.append(prepared) }
    return isRight ? worth : .nothing(.signature)
  }

  private func isTakenButForSHA1(_ algorithm: SignatureAlgorithm) -> Bool {
    var rules = configuration.rules
    if rules.allowsSHA1 { return false }
    rules.allowsSHA1 = true
    let lenient = Configuration(
      anchors: configuration.anchors, rules: rules, limits: configuration.limits, memory: nil,
      revocation: nil)
    return CertificateChecks(configuration: lenient, purpose: .any, time: time).takes(algorithm)
  }

  private func preparedKey(_ key: PublicKey) -> PreparedKey {
    if key.der == anchor.publicKey.der { return anchor.storage.key }
    return configuration.memory?.key(key.der) ?? PreparedKey(key, .reuse)
  }
}

/// Signers off the path.
extension RevocationJudge {
  /// Whether a signer off the path has a path of its own to the same anchor, of which no certificate
  /// is revoked. RFC 5280 §6.3.3 (f).
  ///
  /// While that is asked, nothing counts that the signer has signed.
  private mutating func isSound(
    _ signer: Certificate, for subject: Subject
  ) throws(Stop) -> Bool {
    let key = signer.publicKeyOctets
    if keysInQuestion.contains(key) { return false }
    guard signerDepth < RevocationJudge.deepestSigner else { return false }
    // What is found while other keys are in question holds only for that while.
    let isOutermost = keysInQuestion.count == 1
    if isOutermost,
      let known = signersKnown.first(where: {
        $0.signer == signer && $0.subject == subject.certificate
      })
    {
      return known.isSound
    }
    signerDepth += 1
    keysInQuestion.append(key)
    defer {
      signerDepth -= 1
      keysInQuestion.removeLast()
    }
    let isSound = try findPath(of: signer, for: subject)
    if isOutermost { signersKnown.append((signer, subject.certificate, isSound)) }
    return isSound
  }

  /// Looks for the path of a signer, through the issuers of the certificate itself.
  ///
  /// Departs: RFC 5280 §6.3.3 (f) asks only for the same anchor. With that, any authority below an
  /// anchor could issue a signer with another authority's name, and clear what that one has revoked.
  /// `Revocation.acceptsSignersOfOtherAuthorities` asks for no more than the RFC. PKITS needs no more
  /// than this: its separate keys for lists, its changes of keys and its issuers of indirect lists are
  /// all certified under a key of the path.
  private mutating func findPath(
    of signer: Certificate, for subject: Subject
  ) throws(Stop) -> Bool {
    var rules = configuration.rules
    rules.acceptsAuthorityAsLeaf = true
    rules.requiresProfile = false
    rules.requiresWebProfile = false
    rules.maximumLeafValidity = nil
    rules.policies = PolicyInputs()
    rules.veto = nil
    let configuration = Configuration(
      anchors: AnchorSet([anchor]), rules: rules, limits: configuration.limits,
      memory: configuration.memory, revocation: nil, onlyAsksMemory: true)
    let issuers =
      revocation.acceptsSignersOfOtherAuthorities ? pool : Array(subject.issuers)
    // The search hashes the names of all that may be on the path.
    for issuer in issuers {
      try spend(for: issuer.issuer.der)
      try spend(for: issuer.subject.der)
    }
    var builder = PathBuilder([signer] + issuers, .any, time, configuration, budget: budget)
    while let path = try builder.next() {
      budget = builder.budget
      if try isUnrevoked(path) {
        learned.add(builder.learned)
        return true
      }
      builder.budget = budget
    }
    budget = builder.budget
    return false
  }

  private mutating func isUnrevoked(_ path: ValidatedPath) throws(Stop) -> Bool {
    let certificates = path.certificates
    // A signer below the certificate that is judged would vouch for its own issuer.
    for issuer in certificates.dropFirst()
    where keysInQuestion.contains(issuer.publicKeyOctets) { return false }
    for (index, certificate) in certificates.enumerated() where certificate != anchor.certificate {
      let subject = Subject(
        certificate, below: certificates[(index + 1)...], anchor, isLeaf: false)
      let found = try judge(subject)
      if index == 0, certificate.namesItselfAsListIssuer, !found.isRevoked { continue }
      if broken(found, isLeaf: false) != nil { return false }
    }
    return true
  }
}

extension Certificate {
  /// Whether the key may sign lists, as far as its certificate says. RFC 5280 §6.3.3 (f).
  fileprivate var maySignLists: Bool { extensions.keyUsage?.contains(.cRLSign) ?? true }

  /// Whether the issuer has said that only lists of this very signer tell of its certificate. Those do
  /// not count for it, so nothing can be known of it but that it is revoked, by a list of its issuer.
  /// It is then taken as a responder with id-pkix-ocsp-nocheck is: PKITS 4.14.30 has such a one.
  fileprivate var namesItselfAsListIssuer: Bool {
    let points = extensions.crlDistributionPoints
    return !isSelfIssued && !points.isEmpty
      && points.allSatisfy { point in
        !point.crlIssuer.isEmpty
          && point.crlIssuer.allSatisfy {
            if case .directory(let name) = $0 { name.matches(subject) } else { false }
          }
      }
  }
}
