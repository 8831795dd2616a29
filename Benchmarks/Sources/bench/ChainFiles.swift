internal import Holdfast
internal import HoldfastDER

/// A chain of `bench` of the vectors: a leaf, an intermediate and a root, as octets.
struct ChainFiles: Sendable {
  let name: String
  let folder: String
  let leaf: [UInt8]
  let intermediate: [UInt8]
  let root: [UInt8]

  static let host = "www.bench.example.com"
  static let wrongHost = "www.other.example.net"
  /// 2026-11-15T12:00:00Z
  static let time: Int64 = 1_794_744_000

  static let names = [
    "a_rsa2048", "b_p256", "c_p256_p384root", "d_rsa4096root_mixed", "e_p384", "f_rsapss2048",
    "g_ed25519",
  ]

  /// The folder of the vectors; Scripts/bench looks for it.
  static let vectors = Platform.environment("HOLDFAST_VECTORS").map { "\($0)/bench" }

  static var all: [ChainFiles] { names.compactMap(ChainFiles.init) }

  init?(_ name: String) {
    guard let vectors = ChainFiles.vectors else { return nil }
    let folder = "\(vectors)/\(name)"
    guard let leaf = ChainFiles.octets("\(folder)/leaf.der"),
      let intermediate = ChainFiles.octets("\(folder)/intermediate.der"),
      let root = ChainFiles.octets("\(folder)/root.der")
    else { return nil }
    self.name = name
    self.folder = folder
    self.leaf = leaf
    self.intermediate = intermediate
    self.root = root
  }

  static func octets(_ path: String) -> [UInt8]? {
    try? Platform.readFile(path, limit: 1 << 24)
  }

  /// A validator that trusts the root, whose key is prepared.
  func validator(memory: SignatureMemory? = nil) -> PathValidator? {
    guard let certificate = try? Certificate(der: root) else { return nil }
    let anchors = AnchorSet([certificate])
    anchors.prepareKeys()
    return PathValidator(anchors: anchors, memory: memory)
  }

  /// Whether the chain, read from its octets here, is valid for a host.
  func isValid(_ validator: PathValidator, for host: String = ChainFiles.host) -> Bool {
    do {
      let end = try Certificate(der: leaf)
      let authority = try Certificate(der: intermediate)
      let path = try validator.validate(
        end, intermediates: [authority], for: .server(host),
        at: Timestamp(secondsSince1970: ChainFiles.time))
      return path.certificates.count == 3
    } catch {
      return false
    }
  }

  /// What is measured in this process: ours cold and warm, then the peers. Nil where a library
  /// takes the wrong host or refuses the right one.
  var contenders: [(name: String, work: (() -> Bool)?)] {
    var contenders: [(name: String, work: (() -> Bool)?)] = []
    for (name, memory) in [("cold", nil), ("warm", SignatureMemory())] {
      let validator = self.validator(memory: memory)
      let isRight = validator.map {
        isValid($0) && isValid($0) && !isValid($0, for: ChainFiles.wrongHost)
      }
      contenders.append(
        (name, isRight == true ? validator.map { ours in { isValid(ours) } } : nil))
    }
    for peer in ChainPeer.all(trusting: root) {
      let isRight =
        peer.validate(self, ChainFiles.host) == true
        && peer.validate(self, ChainFiles.wrongHost) == false
      contenders.append(
        (peer.name, isRight ? { peer.validate(self, ChainFiles.host) == true } : nil))
    }
    return contenders
  }
}
