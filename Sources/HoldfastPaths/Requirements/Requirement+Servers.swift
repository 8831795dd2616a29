internal import HoldfastCertificates

extension Requirement {
  // MARK: Names

  static let hosts: [Requirement] = [
    Requirement(
      lint: "common-name-in-san", .error, from: "2012-07-01", .server,
      "a common name that is among the alternative names", "CA/B BR §7.1.4.3"
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
        if !isNamed { return [Finding("\(attribute)", at: attribute.value.range)] }
      }
      return []
    },
    Requirement(
      lint: "no-common-name", .notice, from: "2023-09-15", .server, "no common name",
      "CA/B BR §7.1.2.7.2, ballot SC-062"
    ) { leaf in
      leaf.subject.attributes.first { $0.type == .commonName }
        .map { [Finding("has \($0)", at: $0.value.range)] } ?? []
    },
    host(
      "no-underscore", "no underscores in names", "CA/B BR §7.1.4.2, ballot SC-012", "2019-05-01"
    ) { $0.contains(0x5F) },
    host("no-internal-name", "no internal names", "CA/B BR §7.1.4.2.1", "2015-11-01") { host in
      guard let last = host.split(separator: 0x2E).last, last.count < host.count else {
        return true
      }
      return internalDomains.contains(last.map(Bytes.lowercased))
    },
    host("no-reverse-zone", "no names of reverse zones", "CA/B BR §4.2.2", "2026-03-15") { host in
      let lower = host.map(Bytes.lowercased)
      return reverseZones.contains { lower.suffix($0.count).elementsEqual($0) }
    },
    Requirement(
      lint: "no-reserved-address", .error, from: "2015-11-01", .server, "no reserved IP addresses",
      "CA/B BR §7.1.4.2.1"
    ) { leaf in
      for case .ip(let address) in leaf.extensions.subjectAlternativeNames
      where isReserved(address.bytes) {
        return [Finding("has \(address)", at: leaf.range(of: .subjectAltName))]
      }
      return []
    },
    Requirement(
      lint: "country-code", .error, .all, "a country of two capital letters", "CA/B BR §7.1.4.2"
    ) { certificate in
      let wrong = certificate.subject.attributes.first {
        $0.type == .countryName
          && ($0.value.count != 2 || !$0.value.allSatisfy { 0x41...0x5A ~= $0 })
      }
      return wrong.map { [Finding("\($0)", at: $0.value.range)] } ?? []
    },
  ]

  /// Top-level domains that no public registry has. RFC 6761, RFC 6762, RFC 8375, RFC 9476.
  private static let internalDomains = Set(
    [
      "local", "localhost", "internal", "invalid", "test", "example", "alt", "home", "corp", "lan",
    ].map { Array($0.utf8) })

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
  private static func host(
    _ id: String, _ text: String, _ source: String, _ from: StaticString,
    _ isBad: @escaping @Sendable (Bytes) -> Bool
  ) -> Requirement {
    Requirement(lint: id, .error, from: from, .server, text, source) { leaf in
      for case .dns(let name) in leaf.extensions.subjectAlternativeNames where isBad(name.bytes) {
        return [Finding("has \(GeneralName.dns(name).text(limit: 200))", at: name.bytes.range)]
      }
      return []
    }
  }

  // MARK: Uses, services and timestamps

  static let services: [Requirement] = [
    Requirement(
      lint: "extended-key-usage", .error, from: "2012-07-01", .server, "an extended key usage",
      "CA/B BR §7.1.2.7.6"
    ) { $0.extensions.extendedKeyUsage == nil ? [Finding("no extended key usage")] : [] },
    Requirement(
      lint: "certificate-policies", .error, from: "2012-07-01", .server, "certificate policies",
      "CA/B BR §7.1.2.7.6"
    ) { $0.extensions[.certificatePolicies] == nil ? [Finding("no policies")] : [] },
    Requirement(
      lint: "issuer-location", .notice, .server, "a location of the issuer's certificate",
      "CA/B BR §7.1.2.7.7"
    ) { leaf in
      leaf.extensions.authorityInformationAccess.contains { $0.method == .caIssuersAccess }
        ? [] : [Finding("no caIssuers")]
    },
    Requirement(
      lint: "timestamps-present", .notice, from: "2018-05-01", .server,
      "embedded timestamps of as many logs as browsers ask for", "Chrome CT Policy"
    ) { leaf in
      let count = Set(leaf.embeddedTimestamps.map { $0.logID }).count
      let needed = leaf.notAfter.seconds(since: leaf.notBefore) <= 180 * 86_400 ? 2 : 3
      guard count < needed else { return [] }
      let found = "timestamps of \(count) logs, not \(needed)"
      return [Finding(found, at: leaf.range(of: .signedCertificateTimestamps))]
    },
    Requirement(
      lint: "timestamps-in-time", .warning, .server,
      "timestamps before the end of validity and not long after its beginning", "RFC 6962 §3.3"
    ) { leaf in
      // A log stamps the precertificate, which precedes the certificate; CAs backdate notBefore by
      // an hour or so.
      let limit = min(leaf.notBefore.advanced(bySeconds: 2 * 86_400), leaf.notAfter)
      return leaf.embeddedTimestamps.first { $0.time.timestamp > limit }
        .map { [Finding("timestamp of \($0.time.timestamp)", at: $0.bytes.range)] } ?? []
    },
    Requirement(
      lint: "no-poison", .notice, .all, "no poison, which is for precertificates", "RFC 6962 §3.1"
    ) {
      $0.extensions[.precertificatePoison]
        .map { [Finding("a precertificate", at: $0.value.range)] } ?? []
    },
  ]
}
