internal import CPeerOpenSSL
internal import HoldfastCertificates
internal import HoldfastDER

/// A revocation list of a million entries: reading it up to the first look-up, and look-ups.
enum RevocationLists {
  static let entries = 1_000_000

  static func cases() -> [Case] {
    let (der, serials) = make()
    guard let ours = list(der), let theirs = OpenSSLList(der, serials[0]) else { return [] }
    let numbers = ours.entries.map(\.serialNumber)
    guard let first = numbers.first else { return [] }
    let before = residentOctets()
    guard let other = list(der) else { return [] }
    let perEntry = Double(residentOctets() - before) / Double(entries)
    var (turn, otherTurn) = (0, 0)
    return [
      Case(
        subject: "list", name: "list of 10^6, read",
        contenders: [
          .ours { list(der)?.entries(for: first).count == 1 },
          Contender(
            name: "OpenSSL", isPeer: true, work: .here { OpenSSLList(der, serials[0]) != nil }),
        ],
        note: "\(der.count >> 20) MiB, \(perEntry.text(1)) octets an entry, \(other.count) entries"),
      Case(
        subject: "list", name: "list of 10^6, look-up",
        contenders: [
          .ours {
            turn = (turn + 7919) % numbers.count
            return ours.entries(for: numbers[turn]).count == 1
          },
          Contender(
            name: "OpenSSL", isPeer: true,
            work: .here {
              otherTurn = (otherTurn + 7919) % serials.count
              return theirs.has(serials[otherTurn])
            }),
        ]),
    ]
  }

  private static func list(_ der: [UInt8]) -> CertificateList? {
    do throws(RevocationDataError) { return try CertificateList(der: der) } catch { return nil }
  }

  /// A list with random serial numbers of eight octets, half of the entries with a reason.
  private static func make() -> (der: [UInt8], serials: [UInt64]) {
    let date = DERWriting.element(.utcTime, Array("260501000000Z".utf8))
    let reason = DERWriting.element(
      .sequence,
      DERWriting.element(
        .sequence, DERWriting.element(.objectIdentifier, OID.reasonCode.content),
        DERWriting.element(.octetString, [0x0A, 0x01, 0x01])))
    var serials: [UInt64] = []
    var content: [UInt8] = []
    content.reserveCapacity(entries * 42)
    var state: UInt64 = 1
    while serials.count < entries {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let serial = (state ^ state >> 29) >> 1 | 1 << 62
      serials.append(serial)
      let octets = (0..<8).map { UInt8(truncatingIfNeeded: serial >> (56 - $0 * 8)) }
      let hasReason = serials.count % 2 == 0
      content += [0x30, UInt8(10 + date.count + (hasReason ? reason.count : 0)), 0x02, 0x08]
      content += octets
      content += date
      if hasReason { content += reason }
    }
    let algorithm = DERWriting.element(
      .sequence, DERWriting.element(.objectIdentifier, OID.ecdsaWithSHA256.content))
    let tbs = DERWriting.element(
      .sequence, [0x02, 0x01, 0x01], algorithm, [0x30, 0x00], date, date,
      DERWriting.element(.sequence, content))
    return (DERWriting.element(.sequence, tbs, algorithm, [0x03, 0x02, 0x00, 0x00]), serials)
  }
}

/// The memory of this process that is in use.
private func residentOctets() -> Int { Int(peer_openssl_resident()) }
