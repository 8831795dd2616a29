package import HoldfastCertificates

extension Revocation {
  /// What is known of a certificate whose issuer the caller vouches for; nil if it costs too much.
  ///
  /// No path is validated and no signature of the certificate verified: this is for suites that ask
  /// about revocation alone. `PathValidator` is for everybody else.
  package func status(
    of certificate: Certificate, issuer: Certificate, anchor: Certificate? = nil,
    rules: ValidationRules, at time: Timestamp
  ) -> CertificateRevocation? {
    let anchor = TrustAnchor(anchor ?? issuer)
    let configuration = Configuration(
      anchors: AnchorSet([anchor]), rules: rules, limits: .default, memory: nil, revocation: nil)
    var judge = RevocationJudge(
      self, configuration, anchor: anchor, pool: [issuer], time: time,
      budget: Budget(configuration.limits))
    do throws(CheckFailure) {
      return try judge.judge(
        RevocationJudge.Subject(certificate, below: [issuer], anchor, isLeaf: true))
    } catch {
      return nil
    }
  }
}
