internal import HoldfastCertificates
internal import HoldfastSignatures

/// Who signed, and whether the signature is right. RFC 5280 §6.3.3 (f), (g).
extension RevocationJudge {
  /// Why a list or an answer does not count, as the error of a `Result`.
  struct Unusable: Error {
    let finding: CertificateRevocation.Finding
  }

  /// The key that signed a list, if whoever has it may sign lists of this issuer.
  mutating func findSigner(
    of index: Int, _ subject: Subject
  ) throws(Stop) -> Result<PublicKey, Unusable> {
    let list = revocation.lists[index].list
    var finding = CertificateRevocation.Finding.noSigner
    if list.issuer.matches(subject.issuerName) {
      if subject.issuer?.maySignLists == false {
        finding = .keyUsage
      } else if let problem = try signatureFinding(of: index, under: subject.issuerKey) {
        finding = problem
      } else {
        return .success(subject.issuerKey)
      }
    }
    if list.issuer.matches(anchor.name), anchor.publicKey.der != subject.issuerKey.der {
      if anchor.certificate?.maySignLists == false {
        finding = .keyUsage
      } else if try signatureFinding(of: index, under: anchor.publicKey) == nil {
        return .success(anchor.publicKey)
      }
    }
    let identifier = list.extensions.authorityKeyIdentifier?.keyIdentifier
    for signer in pool where signer.subject.matches(list.issuer) {
      // Departs: off the path, where RFC 5280 takes a certificate without key usage, cRLSign must
      // be there: the name alone does not make anybody an issuer of lists.
      guard signer.publicKey.der != subject.issuerKey.der,
        signer.extensions.keyUsage?.contains(.cRLSign) == true
      else { continue }
      if let identifier, let own = signer.extensions.subjectKeyIdentifier, own != identifier {
        continue
      }
      if let problem = try signatureFinding(of: index, under: signer.publicKey) {
        finding = problem
        continue
      }
      if try isSound(signer) { return .success(signer.publicKey) }
      finding = .noSigner
    }
    return .failure(Unusable(finding: finding))
  }

  /// Why a list is not signed by a key; nil if it is.
  mutating func signatureFinding(
    of index: Int, under key: PublicKey
  ) throws(Stop) -> CertificateRevocation.Finding? {
    let source = revocation.lists[index]
    let list = source.list
    if list.signatureAlgorithm.der != list.innerSignatureAlgorithm.der,
      configuration.rules.requiresEqualSignatureParameters
        || !list.signatureAlgorithm.isEquivalent(to: list.innerSignatureAlgorithm)
    {
      return .algorithm
    }
    return try signatureFinding(
      list.tbs, list.signatureAlgorithm, list.signature, source.verdicts, under: key)
  }

  /// Why something is not signed by a key; nil if it is. The work is done once for each key.
  mutating func signatureFinding(
    _ message: Octets, _ algorithm: SignatureAlgorithm, _ signature: Octets,
    _ verdicts: SignatureVerdicts, under key: PublicKey
  ) throws(Stop) -> CertificateRevocation.Finding? {
    let checks = CertificateChecks(configuration: configuration, purpose: .any, time: time)
    guard checks.takes(algorithm), checks.takes(key),
      let scheme = SignatureChecks.scheme(algorithm.scheme, for: key.kind)
    else { return .algorithm }
    if let known = verdicts.verdict(under: key) { return known ? nil : .signature }
    try budget.spendPublicKeyOperation(SignatureChecks.work(under: key.kind))
    let prepared = preparedKey(key)
    guard let verification = prepared.take() else { return .algorithm }
    let isRight =
      verification.verify(
        scheme, message: message.input.span.extracting(message.range),
        signature: signature.input.span.extracting(signature.range)) == .valid
    verdicts.keep(isRight, under: key)
    if isRight { configuration.memory?.remember(prepared) }
    return isRight ? nil : .signature
  }

  private func preparedKey(_ key: PublicKey) -> PreparedKey {
    if key.der == anchor.publicKey.der { return anchor.storage.key }
    return configuration.memory?.key(key.der) ?? PreparedKey(key, .reuse)
  }

  /// Whether a signer off the path has a path of its own to the same anchor, of which no certificate
  /// is revoked. RFC 5280 §6.3.3 (f).
  ///
  /// A signer may sign the list that tells of its own certificate. While its path is asked about, it
  /// is taken for sound as a signer, and what it signs decides.
  mutating func isSound(_ signer: Certificate) throws(Stop) -> Bool {
    if signersInProgress.contains(signer) { return true }
    guard signersInProgress.count < RevocationJudge.deepestSigner else { return false }
    if let known = signersKnown.first(where: { $0.certificate == signer }) { return known.isSound }
    signersInProgress.append(signer)
    defer { signersInProgress.removeLast() }
    let isSound = try findPath(of: signer)
    // What was found while another signer was taken for sound holds only for that while.
    if signersInProgress.count == 1 { signersKnown.append((signer, isSound)) }
    return isSound
  }

  private mutating func findPath(of signer: Certificate) throws(Stop) -> Bool {
    var rules = configuration.rules
    rules.acceptsAuthorityAsLeaf = true
    rules.requiresProfile = false
    rules.requiresWebProfile = false
    rules.maximumLeafValidity = nil
    rules.policies = PolicyInputs()
    rules.veto = nil
    let configuration = Configuration(
      anchors: AnchorSet([anchor]), rules: rules, limits: configuration.limits,
      memory: configuration.memory, revocation: nil)
    var builder = PathBuilder(signer, pool, .any, time, configuration, budget: budget)
    while let path = try builder.next() {
      budget = builder.budget
      if try isUnrevoked(path) { return true }
      builder.budget = budget
    }
    budget = builder.budget
    return false
  }

  private mutating func isUnrevoked(_ path: ValidatedPath) throws(Stop) -> Bool {
    for (index, certificate) in path.certificates.enumerated() {
      let above =
        index + 1 < path.certificates.count ? path.certificates[index + 1] : anchor.certificate
      if certificate == anchor.certificate { continue }
      let subject = Subject(
        certificate: certificate, issuerName: above?.subject ?? anchor.name,
        issuerKey: above?.publicKey ?? anchor.publicKey, issuer: above, isLeaf: false)
      if broken(try judge(subject), isLeaf: false) != nil { return false }
    }
    return true
  }
}

extension Certificate {
  /// Whether the key may sign lists, as far as its certificate says. RFC 5280 §6.3.3 (f).
  fileprivate var maySignLists: Bool { extensions.keyUsage?.contains(.cRLSign) ?? true }
}
