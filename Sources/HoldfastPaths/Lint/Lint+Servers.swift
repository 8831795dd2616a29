internal import HoldfastCertificates
internal import HoldfastDER

extension Lint {
  // MARK: Names

  static let names: [Lint] = [
    Lint(
      "common-name-in-san", "a common name that is among the alternative names",
      "CA/B BR §7.1.4.3", .error, .server, from: "2012-07-01"
    ) { leaf in
      for attribute in leaf.subject.attributes where attribute.type == .commonName {
        let text = (attribute.text ?? "").utf8.map(Bytes.lowercased)
        let isNamed = leaf.extensions.subjectAlternativeNames.contains { name in
          switch name {
          case .dns(let host): host.bytes.map(Bytes.lowercased) == text
          case .ip(let address): Array("\(address)".utf8) == text
          default: false
          }
        }
        if !isNamed { return [Evidence("\(attribute)", at: attribute.value.range)] }
      }
      return []
    },
    Lint(
      "no-common-name", "no common name", "CA/B BR §7.1.2.7.2, ballot SC-062", .notice, .server,
      from: "2023-09-15"
    ) { leaf in
      leaf.subject.attributes.first { $0.type == .commonName }
        .map { [Evidence("\($0)", at: $0.value.range)] } ?? []
    },
    hosts(
      "no-underscore", "no underscores in names", "CA/B BR §7.1.4.2, ballot SC-012", "2019-05-01"
    ) {
      $0.contains(0x5F)
    },
    hosts("no-internal-name", "no internal names", "CA/B BR §7.1.4.2.1", "2015-11-01") { host in
      guard let last = host.split(separator: 0x2E).last, last.count < host.count else {
        return true
      }
      return internalDomains.contains(last.map(Bytes.lowercased))
    },
    hosts("no-reverse-zone", "no names of reverse zones", "CA/B BR §4.2.2", "2026-03-15") { host in
      let lower = host.map(Bytes.lowercased)
      return reverseZones.contains { lower.suffix($0.count).elementsEqual($0) }
    },
    Lint(
      "no-reserved-address", "no reserved IP addresses", "CA/B BR §7.1.4.2.1", .error, .server,
      from: "2015-11-01"
    ) { leaf in
      for case .ip(let address) in leaf.extensions.subjectAlternativeNames
      where isReserved(address.bytes) {
        return [Evidence("\(address)", at: leaf.range(of: .subjectAltName))]
      }
      return []
    },
    Lint(
      "country-code", "a country of two capital letters", "CA/B BR §7.1.4.2", .error, .all
    ) { certificate in
      for attribute in certificate.subject.attributes
      where attribute.type == .countryName {
        let bytes = attribute.value
        guard bytes.count == 2, bytes.allSatisfy({ 0x41...0x5A ~= $0 }) else {
          return [Evidence("\(attribute)", at: bytes.range)]
        }
      }
      return []
    },
  ]

  /// Top-level domains that no public registry has. RFC 6761, RFC 6762, RFC 8375, RFC 9476.
  private static let internalDomains: Set<[UInt8]> = [
    Array("local".utf8), Array("localhost".utf8), Array("internal".utf8), Array("invalid".utf8),
    Array("test".utf8), Array("example".utf8), Array("alt".utf8), Array("home".utf8),
    Array("corp".utf8), Array("lan".utf8),
  ]

  private static let reverseZones = [Array(".in-addr.arpa".utf8), Array(".ip6.arpa".utf8)]

  /// Whether an address is for private networks, the machine itself or its link. RFC 1918,
  /// RFC 6890.
  private static func isReserved(_ address: some Collection<UInt8>) -> Bool {
    let bytes = Array(address)
    guard bytes.count == 4 else {
      guard bytes.count == 16 else { return false }
      return bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        || bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] < 2
    }
    return switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168): true
    case (100, let second): 64...127 ~= second
    case (172, let second): 16...31 ~= second
    case (let first, _): first >= 224
    }
  }

  /// Makes a check of every host among the alternative names of a server.
  private static func hosts(
    _ id: String, _ text: String, _ source: String, _ from: StaticString,
    _ isBad: @escaping @Sendable (Bytes) -> Bool
  ) -> Lint {
    Lint(id, text, source, .error, .server, from: from) { leaf in
      for case .dns(let name) in leaf.extensions.subjectAlternativeNames where isBad(name.bytes) {
        return [Evidence(GeneralName.dns(name).text(limit: 200), at: name.bytes.range)]
      }
      return []
    }
  }

  // MARK: Uses, services and timestamps

  static let services: [Lint] = [
    Lint(
      "extended-key-usage", "an extended key usage", "CA/B BR §7.1.2.7.6", .error, .server,
      from: "2012-07-01"
    ) { $0.extensions.extendedKeyUsage == nil ? [Evidence("no extended key usage")] : [] },
    Lint(
      "certificate-policies", "certificate policies", "CA/B BR §7.1.2.7.6", .error, .server,
      from: "2012-07-01"
    ) { $0.extensions[.certificatePolicies] == nil ? [Evidence("no policies")] : [] },
    Lint(
      "issuer-location", "a location of the issuer's certificate", "CA/B BR §7.1.2.7.7", .notice,
      .server
    ) { leaf in
      leaf.extensions.authorityInformationAccess.contains { $0.method == .caIssuersAccess }
        ? [] : [Evidence("no caIssuers")]
    },
    Lint(
      "timestamps-present", "embedded timestamps of as many logs as browsers ask for",
      "Chrome CT Policy", .notice, .server, from: "2018-05-01"
    ) { leaf in
      let count = Set(leaf.extensions.signedCertificateTimestamps.compactMap(log)).count
      let needed = leaf.notAfter.seconds(since: leaf.notBefore) <= 180 * 86_400 ? 2 : 3
      return count < needed
        ? [
          Evidence(
            "timestamps of \(count) logs, not \(needed)",
            at: leaf.range(of: .signedCertificateTimestamps))
        ] : []
    },
    Lint(
      "timestamps-in-time",
      "timestamps before the end of validity and not long after its beginning",
      "RFC 6962 §3.3", .warning, .server
    ) { leaf in
      // A log stamps the precertificate, which precedes the certificate; CAs backdate notBefore by
      // an hour or so.
      let late = leaf.notBefore.advanced(bySeconds: 2 * 86_400).secondsSince1970
      for timestamp in leaf.extensions.signedCertificateTimestamps {
        guard let seconds = time(of: timestamp) else { continue }
        if seconds > late || seconds > leaf.notAfter.secondsSince1970 {
          return [
            Evidence("timestamp of \(Timestamp(secondsSince1970: seconds))", at: timestamp.range)
          ]
        }
      }
      return []
    },
    Lint(
      "no-poison", "no poison, which is for precertificates", "RFC 6962 §3.1", .notice, .all
    ) { certificate in
      let poison = certificate.extensions.first { $0.oid == precertificatePoison }
      return poison.map { [Evidence("a precertificate", at: $0.value.range)] } ?? []
    },
  ]

  private static let precertificatePoison: OID = "1.3.6.1.4.1.11129.2.4.3"

  /// The identifier of the log of a timestamp of version 1. RFC 6962 §3.2.
  private static func log(_ timestamp: Bytes) -> [UInt8]? {
    timestamp.first == 0 && timestamp.count > 41 ? Array(timestamp.dropFirst().prefix(32)) : nil
  }

  /// The seconds of a timestamp of version 1.
  private static func time(of timestamp: Bytes) -> Int64? {
    guard timestamp.first == 0, timestamp.count > 41 else { return nil }
    let milliseconds = timestamp.dropFirst(33).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(exactly: milliseconds / 1000)
  }
}
