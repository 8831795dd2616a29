internal import HoldfastCertificates

// MARK: Requirements that depend on when the certificate of a server was issued

extension Requirement {
  /// The schedule of the Baseline Requirements and of the browsers' programs, by date. A certificate
  /// was issued at its notBefore.
  ///
  /// Days and ballots are those of the tables of revisions and of relevant dates, CA/B BR §1.2.1 and
  /// §1.2.2; the day of `keys-of-whole-bytes` is that of version 2, for the sentence is older.
  public static let schedule: [Requirement] = [
    Requirement(
      scheduled: "no-sha1-signature", .weakDigest, from: "2016-01-01", "no signature with SHA-1",
      "CA/B BR §7.1.3.2, ballot 118"
    ) {
      guard $0.signatureScheme?.hash == .sha1 else { return [] }
      return [Finding("SHA-1", at: $0.signatureAlgorithmRange)]
    },
    lifetime(825, "ballot 193", from: "2018-03-01", until: "2020-09-01"),
    lifetime(398, "ballot SC-031", from: "2020-09-01", until: "2026-03-15"),
    Requirement(
      scheduled: "keys-of-whole-bytes", .keySizeNotWholeBytes, from: "2023-09-15",
      "an RSA modulus of a multiple of 8 bits", "CA/B BR §6.1.5"
    ) { brokenModulus(of: $0) },
    revocationSource(beyond: 10, from: "2024-03-15", until: "2026-03-15"),
    lifetime(200, "ballot SC-081v3", from: "2026-03-15", until: "2027-03-15"),
    revocationSource(beyond: 7, from: "2026-03-15"),
    lifetime(100, "ballot SC-081v3", from: "2027-03-15", until: "2029-03-15"),
    Requirement(
      scheduled: "server-purpose-alone", .extendedKeyUsageForbidden, from: "2027-03-15",
      "no extended key usage but serverAuth", "Chrome Root Program Policy 1.8"
    ) { leaf in
      let other = leaf.extensions.extendedKeyUsage?.first { $0 != .serverAuth }
      return other.map { [Finding(.purpose($0), at: leaf.range(of: .extKeyUsage))] } ?? []
    },
    lifetime(47, "ballot SC-081v3", from: "2029-03-15"),
  ]

  /// A validity includes its last second, so it is one second longer than the difference of its
  /// times. RFC 5280 §4.1.2.5.
  private static func lifetime(
    _ days: Int, _ ballot: String, from: StaticString, until: StaticString? = nil
  ) -> Requirement {
    Requirement(
      scheduled: "leaf-at-most-\(days)-days", .validityTooLong, from: from, until: until,
      "at most \(days) days", "CA/B BR §6.3.2, \(ballot)"
    ) { leaf in
      let seconds = leaf.notAfter.seconds(since: leaf.notBefore)
      return seconds >= days * 86_400 ? [Finding(.length(seconds, allowed: days * 86_400))] : []
    }
  }

  private static func revocationSource(
    beyond days: Int, from: StaticString, until: StaticString? = nil
  ) -> Requirement {
    Requirement(
      scheduled: "revocation-source-beyond-\(days)-days", .extensionMissing, from: from,
      until: until, "a CRL distribution point or an OCSP responder beyond \(days) days",
      "CA/B BR §7.1.2.11.2, ballot SC-063"
    ) { leaf in
      let isShort = leaf.notAfter.seconds(since: leaf.notBefore) < Int64(days) * 86_400
      let hasSource =
        leaf.extensions[.cRLDistributionPoints] != nil
        || leaf.extensions.authorityInformationAccess.contains { $0.method == .ocspAccess }
      return isShort || hasSource ? [] : [Finding(.extension(.cRLDistributionPoints))]
    }
  }
}
