internal import Foundation
internal import Holdfast

/// read: parsing certificates with every extension. load: the bundle of the system. list: a
/// CRL of a thousand entries and one of a million, only on demand.
enum Reading {
  static func cases(_ peers: Peers) -> [Case] {
    let files = ["a_rsa2048", "b_p256", "f_rsapss2048"].compactMap { ChainFiles[$0] }
    var certificates = files.map { ("leaf, \($0.title)", $0.chain[0]) }
    if let first = files.first, first.chain.count == 2 {
      certificates.append(("intermediate, RSA-2048", first.chain[1]))
    }
    if let many = ChainFiles("path_nc_1000x100") {
      certificates.append(("leaf with 1,000 names", many.chain[0]))
    }
    return certificates.map { name, bytes in
      Case(
        subject: "read", name: name,
        contenders: [.ours { Question.canRead(bytes) }] + peers.contenders(.reading(bytes)),
        note: "\(bytes.count) bytes")
    }
  }

  /// The file with the system's anchors, and the anchors.
  static let system: (path: String, anchors: [[UInt8]])? = {
    guard let system = try? AnchorSet.systemWithReport(),
      let file = system.report.files.first(where: { $0.loaded > 0 })?.path
    else { return nil }
    return (file, system.anchors.anchors.compactMap { $0.certificate?.der })
  }()

  static func loading(_ peers: Peers) -> [Case] {
    guard let system, let bytes = ChainFiles.bytes(system.path) else { return [] }
    let count = system.anchors.count
    let inquiry = Inquiry(line: "load \(system.path)", answer: String(count))
    return [
      Case(
        subject: "load", name: "\(count) roots from PEM",
        contenders: [
          .ours { AnchorSet(CertificateBundle(bytes).certificates).count == count }
        ] + peers.contenders(inquiry),
        note: "\(bytes.count >> 10) KiB")
    ]
  }

  /// A CRL, and the work on it.
  struct RevocationList {
    let path: String
    let read: () -> Bool
    let lookUp: () -> Bool
    let note: String

    /// - Parameter count: The number of entries; make.py has made 1,000 and, on demand, a million.
    init?(_ count: Int) {
      path = ".build/bench/" + (count > 1_000 ? "list.der" : "growth/list.der")
      guard let der = ChainFiles.bytes(path), let list = try? CRL(der: der), list.count == count
      else { return nil }
      let numbers = list.entries.map(\.serialNumber)
      let before = residentBytes
      guard let first = numbers.first, let other = try? CRL(der: der) else { return nil }
      let perEntry = Double(residentBytes - before) / Double(max(other.count, 1))
      note =
        "\(der.count >> 10) KiB"
        + (count > 1_000 ? ", \(perEntry.text(1)) bytes an entry" : "")
      read = { (try? CRL(der: der))?.entries(for: first).count == 1 }
      var turn = 0
      lookUp = {
        turn = (turn + 7919) % numbers.count
        return list.entries(for: numbers[turn]).count == 1
      }
    }
  }

  /// Reading a CRL including the first look-up, and further look-ups.
  static func crls(_ peers: Peers) -> [Case] {
    [("10^3", 1_000), ("10^6", 1_000_000)].flatMap { name, count -> [Case] in
      guard let list = RevocationList(count) else { return [] }
      return [
        Case(
          subject: "list", name: "list of \(name), read",
          contenders: [.ours("ours", list.read)]
            + peers.able(to: Inquiry(line: "list \(list.path)", answer: "valid")),
          note: list.note),
        Case(
          subject: "list", name: "list of \(name), look-up",
          contenders: [.ours("ours", list.lookUp)]
            + peers.able(to: Inquiry(line: "look-up \(list.path)", answer: "valid"))),
      ]
    }
  }

  /// The resident memory of this process.
  private static var residentBytes: Int {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = text?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * 4_096
  }
}
