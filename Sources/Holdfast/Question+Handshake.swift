extension Question {
  /// Creates the question of a handshake from what a TLS library provides: the certificates as DER,
  /// and the stapled OCSP response and the data of TLS extension 18, nil if the server sent none.
  /// RFC 6066 §8, RFC 6962 §3.3.1.
  ///
  /// Only the leaf must be readable; other certificates that cannot be read are `unreadable`.
  ///
  /// - Parameter chain: The certificates as they were sent, the leaf first.
  /// - Throws: If the leaf or the staple cannot be read. An empty chain is an error only when it is
  ///   evaluated.
  public init(
    der chain: [[UInt8]], staple: [UInt8]? = nil, timestamps: [UInt8]? = nil, for purpose: Purpose,
    at time: Timestamp? = nil
  ) throws(TrustError) {
    try self.init(
      der: chain, staple: staple, timestamps: timestamps, for: purpose, at: time, pool: nil)
  }

  /// Creates the same question, but certificates in the pool are not parsed again.
  package init(
    der chain: [[UInt8]], staple: [UInt8]?, timestamps: [UInt8]?, for purpose: Purpose,
    at time: Timestamp?, pool: CertificatePool?
  ) throws(TrustError) {
    var response: OCSPResponse?
    if let staple {
      do throws(ParseError) {
        response = try OCSPResponse(der: staple)
      } catch {
        throw .invalidStaple(error)
      }
    }
    self.init([], for: purpose, at: time, revocation: .handshake(staple: response))
    self.timestamps = timestamps
    self.chain.reserveCapacity(chain.count)
    for (index, der) in chain.enumerated() {
      do throws(ParseError) {
        let certificate =
          if let pool { try pool.certificate(der: der) } else { try Certificate(der: der) }
        self.chain.append(certificate)
      } catch {
        // An unreadable issuer is no issuer; an unreadable leaf leaves no question.
        if index == 0 { throw .invalidCertificate(index: 0, error) }
        unreadable.append(UnreadableCertificate(der: der, error: error, number: index + 1))
      }
    }
  }

  /// Creates the question of a handshake in which a client has presented these certificates, in DER.
  ///
  /// - Parameter purpose: `client`, `peer` of a server that connects, or that of a workload.
  package init(
    client chain: [[UInt8]], for purpose: Purpose = .client, at time: Timestamp,
    pool: CertificatePool? = nil
  ) throws(TrustError) {
    try self.init(der: chain, staple: nil, timestamps: nil, for: purpose, at: time, pool: pool)
    // A client cannot staple before TLS 1.3, and is not asked to: that it did not tells nothing.
    revocation = nil
  }
}

extension PathValidator {
  /// Creates the question of a handshake as `Question` does, but certificates that the validator was
  /// asked about before are not parsed again.
  package func question(
    der chain: [[UInt8]], staple: [UInt8]? = nil, timestamps: [UInt8]? = nil, for purpose: Purpose,
    at time: Timestamp? = nil
  ) throws(TrustError) -> Question {
    try Question(
      der: chain, staple: staple, timestamps: timestamps, for: purpose, at: time,
      pool: certificatePool)
  }
}
