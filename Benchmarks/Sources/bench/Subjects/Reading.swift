internal import Holdfast
internal import HoldfastDER

/// read: certificates from octets, every extension included. load: the bundle of the system.
enum Reading {
  static func cases(_ peers: Peers) -> [Case] {
    var cases: [Case] = []
    for (name, goals) in [
      ("a_rsa2048", [Goal.scaled(of: "ours", 1.2, openSSL: 87), .allocations(12)]),
      ("b_p256", [.allocations(12)]),
      ("f_rsapss2048", []),
    ] {
      guard let files = ChainFiles[name], let leaf = files.chain.first else { continue }
      cases.append(one("leaf, \(files.title)", leaf, peers, goals))
    }
    if let files = ChainFiles["a_rsa2048"], files.chain.count == 2 {
      cases.append(one("intermediate, RSA-2048", files.chain[1], peers, []))
    }
    if let files = ChainFiles("path_nc_1000x100"), let leaf = files.chain.first {
      cases.append(one("leaf with 1,000 names", leaf, peers, []))
    }
    return cases
  }

  private static func one(
    _ name: String, _ octets: [UInt8], _ peers: Peers, _ goals: [Goal]
  ) -> Case {
    Case(
      subject: "read", name: name,
      contenders: [.ours { (try? Certificate(der: octets)) != nil }] + peers.readers(octets),
      goals: goals, note: "\(octets.count) octets")
  }

  /// The file that this system keeps its anchors in, and the anchors.
  static let system: (path: String, anchors: [[UInt8]])? = {
    guard let system = try? AnchorSet.systemWithReport(),
      let file = system.report.files.first(where: { $0.loaded > 0 })?.path
    else { return nil }
    return (file, system.anchors.anchors.compactMap { $0.certificate?.der })
  }()

  static func loading(_ peers: Peers) -> [Case] {
    guard let system, let octets = ChainFiles.octets(system.path) else { return [] }
    let (path, count) = (system.path, system.anchors.count)
    return [
      Case(
        subject: "load", name: "\(count) roots from PEM",
        contenders: [
          .ours { AnchorSet(CertificateBundle(octets).certificates).count == count }
        ] + peers.loaders(path, count),
        goals: count == 139 ? [.scaled(of: "ours", 400, openSSL: 15_885)] : [],
        note: "\(octets.count >> 10) KiB")
    ]
  }
}
