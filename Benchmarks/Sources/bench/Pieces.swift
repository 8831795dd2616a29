internal import Holdfast
internal import HoldfastDER

/// What is measured beside whole chains: reading, and searches that find nothing.
enum Pieces {
  struct Piece {
    let name: String
    /// The most microseconds that the library promises; nil for a row for information.
    let goal: Double?
    var allocationGoal: Int?
    let contenders: [(name: String, work: () -> Bool)]
  }

  static var all: [Piece] {
    [leaf, systemAnchors, path("path_mesh_8", goal: 500), path("path_nc_1000x100", goal: nil)]
      .compactMap(\.self)
  }

  private static var leaf: Piece? {
    guard let chain = ChainFiles("a_rsa2048") else { return nil }
    let octets = chain.leaf
    let peers = ChainPeer.all(trusting: chain.root)
    return Piece(
      name: "read a leaf of \(octets.count) octets", goal: 1.2, allocationGoal: 12,
      contenders: [("ours", { (try? Certificate(der: octets)) != nil })]
        + peers.map { peer in (peer.name, { peer.read(octets) }) })
  }

  private static var systemAnchors: Piece? {
    guard let system = try? AnchorSet.systemWithReport(),
      let file = system.report.files.first(where: { $0.loaded > 0 })?.path,
      let octets = ChainFiles.octets(file)
    else { return nil }
    let count = system.anchors.count
    return Piece(
      name: "\(count) roots from PEM", goal: 400,
      contenders: [("ours", { AnchorSet(CertificateBundle(octets).certificates).count == count })])
  }

  /// The whole answer, certificates read beforehand.
  private static func path(_ name: String, goal: Double?) -> Piece? {
    guard let vectors = ChainFiles.vectors, let leaf = certificate("\(vectors)/\(name)/leaf.der"),
      let anchor = certificate("\(vectors)/\(name)/anchor.der"),
      let files = Platform.names(inFolder: "\(vectors)/\(name)")
    else { return nil }
    let others = files.sorted().filter { file in
      file.hasSuffix(".der") && file != "leaf.der" && file != "anchor.der"
    }
    let intermediates = others.compactMap { certificate("\(vectors)/\(name)/\($0)") }
    guard intermediates.count == others.count else { return nil }
    let anchors = AnchorSet([anchor])
    anchors.prepareKeys()
    let validator = PathValidator(anchors: anchors, memory: nil)
    let isValid = {
      do throws(PathError) {
        _ = try validator.validate(
          leaf, intermediates: intermediates, for: .server(ChainFiles.host),
          at: Timestamp(secondsSince1970: ChainFiles.time))
        return true
      } catch {
        return false
      }
    }
    let verdict = isValid()
    return Piece(
      name: "\(name), \(verdict ? "valid" : "refused")", goal: goal,
      contenders: [("ours", { isValid() == verdict })])
  }

  private static func certificate(_ path: String) -> Certificate? {
    ChainFiles.octets(path).flatMap { try? Certificate(der: $0) }
  }
}
